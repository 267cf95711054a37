/** What the safety gates let through, from made-up flags and trials. */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import type { QuoteLeg, QuoteOrder, QuoteOutcome } from "../../../engine/trade/quote.ts"
import type { TokenCheck } from "../../../engine/trade/token-check.ts"
import { noTrade, type Trade } from "../../../engine/trade/trade.ts"
import { chainConfig, FakeLane, NATIVE_TOKEN } from "../../../test/support/fake-lanes.ts"
import { gatedQuote } from "./gated-quote.ts"
import { TradeGates } from "./gates.ts"
import type { TokenTradeFlags } from "./token-flags.query.ts"

const TOKEN = `0x${"aa".repeat(20)}` as const
const [OLD, NEW] = [`0x${"01".repeat(20)}`, `0x${"02".repeat(20)}`] as const
const NO_TAXES = { fromPool: 0, toTaker: 0, fromTaker: 0, toPool: 0 }
const MOVES: TokenCheck = { state: "moves", taxes: NO_TAXES }
const FLAGS: TokenTradeFlags = { suspects: [], buys: 30, sells: 1, readsAs: null }

const order: QuoteOrder = {
  ...{ tokenIn: NATIVE_TOKEN, tokenOut: TOKEN, amount: 100n, exact: "in", maxHops: 2 },
  ...{ onlyDex: null, gasPrice: null, suspects: [], taxed: [] }
}

interface World {
  readonly flags?: TokenTradeFlags | "none"
  readonly check?: (pool: string) => TokenCheck
  readonly order?: QuoteOrder
  readonly isFast?: boolean
}

/** A market of two pools that both pay one for one: the older first, unless it is suspect. */
const quoted = ({ flags = FLAGS, check = () => MOVES, order: asked = order, ...more }: World) => {
  const orders: Array<QuoteOrder> = []
  const checked: Array<string> = []
  const leg = (pool: typeof OLD | typeof NEW): QuoteLeg => ({
    ...{ dex: "uniswap_v2", pool, tokenIn: asked.tokenIn, tokenOut: asked.tokenOut },
    ...{ amountIn: 100n, amountOut: 100n, percent: 100 },
    call: {
      ...{ kind: "uniswap-v2", fee: 3000, pool, share: 10n ** 18n },
      ...{ tokenIn: asked.tokenIn as typeof OLD, tokenOut: asked.tokenOut as typeof OLD }
    }
  })
  const outcomeOf = ({ suspects }: QuoteOrder): QuoteOutcome => {
    const pool = [OLD, NEW].find(one => !suspects.includes(one))
    const at = { seq: 7, block: 100, lost: [] }
    if (pool === undefined) return { ...at, ok: false, reason: "suspect", causes: [] }
    const found = { amountIn: 100n, amountOut: 100n, priceImpact: 0, gas: 1, gasDollars: null }
    return { ...at, ok: true, ...found, legs: [leg(pool)], calls: [] }
  }
  const trade: Trade["Service"] = {
    ...noTrade,
    site: () => ({
      ...{ router: OLD, node: null },
      checks: {
        router: OLD,
        check: (token, pool) =>
          Effect.sync(() => {
            checked.push(`${token} ${pool}`)
            return check(pool)
          })
      }
    }),
    quote: (_, one) =>
      Effect.sync(() => {
        orders.push(one)
        return outcomeOf(one)
      })
  }
  const lane = new FakeLane(chainConfig(8453, "base"), () =>
    flags === "none" ? { status: 503, code: "NOT_READY", message: "busy" } : flags
  )
  const gates = new TradeGates()
  const run = gatedQuote(trade, gates, lane, asked, more.isFast === true)
  return Effect.runPromise(run).then(answer => ({ answer, orders, checked, lane }))
}

it("looks once where nothing speaks against a route, and not at anchors", async () => {
  const { answer, orders, checked, lane } = await quoted({})
  expect([answer.outcome.ok, answer.warnings, orders.length]).toEqual([true, [], 1])
  expect(checked).toEqual([`${TOKEN} ${OLD}`])
  expect(lane.requests.map(({ params }) => params["token"])).toEqual([TOKEN])
})

it("quotes again without pools that are suspect, and refuses where no other is left", async () => {
  const { answer, orders, checked } = await quoted({ flags: { ...FLAGS, suspects: [OLD] } })
  expect(answer.outcome.ok && answer.outcome.legs[0]?.pool).toBe(NEW)
  expect(orders.map(({ suspects }) => suspects)).toEqual([[], [OLD]])
  expect(checked).toEqual([`${TOKEN} ${OLD}`, `${TOKEN} ${NEW}`])
  const both = await quoted({ flags: { ...FLAGS, suspects: [OLD, NEW] } })
  expect(both.answer.outcome).toMatchObject({ ok: false, reason: "suspect" })
  // what does not lie on the route changes nothing
  const other = await quoted({ flags: { ...FLAGS, suspects: [NEW] } })
  expect(other.orders.length).toBe(1)
})

