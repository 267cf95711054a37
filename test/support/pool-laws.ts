/**
 * Laws of pools: fold, quotes, and the two together. What fails names the run, which is the same
 * under the same seed, and the values that it met.
 */
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { plainState, stateOfPlain } from "../../engine/trade/snapshot/plain-state.ts"
import { bytesOf, valueIn } from "../../src/platform/value-bytes.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf } from "../../streams/event-objects.ts"
import { EventViews } from "../../streams/event-view.ts"
import { venueKinds } from "../../streams/evm/venue-kinds.ts"
import type { Quote } from "../../streams/venue.ts"
import { type EventMeaning, eventOf, type LawPool } from "../../streams/venue-laws.ts"
import { abiEvent, encodeLog, randomArgs } from "./abi-logs.ts"
import { sharedOf } from "./declaration-laws.ts"
import { decodeAll } from "./decode-one.ts"
import { deepFreeze } from "./deep-freeze.ts"
import { SHARE } from "./event-laws.ts"
import { lawSwap, stateOf } from "./law-swaps.ts"
import { rawLogOf } from "./raw-logs.ts"
import { type Random, random, randoms } from "./seed.ts"
import type { KindUnderLaw } from "./venue-laws.ts"

const EMITTER = `0x${"ee".repeat(20)}`

/** How often a log is drawn until one is an event that the kind takes. */
const DRAWS = 60

const unknown: Quote = { ok: false, reason: "unknown-state" }

/** A log of a pool of the kind with arguments by chance, of the emitter or about it. */
const randomEvent = (under: KindUnderLaw, chance: Random, emitter = EMITTER) => {
  const { kind, laws } = under
  const event = chance.pick([...kind.events, ...sharedOf(under, venueKinds)])
  const abi = abiEvent(event.abi)
  const args = randomArgs(chance, abi)
  const { poolArgument } = laws
  if (poolArgument === undefined || emitter === EMITTER)
    return { event, log: encodeLog(abi, args, emitter) }
  // What one contract does not log for all pools the pool's own one does: its id begins with it.
  if (!abi.inputs.some(({ name }) => name === poolArgument))
    return { event, log: encodeLog(abi, args, emitter.slice(0, EMITTER.length)) }
  return { event, log: encodeLog(abi, { ...args, [poolArgument]: emitter }, EMITTER) }
}

/** What a random log tells; nothing where the decoder refuses it. */
const randomEvents = (
  under: KindUnderLaw,
  chance: Random,
  emitter = EMITTER
): ReadonlyArray<Event> => {
  const { event, log } = randomEvent(under, chance, emitter)
  const decoded = decodeAll(event.decode, rawLogOf(log))
  return typeof decoded === "string" ? [] : decoded
}

const bystander: EventMeaning = {
  kind: "TokenSeen",
  token: EMITTER,
  symbol: null,
  name: null,
  decimals: null,
  totalSupply: null,
  source: "call"
}

/** The state that views of events in columns give, each of which is another event afterwards. */
const foldedByViews = ({ kind: { pool } }: KindUnderLaw, { facts, history }: LawPool): unknown => {
  const [batch, views] = [batchOf(history), new EventViews()]
  let state = pool.initial(facts)
  for (let i = 0; i < batch.count; i++) state = pool.fold(state, views.at(batch, i))
  return state
}

/** Quotes of all sorts, also on tokens that the pool does not have. */
const ask = (
  { kind: { pool } }: KindUnderLaw,
  state: unknown,
  facts: LawPool["facts"],
  big: bigint
) =>
  [0n, 1n, big, (1n << 256n) - 1n].flatMap(amount => [
    pool.quote(state, facts, 0, 1, amount),
    pool.quote(state, facts, 1, 0, amount),
    pool.quote(state, facts, 0, 0, amount),
    pool.quote(state, facts, 0, 2, amount)
  ])

/** A state as a snapshot gives it back. */
const keptAndRead = (state: unknown): unknown =>
  stateOfPlain(Result.getOrThrow(valueIn(bytesOf(plainState(state)))))

const foldsPurely = (under: KindUnderLaw): void => {
  const { kind, laws } = under
  const { pool } = kind
  const chance = random(`${kind.kind} fold`)
  for (let run = 0; run < 50 * SHARE; run++) {
    const one = laws.pool(chance)
    let state = deepFreeze(pool.initial(deepFreeze(one.facts)))
    for (const event of one.history) state = deepFreeze(pool.fold(state, deepFreeze(event)))
    expect(stateOf(kind, one), `run ${run}: folded once more`).toEqual(state)
    expect(foldedByViews(under, one), `run ${run}: folded from columns`).toEqual(state)
    const kept = keptAndRead(state)
    expect(plainState(kept), `run ${run}: kept in a snapshot`).toEqual(plainState(state))
    expect(ask(under, kept, one.facts, 10n ** 9n)).toEqual(ask(under, state, one.facts, 10n ** 9n))
    expect(pool.fold(state, eventOf(bystander)), `run ${run}: after TokenSeen`).toBe(state)
    for (const foreign of randomEvents(under, chance)) {
      expect(pool.fold(state, foreign), `run ${run}: after ${foreign.kind} of others`).toBe(state)
    }
  }
}

