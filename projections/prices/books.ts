/** All that the fold of prices holds: its tables, what it reads, and what follows from them. */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { Pools } from "../pools/output.ts"
import type { Scales } from "../tokens/decimals.ts"
import type { Tokens } from "../tokens/output.ts"
import type { AnchorPrices } from "./anchor-prices.ts"
import type { BasedPools } from "./based-pools.ts"
import type { Pair } from "./pair.ts"
import type { Parked } from "./parked.ts"
import type { PricedSwaps } from "./priced-swaps.ts"
import type { PoolPrices, PrintLevels, TokenPrices } from "./tables.ts"

export interface Books {
  readonly chain: ChainConfig
  /** ids of the venues that the chain's registry lists */
  readonly venues: ReadonlySet<string>
  /** kinds whose reserves are no price */
  readonly ofDepth: ReadonlySet<string>
  readonly tokens: Tokens
  readonly pools: Pools
  readonly poolPrices: SlotTable<PoolPrices>
  readonly tokenPrices: SlotTable<TokenPrices>
  readonly levels: SlotTable<PrintLevels>
  readonly parked: Parked
  /** as of the event in hand: those of `tokens` are ahead, by up to a slice */
  readonly scales: Scales
  /** the pair last looked at */
  readonly pair: Pair
  readonly based: BasedPools
  readonly means: AnchorPrices
  /** dollars that have appeared in the log, and other anchors that have pools; best-ranked first */
  readonly dollars: Array<number>
  readonly assets: Array<number>
  /** by token without decimals: the pools that wait for them */
  readonly waiting: Map<number, Set<number>>
  readonly swaps: PricedSwaps
  /** prints of earlier slices whose price became known in this slice: see `Prices.late` */
  readonly late: PricedSwaps
}

/** Adds an anchor to a list that is sorted by rank. */
export const listAnchor = ({ pair }: Books, list: Array<number>, token: number): void => {
  if (list.includes(token)) return
  list.push(token)
  list.sort((a, b) => pair.anchors.rank(a) - pair.anchors.rank(b) || a - b)
}
