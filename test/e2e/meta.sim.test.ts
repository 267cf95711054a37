/**
 * The meta aggregator on a simulated chain: where the router has a route nobody else is asked;
 * where it has none, a local server of one protocol gives a transaction that really executes.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { encodeFunctionData, erc20Abi, getContractAddress, parseEther, toHex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Providers } from "../../api/groups/meta/meta.api.ts"
import type { MetaQuote, MetaSwap, Why } from "../../api/groups/meta/meta-quote.api.ts"
import type { Quote } from "../../api/groups/trade/quote.api.ts"
import type { UnsignedCall } from "../../api/groups/trade/swap.api.ts"
import { buildSwap } from "../../engine/trade/build-swap.ts"
import type { BuildOrder } from "../../engine/trade/meta/protocol/provider.ts"
import { laws, openoceanData } from "../../engine/trade/meta/providers/openocean.laws.ts"
import { devchainRouter } from "../../src/bin/devchain-facts.ts"
import type { Hex } from "../../src/platform/anvil-rpc.ts"
import { runCommand } from "../support/command.ts"
import { mineBlocks, openDevchain, type TestDevchain } from "../support/devchain.ts"
import { type Engine, startEngine } from "../support/engine.ts"
import {
  type LocalAnswer,
  type LocalRequest,
  type LocalServer,
  localServer
} from "../support/local-http.ts"
import { temporaryFolder } from "../support/nats.ts"
import { testContract } from "../support/test-pools.ts"

const BASE = 8453
const WETH = "0x4200000000000000000000000000000000000006"
const USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const wallet = privateKeyToAccount(`0x${"6b".repeat(32)}`)
const TAKER = wallet.address.toLowerCase() as Hex
const STRANGER: Hex = `0x${"5a".repeat(20)}`

const folder = temporaryFolder()
const dataDir = join(folder.path, "data")
let own: TestDevchain
let engine: Engine
let router: Hex
/** speaks OpenOcean's interface */
let exchange: Hex
let provider: LocalServer
/** what the provider does; quotes by three hops, which the router is not asked for, unless told */
let answers: (request: LocalRequest) => LocalAnswer | Promise<LocalAnswer>

const postJson = async (url: string, body: unknown) => {
  const headers = { "content-type": "application/json" }
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}

const call = async <A>(method: string, params: ReadonlyArray<unknown>): Promise<A> => {
  const { body } = await postJson(own.devchain.rpcUrl, { jsonrpc: "2.0", id: 1, method, params })
  if (body.error !== undefined) throw new Error(`${method}: ${JSON.stringify(body.error)}`)
  return body.result
}

const post = (path: string, body: unknown) => postJson(`${engine.url}/v1${path}`, body)

const nonceOf = async () => Number(await call<Hex>("eth_getTransactionCount", [TAKER, "pending"]))

const send = async (to: Hex | null, data: Hex, value = 0n): Promise<Hex> => {
  const signed = await wallet.signTransaction({
    ...{ chainId: BASE, nonce: await nonceOf(), data, value, ...(to === null ? {} : { to }) },
    ...{ gas: 5_000_000n, maxFeePerGas: parseEther("0.0000001"), maxPriorityFeePerGas: 1n }
  })
  return call<Hex>("eth_sendRawTransaction", [signed])
}

const sendCall = ({ to, data, value }: UnsignedCall) => send(to as Hex, data as Hex, BigInt(value))

const settled = async () => {
  const head = Number(await call<Hex>("eth_blockNumber", []))
  await engine.reaches("base", head)
  await engine.alive(`quotes of block ${head}`, async () => {
    const { body } = await ownQuote({ inputMint: WETH, outputMint: USDC, amount: "1000000" })
    return body.blockNumber === head
  })
}

const mine = async (hash: Hex) => {
  await call("evm_mine", [])
  const receipt = await call<{ readonly status: Hex }>("eth_getTransactionReceipt", [hash])
  expect(receipt.status).toBe("0x1")
  await settled()
}

