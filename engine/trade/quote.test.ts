/** Orders that find no route, on books of events: why not, and of how many pools. */
import { expect, it } from "vitest"
import { parseAddress } from "../../src/domain/address.ts"
import { sqrtRatioAtTick } from "../../src/math/concentrated/tick-math.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf } from "../../streams/event-objects.ts"
import { type EventMeaning, eventOf } from "../../streams/venue-laws.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { random } from "../../test/support/seed.ts"
import { kindsUnderLaw } from "../../test/support/venue-laws.ts"
import { PoolBook } from "./pools/pool-book.ts"
import { QuoteDesk } from "./quote.ts"

const [A, B] = [`0x${"0a".repeat(20)}`, `0x${"0b".repeat(20)}`]
const POOL = `0x${"cc".repeat(20)}`
const E18 = 10n ** 18n

const created = (venueKind: string, tickSpacing: number | null = null): EventMeaning => ({
  ...{ kind: "PoolCreated", pool: POOL, venueKind, factory: null, tokens: [A, B], fee: 3000 },
  ...{ tickSpacing, source: "log" }
})
const reserves = (reserve0: bigint, reserve1: bigint): EventMeaning => ({
  ...{ kind: "ReservesSynced", pool: POOL, reserve0, reserve1 }
})
const liquidity = (tickLower: number, tickUpper: number, amount: bigint): EventMeaning => ({
  ...{ kind: "LiquidityChanged", pool: POOL, venueKind: "uniswap-v3", owner: null, sender: null },
  ...{ tickLower, tickUpper, liquidity: amount, amount0: 1n, amount1: 1n }
})
const priced = (tick: number): EventMeaning => ({
  ...{ kind: "PoolInitialized", pool: POOL, sqrtPriceX96: sqrtRatioAtTick(tick), tick }
})

/** What selling so much of a token for another comes to, after these events. */
const outcome = (
  events: ReadonlyArray<EventMeaning>,
  amount: bigint,
  chain = testChain,
  [tokenIn, tokenOut]: readonly [string, string] = [A, B]
) => {
  const book = new PoolBook(chain)
  const sealed: EventMeaning = { kind: "BlockSealed", logs: 0, grade: "root" }
  book.take(batchOf([...events, sealed].map((event): Event => eventOf(event))), 1)
  const found = new QuoteDesk(chain, book).quote({
    ...{
      tokenIn,
      tokenOut,
      amount,
      exact: "in",
      maxHops: 2,
      onlyDex: null,
      gasPrice: null,
      suspects: [],
      taxed: []
    }
  })
  return found.ok ? { ok: true } : { ok: false, reason: found.reason, causes: found.causes }
}

const why = (reason: string, dex: string, of = reason) => ({
  ...{ ok: false, reason, causes: [{ dex, reason: of, pools: 1 }] }
})

it("says of an empty pool that it has no liquidity", () => {
  const pair = created("uniswap-v2")
  expect(outcome([pair, reserves(E18, E18)], 1000n)).toEqual({ ok: true })
  expect(outcome([pair, reserves(0n, 0n)], 1000n)).toEqual(why("no-liquidity", "uniswap-v2"))
  const range = created("uniswap-v3", 60)
  expect(outcome([range, priced(0)], 1000n)).toEqual(why("no-liquidity", "uniswap-v3"))
})

it("says of a sale that rounding takes that it is too small, and not that pools are thin", () => {
  const [dollar, second] = [`0x${"22".repeat(20)}`, `0x${"dd".repeat(20)}`]
  // each hop buys 1.914 units of the next token, which is one
  const pools: ReadonlyArray<EventMeaning> = [
    { ...created("uniswap-v2"), tokens: [A, dollar] } as EventMeaning,
    reserves(10n ** 15n, 192n * 10n ** 10n),
    { ...created("uniswap-v2"), pool: second, tokens: [B, dollar] } as EventMeaning,
    { ...reserves(192n * 10n ** 10n, 10n ** 12n), pool: second } as EventMeaning
  ]
  expect(outcome(pools, 1000n)).toMatchObject({ ok: false, reason: "amount-too-small" })
  expect(outcome(pools, 10n ** 6n)).toEqual({ ok: true })
  expect(outcome(pools, 10n ** 18n)).toMatchObject({ ok: false, reason: "thin" })
})

it("says of a pool whose ticks a sale would exhaust that it is too large", () => {
  const range = [created("uniswap-v3", 60), priced(0), liquidity(-60, 60, E18)]
  expect(outcome(range, 1000n)).toEqual({ ok: true })
  expect(outcome(range, E18)).toMatchObject({ ok: false, reason: "too-large" })
  // all that is left is above the price, where only B can be sold
  const above = [created("uniswap-v3", 60), priced(0), liquidity(60, 120, E18)]
  expect(outcome(above, 1000n)).toMatchObject({ ok: false, reason: "no-liquidity" })
})

it("says of a pool without a known state that it is not known", () => {
  expect(outcome([created("uniswap-v3", 60)], 1000n)).toEqual(why("unknown-state", "uniswap-v3"))
  expect(outcome([], 1000n)).toEqual({ ok: false, reason: "no-pool", causes: [] })
})

it("says of a paused pool that nothing is known of what it pays", async () => {
  const kinds = await kindsUnderLaw()
  const under = kinds.find(({ kind }) => kind.kind === "balancer-v2")
  if (under === undefined) throw new Error("no such kind")
  const { facts, history } = under.laws.pool(random("paused", "swaptape"))
  const [tokenIn, tokenOut] = facts.tokens as [string, string]
  const factory = parseAddress(history.find(event => event.kind === "PoolCreated")?.factory ?? "")
  if (factory === null) throw new Error("no vault")
  const chain = { ...testChain, venues: [{ id: "balancer_v2", kind: "balancer-v2", factory }] }
  const tokens = facts.tokens.map(
    (token, i): Event =>
      eventOf({
        ...{ kind: "TokenSeen", token, symbol: null, name: null, totalSupply: null },
        ...{ decimals: facts.decimals[i] ?? null, source: "call" }
      })
  )
  const paused = eventOf({
    ...{ kind: "PoolParameterSet", pool: facts.pool.slice(0, 42), name: "paused", index: null },
    value: 1n
  })
  const told = [...tokens, ...history]
  expect(outcome(told, 10n ** 4n, chain, [tokenIn, tokenOut])).toEqual({ ok: true })
  expect(outcome([...told, paused], 10n ** 4n, chain, [tokenIn, tokenOut])).toEqual(
    why("unknown-state", "balancer_v2")
  )
})
