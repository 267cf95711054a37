/** The meta aggregator's answers over a router and aggregators that a test plays. */
import { Effect } from "effect"
import { afterEach, expect, it } from "vitest"
import { type Meta, noMeta } from "../../../engine/trade/meta/meta.ts"
import type { Trail } from "../../../engine/trade/meta/meta-desk.ts"
import { passOver } from "../../../engine/trade/meta/protocol/passed-over.ts"
import { type Trade, TradeUnavailable } from "../../../engine/trade/trade.ts"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../../test/support/fake-lanes.ts"
import { fakeTrade } from "../../../test/support/fake-trade.ts"

const TOKEN = `0x${"ab".repeat(20)}` as const
const DOLLAR = `0x${"cd".repeat(20)}` as const
const TAKER = `0x${"a1".repeat(20)}` as const
const ROUTER = `0x${"e1".repeat(20)}` as const

let api: TestApi
afterEach(() => api.close())

const serve = async (trade: Trade["Service"], meta: Meta["Service"]) => {
  api = await startApi([new FakeLane(chainConfig(8453, "base"))], { trade, meta })
}

const quote = async (more: Record<string, string> = {}) => {
  const asked = { chain: "8453", inputMint: TOKEN, outputMint: DOLLAR, amount: "1000", ...more }
  const response = await fetch(`${api.url}/v1/meta/quote?${new URLSearchParams(asked)}`)
  return { status: response.status, body: await response.json() }
}

