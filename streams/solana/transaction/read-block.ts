/** Reads the result of `getBlock`. */
import type { MalformedTransaction, Transaction } from "../transaction.ts"
import { fieldsOf, listOf, wholeNumber } from "./fields.ts"
import { readTransaction } from "./read-transaction.ts"

/** Returns the transactions of a block; null where the value is no block. */
export const readBlock = (
  json: unknown,
  watched: ReadonlySet<string> | null = null
): ReadonlyArray<Transaction | MalformedTransaction> | null => {
  const told = fieldsOf(json)
  const list = told?.["transactions"] === undefined ? null : listOf(told["transactions"])
  if (told === null || list === null) return null
  const facts = {
    // a node does not tell the slot of the block that it was asked for
    slot: wholeNumber(told["slot"]),
    blockTimeSeconds: wholeNumber(told["blockTime"])
  }
  return list.map(one => readTransaction(one, facts, watched))
}
