/** What a source must know of the log: pools and tokens whose facts already stand in it. */
import { memoryQuery } from "../../engine/query.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { tokens } from "../tokens/output.ts"
import { pools } from "./output.ts"

/**
 * `{ pools, tokens }`: lower-case addresses (or pool ids). A pool that is only claimed is not among
 * them, so that it is asked itself.
 */
export const knownFacts = memoryQuery("known", context => {
  const all = context.output(pools)
  const { token0, is_claim: isClaim } = all.columns()
  const knownPools: Array<string> = []
  for (let pool = 0; pool < all.count(); pool++) {
    if (token0[pool] !== NONE && isClaim[pool] === 0) knownPools.push(all.idText(pool))
  }
  const list = context.output(tokens)
  const { symbol } = list.columns()
  const knownTokens: Array<string> = []
  for (let token = 0; token < list.count(); token++) {
    if (symbol[token] !== null || !Number.isNaN(list.scale(token))) {
      knownTokens.push(list.addressOf(token))
    }
  }
  return { value: { pools: knownPools, tokens: knownTokens } }
})
