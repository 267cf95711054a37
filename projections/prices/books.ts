/** All that the fold of prices holds: its tables, what it reads, and what follows from them. */
import type { FoldContext } from "../../engine/projection.ts"
import { idsOf } from "../../src/domain/ids.ts"
import { kindsOfDepth } from "../../streams/pool-venue.ts"
import { pools } from "../pools/output.ts"
import { Scales } from "../tokens/decimals.ts"
import { tokens } from "../tokens/output.ts"
import type { AnchorPool } from "./anchor-prices.ts"
import { Anchors } from "./anchors.ts"
import { BasedPools } from "./based-pools.ts"
import { Pair } from "./pair.ts"
import { type LatePrint, Parked, parkedPrintsTable } from "./parked.ts"
import { PricedChanges } from "./priced-changes.ts"
import { PricedSwaps } from "./priced-swaps.ts"
import { curveSuccessorsTable, Successors } from "./successors.ts"
import { poolPricesTable, printLevelsTable, tokenPricesTable } from "./tables.ts"

export const booksOf = ({ chain, state, output }: FoldContext) => {
  const [ofTokens, ofPools] = [output(tokens), output(pools)]
  return {
    chain,
    /** ids of the venues that the chain's registry lists */
    venues: new Set(chain.venues.map(({ id }) => id)),
    /** kinds whose reserves are no price */
    ofDepth: kindsOfDepth,
    tokens: ofTokens,
    pools: ofPools,
    poolPrices: state(poolPricesTable),
    tokenPrices: state(tokenPricesTable),
    levels: state(printLevelsTable),
    parked: new Parked(state(parkedPrintsTable)),
    successors: new Successors(state(curveSuccessorsTable), ofPools, idsOf(chain)),
    /** as of the event in hand: those of `tokens` are ahead, by up to a slice */
    scales: new Scales(),
    /** the pair last looked at */
    pair: new Pair(ofPools, new Anchors(chain, ofTokens)),
    based: new BasedPools(),
    /** by anchor: its pools with a price, in the order of the newest mean */
    anchorPools: new Map<number, Array<AnchorPool>>(),
    /** dollars that the log has had, and other anchors that have pools; best-ranked first */
    dollars: [] as number[],
    assets: [] as number[],
    /** by token without decimals: the pools that wait for them */
    waiting: new Map<number, Set<number>>(),
    swaps: new PricedSwaps(),
    /** the changes of liquidity of the slice in hand */
    changes: new PricedChanges(),
    /** prints of earlier slices whose price became known in this slice: see `Prices.late` */
    late: [] as LatePrint[]
  }
}

export type Books = Readonly<ReturnType<typeof booksOf>>

/** Adds an anchor to a list that is sorted by rank. */
export const listAnchor = ({ pair }: Books, list: Array<number>, token: number): void => {
  if (list.includes(token)) return
  list.push(token)
  list.sort((a, b) => pair.anchors.rank(a) - pair.anchors.rank(b) || a - b)
}
