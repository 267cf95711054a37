/** What a token's contract says that addresses have, as of the end of a block. */
import { Effect, Predicate } from "effect"
import { toFunctionSelector } from "viem"
import type { Balances, SourceError } from "../../source.ts"
import { hexNumber } from "./block-number.ts"
import type { Endpoints } from "./endpoints.ts"
import { readHeader } from "./wire.ts"

const BALANCE_OF = toFunctionSelector("function balanceOf(address)")
const WORD = /^0x[0-9a-fA-F]{64}/

const readBalance = (result: unknown): bigint | null =>
  Predicate.isString(result) && WORD.test(result) ? BigInt(result.slice(0, 66)) : null

/**
 * The balances of these addresses, by one endpoint in one go; `untold` with the reason where it
 * does not have the state of that block, or the contract does not answer.
 */
export const balancesAt = (
  endpoints: Endpoints,
  token: string,
  holders: ReadonlyArray<string>,
  block: number
): Effect.Effect<Balances, SourceError> => {
  const at = hexNumber(block)
  const header = { method: "eth_getBlockByNumber", params: [at, false] }
  const balances = holders.map(holder => ({
    method: "eth_call",
    params: [{ to: token, data: `${BALANCE_OF}${holder.slice(2).padStart(64, "0")}` }, at]
  }))
  // the block may be replaced meanwhile
  const calls = [header, ...balances, header]
  const read = (results: ReadonlyArray<unknown>): Balances | null => {
    const [before, after] = [readHeader(results[0]), readHeader(results.at(-1))]
    if (before === null || after === null) return null
    if (before.hash !== after.hash) return { state: "untold", reason: "the block was replaced" }
    const found = results.slice(1, -1).map(readBalance)
    return found.every(balance => balance !== null)
      ? { state: "told", hash: before.hash, balances: found }
      : { state: "untold", reason: "the contract tells no balances" }
  }
  return endpoints.all(calls, read, { give: ["timeout", "rpc"] }).pipe(
    Effect.map(({ value }) => value),
    Effect.catchTag("RpcError", ({ message }) =>
      Effect.succeed<Balances>({ state: "untold", reason: message })
    )
  )
}
