/** Programs that route a trader's swap to venues of others. */

/**
 * By program. Jupiter's newer one is in the transactions that the tests read; its former one and
 * DFlow's are as public explorers and code name them.
 */
const AGGREGATORS: { readonly [program: string]: string } = {
  JUP4Fb2cqiRUcaTHdrPC8h2gNsA2ETXiPDD33WcGuJB: "jupiter-v4",
  JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4: "jupiter-v6",
  DF1ow4tspfHX9JwWJsAb9epbkA8hmpSEAtxXy1V27QBH: "dflow"
}

/** Returns what the aggregator of a program is called; null where it is none that is known. */
export const aggregatorOf = (program: string): string | null => AGGREGATORS[program] ?? null
