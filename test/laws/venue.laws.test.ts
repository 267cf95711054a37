/**
 * Laws of every venue kind in `streams/evm/venue-kinds.ts`, and of the events that are of none.
 * What must be told for them is in `streams/venue-laws.ts`.
 */
import { describe, expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import type { Quote } from "../../streams/venue.ts"
import { type EventMeaning, eventOf, type LawPool } from "../../streams/venue-laws.ts"
import { abiEvent, encodeLog, randomArgs } from "../support/abi-logs.ts"
import { decodeAll } from "../support/decode-one.ts"
import { deepFreeze } from "../support/deep-freeze.ts"
import { eventLaws, SHARE } from "../support/event-laws.ts"
import { rawLogOf } from "../support/raw-logs.ts"
import { type Random, random, randoms } from "../support/seed.ts"
import { furtherUnderLaw, kindsUnderLaw } from "../support/venue-laws.ts"

const EMITTER = `0x${"ee".repeat(20)}`

const kinds = await kindsUnderLaw()

for (const under of furtherUnderLaw) eventLaws(under)

for (const { kind, laws } of kinds) {
  const { pool } = kind
  const stateOf = ({ facts, history }: LawPool) =>
    history.reduce((state, event) => pool.fold(state, event), pool.initial(facts))
  const randomEvent = (chance: Random, emitter = EMITTER) => {
    const event = chance.pick(kind.events)
    const abi = abiEvent(event.abi)
    const args = randomArgs(chance, abi)
    const { poolArgument } = laws
    if (poolArgument === undefined || emitter === EMITTER)
      return { event, abi, log: encodeLog(abi, args, emitter) }
    // What one contract does not log for all pools the pool's own one does: its id begins with it.
    if (!abi.inputs.some(({ name }) => name === poolArgument))
      return { event, abi, log: encodeLog(abi, args, emitter.slice(0, EMITTER.length)) }
    return { event, abi, log: encodeLog(abi, { ...args, [poolArgument]: emitter }, EMITTER) }
  }

  eventLaws({ events: kind.events, laws })

  describe(`${kind.kind}: pools`, () => {
    it("folds without changing a state, and the same events to the same state", () => {
      const chance = random(`${kind.kind} fold`)
      for (let run = 0; run < 50 * SHARE; run++) {
        const one = laws.pool(chance)
        let state = deepFreeze(pool.initial(deepFreeze(one.facts)))
        for (const event of one.history) state = deepFreeze(pool.fold(state, deepFreeze(event)))
        expect(stateOf(one)).toEqual(state)
        const bystander: EventMeaning = {
          kind: "TokenSeen",
          token: EMITTER,
          symbol: null,
          name: null,
          decimals: null,
          totalSupply: null,
          source: "call"
        }
        expect(pool.fold(state, eventOf(bystander))).toBe(state)
        const { event, log } = randomEvent(chance)
        const foreign = eventsOf(decodeAll(event.decode, rawLogOf(log)))
        for (const one of foreign) expect(pool.fold(state, one)).toBe(state)
      }
    })

    it("withstands events that no pool of the kind can have logged", () => {
      const chance = random(`${kind.kind} nonsense`)
      const ask = (state: unknown, facts: LawPool["facts"]): Array<Quote> =>
        [0n, 1n, chance.bits(100), (1n << 256n) - 1n].flatMap(amount => [
          pool.quote(state, facts, 0, 1, amount),
          pool.quote(state, facts, 1, 0, amount),
          pool.quote(state, facts, 0, 0, amount),
          pool.quote(state, facts, 0, 2, amount)
        ])
      let [changed, quoted] = [0, 0]
      for (let run = 0; run < 150 * SHARE; run++) {
        const { facts, history } = laws.pool(chance)
        const odd = chance.boolean()
          ? facts
          : {
              ...facts,
              fee: chance.pick([null, 0, 3000, 1_000_000, 16_777_215, -1]),
              tickSpacing: chance.pick([null, 0, -1, 1, 60, 8_388_607])
            }
        let state = stateOf({ facts: odd, history: chance.boolean() ? history : [] })
        for (let i = 0; i < 12; i++) {
          for (const quote of ask(state, odd)) if (quote.ok) quoted++
          const { event, log } = randomEvent(chance, facts.pool)
          const events = eventsOf(decodeAll(event.decode, rawLogOf(log)))
          const next = events.reduce((before, one) => pool.fold(before, one), state)
          if (next !== state) changed++
          state = next
        }
      }
      // The nonsense did reach the pool, and some of it could be quoted on. Of Slipstream's own
      // events only a creation changes a pool, and that once.
      expect(changed).toBeGreaterThan(kind.kind === "solidly-cl" ? 0 : 100 * SHARE)
      expect(quoted).toBeGreaterThan(0)
    })

    it("quotes nothing before it knows the pool", () => {
      const fresh = laws.pool(random(`${kind.kind} unknown`)).facts
      const unknown = { ok: false, reason: "unknown-state" }
      expect(pool.quote(pool.initial(fresh), fresh, 0, 1, 1000n)).toEqual(unknown)
      const one = laws.pool(random(`${kind.kind} without fee`))
      const facts = { ...one.facts, fee: null }
      const tellsFee = (event: Event) =>
        event.kind === "PoolParameterSet" && /fee/i.test(event.name)
      const history = one.history.filter(event => !tellsFee(event))
      expect(pool.quote(stateOf({ facts, history }), facts, 0, 1, 1000n)).toEqual(unknown)
    })

    it("quotes more for more, and never what the pool does not hold", () => {
      const chance = random(`${kind.kind} monotone`)
      let quoted = 0
      for (let run = 0; run < 150 * SHARE; run++) {
        const one = laws.pool(chance)
        const state = stateOf(one)
        const tokenIn = chance.integer(0, 1)
        const held = laws.holdings(one)[1 - tokenIn] as bigint
        const amounts = [0n, 1n, ...Array.from({ length: 12 }, (_, i) => chance.bits(8 * i + 10))]
        let last = { amountIn: 0n, amountOut: 0n }
        for (const amount of amounts.sort((a, b) => (a < b ? -1 : 1))) {
          const quote = pool.quote(state, one.facts, tokenIn, 1 - tokenIn, amount)
          if (!quote.ok) continue
          quoted++
          expect(quote.amountIn <= amount && quote.amountIn >= last.amountIn).toBe(true)
          const least = last.amountOut - (laws.rounding ?? 0n)
          expect(quote.amountOut >= least && quote.amountOut <= held).toBe(true)
          last = quote
        }
      }
      expect(quoted).toBeGreaterThan(1000 * SHARE)
    })

    it("quotes what the fold of the swap's own events leaves, and no round trip earns", () => {
      let done = 0
      const runs = randoms(`${kind.kind} outcome`).flatMap(chance =>
        Array.from({ length: 300 * SHARE }, (_, run) => ({ chance, run }))
      )
      for (const { chance, run } of runs) {
        const one = laws.pool(chance)
        const tokenIn = chance.integer(0, 1)
        const tokenOut = 1 - tokenIn
        const before = stateOf(one)
        const quote = pool.quote(before, one.facts, tokenIn, tokenOut, chance.bits(run % 90) + 1n)
        if (!quote.ok) continue
        done++
        const events = laws.swapEvents(one, { tokenIn, tokenOut, ...quote })
        const swap = wholeSwap(events)
        const from = sideOf(one, swap, tokenIn)
        expect(swap).toMatchObject({
          [`amount${from}In`]: quote.amountIn,
          [`amount${1 - from}Out`]: quote.amountOut,
          [`amount${from}Out`]: 0n,
          [`amount${1 - from}In`]: 0n
        })
        const after = events.reduce((state, event) => pool.fold(state, event), before)
        const worse = pool.quote(after, one.facts, tokenIn, tokenOut, quote.amountIn)
        if (worse.ok && worse.amountIn === quote.amountIn)
          expect(worse.amountOut <= quote.amountOut + (laws.rounding ?? 0n)).toBe(true)
        const back = pool.quote(after, one.facts, tokenOut, tokenIn, quote.amountOut)
        if (back.ok) expect(back.amountOut <= quote.amountIn + (laws.dust ?? 0n)).toBe(true)
      }
      expect(done).toBeGreaterThan(150 * SHARE)
    })
  })
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

const eventsOf = (decoded: ReadonlyArray<Event> | string): ReadonlyArray<Event> =>
  typeof decoded === "string" ? [] : decoded
