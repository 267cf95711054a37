/**
 * Laws of whole swaps of every venue kind, as other parts of the house take them: `quote-check`
 * judges each by the state before it, and `projections/prices` reads a price of what it leaves.
 */
import { describe, expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import { pricelessParameters } from "../../streams/pool-venue.ts"
import { PoolCheck } from "../../streams/quote-check/pool-check.ts"
import type { Verdict } from "../../streams/quote-check/verdict.ts"
import type { LawPool, LawSwap } from "../../streams/venue-laws.ts"
import { lawSwap, stateOf } from "../support/law-swaps.ts"
import { neverQuoting } from "../support/never-quoting.ts"
import { rounds } from "../support/rounds.ts"
import { type Random, random } from "../support/seed.ts"
import { toldPrice } from "../support/told-price.ts"
import { type KindUnderLaw, kindsUnderLaw } from "../support/venue-laws.ts"

/**
 * Events as one transaction logs them: each swap and each state of reserves ends a log, but for
 * what a kind tells of a swap behind it.
 */
const logged = (events: ReadonlyArray<Event>, tx: number): ReadonlyArray<Event> => {
  let [logIndex, isBegun] = [0, false]
  return events.map(event => {
    if (event.kind === "SwapExecuted" || event.kind === "ReservesSynced") {
      if (isBegun) logIndex++
      isBegun = true
    }
    const hash = `0x${tx.toString(16).padStart(64, "0")}`
    return { ...event, logIndex, tx: { hash, index: 0, from: null, to: null } }
  })
}

const verdictsOn = (
  { kind }: KindUnderLaw,
  { facts, history }: LawPool,
  events: ReadonlyArray<Event>
): ReadonlyArray<Verdict> => {
  const verdicts: Array<Verdict> = []
  const check = new PoolCheck(kind, facts, verdict => verdicts.push(verdict))
  for (const event of history) check.event(event)
  for (const event of events) check.event(event)
  check.settle()
  return verdicts
}

const resized = (events: ReadonlyArray<Event>, by: bigint): ReadonlyArray<Event> => {
  const grown = (amount: bigint) => (amount > 0n ? amount + by : amount)
  const place = events.findIndex(event => event.kind === "SwapExecuted")
  return events.map((event, i) =>
    i === place && event.kind === "SwapExecuted"
      ? { ...event, amount0Out: grown(event.amount0Out), amount1Out: grown(event.amount1Out) }
      : event
  )
}

/** Swaps of amounts of all sizes that the quote took whole, with the pool before. */
const swapsOf = (under: KindUnderLaw, label: string, count = rounds(60)) => {
  const chance = random(`${under.kind.kind} ${label}`)
  return Array.from({ length: count }, (_, run) => {
    const one = under.laws.pool(chance)
    const swap = lawSwap(under, chance, one, run + 20)
    return swap?.isWhole !== true || swap.amountOut === 0n ? [] : [{ run, one, swap }]
  }).flat()
}

const judgesSwaps = (under: KindUnderLaw): void => {
  const { neverQuotes } = under.kind
  const judged =
    neverQuotes === undefined ? { is: "exact" } : { is: "unknown", reason: neverQuotes }
  const swaps = swapsOf(under, "check")
  for (const { run, one, swap } of swaps) {
    const events = logged(under.laws.swapEvents(one, swap), run)
    const told = verdictsOn(under, one, events)
    const of = `run ${run}: ${swap.amountIn} of token ${swap.tokenIn} for ${swap.amountOut}`
    expect(told, `${of}, judged ${JSON.stringify(told)}`).toMatchObject([judged])
    const [wrong] = verdictsOn(under, one, resized(events, 1n << 100n))
    expect(wrong, `${of}, which paid 2^100 more`).not.toMatchObject({ is: "exact" })
  }
  expect(swaps.length, "swaps that pools of the laws could quote").toBeGreaterThan(rounds(20))
}

/** Whole tokens 0 a whole token 1 that the swap got or gave. */
const executedAt = ({ facts }: LawPool, { tokenIn, amountIn, amountOut }: LawSwap): number => {
  const [of0, of1] = tokenIn === 0 ? [amountIn, amountOut] : [amountOut, amountIn]
  const whole = (amount: bigint, place: number) =>
    Number(amount) / 10 ** (facts.decimals[place] ?? 18)
  return whole(of0, 0) / whole(of1, 1)
}

/** Amounts that integers cannot tell from their neighbours have no price. */
const LEAST = 1000n
/** What rounding of such amounts can move. */
const ROUNDED = 1.005
/** So many told prices may all be of pools that are too small to be asked. */
const FEW = 10
/** Swaps that are drawn to see whether reserves are a price, of kinds that say they are not. */
const UNPRICED = 120
/** How far the price is from a small swap's own, of kinds that cannot be asked what comes next. */
const NEAR = 1.25

/**
 * Between which prices the pool stands after the swap: at one the same swap gets more, at the other
 * the way back does. Null where it does not tell both.
 */
const pricesAfter = (
  { kind: { pool, neverQuotes } }: KindUnderLaw,
  one: LawPool,
  swap: LawSwap,
  after: unknown
): readonly [number, number] | null => {
  const { tokenIn, tokenOut, amountIn, amountOut } = swap
  if (amountOut < LEAST || amountIn < LEAST) return null
  if (neverQuotes !== undefined) {
    const executed = executedAt(one, swap)
    return [executed / NEAR, executed * NEAR]
  }
  const again = pool.quote(after, one.facts, tokenIn, tokenOut, amountIn)
  const back = pool.quote(after, one.facts, tokenOut, tokenIn, amountOut)
  if (!again.ok || !back.ok || again.amountOut < LEAST || back.amountOut < LEAST) return null
  const prices = [
    executedAt(one, { ...again, tokenIn, tokenOut }),
    executedAt(one, { ...back, tokenIn: tokenOut, tokenOut: tokenIn })
  ]
  return [Math.min(...prices) / ROUNDED, Math.max(...prices) * ROUNDED]
}

const leavesItsPrice = (under: KindUnderLaw): void => {
  const { kind, laws } = under
  const met = { told: 0, compared: 0 }
  for (const { run, one, swap } of swapsOf(under, "price")) {
    const events = laws.swapEvents(one, swap)
    const told = toldPrice(kind.kind, one, events)
    if (told === null) continue
    met.told++
    const after = events.reduce((s, event) => kind.pool.fold(s, event), stateOf(kind, one))
    const between = pricesAfter(under, one, swap, after)
    if (between === null) continue
    met.compared++
    const of =
      `run ${run}: prices tell ${told} tokens 0 a token 1 after a swap that leaves ` +
      `${between.join(" to ")}. Declare what the reserves mean (\`reserves\` of VenueKind), or ` +
      "mend the sqrtPriceX96 of the event"
    expect(told, of).toBeGreaterThanOrEqual(between[0])
    expect(told, of).toBeLessThanOrEqual(between[1])
  }
  if (met.told > FEW) {
    expect(
      met.compared,
      `${met.told} prices told, none of a pool that could tell its own`
    ).toBeGreaterThan(0)
  }
}

/** Token 0 for one token 1 by the reserves that the pool logged last; null where it logged none. */
const ratioTold = ({ facts, history }: LawPool, events: ReadonlyArray<Event>): number | null => {
  const last = [...history, ...events].findLast(event => event.kind === "ReservesSynced")
  if (last?.kind !== "ReservesSynced") return null
  const [whole0, whole1] = [last.reserve0, last.reserve1].map(
    (reserve, place) => Number(reserve) / 10 ** (facts.decimals[place] ?? 18)
  ) as [number, number]
  return whole0 / whole1
}

/** Pools after a swap of which prices read no reserves, though they are told. */
const unpricedPools = (under: KindUnderLaw) =>
  swapsOf(under, "hidden price", UNPRICED).flatMap(({ one, swap }) => {
    const events = under.laws.swapEvents(one, swap)
    const ratio = ratioTold(one, events)
    if (ratio === null || toldPrice(under.kind.kind, one, events) !== null) return []
    const after = [...one.history, ...events].reduce(
      (state, event) => under.kind.pool.fold(state, event),
      under.kind.pool.initial(one.facts)
    )
    const between = pricesAfter(under, one, swap, after)
    if (between === null) return []
    const names = one.history.flatMap(event =>
      event.kind === "PoolParameterSet" && event.value !== 0n ? [event.name] : []
    )
    return [{ isPrice: ratio >= between[0] && ratio <= between[1], names: new Set(names) }]
  })

/** Reserves of which prices may not read a price are not the price of every pool. */
const hidesNoPrice = (under: KindUnderLaw): void => {
  const { kind, reserves } = under.kind
  if (reserves === undefined || reserves === "price") return
  const pools = unpricedPools(under)
  const names = new Set(pools.flatMap(pool => [...pool.names]))
  const arePrices = (some: typeof pools) =>
    some.length > FEW && some.every(({ isPrice }) => isPrice)
  const better = arePrices(pools)
    ? '"price"'
    : [...names]
        .filter(name => arePrices(pools.filter(pool => !pool.names.has(name))))
        .map(name => `{ unless: "${name}" }`)[0]
  const declared = typeof reserves === "object" ? `{ unless: "${reserves.unless}" }` : '"depth"'
  expect(
    better,
    `reserves: ${declared} in streams/evm/${kind}/venue.ts keeps prices from reading what is one: ` +
      "reserve 1 over reserve 0 is what such pools trade token 0 at, and the kind quotes by it. Write " +
      `reserves: ${better}`
  ).toBeUndefined()
}

const declaresReserves = ({ kind, laws }: KindUnderLaw, chance: Random): void => {
  for (let run = 0; run < 20; run++) {
    const one = laws.pool(chance)
    const swap = lawSwap({ kind, laws }, chance, one, 40)
    const events = [...one.history, ...(swap === null ? [] : laws.swapEvents(one, swap))]
    const synced = events.some(event => event.kind === "ReservesSynced")
    expect(
      synced && kind.reserves === undefined,
      "its pools log ReservesSynced: say in `reserves` of VenueKind what prices read of it"
    ).toBe(false)
    const names = events.flatMap(event => (event.kind === "PoolParameterSet" ? [event.name] : []))
    const own = typeof kind.reserves === "object" ? kind.reserves.unless : null
    const foreign = names.filter(name => name !== own && pricelessParameters.has(name))
    expect(foreign, "parameters by which another kind's reserves are no price").toEqual([])
  }
}

/** Pools that are drawn to see whether the laws have those of both meanings of reserves. */
const MEANT = 40

/** Where reserves are the price of some pools alone, the laws draw these and others. */
const drawsBothMeanings = ({ kind, laws }: KindUnderLaw): void => {
  if (typeof kind.reserves !== "object") return
  const { unless } = kind.reserves
  const chance = random(`${kind.kind} meanings`)
  const told = Array.from({ length: MEANT }, () =>
    laws
      .pool(chance)
      .history.findLast(event => event.kind === "PoolParameterSet" && event.name === unless)
  ).map(event => (event?.kind === "PoolParameterSet" ? event.value : 0n))
  for (const [sort, some] of [
    [`pools with "${unless}" other than 0`, told.filter(value => value !== 0n)],
    [`pools without "${unless}" or with 0 of it`, told.filter(value => value === 0n)]
  ] as const) {
    expect(
      some.length,
      `reserves: { unless: "${unless}" } in streams/evm/${kind.kind}/venue.ts, and \`pool\` of ` +
        `${kind.kind}.laws.ts draws no ${sort}: their quotes and prices are tried by no law. Draw ` +
        "pools of both sorts; where there is but one, write what its reserves mean alone"
    ).toBeGreaterThan(0)
  }
}

const kinds = await kindsUnderLaw()
for (const under of [...kinds, neverQuoting(kinds)]) {
  describe(`swaps of ${under.kind.kind}`, () => {
    it("are exact where the pool pays the quote, and are not where it pays another amount", () =>
      judgesSwaps(under))
    it("leave the price at which they were, where prices tell one", () => leavesItsPrice(under))
    it("leave reserves that are no price, where the kind declares them to be none", () =>
      hidesNoPrice(under))
    it("are of pools whose reserves are a price, and of others, where the kind has both", () =>
      drawsBothMeanings(under))
    it("tell reserves of which the kind declares what they mean", () =>
      declaresReserves(under, random(`${under.kind.kind} reserves`)))
  })
}
