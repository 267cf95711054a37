/** Swaps and simulations where a chain's node answers, over HTTP: what users read of it. */
import { Effect } from "effect"
import { encodeErrorResult } from "viem"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { ChainNode, NodeCall } from "../../../engine/trade/chain-node.ts"
import { routerAbi } from "../../../engine/trade/contract/router-call.ts"
import { RpcError } from "../../../src/platform/rpc-error.ts"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../../test/support/fake-lanes.ts"
import { fakeTrade } from "../../../test/support/fake-trade.ts"

const [SOLD, BOUGHT, TAKER] = ["aa", "bb", "cc"].map(byte => `0x${byte.repeat(20)}`)
/** selector of the router's `permit2()` */
const PERMIT2 = "0x12261ee7"
const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}` as const

const lane = new FakeLane(chainConfig(8453, "base"), () => ({
  ...{ suspects: [], buys: 1, sells: 1, readsAs: null }
}))
let api: TestApi
let permit2: bigint | null = null

const reverted = (revertData: `0x${string}`) =>
  new RpcError({
    ...{ kind: "reverted", endpoint: "", method: "eth_call", message: "reverted", revertData }
  })

/** A router contract that pays too little. */
const answered = ({ data }: NodeCall) => {
  if (data === PERMIT2) {
    return permit2 === null ? Effect.fail(reverted("0x")) : Effect.succeed(word(permit2))
  }
  const args = [1980n, 1990n] as const
  const error = encodeErrorResult({ abi: routerAbi, errorName: "TooLittleReceived", args })
  return Effect.fail(reverted(error))
}

const node: ChainNode = {
  gasPrice: Effect.succeed(null),
  call: answered,
  ask: () => Effect.die("not asked")
}

beforeAll(async () => {
  const site = { ...fakeTrade.site("base"), node }
  api = await startApi([lane], { trade: { ...fakeTrade, site: () => site } })
})
afterAll(() => api?.close())

const order = `chain=base&inputMint=${SOLD}&outputMint=${BOUGHT}&amount=1000`
const post = async (path: string, body: object) => {
  const headers = { "content-type": "application/json" }
  const sent = { method: "POST", headers, body: JSON.stringify(body) }
  const response = await fetch(`${api.url}/v1/${path}`, sent)
  return [response.status, await response.json()]
}

it("builds no swap with a signature for Permit2 that the router contract does not know", async () => {
  const quote = await (await fetch(`${api.url}/v1/quote?${order}`)).json()
  const signed = { nonce: "1", signedUntil: 2_000_000_000, signature: "0x" }
  const built = () => post("swap", { ...quote, taker: TAKER, permit2: signed })
  permit2 = 0n
  const message =
    "the router contract of chain 8453 knows no Permit2: leave permit2 out, and approve the router itself"
  expect(await built()).toEqual([400, { error: "INVALID_PARAMS", message }])
  for (const known of [0x22d473030f116ddee9f6b43ac78ba3n, null]) {
    permit2 = known
    const [status, { approval }] = await built()
    expect([status, approval]).toEqual([200, null])
  }
})

it("says with a moved price that quotes are of an old block, where they are", async () => {
  const calldata = await fetch(`${api.url}/v1/swap/calldata?${order}&taker=${TAKER}`)
  const { swap } = await calldata.json()
  const words = async () => (await post("swap/simulate", swap.transaction))[1].revert
  const moved = "the price moved: 1980 would arrive, the least is 1990; quote again"
  expect(await words()).toBe(moved)
  const live = lane.state
  lane.state = { ...live, block: 104 }
  expect(await words()).toBe(
    `${moved} once quotes are of the newest block: quotes are of block 100, the tables of block 104`
  )
  lane.state = live
})
