/** Tokens of curves that moved into a pool: that pool prices them at once, and no other. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import type { Projection } from "../../engine/projection.ts"
import { solana } from "../../src/domain/chains/solana.ts"
import { idBytes } from "../../src/domain/ids.ts"
import type { Event } from "../../streams/event.ts"
import { foldedEveryWay } from "../../test/support/folded-every-way.ts"
import { foldLog } from "../../test/support/folded-lane.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import {
  accountOf,
  blocksOf,
  created,
  liquidity,
  MINT,
  POOL,
  reserves,
  sealed,
  seen,
  swap,
  told,
  USDC
} from "../../test/support/small-solana.ts"
import { NEWEST } from "../tape/cursor.ts"
import { prices } from "./projection.ts"

const START = 1_700_000_000
/** Too late to count as older than the log. */
const LAUNCH = START + 10_000
const OLD = LAUNCH + 300
const [CURVE, NEXT, OTHER, ANN] = [0xc1, 0xc2, 0xc3, 1].map(accountOf) as [
  ...[string, string, string, string]
]
const PAIR = [MINT, USDC] as const

/** A curve at $2 a token, of which the log has the making. */
const curve = [
  ...[seen(START, MINT), seen(START, USDC), created(START, POOL, PAIR), sealed(START)],
  ...[created(LAUNCH, CURVE, PAIR, "log"), reserves(LAUNCH, 10_000, 20_000, CURVE)]
]

/** Somebody trades on the curve; old enough, it sets the price then. */
const traded = (time: number): Event => reserves(time, 10_000, 20_000, CURVE)

/** The curve's program says which pool has all that it held. */
const moved = (time: number, to = NEXT): ReadonlyArray<Event> => [
  told(time, 1, ANN, {
    ...{ kind: "PoolParameterSet", pool: CURVE, name: "migratedTo", index: null },
    value: BigInt(`0x${Buffer.from(idBytes(to)).toString("hex")}`)
  }),
  reserves(time, 0, 0, CURVE)
]

const opened = (time: number, dollars = 19_000): ReadonlyArray<Event> => [
  created(time, NEXT, PAIR, "log"),
  reserves(time, 10_000, dollars, NEXT),
  liquidity(time, ANN, 10_000, dollars, NEXT)
]

/** Somebody's own pool of the same two tokens, deeper, at ten times the price. */
const foisted = (time: number): ReadonlyArray<Event> => [
  created(time, OTHER, PAIR, "log"),
  reserves(time, 10_000, 200_000, OTHER)
]

const folded = (...events: ReadonlyArray<Event>) => {
  const log = new MemoryLog()
  for (const block of blocksOf([...curve, ...events])) log.append(block)
  return foldLog(solana, log)
}

const run = <A, E>(effect: Effect.Effect<A, E, never>): Promise<A> => Effect.runPromise(effect)

const EVENTS = { limit: 10, pool: null, wallet: null, token: null, ...NEWEST }
const POOLS = { sort: "depth", limit: 10, offset: 0, asOf: null }

it.each([
  // at $1.90 a token
  ["ahead of its making", 38_000, [...moved(OLD), ...foisted(OLD), ...opened(OLD)]],
  // while the curve's $2 stands
  ["behind it", 39_000, [...foisted(OLD), ...opened(OLD), ...moved(OLD)]]
])("are priced by the pool that the curve's program names %s", (_, usd, events) =>
  run(
    Effect.gen(function* () {
      const sold = [CURVE, POOL].map((pool, i) =>
        swap({ time: OLD, logIndex: 5 + i, by: ANN, tokens: -5, dollars: 10, pool })
      )
      const lane = yield* folded(traded(OLD), ...sold, ...events, sealed(OLD))
      const { priceUsd, pools } = yield* lane.ask("explainPrice", { token: MINT })
      expect(priceUsd).toBe(1.9)
      expect(pools).toMatchObject([
        { pool: OTHER, eligible: false, reason: "new", priceUsd: 20 },
        { pool: NEXT, eligible: true, priceUsd: 1.9 },
        { pool: POOL, eligible: false, priceUsd: null },
        { pool: CURVE, eligible: false, priceUsd: null }
      ])
      const { events: changes } = yield* lane.ask("liquidityEvents", EVENTS)
      expect(changes).toMatchObject([{ pool: NEXT, usd }])
      const { pools: held } = yield* lane.ask("liquidityPools", POOLS)
      const amounts = held.map((one: { pool: string; reserves: unknown }) => [
        ...[one.pool, one.reserves]
      ])
      expect(amounts).toContainEqual([CURVE, { amount0: 0, amount1: 0 }])
      // nobody told of it
      expect(amounts).toContainEqual([POOL, null])
    }).pipe(Effect.scoped)
  )
)

