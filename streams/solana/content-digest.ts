/** What blocks tell of their transactions, as digests: to compare what endpoints tell. */
import { createHash } from "node:crypto"
import type { BlockContent } from "./block.ts"
import type { Transaction } from "./transaction.ts"

export interface ContentDigest {
  /** of which transactions failed, and of instructions and balances of those that are read */
  readonly content: string
  /** of what programs logged; null where a log is cut off or not told, as nodes may */
  readonly logs: string | null
}

const contentOf = ({ signature, instructions, tokenBalances, lamportChanges }: Transaction) => {
  const calls = instructions.map(({ path, program, accounts, data, move }) => [
    ...[path, program, accounts, Buffer.from(data).toString("base64")],
    ...(move === null ? [] : [move.from, move.to, move.native, `${move.amount}`, `${move.fee}`])
  ])
  const tokens = [...tokenBalances].map(([account, { mint, owner, decimals, before, after }]) => [
    ...[account, mint, owner, decimals, `${before}`, `${after}`]
  ])
  const lamports = [...lamportChanges].map(([account, change]) => [account, `${change}`])
  return JSON.stringify([signature, calls, tokens, lamports])
}

/** Returns the digest of a block's transactions. */
export const contentDigest = ({
  failed,
  transactions
}: Pick<BlockContent, "failed" | "transactions">): ContentDigest => {
  const [content, logs] = [createHash("sha256"), createHash("sha256")]
  let isLogged = true
  content.update(`${failed}\n`)
  for (const one of transactions) {
    if (one._tag === "MalformedTransaction") {
      content.update(`${one.reason}\n`)
      continue
    }
    content.update(`${contentOf(one)}\n`)
    isLogged &&= one.log === "complete"
    const told = one.instructions.flatMap(({ path, logged }) =>
      logged.map(({ isRay, base64 }) => [path, isRay, base64])
    )
    logs.update(`${one.signature}${JSON.stringify(told)}\n`)
  }
  return { content: content.digest("base64"), logs: isLogged ? logs.digest("base64") : null }
}
