/** Programs that route a trader's swap to venues of others. */
import type { Transaction } from "./transaction.ts"

/**
 * By program. Jupiter's newer one is in the transactions that the tests read; its former one and
 * DFlow's are as public explorers and code name them.
 */
const AGGREGATORS: { readonly [program: string]: string } = {
  JUP4Fb2cqiRUcaTHdrPC8h2gNsA2ETXiPDD33WcGuJB: "jupiter-v4",
  JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4: "jupiter-v6",
  DF1ow4tspfHX9JwWJsAb9epbkA8hmpSEAtxXy1V27QBH: "dflow"
}

/**
 * Returns what the aggregator is called that had an instruction called; null where none did that
 * is known.
 *
 * @param path of the instruction, see `pathOf`
 */
export const aggregatorOf = ({ instructions }: Transaction, path: number): string | null => {
  let above = instructions.find(one => one.path === path)?.parent ?? -1
  for (; above >= 0; above = instructions[above]!.parent) {
    const name = AGGREGATORS[instructions[above]!.program]
    if (name !== undefined) return name
  }
  return null
}
