import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { ChainNode } from "../../../engine/trade/chain-node.ts"
import { RpcError } from "../../../src/platform/rpc-error.ts"
import { ACCOUNTS, visitorOf } from "../../../streams/sources/devchain/wallets.ts"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../../test/support/fake-lanes.ts"
import { fakeTrade } from "../../../test/support/fake-trade.ts"

const accounts = Array.from({ length: ACCOUNTS }, (_, i) => `0x${i.toString(16).padStart(40, "A")}`)
const ACCOUNT = visitorOf(accounts).toLowerCase()
const HASH = `0x${"12".repeat(32)}`
const CALL = { from: ACCOUNT, to: `0x${"34".repeat(20)}`, data: "0x01", value: "0x3e8" }

/** What the node is asked, and what it answers: an error where that is one. */
let asked: Array<readonly [string, ReadonlyArray<unknown>]> = []
const answers: Record<string, unknown> = {
  eth_accounts: accounts,
  eth_estimateGas: "0x64",
  eth_sendTransaction: HASH,
  eth_getTransactionReceipt: null
}
const node: ChainNode = {
  gasPrice: Effect.succeed(null),
  call: () => Effect.succeed("0x"),
  ask: (method, params) => {
    asked.push([method, params])
    const answer = answers[method]
    return answer instanceof RpcError ? Effect.fail(answer) : Effect.succeed(answer)
  }
}
const refusing = (kind: "rpc" | "dead") =>
  new RpcError({ kind, endpoint: "node", method: "eth_estimateGas", message: `node: ${kind}` })

let site: ReturnType<typeof fakeTrade.site> = { router: null, node, checks: null }
let api: TestApi
let starting: FakeLane
beforeAll(async () => {
  const lanes = [
    new FakeLane(chainConfig(8453, "base")),
    new FakeLane({ ...chainConfig(5042, "arc"), simulated: false })
  ] as const
  starting = lanes[0]
  api = await startApi(lanes, {
    trade: { ...fakeTrade, site: () => site }
  })
})
afterAll(() => api.close())

const post = async (body: object) => {
  asked = []
  const response = await fetch(`${api.url}/v1/devchain/wallet`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ chainId: 8453, ...body })
  })
  return { status: response.status, body: await response.json() }
}

it("has one account, which nothing else sends from", async () => {
  const answer = { account: ACCOUNT, value: null, hash: null, receipt: null }
  expect(await post({ method: "eth_accounts" })).toEqual({ status: 200, body: answer })
  expect(ACCOUNT).toBe(accounts.at(-1)?.toLowerCase())
})

it("sends from that account alone, with gas to spare", async () => {
  const { status, body } = await post({ method: "eth_sendTransaction", call: CALL })
  expect([status, body.hash]).toEqual([200, HASH])
  expect(asked.at(-1)).toEqual(["eth_sendTransaction", [{ ...CALL, gas: "0x96" }]])
  const others = { ...CALL, from: `0x${"56".repeat(20)}` }
  for (const call of [others, undefined]) {
    const refused = await post({ method: "eth_sendTransaction", call })
    expect([refused.status, refused.body.error]).toEqual([400, "INVALID_PARAMS"])
    expect(asked.map(([method]) => method)).toEqual(["eth_accounts"])
  }
})

it("tells what its account has and a call answers, and asks for no other account", async () => {
  Object.assign(answers, { eth_getBalance: "0x3e8", eth_gasPrice: "0x7", eth_call: "0x01" })
  const answered = async (body: object) => {
    const { value } = (await post(body)).body
    return [value, asked.at(-1)]
  }
  expect(await answered({ method: "eth_getBalance" })).toEqual([
    ...["0x3e8", ["eth_getBalance", [ACCOUNT, "latest"]]]
  ])
  expect(await answered({ method: "eth_gasPrice" })).toEqual(["0x7", ["eth_gasPrice", []]])
  expect(await answered({ method: "eth_call", call: CALL })).toEqual([
    ...["0x01", ["eth_call", [CALL, "latest"]]]
  ])
  const without = await post({ method: "eth_call" })
  expect([without.status, without.body.error]).toEqual([400, "INVALID_PARAMS"])
  expect(without.body.message).toMatch(
    /^call in the body is required: an object with from, to, data and value, such as \{"from":"0x/
  )
})

it("tells what became of a transaction", async () => {
  const ask = { method: "eth_getTransactionReceipt", hash: HASH }
  expect((await post(ask)).body.receipt).toBeNull()
  answers["eth_getTransactionReceipt"] = { status: "0x1", blockNumber: "0x10", logs: [] }
  expect((await post(ask)).body.receipt).toEqual({ status: "0x1", blockNumber: "0x10" })
  const without = await post({ method: "eth_getTransactionReceipt" })
  expect([without.status, without.body.error]).toEqual([400, "INVALID_PARAMS"])
})

it("says what the node refuses, and that it does not answer", async () => {
  const send = { method: "eth_sendTransaction", call: CALL }
  answers["eth_estimateGas"] = refusing("rpc")
  expect(await post(send)).toEqual({
    status: 400,
    body: { error: "NODE_REFUSED", message: "node: rpc" }
  })
  answers["eth_estimateGas"] = refusing("dead")
  expect(await post(send)).toEqual({
    status: 503,
    body: { error: "TRADE_UNAVAILABLE", message: "node: dead" }
  })
  answers["eth_estimateGas"] = { no: "quantity" }
  expect((await post(send)).body.error).toBe("TRADE_UNAVAILABLE")
})

it("is there on simulated chains alone, and takes no other method", async () => {
  expect(await post({ chainId: 5042, method: "eth_accounts" })).toEqual({
    status: 404,
    body: {
      error: "NOT_FOUND",
      message: "chain 5042 is no simulated chain: use a wallet of your own"
    }
  })
  for (const method of ["anvil_setBalance", "eth_sign", ""]) {
    const refused = await post({ method })
    expect([refused.status, refused.body.error]).toEqual([400, "INVALID_PARAMS"])
  }
  expect(asked).toEqual([])
})

it("says that a chain is starting while none of its nodes is known, and that none will be", async () => {
  const { state } = starting
  site = { router: null, node: null, checks: null }
  expect(await post({ method: "eth_accounts" })).toEqual({
    status: 503,
    body: { error: "TRADE_UNAVAILABLE", message: "the chain is starting" }
  })
  starting.state = { ...state, source: null, state: "history" }
  expect(await post({ method: "eth_accounts" })).toEqual({
    status: 404,
    body: { error: "NOT_FOUND", message: "chain 8453 is a log as it stands: no node of it runs" }
  })
  starting.state = state
})