const balanceOf = async (token: string): Promise<bigint> => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [TAKER] })
  return BigInt(await call<Hex>("eth_call", [{ to: token, data }, "latest"]))
}

interface Asked {
  readonly inputMint: string
  readonly outputMint: string
  readonly amount: string
  readonly [more: string]: string
}

const ownQuote = (asked: Asked) =>
  engine.get(`/quote?${new URLSearchParams({ chain: String(BASE), ...asked })}`)

const metaQuote = (asked: Asked) =>
  engine.get(`/meta/quote?${new URLSearchParams({ chain: String(BASE), ...asked })}`)

/** A pair that the router reaches by three hops alone, which it is not asked for unless told. */
const farPair = async (): Promise<Asked> => {
  const { tokens } = (await engine.get(`/tokens?chain=${BASE}&includeUnlisted=1`)).body
  const all = (tokens as ReadonlyArray<{ readonly address: string }>).map(one => one.address)
  for (const inputMint of all) {
    for (const outputMint of all.filter(one => one !== inputMint)) {
      const asked = { inputMint, outputMint, amount: "1000000" }
      const near = (await ownQuote(asked)).body as Quote
      if (near.noRouteReason !== "no-pool") continue
      const far = (await ownQuote({ ...asked, maxHops: "3" })).body as Quote
      if (far.noRouteReason === undefined) return asked
    }
  }
  throw new Error("the devchain has no pair of three hops")
}

/** An honest provider: quotes by three hops, and trades through the deployed router. */
const honest = async ({ path, query }: LocalRequest): Promise<LocalAnswer> => {
  const text = (name: string) => query.get(name) ?? ""
  const asked = {
    ...{ inputMint: text("inTokenAddress"), outputMint: text("outTokenAddress") },
    ...{ amount: text("amountDecimals"), maxHops: "3" }
  }
  const quote = (await ownQuote(asked)).body as Quote
  const order: BuildOrder = {
    ...{ chainId: BASE, tokenIn: quote.inputMint as Hex, tokenOut: quote.outputMint as Hex },
    ...{ amountIn: BigInt(quote.inputAmount), slippageBps: 50, gasPrice: 1n },
    ...{ taker: text("sender") as Hex, recipient: text("account") as Hex }
  }
  const amountOut = BigInt(quote.outputAmount)
  const minimumOut = (amountOut * (10_000n - BigInt(Number(text("slippage")) * 100))) / 10_000n
  const calls = () => {
    const swap = buildSwap({
      ...{ router, taker: exchange, recipient: order.recipient, permit: null },
      ...{ tokenIn: order.tokenIn, tokenOut: order.tokenOut, amountIn: order.amountIn },
      ...{ minimumOut, deadline: 4_000_000_000, legs: quote.routerLegs as Hex },
      ...{ gas: BigInt(quote.gasEstimate), taxed: 0 }
    })
    const args = [router, order.amountIn] as const
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args })
    return [
      { target: order.tokenIn, data: approve },
      { target: router, data: swap.data }
    ]
  }
  const told = {
    ...{ tokenIn: order.tokenIn, tokenOut: order.tokenOut, amountIn: order.amountIn },
    ...{ minimumOut, recipient: order.recipient, flags: 0n, executor: exchange }
  }
  const data = path.endsWith("/swap") ? openoceanData(told, calls()) : ("0x01" as Hex)
  const answer = { order, amountOut, router: exchange, spender: exchange, value: 0n, data }
  return { body: laws.bodyOf({ ...answer, chainId: BASE }, path) }
}

