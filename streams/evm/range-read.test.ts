/** Reads of ranges from answers by hand: windows, what is out of them, and answers that are wrong. */
import { expect, it } from "vitest"
import type { TickInfo } from "../../src/math/concentrated/tick-map.ts"
import { sqrtRatioAtTick } from "../../src/math/concentrated/tick-math.ts"
import { readState } from "../../test/support/read-state.ts"
import { random } from "../../test/support/seed.ts"
import type { Event } from "../event.ts"
import type { PoolFacts, StateAnswer, StateCall } from "../venue.ts"
import { eventOf } from "../venue-laws.ts"
import { rangePoolModel, rangePoolState } from "./range-pool.ts"
import { asArgument, MOST_ROWS, MOST_TICKS, rangeStateRead } from "./range-read.ts"

const POOL = `0x${"bb".repeat(20)}`
const factsOf = (tickSpacing: number): PoolFacts => ({
  pool: POOL,
  tokens: ["0x1", "0x2"],
  fee: 500,
  tickSpacing,
  decimals: [18, 18]
})

interface World {
  readonly tickSpacing: number
  readonly tick: number
  readonly ticks: ReadonlyArray<TickInfo>
}

const priceOf = ({ tick, ticks }: World) => ({
  sqrtPriceX96: sqrtRatioAtTick(tick),
  tick,
  liquidity: ticks.reduce((sum, one) => (one.tick <= tick ? sum + one.net : sum), 0n)
})

/** A pool's contract: what its accessors answer. */
const answerOf = (world: World) => {
  const { sqrtPriceX96, tick, liquidity } = priceOf(world)
  const byTick = new Map(world.ticks.map(one => [one.tick, one]))
  return (_to: string, { abi, args = [] }: StateCall): StateAnswer => {
    const at = Number(BigInt.asIntN(24, args[0] ?? 0n))
    if (abi.includes("slot0")) return [sqrtPriceX96, asArgument(tick), 0n, 1n, 1n, 0n, 1n]
    if (abi.includes("liquidity()")) return [liquidity]
    if (abi.includes("tickBitmap")) {
      const bits = world.ticks.reduce((all, one) => {
        const place = one.tick / world.tickSpacing
        return Math.floor(place / 256) === at ? all | (1n << BigInt(place - at * 256)) : all
      }, 0n)
      return [bits]
    }
    const one = byTick.get(at)
    return [one?.gross ?? 0n, BigInt.asUintN(256, one?.net ?? 0n), 0n, 0n]
  }
}

const L = 10n ** 18n
const around = (tickSpacing: number, places: ReadonlyArray<readonly [number, number]>) =>
  places.flatMap(([lower, upper]) => [
    { tick: lower * tickSpacing, gross: L, net: L },
    { tick: upper * tickSpacing, gross: L, net: -L }
  ])

const question = (tickSpacing: number) => {
  const facts = factsOf(tickSpacing)
  return { facts, factory: null, known: rangePoolModel.initial(facts), time: 0 }
}

it("tells a pool of few ticks whole", async () => {
  const world = {
    tickSpacing: 60,
    tick: -7,
    ticks: around(60, [
      [-14787, 14787],
      [-3, 2],
      [2, 3]
    ])
  }
  const merged = new Map<number, TickInfo>()
  for (const { tick, gross, net } of world.ticks) {
    const old = merged.get(tick)
    merged.set(tick, { tick, gross: gross + (old?.gross ?? 0n), net: net + (old?.net ?? 0n) })
  }
  const ticks = [...merged.values()].sort((a, b) => a.tick - b.tick)
  const told = await readState(rangeStateRead, question(60), answerOf({ ...world, ticks }))
  expect(told).toEqual(rangePoolState(POOL, 60, priceOf(world), ticks))
})