it("have no price by a pool of a curve that is too young for one itself", () =>
  run(
    Effect.gen(function* () {
      const time = OLD - 1
      const young = yield* folded(...moved(time), ...opened(time), sealed(time))
      expect((yield* young.ask("explainPrice", { token: MINT })).priceUsd).toBeNull()
      const later = reserves(OLD, 10_000, 21_000, NEXT)
      const grown = yield* folded(...moved(time), ...opened(time), later, sealed(OLD))
      expect((yield* grown.ask("explainPrice", { token: MINT })).priceUsd).toBe(2.1)
    }).pipe(Effect.scoped)
  ))

it("have no price by a pool of other tokens, whatever names it", () =>
  run(
    Effect.gen(function* () {
      const sol = solana.nativeToken ?? ""
      const pair = [created(OLD, NEXT, [sol, USDC], "log"), reserves(OLD, 100, 9_000, NEXT)]
      const lane = yield* folded(seen(OLD, sol), ...moved(OLD), ...pair, sealed(OLD))
      const { pools } = yield* lane.ask("explainPrice", { token: sol })
      expect(pools).toMatchObject([{ pool: NEXT, eligible: false, reason: "new" }])
    }).pipe(Effect.scoped)
  ))

it.each([
  ["a launch program, which is never new", "pumpfun", 2],
  ["anybody", "raydium-cpmm", null]
])("are priced from the first trade on a curve of %s", (_, kind, priceUsd) =>
  run(
    Effect.gen(function* () {
      const factory = solana.venues.find(venue => venue.kind === kind)?.factory ?? null
      const mint = accountOf(0xa7)
      const made = created(LAUNCH, OTHER, [mint, USDC], "log")
      const launched = [
        ...[seen(LAUNCH, mint), { ...made, venueKind: kind, factory } as Event],
        reserves(LAUNCH + 1, 10_000, 20_000, OTHER)
      ]
      const lane = yield* folded(...launched, sealed(LAUNCH + 1))
      expect((yield* lane.ask("explainPrice", { token: mint })).priceUsd).toBe(priceUsd)
    }).pipe(Effect.scoped)
  )
)

const DAMM = solana.venues.find(({ kind }) => kind === "meteora-damm-v2")?.factory ?? null

/** A pool whose price its first swap tells, with so many dollars in its vaults then. */
const unpriced = [
  { ...created(OLD, NEXT, PAIR, "log"), venueKind: "meteora-damm-v2", factory: DAMM },
  liquidity(OLD, ANN, 10_000, 20_000, NEXT)
] as ReadonlyArray<Event>
const firstSwap = (dollars: number): ReadonlyArray<Event> => [
  reserves(OLD + 9, 10_000, dollars, NEXT),
  {
    ...swap({ time: OLD + 9, by: ANN, tokens: 3, dollars: 12, pool: NEXT }),
    ...{ venueKind: "meteora-damm-v2", sqrtPriceX96: 2n * 2n ** 96n }
  } as Event
]

it("keep the curve's last price until the pool tells one", () =>
  run(
    Effect.gen(function* () {
      const waiting = yield* folded(traded(OLD), ...moved(OLD), ...unpriced, sealed(OLD))
      expect((yield* waiting.ask("explainPrice", { token: MINT })).priceUsd).toBe(2)
      const { events } = yield* waiting.ask("liquidityEvents", EVENTS)
      expect(events).toMatchObject([{ pool: NEXT, usd: 40_000 }])
      const before = [traded(OLD), ...moved(OLD), ...unpriced]
      const trading = yield* folded(...before, ...firstSwap(20_000), sealed(OLD + 9))
      expect((yield* trading.ask("explainPrice", { token: MINT })).priceUsd).toBeCloseTo(4, 9)
      // too thin to set a price, it still says that the curve's is over
      const thin = yield* folded(...before, ...firstSwap(500), sealed(OLD + 9))
      expect((yield* thin.ask("explainPrice", { token: MINT })).priceUsd).toBeNull()
    }).pipe(Effect.scoped)
  ))

it("are priced the same however the log came", async () => {
  const end = [...moved(OLD + 1), ...foisted(OLD + 2), ...opened(OLD + 2)]
  const after = [3, 4, 5].map(i => reserves(OLD + i, 10_000, 18_000 + 1_000 * i, NEXT))
  const events = [traded(OLD), ...end, ...after]
  // blocks that are taken back name another pool
  const left = blocksOf([...moved(OLD + 1, OTHER), ...foisted(OLD + 2)])
  const how = { chain: solana, branch: { from: 3, left } }
  await foldedEveryWay(prices as Projection, blocksOf([...curve, ...events]), [], how)
  await run(
    Effect.gen(function* () {
      const lane = yield* folded(...events)
      expect((yield* lane.ask("explainPrice", { token: MINT })).priceUsd).toBe(2.3)
    }).pipe(Effect.scoped)
  )
})
