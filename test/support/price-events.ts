/** Events that move prices, written by hand, and a lane in memory that folds them. */
import { Effect } from "effect"
import { allPages } from "../../api/queries.ts"
import type { Projection } from "../../engine/projection.ts"
import type { OutputKey, Row } from "../../engine/query.ts"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { openQueries } from "../../engine/runner/queries.ts"
import { openStore } from "../../engine/store/store.ts"
import { allProjections, withUses } from "../../projections/all.ts"
import { prices } from "../../projections/prices/projection.ts"
import { tape } from "../../projections/tape/projection.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { Event } from "../../streams/event.ts"
import { testChain } from "./chain-config.ts"
import { MemoryLog } from "./memory-log.ts"
import { presentPrices } from "./tape-oracle.ts"

export const address = (byte: string): string => `0x${byte.repeat(20)}`
/** Anchors of the test chain, and tokens of six decimals; their ids follow the order of `facts`. */
export const [WETH, USDC, MEME, OTHER] = [
  address("11"),
  address("22"),
  address("44"),
  address("55")
] as [string, string, string, string]
const [LISTED_V2, LISTED_V3, UNLISTED] = [address("33"), address("34"), address("ff")]

/** The test chain with a venue of ranges. */
export const priceChain: ChainConfig = {
  ...testChain,
  venues: [
    ...testChain.venues,
    { id: "uniswap_v3", kind: "uniswap-v3", factory: LISTED_V3 as never }
  ]
}

/** Dollars that rank behind USDC in this order, and an asset that ranks behind WETH. */
export const [DAI, USDT, WBTC] = [address("72"), address("71"), address("73")] as [
  string,
  string,
  string
]

/** The chain of prices with these dollars and this asset. */
export const dollarChain = {
  ...priceChain,
  anchors: [
    ...[priceChain.anchors[0], { address: DAI, symbol: "DAI", decimals: 6, kind: "usd" }],
    { address: USDT, symbol: "USDT", decimals: 6, kind: "usd" },
    ...[priceChain.anchors[1], { address: WBTC, symbol: "WBTC", decimals: 6, kind: "asset" }]
  ]
} as unknown as ChainConfig

/** A fact of the log; `by` is who signed its transaction. */
export type Fact = { readonly time: number; readonly kind: string; readonly by?: string }

const TIME = 1_700_000_000
export const ETHER = 10n ** 18n
/** Of a dollar, and of the tokens but WETH. */
export const UNIT = 10n ** 6n
/** Square root of raw token 1 a raw token 0, in the contract's form. */
export const rootOf = (price: number): bigint => BigInt(Math.round(Math.sqrt(price) * 2 ** 96))

export const seen = (time: number, token: string, decimals: number | null = 6) => ({
  ...{ time, kind: "TokenSeen", token, symbol: "T", name: "T", decimals },
  ...{ totalSupply: null, source: "call" }
})

/** What a log begins with. */
export const facts = [seen(0, WETH, 18), seen(0, USDC), seen(0, MEME), seen(0, OTHER)]

interface PoolForm {
  readonly source?: "log" | "call"
  readonly venue?: "v2" | "v3"
  readonly listed?: boolean
}

export const pool = (
  time: number,
  byte: string,
  tokens: readonly [string, string],
  { source = "call", venue = "v2", listed = true }: PoolForm = {}
) => ({
  ...{ time, kind: "PoolCreated", pool: address(byte), venueKind: `uniswap-${venue}` },
  ...{ factory: listed ? (venue === "v2" ? LISTED_V2 : LISTED_V3) : UNLISTED, tokens },
  ...{ fee: 3000, tickSpacing: null, source }
})

export const reserves = (time: number, byte: string, reserve0: bigint, reserve1: bigint) => ({
  ...{ time, kind: "ReservesSynced", pool: address(byte), reserve0, reserve1 }
})

/** A swap; amounts are what the pool received, negative where it paid. */
export const swap = (
  time: number,
  byte: string,
  amount0: bigint,
  amount1: bigint,
  state?: { readonly root: bigint; readonly liquidity: bigint }
) => {
  const [in0, in1] = [amount0, amount1].map(amount => (amount > 0n ? amount : 0n))
  const [out0, out1] = [amount0, amount1].map(amount => (amount < 0n ? -amount : 0n))
  return {
    ...{ time, kind: "SwapExecuted", pool: address(byte), sender: null, recipient: null },
    ...{ venueKind: state === undefined ? "uniswap-v2" : "uniswap-v3" },
    ...{ amount0In: in0, amount0Out: out0, amount1In: in1, amount1Out: out1 },
    ...{ sqrtPriceX96: state?.root ?? null, liquidity: state?.liquidity ?? null },
    ...{ tick: state === undefined ? null : 0, fee: null },
    ...{ token0: null, token1: null, index0: null, index1: null }
  }
}

