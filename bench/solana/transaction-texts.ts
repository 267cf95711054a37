/**
 * Transactions of Solana as text: real ones, of which `../shared/data` has swaps of most venues and
 * a block of votes and orders, or made ones where that is missing.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { jsonOf, lamportsOf } from "../../streams/solana/made-transaction.ts"
import { madeSwap } from "../../streams/solana/meteora-dlmm/made-swap.ts"
import { say } from "../measure/words.ts"

const folder = join(import.meta.dirname, "..", "..", "..", "shared", "data", "solana")
const [swapFolder, blockFile] = [join(folder, "tx"), join(folder, "block-100356971.json.gz")]

/** As many as the real block has. */
const MADE_TRANSFERS = 1127

let known: boolean | null = null

/** Whether there are real ones; says once where there are none. */
const isReal = (): boolean => {
  if (known !== null) return known
  known = existsSync(swapFolder) && existsSync(blockFile)
  if (!known) say("solana: ../shared/data lacks solana, so transactions are made and not real ones")
  return known
}

const madeSwapText = (amountIn: bigint, amountOut: bigint): string =>
  JSON.stringify(
    jsonOf({
      instructions: [madeSwap(amountIn, amountOut)],
      tokens: { X: ["mint X", 1000n, 1000n + amountIn], Y: ["mint Y", 1000n, 1000n - amountOut] }
    })
  )

/** The result of `getTransaction` of each of some swaps. */
export const swapTexts = (): ReadonlyArray<string> =>
  isReal()
    ? readdirSync(swapFolder).map(name => readFileSync(join(swapFolder, name), "utf8"))
    : [1n, 2n, 3n, 4n].map(amount => madeSwapText(100n * amount, 90n * amount))

interface BlockJson {
  readonly transactions: ReadonlyArray<object>
}

/** The transactions of a block, almost all of them votes and orders, without a swap. */
export const otherTexts = (): ReadonlyArray<string> => {
  if (!isReal()) {
    const transfer = JSON.stringify(jsonOf({ instructions: [lamportsOf("payer", "payee", 1n)] }))
    return Array.from({ length: MADE_TRANSFERS }, () => transfer)
  }
  const { result } = JSON.parse(gunzipSync(readFileSync(blockFile)).toString()) as {
    readonly result: BlockJson
  }
  return result.transactions.map(one => JSON.stringify(one))
}
