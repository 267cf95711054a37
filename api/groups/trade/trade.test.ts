/** Quotes and swaps over HTTP, of a router that finds one route for all. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { solana } from "../../../src/domain/chains/solana.ts"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../../test/support/fake-lanes.ts"
import { fakeTrade } from "../../../test/support/fake-trade.ts"

const [SOLD, BOUGHT, TAKER] = ["aa", "bb", "cc"].map(byte => `0x${byte.repeat(20)}`)
const ZERO = `0x${"00".repeat(20)}`
const lane = new FakeLane(chainConfig(8453, "base"), () => ({
  ...{ suspects: [], buys: 1, sells: 1, readsAs: null }
}))
let api: TestApi

beforeAll(async () => {
  const ofSolana = { ...chainConfig(solana.id, "solana", "Solana"), family: "solana" } as const
  const untraded = new FakeLane(ofSolana, () => ({}))
  api = await startApi([lane, untraded], { trade: fakeTrade })
})
afterAll(() => api?.close())

const order = `chain=base&inputMint=${SOLD}&outputMint=${BOUGHT}&amount=1000`
const get = async (path: string) => {
  const response = await fetch(`${api.url}/v1/${path}`)
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const post = async (path: string, body: string) => {
  const headers = { "content-type": "application/json" }
  const response = await fetch(`${api.url}/v1/${path}`, { method: "POST", headers, body })
  return [response.status, await response.json()]
}

it("tells the position that a quote is of, and of which log", async () => {
  for (const path of [`quote?${order}`, `swap/calldata?${order}&taker=${TAKER}`]) {
    const { status, headers } = await get(path)
    expect([status, headers.get("x-log-seq"), headers.get("x-log")]).toEqual([
      ...[200, "7", "a1a1a1a1a1a1a1a1"]
    ])
  }
})

it("names chains that swaps are quoted on where it refuses another", async () => {
  const refusalOf = async (chain: string) =>
    (await get(`quote?${order.replace("base", chain)}`)).body
  expect(await refusalOf("7")).toEqual({
    error: "INVALID_PARAMS",
    message: "chain 7 is not served here; served: 8453 (base)"
  })
  expect(await refusalOf("solana")).toEqual({
    error: "UNSUPPORTED_CHAIN",
    message: "swaps are quoted and built on EVM chains: Solana is read-only here"
  })
})

const WORD = 'a whole number below 2^256, as text of decimal digits, such as "1000"'

it("says what is wrong with a body", async () => {
  const none = {
    swap: "the quote as `GET /v1/quote` answered it, unedited, with `taker` added; `slippageBps` may be left out",
    "swap/simulate": "a transaction as `POST /v1/swap` built it",
    "devchain/wallet": "what is asked of the wallet: a chain's id and a method"
  }
  for (const [path, what] of Object.entries(none)) {
    for (const body of ["", "{", "5", "null", "[]"]) {
      const [status, answer] = await post(path, body)
      expect([status, answer], `${path} ${body}`).toEqual([
        ...[400, { error: "INVALID_PARAMS", message: `the body must be a JSON object: ${what}` }]
      ])
    }
  }
  expect(await post("swap/simulate", "{}")).toEqual([
    ...[
      400,
      {
        error: "INVALID_PARAMS",
        message: "chainId in the body is required: the id of a chain, a whole number, such as 8453"
      }
    ]
  ])
  const call = { chainId: 8453, from: TAKER, to: BOUGHT, data: "0x", value: "five" }
  const [status, { message }] = await post("swap/simulate", JSON.stringify(call))
  expect([status, message]).toEqual([...[400, `value in the body must be ${WORD}`]])
})

it("refuses what no contract would take, and what goes deeper than a body may", async () => {
  const { body: quote } = await get(`quote?${order}`)
  const built = async (more: object) => {
    const [status, { error, message }] = await post("swap", JSON.stringify({ ...quote, ...more }))
    return [status, error, message]
  }
  const permit2 = { nonce: String(2n ** 256n), signedUntil: 1, signature: "0x" }
  expect(await built({ taker: TAKER, permit2 })).toEqual([
    ...[400, "INVALID_PARAMS", `permit2.nonce in the body must be ${WORD}`]
  ])
  const past = { ...permit2, nonce: "1", signedUntil: -1 }
  expect((await built({ taker: TAKER, permit2: past })).slice(0, 2)).toEqual([
    ...[400, "INVALID_PARAMS"]
  ])
  const nobody = "recipient must be neither the zero address nor the router contract"
  const { router } = fakeTrade.site("base")
  for (const recipient of [ZERO, router]) {
    expect(await built({ taker: TAKER, recipient })).toEqual([400, "INVALID_PARAMS", nobody])
    const path = `swap/calldata?${order}&taker=${TAKER}&recipient=${recipient}`
    expect((await get(path)).body).toEqual({ error: "INVALID_PARAMS", message: nobody })
  }
  expect((await built({ taker: ZERO })).slice(0, 2)).toEqual([400, "INVALID_PARAMS"])
  const native = await get(`quote?chain=base&inputMint=${ZERO}&outputMint=${BOUGHT}&amount=1000`)
  const unneeded = { ...native.body, taker: TAKER, permit2: { ...permit2, nonce: "1" } }
  expect(await post("swap", JSON.stringify(unneeded))).toEqual([
    400,
    {
      error: "INVALID_PARAMS",
      message: "permit2 must be left out where the native unit is sold: it needs no allowance"
    }
  ])
  const deep = (text: string, times: number, end: string) => text.repeat(times) + end.repeat(times)
  for (const nested of [deep("[", 30_000, "]"), `${'{"a":'.repeat(9000)}1${"}".repeat(9000)}`]) {
    const body = `{"taker":"${TAKER}","quoteId":"50.x","more":${nested}}`
    for (const path of ["swap", "meta/swap"]) {
      const [status, { error }] = await post(path, body)
      expect([status, error], path).toEqual([400, "ROUTE_MISMATCH"])
    }
  }
})

it("builds no swap of a quote that no safety gate has looked at", async () => {
  const { body: quote } = await get(`quote?${order}&fast=1`)
  expect(quote.preliminary).toBe(true)
  const [status, { error, message }] = await post(
    "swap",
    JSON.stringify({ ...quote, taker: TAKER })
  )
  expect([status, error, message]).toEqual([
    400,
    "INVALID_PARAMS",
    "no safety gate has looked at a preliminary quote: quote again, without fast=1"
  ])
  const { preliminary: _, ...edited } = quote
  const [, answer] = await post("swap", JSON.stringify({ ...edited, taker: TAKER }))
  expect(answer.error).toBe("ROUTE_MISMATCH")
})

it("builds swaps of quotes that a node with the same secret gave, and of no others", async () => {
  const [same, other] = [5, 6].map(byte => ({ quoteSecret: new Uint8Array(32).fill(byte) }))
  const nodes = await Promise.all(
    [same, same, other].map(secret => startApi([lane], { trade: fakeTrade, ...secret }))
  )
  try {
    const [giver, ...builders] = nodes as [TestApi, ...ReadonlyArray<TestApi>]
    const quote = await fetch(`${giver.url}/v1/quote?${order}`).then(answer => answer.json())
    const body = JSON.stringify({ ...quote, taker: TAKER })
    const headers = { "content-type": "application/json" }
    const codes = builders.map(async ({ url }) => {
      const answer = await fetch(`${url}/v1/swap`, { method: "POST", headers, body })
      return [answer.status, (await answer.json()).error ?? null]
    })
    expect(await Promise.all(codes)).toEqual([
      [200, null],
      [400, "ROUTE_MISMATCH"]
    ])
  } finally {
    for (const node of nodes) await node.close()
  }
})

it("takes of each route its own quotes alone", async () => {
  const { body: own } = await get(`quote?${order}`)
  const { body: meta } = await get(`meta/quote?${order}`)
  const status = async (path: string, quote: object) => {
    const [code, { error = null }] = await post(path, JSON.stringify({ ...quote, taker: TAKER }))
    return [code, error]
  }
  expect([
    ...[await status("swap", own), await status("meta/swap", meta)],
    ...[await status("swap", meta), await status("meta/swap", own)],
    // the router's own within the other
    await status("swap", meta.quote)
  ]).toEqual([
    ...[
      [200, null],
      [200, null]
    ],
    ...[
      [400, "ROUTE_MISMATCH"],
      [400, "ROUTE_MISMATCH"]
    ],
    [200, null]
  ])
})

it("says that quotes of a history are of then, and builds no swap from them", async () => {
  const live = lane.state
  lane.state = { ...live, state: "history", block: 1852, blockTime: 1_704_412_800 }
  const ended =
    "the chain is served as a history, which ends at block 1852 of 2024-01-05T00:00:00.000Z"
  const { body } = await get(`quote?${order}`)
  expect(body.warnings).toEqual([`${ended}: quotes are of then`])
  const refusal = { error: "NOT_ENABLED", message: `${ended}: no swap can be built from it` }
  const calldata = await get(`swap/calldata?${order}&taker=${TAKER}`)
  expect([calldata.status, calldata.body]).toEqual([503, refusal])
  expect(await post("swap", JSON.stringify({ ...body, taker: TAKER }))).toEqual([503, refusal])
  const { body: status } = await get("chains/base/status")
  expect([status.quotes.state, status.quotes.problem]).toEqual([
    ...["behind", `${ended}: quotes are of then`]
  ])
  const { body: directory } = await get("chains")
  expect(directory.chains[0].routes).toMatchObject({ quote: expect.any(String), swap: null })
  lane.state = live
})
