/** Lies about pools of every kind, held against a swap that they quote otherwise. */
import { expect, it } from "vitest"
import type { Event } from "../../../streams/event.ts"
import { lawSwap, stateOf } from "../../../test/support/law-swaps.ts"
import { rounds } from "../../../test/support/rounds.ts"
import { type Random, random } from "../../../test/support/seed.ts"
import { kindsUnderLaw } from "../../../test/support/venue-laws.ts"
import { quotesAgree, ReadProof } from "./read-state.ts"

/** Events as one transaction logs them: each swap, and what stands before it, is a log. */
const logged = (events: ReadonlyArray<Event>): ReadonlyArray<Event> => {
  let [logIndex, isBegun] = [0, false]
  const tx = { hash: `0x${"01".repeat(32)}`, index: 0, from: null, to: null }
  return events.map(event => {
    if (event.kind === "SwapExecuted" || event.kind === "ReservesSynced") {
      if (isBegun) logIndex++
      isBegun = true
    }
    return { ...event, logIndex, tx }
  })
}

/** What follows from the pool's facts, and which no answer tells. */
const OF_FACTS = ["scales", "factors"]

/** A state with some of its amounts changed. */
const lieOf = (chance: Random, value: unknown): unknown => {
  if (typeof value === "bigint") {
    const near = value + value / 100n + 1n
    return chance.boolean(0.5) ? value : chance.pick([value * 2n, near, value / 2n, value * 1000n])
  }
  if (Array.isArray(value)) return value.map(one => lieOf(chance, one))
  if (value instanceof Map)
    return new Map([...value].map(([key, one]) => [key, lieOf(chance, one)]))
  if (value === null || typeof value !== "object") return value
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      OF_FACTS.includes(name) ? one : lieOf(chance, one)
    ])
  )
}

it("a state that quotes a swap otherwise is refuted by it, or told right by it", async () => {
  for (const under of await kindsUnderLaw()) {
    const { kind, laws } = under
    if (kind.stateRead === undefined) continue
    const chance = random(`lies of ${kind.kind}`)
    let lies = 0
    for (let round = 0; round < rounds(400); round++) {
      const one = laws.pool(chance)
      const swap = lawSwap(under, chance, one, 20 + (round % 60))
      if (swap?.isWhole !== true || swap.amountOut === 0n) continue
      const events = logged(laws.swapEvents(one, swap))
      const truth = stateOf(kind, one)
      const what = `${kind.kind}, round ${round}`
      expect(new ReadProof(kind, one.facts, truth).bring(events).refuted, what).toBeNull()
      const lie = lieOf(chance, truth)
      const { tokenIn, tokenOut, amountIn, amountOut } = swap
      const quote = kind.pool.quote(lie, one.facts, tokenIn, tokenOut, amountIn)
      const isSame = quote.ok && quote.amountIn === amountIn && quote.amountOut === amountOut
      if (isSame || (!quote.ok && quote.reason === "unknown-state")) continue
      lies++
      const { state, refuted } = new ReadProof(kind, one.facts, lie).bring(events)
      if (refuted !== null) continue
      const after = events.reduce((was, event) => kind.pool.fold(was, event), truth)
      expect(quotesAgree(kind, one.facts, after, state), what).not.toBe(false)
    }
    expect(lies, kind.kind).toBeGreaterThan(rounds(20))
  }
})

it("a swap proves nothing of tokens that it does not trade", async () => {
  const pools = new Map<string, number>()
  for (const { kind, laws } of await kindsUnderLaw()) {
    if (kind.stateRead === undefined) continue
    const chance = random(`tokens of ${kind.kind}`)
    for (let round = 0; round < rounds(60); round++) {
      const one = laws.pool(chance)
      const places = [...one.facts.tokens.keys()]
      if (places.length < 3) continue
      const truth = stateOf(kind, one)
      const [tokenIn, tokenOut] = chance.pick([
        [0, 1],
        [1, 2],
        [2, 0]
      ] as const)
      const offered = 2n ** 30n
      const quote = kind.pool.quote(truth, one.facts, tokenIn, tokenOut, offered)
      if (!quote.ok || quote.amountIn !== offered || quote.amountOut === 0n) continue
      const { amountIn, amountOut } = quote
      const events = logged(laws.swapEvents(one, { tokenIn, tokenOut, amountIn, amountOut }))
      const proofOf = (untold: ReadonlyArray<number>) => {
        const proof = new ReadProof(kind, one.facts, truth, untold)
        proof.bring(events)
        return { agrees: proof.agrees, left: proof.untoldPlaces }
      }
      const others = places.filter(place => place !== tokenIn && place !== tokenOut)
      const what = `${kind.kind}, round ${round}`
      expect(proofOf(places), what).toEqual({ agrees: null, left: others })
      expect(proofOf([tokenOut]), what).toEqual({ agrees: true, left: [] })
      pools.set(kind.kind, (pools.get(kind.kind) ?? 0) + 1)
    }
  }
  expect([...pools.keys()].sort()).toEqual(["balancer-v2", "balancer-v3", "curve-stable"])
})