it("quotes within a window as the whole pool does, and nothing that leads out of it", async () => {
  const facts = factsOf(1)
  const far = 100_000
  const world = {
    tickSpacing: 1,
    tick: 3,
    ticks: around(1, [
      [-400, 300],
      [-far, far]
    ])
  }
  const whole = rangePoolState(POOL, 1, priceOf(world), world.ticks)
  const told = await readState(rangeStateRead, question(1), answerOf(world))
  if (told === null) throw new Error("no state")
  const first = (-MOST_ROWS / 2) * 256
  expect(told.ticks?.window).toEqual({ low: first, high: first + MOST_ROWS * 256 - 1 })
  const { integer, bits } = random("ranges read in part")
  const met = { same: 0, refused: 0 }
  for (let i = 0; i < 200; i++) {
    const [from, to] = i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)
    const amount = bits(integer(1, 75)) + 1n
    const quote = rangePoolModel.quote(told, facts, from, to, amount)
    const right = rangePoolModel.quote(whole, facts, from, to, amount)
    if (quote.ok) met.same++
    else met.refused++
    expect(quote).toEqual(quote.ok ? right : { ok: false, reason: "unknown-state" })
  }
  expect(Math.min(met.same, met.refused)).toBeGreaterThan(10)
})

it("keeps to the rows nearest to the price where a pool has more ticks than are asked for", async () => {
  const places = Array.from({ length: 1000 }, (_, i) => [i - 1000, i + 1] as const)
  const world = { tickSpacing: 60, tick: 0, ticks: around(60, places) }
  const told = await readState(rangeStateRead, question(60), answerOf(world))
  expect(told?.ticks?.window).toEqual({ low: -512 * 60, high: 511 * 60 })
  expect(told?.ticks?.size).toBe(512 + 511)
  expect(MOST_TICKS).toBe(1024)
})

it("folds on in a window: ticks out of it stay unknown", async () => {
  const world = { tickSpacing: 1, tick: 0, ticks: around(1, [[-10, 10]]) }
  const told = await readState(rangeStateRead, question(1), answerOf(world))
  if (told === null) throw new Error("no state")
  const moved = (tickLower: number, tickUpper: number, liquidity: bigint): Event =>
    eventOf({
      kind: "LiquidityChanged",
      pool: POOL,
      venueKind: "uniswap-v3",
      owner: null,
      sender: null,
      tickLower,
      tickUpper,
      liquidity,
      amount0: 0n,
      amount1: 0n
    })
  const left = rangePoolModel.fold(told, moved(-800_000, 800_000, -5n))
  expect(left.price?.liquidity).toBe(L - 5n)
  expect([...(left.ticks?.entries() ?? [])].map(({ tick }) => tick)).toEqual([-10, 10])
  const come = rangePoolModel.fold(left, moved(-20, 800_000, 7n))
  expect([...(come.ticks?.entries() ?? [])].map(({ tick }) => tick)).toEqual([-20, -10, 10])
})

it("tells nothing where answers are missing or contradict each other", async () => {
  const world = { tickSpacing: 60, tick: 5, ticks: around(60, [[-3, 2]]) }
  const good = answerOf(world)
  const but = (part: string, answer: StateAnswer) => (to: string, call: StateCall) =>
    call.abi.includes(part) ? answer : good(to, call)
  const wrong = [
    but("slot0", null),
    but("slot0", [0n, 0n]),
    but("slot0", [sqrtRatioAtTick(5), 900n]),
    but("slot0", [sqrtRatioAtTick(5), 1n << 200n]),
    but("liquidity()", []),
    but("liquidity()", [L + 1n]),
    but("tickBitmap", null),
    but("ticks(", null),
    but("ticks(", [0n, 0n]),
    but("ticks(", [L, L])
  ]
  for (const answer of wrong) {
    expect(await readState(rangeStateRead, question(60), answer)).toBeNull()
  }
  expect(
    await readState(rangeStateRead, { ...question(60), facts: { ...factsOf(60) } }, good)
  ).not.toBeNull()
  const nowhere = { ...factsOf(60), tickSpacing: null }
  const known = rangePoolModel.initial(nowhere)
  const asked = { facts: nowhere, factory: null, known, time: 0 }
  expect(await readState(rangeStateRead, asked, good)).toBeNull()
})
