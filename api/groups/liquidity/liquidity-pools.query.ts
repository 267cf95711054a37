/** `GET /v1/chains/solana/liquidity/pools`: pools by depth or volume, with what was added. */
import { Effect } from "effect"
import { descending } from "../../../engine/memory/descending.ts"
import {
  type FoldsView,
  memoryQuery,
  once,
  type Row,
  type RowsView
} from "../../../engine/query.ts"
import { readCoverage } from "../../../projections/coverage/covered-time.ts"
import { CHANGES, liquidityEventsTable } from "../../../projections/liquidity/tables.ts"
import { markets } from "../../../projections/markets/output.ts"
import { pools } from "../../../projections/pools/output.ts"
import { pricesOutput } from "../../../projections/prices/output.ts"
import { asOfRefusal } from "../../../projections/tape/as-of.ts"
import { ofKept, unknownIn } from "../../../src/domain/covered-time.ts"
import { shownChain, updatedAt } from "../../../src/domain/shown-chain.ts"
import { keptOrders, type Order, sortedOrders } from "../boards/kept-orders.ts"
import { windowOf } from "../boards/window-of.ts"
import { isWhole, poolFacts, reservesOf } from "./pool-facts.ts"

const MICRO = 1e6

/** What was traded in each pool in the 24 hours of boards, by pool. */
interface Traded {
  readonly usd: Float64Array
  /** 1 where there was a swap: one of tokens without a price has no dollars */
  readonly any: Uint8Array
}

/** Once a position, however many ask. */
const tradedIn = once((view): Traded => {
  const { usd, trades } = windowOf(view).ofMarkets.columns
  const { columns, count } = view.output(markets).index.markets
  const pooled = view.output(pools).count()
  const traded = { usd: new Float64Array(pooled), any: new Uint8Array(pooled) }
  for (let market = 0; market < count; market++) {
    const pool = columns.pool[market] as number
    traded.usd[pool] = (traded.usd[pool] as number) + (usd[market] ?? 0) / MICRO
    if ((trades[market] ?? 0) > 0) traded.any[pool] = 1
  }
  return traded
})

export type LiquidityPoolsParams = {
  readonly sort: "depth" | "volume"
  readonly limit: number
  readonly offset: number
  /** position whose order is wanted; null for the present one */
  readonly asOf: number | null
}

/** The pools that have depth or swaps, in order; of equal ones the deeper, the older, first. */
const orderOf = (view: FoldsView, sort: "depth" | "volume", { usd, any }: Traded): Order => {
  const { poolLiquidOf } = view.output(pricesOutput)
  const depths = new Float64Array(usd.length)
  const places = new Uint32Array(usd.length)
  let count = 0
  for (let pool = 0; pool < usd.length; pool++) {
    const depth = poolLiquidOf(pool)
    depths[pool] = depth
    if (depth > 0 || any[pool] === 1) places[count++] = pool
  }
  const sorted = view.kept(sortedOrders).get("liquidity pools by depth")
  const byDepth = sorted.of(places.subarray(0, count), usd.length, pool => depths[pool] as number)
  if (sort === "depth") return byDepth
  // those without volume stay in their order, behind the others
  const order = new Uint32Array(byDepth.length)
  let traded = 0
  for (const pool of byDepth) if ((usd[pool] as number) > 0) order[traded++] = pool
  let size = traded
  for (const pool of byDepth) if (!((usd[pool] as number) > 0)) order[size++] = pool
  order.set(descending(order.slice(0, traded), usd))
  return order
}

/**
 * Changes of liquidity of some pools since a time, by pool and kind. A join with the pools looks
 * each row up once, where a list in words compares it with all of them.
 */
const changesSql = (shown: ReadonlyArray<number>, since: number): string =>
  `SELECT pool, change, count(*) AS changes, sum(usd) AS usd, count(usd) AS priced
   FROM ${liquidityEventsTable.name}
   WHERE ts >= ${since} AND pool IN (SELECT unnest([${shown.join(",")}]::UINTEGER[]))
   GROUP BY pool, change`

const changesOf = (rows: ReadonlyArray<Row>, pool: number) => {
  const rowOf = (change: (typeof CHANGES)[number]) =>
    rows.find(
      row => Number(row["pool"]) === pool && Number(row["change"]) === CHANGES.indexOf(change)
    ) ?? {}
  const at = (row: Row, column: string): number => Number(row[column] ?? 0)
  const [add, remove] = [rowOf("add"), rowOf("remove")]
  return {
    adds24h: at(add, "changes"),
    removes24h: at(remove, "changes"),
    addedUsd24h: at(add, "usd") / MICRO,
    removedUsd24h: at(remove, "usd") / MICRO,
    unpriced24h: [add, remove].reduce((sum, row) => sum + at(row, "changes") - at(row, "priced"), 0)
  }
}

const positive = (value: number): number | null => (value > 0 ? value : null)

/** What memory tells of the shown pools at this position. */
const factsOf = (view: FoldsView, shown: ReadonlyArray<number>, { usd }: Traded) => {
  const { poolLiquidOf } = view.output(pricesOutput)
  return shown.map(pool => ({
    ...poolFacts(view, pool),
    reserves: reservesOf(view, pool),
    depthUsd: positive(poolLiquidOf(pool)),
    volumeUsd24h: usd[pool] ?? 0,
    sinceCreation: isWhole(view, pool)
  }))
}

export const liquidityPools = memoryQuery(
  "liquidityPools",
  (view, params: LiquidityPoolsParams) => {
    const { sort, limit, offset } = params
    const asOf = params.asOf ?? view.seq
    const board = `liquidity pools by ${sort}`
    const kept = view.kept(keptOrders)
    const traded = tradedIn(view)
    const known = kept.get(board, asOf)
    if (known === undefined && asOf !== view.seq) return { refused: asOfRefusal(asOf, view.seq) }
    const order = known ?? kept.keep(board, asOf, orderOf(view, sort, traded))
    const shown = [...order.subarray(offset, offset + limit)]
    const facts = factsOf(view, shown, traded)
    const { since } = windowOf(view)
    const kepts = view.keptFrom.raw
    const page = { chain: shownChain(view.chain), offset, asOf, total: order.length }
    return {
      read: (reader: RowsView) =>
        Effect.gen(function* () {
          const rows = yield* reader.rows(changesSql(shown, since))
          const coverage = ofKept(kepts, yield* readCoverage(reader, since))
          return {
            ...page,
            since,
            pools: facts.map((one, i) => ({ ...one, ...changesOf(rows, shown[i] as number) })),
            unknown: unknownIn(coverage, { from: since, to: view.blockTime + 1 }),
            updatedAt: updatedAt(view)
          }
        })
    }
  }
)