it("quotes again with what a token keeps, and not at all above a tenth", async () => {
  const taxes = { ...NO_TAXES, fromPool: 30_000, toPool: 100_000 }
  const { answer, orders } = await quoted({ check: () => ({ state: "moves", taxes }) })
  expect(orders.map(({ taxed }) => taxed)).toEqual([[], [{ token: TOKEN, pool: OLD, taxes }]])
  expect(answer.order.taxed).toEqual([{ token: TOKEN, pool: OLD, taxes }])
  expect(answer.warnings).toEqual([`token ${TOKEN} keeps 3 % of purchases and 10 % of sales`])
  const dear = { ...taxes, toTaker: 80_000 }
  const refused = await quoted({ check: () => ({ state: "moves", taxes: dear }) })
  expect(refused.answer.outcome).toMatchObject({ ok: false, reason: "transfer-tax" })
  expect(refused.orders.length).toBe(1)
})

it("refuses what cannot be sold, and what nobody sells", async () => {
  const trap = await quoted({ check: () => ({ state: "refuses", on: "sell", reason: "no" }) })
  expect(trap.answer.outcome).toMatchObject({ ok: false, reason: "honeypot" })
  expect(trap.answer.warnings).toEqual([`token ${TOKEN} cannot be sold: no`])
  const bought = { ...FLAGS, buys: 20, sells: 0 }
  const { answer } = await quoted({ flags: bought })
  expect(answer.outcome).toMatchObject({ ok: false, reason: "one-sided" })
  expect(answer.warnings).toEqual([`token ${TOKEN} was bought 20 times in 24 hours and never sold`])
  const few = await quoted({ flags: { ...bought, buys: 19 } })
  expect([few.answer.outcome.ok, few.answer.warnings]).toEqual([true, []])
  // who sells it is no buyer that is to be warned
  const sold = { ...order, tokenIn: TOKEN, tokenOut: NATIVE_TOKEN }
  expect((await quoted({ flags: bought, order: sold })).answer.outcome.ok).toBe(true)
})

it("quotes and says so where something could not be looked at", async () => {
  const { answer } = await quoted({
    ...{ flags: "none", check: () => ({ state: "unknown", reason: "no node answers" }) }
  })
  expect([answer.outcome.ok, answer.warnings]).toEqual([
    true,
    [
      `token ${TOKEN} was not tried: no node answers`,
      `flags of token ${TOKEN} were not read: the chain is busy`
    ]
  ])
  const named = await quoted({ flags: { ...FLAGS, readsAs: "USDC" } })
  expect(named.answer.warnings).toEqual([`token ${TOKEN} passes itself off as USDC`])
})

it("takes flags that it knows at once, and asks for them anew beside", async () => {
  const lane = new FakeLane(chainConfig(8453, "base"), () => FLAGS)
  const gates = new TradeGates()
  const site = { router: null, node: null, checks: null }
  const outcome: QuoteOutcome = {
    ok: false,
    seq: 1,
    block: 1,
    lost: [],
    reason: "no-pool",
    causes: []
  }
  const warnings = Effect.map(gates.of(lane, site, order, outcome), gated => gated.warnings)
  const told = Effect.gen(function* () {
    expect(yield* warnings).toEqual([])
    yield* TestClock.adjust("59 seconds")
    expect(yield* warnings).toEqual([])
    expect(lane.requests.length).toBe(1)
    yield* TestClock.adjust("2 seconds")
    lane.respond = () => ({ ...FLAGS, readsAs: "USDC" })
    expect(yield* warnings).toEqual([])
    yield* Effect.yieldNow
    expect(lane.requests.length).toBe(2)
    expect(yield* warnings).toEqual([`token ${TOKEN} passes itself off as USDC`])
    expect(lane.requests.length).toBe(2)
    // how old they are a clock that was set back does not tell
    yield* TestClock.setTime(1000)
    lane.respond = () => FLAGS
    expect(yield* warnings).toEqual([])
    expect(lane.requests.length).toBe(3)
    // what is older than minutes is not told any more
    yield* TestClock.adjust("11 minutes")
    lane.respond = () => ({ status: 503, code: "NOT_READY", message: "busy" })
    expect(yield* warnings).toEqual([`flags of token ${TOKEN} were not read: the chain is busy`])
  })
  await Effect.runPromise(Effect.provide(told, TestClock.layer()))
})

it("waits for nothing where a first answer is wanted at once", async () => {
  const { answer, checked, lane } = await quoted({ isFast: true, flags: "none" })
  expect([answer.outcome.ok, answer.warnings, checked, lane.requests]).toEqual([true, [], [], []])
})
