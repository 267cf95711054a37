/** Reads what a node answered: a transaction, a block, or a list of either. */
import type { MalformedTransaction, Transaction } from "../transaction.ts"
import { fieldsOf } from "./fields.ts"
import { readBlock } from "./read-block.ts"
import { readTransaction } from "./read-transaction.ts"

/**
 * Returns the transactions of a JSON document, with or without the envelope of JSON-RPC; those of
 * a skipped slot, whose result is null, are none.
 *
 * @param watched as `readTransaction` takes it
 */
export const readDocument = (
  json: unknown,
  watched: ReadonlySet<string> | null = null
): ReadonlyArray<Transaction | MalformedTransaction> => {
  if (Array.isArray(json)) return json.flatMap(one => readDocument(one, watched))
  const told = fieldsOf(json)
  if (told?.["jsonrpc"] !== undefined) {
    if (told["error"] !== undefined) {
      return [{ _tag: "MalformedTransaction", reason: "the node answered with an error" }]
    }
    return told["result"] === null ? [] : readDocument(told["result"], watched)
  }
  return readBlock(json, watched) ?? [readTransaction(json, undefined, watched)]
}