export const initialized = (time: number, byte: string, root: bigint) => ({
  ...{ time, kind: "PoolInitialized", pool: address(byte), sqrtPriceX96: root, tick: 0 }
})

export const liquidity = (
  time: number,
  byte: string,
  range: readonly [number, number],
  amount: bigint,
  amounts: readonly [bigint, bigint] = [0n, 0n]
) => ({
  ...{ time, kind: "LiquidityChanged", pool: address(byte), venueKind: "uniswap-v3" },
  ...{ owner: null, sender: null, tickLower: range[0], tickUpper: range[1], liquidity: amount },
  ...{ amount0: amounts[0], amount1: amounts[1] }
})

export const parameter = (time: number, byte: string, name: string, value: bigint) => ({
  ...{ time, kind: "PoolParameterSet", pool: address(byte), name, index: null, value }
})

export const collected = (time: number, byte: string, amounts: readonly [bigint, bigint]) => ({
  ...{ time, kind: "FeesCollected", pool: address(byte), owner: null, recipient: null },
  ...{ tickLower: 0, tickUpper: 1, amount0: amounts[0], amount1: amounts[1] }
})

const hash = (number: number) => `0x${number.toString(16).padStart(64, "0")}`

/** The facts as events: a block for each second that has some. */
export const eventsOf = (list: ReadonlyArray<Fact>): ReadonlyArray<Event> =>
  list.map(({ time, ...fact }, logIndex) => {
    const block = {
      ...{ number: time + 1, time: TIME + time },
      ...{ hash: hash(time + 1), parentHash: hash(time) }
    }
    const tx = { hash: hash(logIndex), index: logIndex, from: fact.by ?? null, to: null }
    return { ...fact, block, tx, logIndex } as unknown as Event
  })

export interface PriceLane {
  readonly rows: (sql: string) => Promise<ReadonlyArray<Row>>
  readonly ask: (name: string, params: object) => Promise<{ readonly [field: string]: unknown }>
}

/** The log of the facts, folded by these projections. */
const folded = (
  list: ReadonlyArray<Fact>,
  chain: ChainConfig,
  projections: ReadonlyArray<Projection>
) =>
  Effect.gen(function* () {
    const log = new MemoryLog()
    log.append(eventsOf([...facts, ...list]))
    const folds = newFoldSet(chain, projections)
    const store = yield* openStore(":memory:", folds.tables, { threads: 1 })
    const core = yield* loadCore(store, folds, log.read)
    for (const segment of log.segments) yield* applySegment(core, segment)
    yield* commitPending(core)
    return { store, folds, core }
  })

/** Folds the facts, and reads what the lane then holds. */
export const withPrices = <A>(
  list: ReadonlyArray<Fact>,
  use: (lane: PriceLane) => Promise<A>,
  chain: ChainConfig = priceChain
): Promise<A> =>
  Effect.gen(function* () {
    const { store, folds, core } = yield* folded(list, chain, allProjections)
    const queries = yield* openQueries(store, chain, folds, core, allPages)
    return yield* Effect.promise(() =>
      use({
        rows: sql => Effect.runPromise(store.writer.rows(sql)),
        ask: (name, params) =>
          Effect.runPromise(queries.answer({ name, params: params as never })).then(answer =>
            answer.ok ? JSON.parse(new TextDecoder().decode(answer.body)) : answer.refusal
          )
      })
    )
  }).pipe(Effect.scoped, Effect.runPromise)

/** Rows after these facts of a projection's tables, beside what it uses. */
const rowsAfter = (
  list: ReadonlyArray<Fact>,
  projection: OutputKey<unknown>,
  sql: string,
  chain: ChainConfig = priceChain
): Promise<ReadonlyArray<Row>> =>
  folded(list, chain, withUses(projection)).pipe(
    Effect.flatMap(({ store }) => store.writer.rows(sql)),
    Effect.scoped,
    Effect.runPromise
  )

/** What a token costs after these facts; null without a price. */
export const priceAfter = async (
  list: ReadonlyArray<Fact>,
  token: number,
  chain?: ChainConfig
): Promise<number | null> => {
  const sql = `SELECT price FROM ${presentPrices} WHERE token = ${token}`
  const [row] = await rowsAfter(list, prices, sql, chain)
  return row === undefined || row["price"] === null ? null : Number(row["price"])
}

/** Flags of the prints after these facts, in log order. */
export const flagsAfter = async (list: ReadonlyArray<Fact>): Promise<ReadonlyArray<number>> =>
  (await rowsAfter(list, tape, "SELECT flags FROM tape ORDER BY seq")).map(row =>
    Number(row["flags"])
  )