const swap = async (body: object) => {
  const response = await fetch(`${api.url}/v1/meta/swap`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  return { status: response.status, body: await response.json() }
}

const why = async (id: string) => (await fetch(`${api.url}/v1/meta/why/${id}`)).json()

const noRoute: Trade["Service"] = {
  ...fakeTrade,
  quote: () =>
    Effect.succeed({ ok: false, seq: 7, block: 100, lost: [], reason: "no-pool", causes: [] })
}
const starting: Trade["Service"] = {
  ...fakeTrade,
  quote: chain =>
    Effect.fail(new TradeUnavailable({ chain, reason: "starting", message: "it reads the log" }))
}

const trailOf = (told: Partial<Trail> & Pick<Trail, "provider">): Trail => ({
  ...{ isAsked: true, reason: null, message: null, amountOut: null, router: null, ms: 3 },
  ...told
})
const late = trailOf({ provider: "kyberswap", reason: "timeout", message: "no answer in 2000 ms" })

/** The first is late; the second answers, with a transaction of this much. */
const second = (arrived: bigint | null): Meta["Service"] => ({
  quote: () => {
    const answer = { amountOut: 2000n, router: ROUTER, spender: ROUTER, gas: 90_000n }
    const { amountOut, router } = answer
    const trail = [late, trailOf({ provider: "lifi", amountOut, router })]
    return Effect.succeed({ found: { provider: "lifi", answer }, trail })
  },
  build: (_, order, floor) => {
    expect([order.taker, order.recipient, floor]).toEqual([TAKER, TAKER, 1990n])
    if (arrived === null) {
      const reverts = trailOf({ provider: "lifi", reason: "reverts", message: "it reverts" })
      return Effect.succeed({ found: null, trail: [late, reverts] })
    }
    const answer = {
      ...{ amountOut: 2000n, router: ROUTER, spender: ROUTER, gas: 90_000n, data: "0x12" as const },
      ...{ value: 0n, minimumOut: 1990n, arrived, assumed: [], resetFirst: true }
    }
    const trail = [late, trailOf({ provider: "lifi", amountOut: 2000n, router: ROUTER })]
    return Effect.succeed({ found: { provider: "lifi", answer }, trail })
  },
  standing: () => [
    { provider: "kyberswap", breaker: "open", openUntilMs: 1_790_000_000_000, idle: null },
    ...[{ provider: "zeroex" as const, breaker: "closed" as const, openUntilMs: null }].map(
      one => ({
        ...one,
        idle: passOver("no-key", "it wants a key")
      })
    )
  ]
})

it("asks aggregators where the router has no route, and names whose the quote is", async () => {
  await serve(noRoute, second(1995n))
  const { status, body } = await quote()
  expect([status, body]).toMatchObject([
    200,
    {
      ...{ chain: 8453, provider: "lifi", inputAmount: "1000", outputAmount: "2000" },
      ...{ otherAmountThreshold: "1990", slippageBps: 50, router: ROUTER, spender: ROUTER },
      ...{ gasEstimate: "90000", quote: null },
      passedOver: [
        { provider: "swaptape", reason: "no-route", message: "no-pool" },
        { provider: "kyberswap", reason: "timeout", message: "no answer in 2000 ms" }
      ]
    }
  ])
  expect("noRouteReason" in body).toBe(false)
  const built = await swap({ ...body, taker: TAKER })
  expect(built).toMatchObject({
    status: 200,
    body: {
      ...{ provider: "lifi", router: ROUTER, gasEstimate: "90000", inputAmount: "1000" },
      ...{ outputAmount: "2000", otherAmountThreshold: "1990", recipient: TAKER, deadline: null },
      transaction: { chainId: 8453, from: TAKER, to: ROUTER, data: "0x12", value: "0" },
      approval: { token: TOKEN, spender: ROUTER, amount: "1000", needed: null, resetFirst: true },
      simulation: { outputAmount: "1995", assumed: [] }
    }
  })
  expect(await why(body.quoteId)).toMatchObject({
    ...{ quoteId: body.quoteId, chain: 8453, provider: "lifi", inputAmount: "1000" },
    asked: [
      { provider: "swaptape", asked: true, reason: "no-route" },
      { provider: "kyberswap", asked: true, reason: "timeout", ms: 3 },
      { provider: "lifi", asked: true, reason: null, outputAmount: "2000", router: ROUTER }
    ],
    swaps: [{ provider: "lifi", asked: [{}, { provider: "kyberswap" }, { provider: "lifi" }] }]
  })
})

it("asks aggregators where the router does not answer; where nobody does, says as it does", async () => {
  await serve(starting, second(1995n))
  expect((await quote()).body).toMatchObject({
    provider: "lifi",
    passedOver: [{ provider: "swaptape", reason: "router-unavailable" }, {}]
  })
  await api.close()
  await serve(starting, noMeta)
  expect(await quote()).toMatchObject({ status: 503, body: { error: "NOT_READY" } })
})

it("answers 200 without a route, of which no swap can be built", async () => {
  await serve(noRoute, noMeta)
  const { status, body } = await quote()
  expect([status, body]).toMatchObject([
    200,
    { provider: "swaptape", outputAmount: "0", noRouteReason: "no-pool" }
  ])
  expect(await swap({ ...body, taker: TAKER })).toMatchObject({
    ...{ status: 404, body: { error: "NO_ROUTE" } }
  })
})

it("refuses with every reason where no transaction holds, or a quote was edited", async () => {
  await serve(noRoute, second(null))
  const { body } = await quote()
  const refused = await swap({ ...body, taker: TAKER })
  expect([refused.status, refused.body]).toEqual([
    502,
    {
      error: "ROUTE_ERROR",
      message:
        "nobody gave a transaction: swaptape: no-route (no-pool); " +
        "kyberswap: timeout (no answer in 2000 ms); lifi: reverts (it reverts)"
    }
  ])
  expect((await swap({ ...body, provider: "kyberswap", taker: TAKER })).body.error).toBe(
    "ROUTE_MISMATCH"
  )
  expect((await swap({ ...body, slippageBps: 51, taker: TAKER })).body.error).toBe(
    "SLIPPAGE_MISMATCH"
  )
})

it("asks no aggregator for nothing, or for the router's own conversions", async () => {
  const never: Meta["Service"] = { ...noMeta, quote: () => Effect.die("it was asked") }
  await serve(noRoute, never)
  expect((await quote({ amount: "0" })).body).toMatchObject({ provider: "swaptape" })
})

it("tells the providers of each chain, their breakers, and why some are not asked", async () => {
  await serve(fakeTrade, second(1995n))
  const { policy, chains } = await (await fetch(`${api.url}/v1/meta/providers`)).json()
  expect(policy).toContain("never for a better price")
  expect(chains).toEqual([
    {
      ...{ chain: 8453, key: "base", first: "swaptape" },
      fallbacks: [
        {
          ...{ provider: "kyberswap", breaker: "open", openUntil: 1_790_000_000_000 },
          ...{ asked: true, reason: null, message: null }
        },
        {
          ...{ provider: "zeroex", breaker: "closed", openUntil: null },
          ...{ asked: false, reason: "no-key", message: "it wants a key" }
        }
      ]
    }
  ])
})