const withstandsNonsense = (under: KindUnderLaw): void => {
  const { kind, laws } = under
  const { pool } = kind
  const chance = random(`${kind.kind} nonsense`)
  const met = { drawn: 0, taken: 0, changed: 0, quoted: 0 }
  for (let run = 0; run < 150 * SHARE; run++) {
    const { facts, history } = laws.pool(chance)
    const odd = chance.boolean()
      ? facts
      : {
          ...facts,
          fee: chance.pick([null, 0, 3000, 1_000_000, 16_777_215, -1]),
          tickSpacing: chance.pick([null, 0, -1, 1, 60, 8_388_607])
        }
    let state = stateOf(kind, { facts: odd, history: chance.boolean() ? history : [] })
    for (let taken = 0, drawn = 0; taken < 12 && drawn < DRAWS; drawn++) {
      met.drawn++
      const events = randomEvents(under, chance, facts.pool)
      if (events.length === 0) continue
      taken++
      met.taken++
      met.quoted += ask(under, state, odd, chance.bits(100)).filter(({ ok }) => ok).length
      const next = events.reduce((before, one) => pool.fold(before, one), state)
      if (next !== state) met.changed++
      state = next
    }
  }
  const seen = JSON.stringify(met)
  expect(
    met.taken,
    `${seen}: of random logs the decoders take too few to try the fold. Is a range narrower than ` +
      "the type in the ABI's text that need not be?"
  ).toBeGreaterThan(150 * SHARE)
  expect(
    met.changed,
    `${seen}: no event changed a pool. Does the fold take the pool's id as the decoders write it?`
  ).toBeGreaterThan(0)
  if (kind.neverQuotes !== undefined) expect(met.quoted, seen).toBe(0)
  else {
    expect(
      met.quoted,
      `${seen}: no state could be quoted on, so amounts of any size were not tried. A kind that ` +
        "cannot quote says so (neverQuotes)"
    ).toBeGreaterThan(0)
  }
}

const withoutFee = (events: ReadonlyArray<Event>): ReadonlyArray<Event> =>
  events.filter(event => event.kind !== "PoolParameterSet" || !/fee/i.test(event.name))

const knowsWhatItLacks = (under: KindUnderLaw): void => {
  const { kind, laws } = under
  const { pool } = kind
  const chance = random(`${kind.kind} unknown`)
  for (let run = 0; run < 150 * SHARE; run++) {
    const one = laws.pool(chance)
    const quotesOf = (facts: LawPool["facts"], history: ReadonlyArray<Event>) => {
      const state = stateOf(kind, { facts, history })
      return [pool.quote(state, facts, 0, 1, 1000n), pool.quote(state, facts, 1, 0, 1000n)]
    }
    const none = [unknown, unknown]
    expect(quotesOf(one.facts, []), `run ${run}: before any event`).toEqual(none)
    const facts = { ...one.facts, fee: null }
    const history = withoutFee(one.history)
    expect(
      quotesOf(facts, history),
      `run ${run}: neither the facts nor a parameter with \`fee\` in its name tell a fee: it may ` +
        "not be guessed"
    ).toEqual(none)
    const swap = lawSwap(under, chance, one, 40)
    if (swap === null) continue
    expect(
      quotesOf(facts, [...history, ...withoutFee(laws.swapEvents(one, swap))]),
      `run ${run}: of the fee only a swap tells (\`fee\` of SwapExecuted). That is what this swap ` +
        "paid; where the next one pays it too, the decoder pushes it as a parameter with `fee` in " +
        "its name"
    ).toEqual(none)
  }
}

const quotesMonotonely = ({ kind, laws }: KindUnderLaw): void => {
  const { pool } = kind
  const chance = random(`${kind.kind} monotone`)
  let quoted = 0
  for (let run = 0; run < 150 * SHARE; run++) {
    const one = laws.pool(chance)
    const state = stateOf(kind, one)
    const tokenIn = chance.integer(0, 1)
    const held = laws.holdings(one)[1 - tokenIn] as bigint
    const amounts = [0n, 1n, ...Array.from({ length: 12 }, (_, i) => chance.bits(8 * i + 10))]
    let last = { amountIn: 0n, amountOut: 0n }
    for (const amount of amounts.sort((a, b) => (a < b ? -1 : 1))) {
      const quote = pool.quote(state, one.facts, tokenIn, 1 - tokenIn, amount)
      if (!quote.ok) continue
      quoted++
      const { amountIn, amountOut } = quote
      const of = `run ${run}: ${amount} of token ${tokenIn} gave ${amountOut} for ${amountIn}`
      expect(amountIn, `${of}: took more than it was offered`).toBeLessThanOrEqual(amount)
      expect(amountIn, `${of}: took less than of a smaller offer`).toBeGreaterThanOrEqual(
        last.amountIn
      )
      expect(
        amountOut,
        `${of}: paid less than for ${last.amountIn} (rounding ${laws.rounding ?? 0n})`
      ).toBeGreaterThanOrEqual(last.amountOut - (laws.rounding ?? 0n))
      expect(amountOut, `${of}: paid more than the pool holds`).toBeLessThanOrEqual(held)
      last = quote
    }
  }
  expect(quoted, "quotes that were given, of about 2100 on pools of the laws").toBeGreaterThan(
    1000 * SHARE
  )
}