beforeAll(async () => {
  own = await openDevchain({ chain: "base", router: devchainRouter("base") })
  router = own.devchain.contracts.router.toLowerCase() as Hex
  await mineBlocks(own.devchain, 40)
  await call("anvil_setBalance", [TAKER, toHex(parseEther("5000"))])
  exchange = getContractAddress({
    from: TAKER,
    nonce: BigInt(await nonceOf())
  }).toLowerCase() as Hex
  await send(null, testContract("TestExchange").code())
  await call("evm_mine", [])
  provider = await localServer(request => answers(request))
  answers = honest
  const chains = join(folder.path, "chains.json")
  writeFileSync(chains, JSON.stringify([{ extends: "base", routers: [router, exchange] }]))
  engine = await startEngine({
    dataDir,
    rpc: { [BASE]: [own.devchain.wsUrl, own.devchain.rpcUrl] },
    env: {
      ...{ [`ROUTER_${BASE}`]: router, CHAINS_FILE: chains },
      ...{ [`META_PROVIDERS_${BASE}`]: "openocean", META_URL_OPENOCEAN: `${provider.url}/v4` },
      [`META_ROUTER_OPENOCEAN_${BASE}`]: exchange
    }
  })
  await engine.ready()
  await settled()
})

afterAll(async () => {
  await engine?.end("SIGKILL")
  await provider?.close()
  await own?.remove()
  folder.remove()
})

