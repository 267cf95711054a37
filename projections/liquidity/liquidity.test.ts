/** Changes of liquidity by values written by hand, and however their log came. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { Projection } from "../../engine/projection.ts"
import { ask, memoryQuery } from "../../engine/query.ts"
import { ID_BYTES } from "../../src/domain/ids.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Event } from "../../streams/event.ts"
import { foldedEveryWay } from "../../test/support/folded-every-way.ts"
import { random } from "../../test/support/seed.ts"
import {
  DOLLAR,
  opening,
  openLaneWith,
  POOL,
  reserves,
  sealed,
  TOKEN
} from "../../test/support/small-lane.ts"
import { LiquidityFold } from "./fold.ts"
import { liquidityProjection } from "./projection.ts"
import { liquidityOutput } from "./tables.ts"

const TIME = 1_700_000_000
const [ANN, BEN] = [`0x${"e1".repeat(20)}`, `0x${"e2".repeat(20)}`]
const UNIT = 1_000_000n

/** A fact of the block at this time. */
const at = (time: number, logIndex: number, fact: object): Event =>
  ({ ...reserves(time, 0, 0), logIndex, ...fact }) as Event

interface Changed {
  readonly owner?: string | null
  readonly ticks?: readonly [number, number]
  readonly liquidity?: bigint
}

const changed = (
  time: number,
  tokens: bigint,
  dollars: bigint,
  { owner = ANN, ticks, liquidity }: Changed = {},
  logIndex = 2
): Event =>
  at(time, logIndex, {
    ...{ kind: "LiquidityChanged", pool: POOL, venueKind: "uniswap-v2", owner, sender: null },
    ...{ tickLower: ticks?.[0] ?? null, tickUpper: ticks?.[1] ?? null },
    ...{ liquidity: liquidity ?? null, amount0: tokens * UNIT, amount1: dollars * UNIT }
  })

const collected = (time: number, tokens: bigint, dollars: bigint): Event =>
  at(time, 3, {
    ...{ kind: "FeesCollected", pool: POOL, owner: ANN, recipient: BEN },
    ...{ tickLower: -10, tickUpper: 10, amount0: tokens * UNIT, amount1: dollars * UNIT }
  })

const ofReserve = (
  time: number,
  token: string | null,
  index: number | null,
  amount: bigint,
  reason = "liquidity"
) =>
  at(time, 4, {
    ...{ kind: "ReserveChanged", pool: POOL, venueKind: "balancer-v2", owner: BEN },
    ...{ token, index, amount: amount * UNIT, reason }
  })

/** Two dollars a token: so many that the pool sets the price. */
const market = [...opening(TIME), reserves(TIME, 50_000, 100_000)]

/** All rows of a table in plain values, of the columns asked for. */
const rowsOf = (events: ReadonlyArray<ReadonlyArray<Event>>, sql: string) =>
  Effect.gen(function* () {
    const lane = yield* openLaneWith(liquidityOutput)
    for (const block of events) yield* lane.commit(block)
    const rows = yield* lane.rows(sql)
    const plain = (value: unknown) => (typeof value === "bigint" ? Number(value) : value)
    return rows.map(row => Object.values(row).map(plain))
  }).pipe(Effect.scoped, Effect.runPromise)

const EVENTS =
  "SELECT change, amount0, amount1, usd, liquidity, tick_lower FROM liquidity_events ORDER BY seq"
const SUMS = `SELECT adds, removes, collects, added0, added1, added_usd, removed0, removed1, removed_usd,
  collected0, collected1, collected_usd, liquidity, untold, unpriced, first_ts, last_ts
  FROM (SELECT * FROM lp_positions UNION ALL SELECT * FROM lp_positions_tail)
  QUALIFY row_number() OVER (PARTITION BY position ORDER BY seq DESC) = 1 ORDER BY position`