/** The law of what a swap logs, on one swap. */
const swapsAsQuoted = (under: KindUnderLaw, chance: Random, run: number): boolean => {
  const { kind, laws } = under
  const { pool } = kind
  const one = laws.pool(chance)
  const swapped = lawSwap(under, chance, one, run % 90)
  if (swapped === null) return false
  const { tokenIn, tokenOut, amountIn, amountOut } = swapped
  const events = laws.swapEvents(one, swapped)
  const swap = wholeSwap(events)
  const from = sideOf(one, swap, tokenIn)
  const of = `run ${run}: ${amountIn} of token ${tokenIn} for ${amountOut}`
  expect(swap, `${of}: the amounts of swapEvents`).toMatchObject({
    [`amount${from}In`]: amountIn,
    [`amount${1 - from}Out`]: amountOut,
    [`amount${from}Out`]: 0n,
    [`amount${1 - from}In`]: 0n
  })
  const after = events.reduce((state, event) => pool.fold(state, event), stateOf(kind, one))
  const worse = pool.quote(after, one.facts, tokenIn, tokenOut, amountIn)
  if (worse.ok && worse.amountIn === amountIn)
    expect(
      worse.amountOut,
      `${of}: the same swap after it (rounding ${laws.rounding ?? 0n})`
    ).toBeLessThanOrEqual(amountOut + (laws.rounding ?? 0n))
  const back = pool.quote(after, one.facts, tokenOut, tokenIn, amountOut)
  if (back.ok)
    expect(back.amountOut, `${of}: the way back (dust ${laws.dust ?? 0n})`).toBeLessThanOrEqual(
      amountIn + (laws.dust ?? 0n)
    )
  return true
}

/** One swap may log several parts, a bin each: their amounts together. */
const wholeSwap = (events: ReadonlyArray<Event>): Event | undefined => {
  const parts = events.flatMap(event => (event.kind === "SwapExecuted" ? [event] : []))
  const sum = (name: "amount0In" | "amount0Out" | "amount1In" | "amount1Out"): bigint =>
    parts.reduce((total, part) => total + part[name], 0n)
  const [first] = parts
  return first === undefined
    ? undefined
    : {
        ...first,
        amount0In: sum("amount0In"),
        amount0Out: sum("amount0Out"),
        amount1In: sum("amount1In"),
        amount1Out: sum("amount1Out")
      }
}

/** Side of the swap's columns that a token of the pool stands on: its place unless it is named. */
const sideOf = ({ facts }: LawPool, swap: Event | undefined, token: number): number => {
  if (swap?.kind !== "SwapExecuted") return token
  if (swap.token0 !== null) {
    return [swap.token0, swap.token1].indexOf(facts.tokens[token] as string)
  }
  return swap.index0 === null ? token : [swap.index0, swap.index1].indexOf(token)
}

export const poolLaws = (under: KindUnderLaw): void => {
  const { kind } = under
  describe(`${kind.kind}: pools`, () => {
    it("folds without changing a state, and the same events to the same state", () =>
      foldsPurely(under))

    it("withstands events that no pool of the kind can have logged", () =>
      withstandsNonsense(under))

    it("quotes nothing before it knows the pool", () => knowsWhatItLacks(under))

    if (kind.neverQuotes === undefined) {
      it("quotes more for more, and never what the pool does not hold", () =>
        quotesMonotonely(under))
    } else {
      it("quotes nothing of a pool that it knows either, as it declares", () => {
        const chance = random(`${kind.kind} never`)
        const one = under.laws.pool(chance)
        const quotes = ask(under, stateOf(kind, one), one.facts, chance.bits(40))
        expect(new Set(quotes.map(quote => JSON.stringify(quote)))).toEqual(
          new Set([JSON.stringify(unknown)])
        )
      })
    }

    it("quotes what the fold of the swap's own events leaves, and no round trip earns", () => {
      let done = 0
      for (const chance of randoms(`${kind.kind} outcome`)) {
        for (let run = 0; run < 300 * SHARE; run++) {
          if (swapsAsQuoted(under, chance, run)) done++
        }
      }
      expect(done, "swaps of about 300 that pools of the laws could quote").toBeGreaterThan(
        150 * SHARE
      )
    })
  })
}