const built = async (quote: MetaQuote): Promise<MetaSwap> => {
  const { status, body } = await post("/meta/swap", { ...quote, taker: TAKER })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

it("answers the router's own where it has a route, and asks nobody else", async () => {
  const asked = { inputMint: USDC, outputMint: WETH, amount: "1000000000" }
  const { body, seq } = await metaQuote(asked)
  const quote = body as MetaQuote
  const plain = (await ownQuote(asked)).body as Quote
  expect(quote).toMatchObject({
    ...{ provider: "swaptape", router, spender: router, passedOver: [] },
    ...{ outputAmount: plain.outputAmount, otherAmountThreshold: plain.otherAmountThreshold }
  })
  expect(seq).toBe(plain.seq)
  const swap = await built(quote)
  expect(swap).toMatchObject({
    ...{ provider: "swaptape", router, outputAmount: quote.outputAmount, passedOver: [] },
    simulation: { outputAmount: quote.outputAmount, assumed: ["balance", "allowance"] }
  })
  expect(provider.requests).toEqual([])
  const why = (await engine.get(`/meta/why/${quote.quoteId}`)).body as Why
  expect(why.asked).toMatchObject([{ provider: "swaptape", asked: true, reason: null }])
  expect(why.swaps).toMatchObject([{ provider: "swaptape", asked: [{ provider: "swaptape" }] }])
  // the same in `POST /v1/swap`
  expect((await post("/swap", { ...quote.quote, taker: TAKER })).status).toBe(200)
})

it("falls back on an aggregator's transaction, which executes as it was simulated", async () => {
  const asked = await farPair()
  // the taker buys what he is going to sell
  const input = (await metaQuote({ inputMint: WETH, outputMint: asked.inputMint, amount: "1" }))
    .body
  expect(input.provider).toBe("swaptape")
  const { body: first } = await ownQuote({
    ...{ inputMint: `0x${"00".repeat(20)}`, outputMint: asked.inputMint },
    ...{ amount: parseEther("1").toString(), maxHops: "3" }
  })
  await mine(await sendCall((await post("/swap", { ...first, taker: TAKER })).body.transaction))
  const amount = String((await balanceOf(asked.inputMint)) / 2n)

  const quote = (await metaQuote({ ...asked, amount })).body as MetaQuote
  expect(quote).toMatchObject({
    ...{ provider: "openocean", inputAmount: amount, router: exchange, spender: exchange },
    passedOver: [{ provider: "swaptape", reason: "no-route", message: "no-pool" }]
  })
  const swap = await built(quote)
  expect(swap).toMatchObject({
    ...{ provider: "openocean", router: exchange, deadline: null, recipient: TAKER },
    transaction: { chainId: BASE, from: TAKER, to: exchange, value: "0" },
    approval: { spender: exchange, amount, needed: true, resetFirst: false },
    simulation: { outputAmount: quote.outputAmount, assumed: ["balance", "allowance"] },
    passedOver: [{ provider: "swaptape", reason: "no-route" }]
  })
  await mine(await sendCall(swap.approval?.approve as UnsignedCall))
  const before = await balanceOf(asked.outputMint)
  await mine(await sendCall(swap.transaction))
  const arrived = (await balanceOf(asked.outputMint)) - before
  expect(String(arrived)).toBe(swap.simulation?.outputAmount)
  const why = (await engine.get(`/meta/why/${quote.quoteId}`)).body as Why
  expect(why.asked).toMatchObject([
    { provider: "swaptape", asked: true, reason: "no-route" },
    { provider: "openocean", asked: true, reason: null, outputAmount: quote.outputAmount }
  ])
  expect(why.swaps).toMatchObject([{ provider: "openocean" }])
})

it("refuses what goes to a stranger or pays less on paper, and tells why", async () => {
  const asked = await farPair()
  const quote = (await metaQuote(asked)).body as MetaQuote
  expect(quote.provider).toBe("openocean")
  const refusal = async (change: (text: string) => string) => {
    answers = async request => {
      const told = (await honest(request)) as { readonly body: unknown }
      return { body: change(JSON.stringify(told.body)) }
    }
    const { status, body } = await post("/meta/swap", { ...quote, taker: TAKER })
    answers = honest
    return [status, body.error, / openocean: ([a-z-]+)/.exec(body.message)?.[1]]
  }
  const toStranger = (text: string) => text.replace(`"to":"${exchange}"`, `"to":"${STRANGER}"`)
  expect(await refusal(toStranger)).toEqual([502, "ROUTE_ERROR", "router-not-allowed"])
  const bare = (hex: string) => hex.slice(2)
  const paysStranger = (text: string) => text.replaceAll(bare(TAKER), bare(STRANGER))
  expect(await refusal(paysStranger)).toEqual([502, "ROUTE_ERROR", "recipient-changed"])
  // its calls call nobody, so nothing arrives
  const idle = (text: string) => text.replaceAll(bare(router), bare(STRANGER))
  expect(await refusal(idle)).toEqual([502, "ROUTE_ERROR", "simulation-failed"])
  const why = (await engine.get(`/meta/why/${quote.quoteId}`)).body as Why
  expect(why.swaps.map(({ provider: whose, asked: all }) => [whose, all[1]?.reason])).toEqual([
    [null, "router-not-allowed"],
    [null, "recipient-changed"],
    [null, "simulation-failed"]
  ])
  expect((await post("/meta/swap", { ...quote, outputAmount: "1", taker: TAKER })).body.error).toBe(
    "ROUTE_MISMATCH"
  )
  expect((await engine.get(`/meta/why/50.${"A".repeat(43)}`)).body.error).toBe("NOT_FOUND")
})

it("stops asking an aggregator that fails, and keeps that in the log", async () => {
  const asked = await farPair()
  answers = () => ({ status: 503, body: "" })
  for (let i = 0; i < 3; i++) {
    const { body } = await metaQuote({ ...asked, amount: `${1_000_000 + i}` })
    expect(body).toMatchObject({ provider: "swaptape", outputAmount: "0" })
  }
  const count = provider.requests.length
  expect((await metaQuote(asked)).body.passedOver[1]).toMatchObject({ reason: "breaker-open" })
  expect(provider.requests.length).toBe(count)
  const { chains } = (await engine.get("/meta/providers")).body as Providers
  expect(chains).toMatchObject([
    { chain: BASE, key: "base", first: "swaptape", fallbacks: [{ breaker: "open", asked: true }] }
  ])
  await engine.alive("the move in the log", async () => {
    const { stdout } = await runCommand("log", [
      ...["cat", "--chain", "base", "--trade", "--data", dataDir]
    ])
    return stdout.includes('"kind":"BreakerMoved"') && stdout.includes('"state":"open"')
  })
  const checked = await runCommand("log", ["check", "--chain", "base", "--data", dataDir])
  expect(checked.output).toContain("the trade log of base is whole")
})