describe("changes of liquidity", () => {
  it("are rows with whole tokens and the dollars of their moment", async () => {
    const blocks = [
      [...market, changed(TIME, 10n, 20n)],
      // four dollars a token within one slice: each change has the price of its place
      [changed(TIME + 1, 1n, 2n), reserves(TIME + 1, 25_000, 100_000), changed(TIME + 1, -1n, -4n)],
      [collected(TIME + 2, 0n, 5n), sealed(TIME + 3)]
    ]
    expect(await rowsOf(blocks, EVENTS)).toEqual([
      [0, 10, 20, 40e6, null, null],
      [0, 1, 2, 4e6, null, null],
      [1, 1, 4, 8e6, null, null],
      [2, 0, 5, 5e6, null, -10]
    ])
    expect(await rowsOf(blocks, SUMS)).toEqual([
      [2, 1, 0, 11, 22, 44e6, 1, 4, 8e6, 0, 0, 0, null, 0, 0, TIME, TIME + 1],
      [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 5e6, null, 0, 0, TIME + 2, TIME + 2]
    ])
  })

  it("are of a position by pool, owner and range", async () => {
    const [near, far] = [{ ticks: [-10, 10] }, { ticks: [-20, 10] }] as const
    const blocks = [
      [...market, changed(TIME, 1n, 1n, { ...near, liquidity: 7n })],
      [changed(TIME + 1, 1n, 1n, { ...far, liquidity: 5n })],
      [changed(TIME + 2, 1n, 1n, { ...near, owner: BEN, liquidity: 3n })],
      [changed(TIME + 3, -1n, 0n, { ...near, liquidity: -4n })],
      [changed(TIME + 4, 1n, 1n, { ...near, owner: null, liquidity: 2n })]
    ]
    const rows = await rowsOf(blocks, SUMS)
    // adds, removes and net liquidity
    expect(rows.map(row => [row[0], row[1], row[12]])).toEqual([
      [1, 1, 3],
      [1, 0, 5],
      [1, 0, 3],
      [1, 0, 2]
    ])
  })

  it("have no amounts where only liquidity is told, and no dollars without a price", async () => {
    const silent = changed(TIME + 1, 0n, 0n, { ticks: [-10, 10], liquidity: 9n })
    const nothing = changed(TIME + 1, 0n, 0n, { ticks: [-10, 10], liquidity: 0n }, 5)
    const blocks = [[...opening(TIME), changed(TIME, 3n, 6n), silent, nothing, sealed(TIME + 2)]]
    expect(await rowsOf(blocks, EVENTS)).toEqual([
      [0, 3, 6, null, null, null],
      [0, null, null, null, 9, -10]
    ])
    expect((await rowsOf(blocks, SUMS)).map(row => row.slice(12, 15))).toEqual([
      [null, 0, 1],
      [9, 1, 1]
    ])
  })

  it("are told one token at a time by pools of many", async () => {
    const blocks = [
      [...market, ofReserve(TIME, null, 1, 6n)],
      [ofReserve(TIME + 1, TOKEN, null, -2n), ofReserve(TIME + 1, DOLLAR, null, 8n, "fee")],
      [ofReserve(TIME + 2, ANN, null, 1n), sealed(TIME + 3)]
    ]
    expect((await rowsOf(blocks, EVENTS)).map(row => row.slice(0, 4))).toEqual([
      [0, 6, 0, 6e6],
      [1, 2, 0, 4e6],
      [0, null, 0, null]
    ])
    const [only] = await rowsOf(blocks, SUMS)
    expect(only?.slice(0, 9)).toEqual([2, 1, 0, 0, 6, 6e6, 2, 0, 4e6])
  })
})

/** Blocks with changes of many owners and ranges, in turns. */
const manyBlocks = (count: number): ReadonlyArray<ReadonlyArray<Event>> => {
  const r = random("liquidity")
  return Array.from({ length: count }, (_, i) => {
    const time = TIME + 10 * i
    const owner = () => `0x${r.integer(16, 55).toString(16).repeat(20)}`
    const some = Array.from({ length: 12 }, (_, k) => {
      const sign = r.boolean(0.6) ? 1n : -1n
      const ticks = r.boolean(0.5) ? ([-10, 10 * r.integer(1, 3)] as const) : undefined
      const by = r.boolean(0.1) ? null : owner()
      const [tokens, dollars] = [BigInt(r.integer(1, 99)), BigInt(r.integer(0, 99))]
      const liquidity = ticks === undefined ? {} : { ticks, liquidity: sign * tokens }
      return changed(time, sign * tokens, sign * dollars, { owner: by, ...liquidity }, 2 + k)
    })
    const prices = [reserves(time, r.integer(30_000, 60_000), 100_000)]
    return [...(i === 0 ? market : []), ...prices, ...some, collected(time, 1n, 1n), sealed(time)]
  })
}

it("come to the same however the log was cut, forked or restarted", async () => {
  await foldedEveryWay(liquidityProjection as Projection, manyBlocks(8), [])
})

/** Each pool and owner whose list differs from what a look at all rows finds, and what it has. */
const lists = memoryQuery("lists", view => {
  const { positions, lists: kept } = view.output(liquidityOutput)
  const { pool, owner } = positions.columns
  const slots = Array.from({ length: positions.count }, (_, slot) => slot)
  const taken = slots.filter(slot => pool[slot] !== NONE)
  const isOf = (slot: number, bytes: Uint8Array): boolean =>
    Buffer.compare(owner.subarray(slot * ID_BYTES, (slot + 1) * ID_BYTES), bytes) === 0
  const ofPool = [0, 1].map(one => [kept.ofPool(one), taken.filter(slot => pool[slot] === one)])
  const ofOwner = Array.from({ length: kept.owners.count }, (_, one) => [
    kept.ofOwner(one),
    taken.filter(slot => isOf(slot, kept.owners.bytes(one)))
  ])
  const wrong = [...ofPool, ...ofOwner].filter(([told, is]) => String(told) !== String(is))
  const owned = new Set(ofOwner.flatMap(([told = []]) => told))
  return { value: { wrong, taken: taken.length, unlisted: taken.length - owned.size } }
})

it("are let go by those that changed the longest ago, in any way the same", async () => {
  const few: Projection = {
    ...(liquidityProjection as Projection),
    queries: [lists],
    create: context => {
      const fold = new LiquidityFold(context, 16)
      return { out: fold.out, apply: slice => fold.apply(slice), reloaded: () => fold.reloaded() }
    }
  }
  const [told] = await foldedEveryWay(few, manyBlocks(8), [ask(lists, {})])
  expect(told).toEqual({ wrong: [], taken: 16, unlisted: 0 })
})
