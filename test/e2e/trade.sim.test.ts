/**
 * Quotes are executed: by a wallet of its own on a simulated chain that mines when it is told, so
 * that between a quote and its swap stands what the test puts there.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseEther } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Quote } from "../../api/groups/trade/quote.api.ts"
import type { Simulation, Swap, UnsignedCall } from "../../api/groups/trade/swap.api.ts"
import { NATIVE } from "../../engine/trade/contract/router-call.ts"
import { devchainRouter } from "../../src/bin/devchain-facts.ts"
import type { Hex } from "../../src/platform/anvil-rpc.ts"
import { mineBlocks, openDevchain, type TestDevchain } from "../support/devchain.ts"
import { runExample } from "../support/doc-example.ts"
import { type Engine, startEngine } from "../support/engine.ts"
import { temporaryFolder } from "../support/nats.ts"
import { postJson, Taker } from "../support/taker.ts"

const BASE = 8453
const WETH = "0x4200000000000000000000000000000000000006"
const USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const CBBTC = "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf"

const folder = temporaryFolder()
let own: TestDevchain
let engine: Engine
let router: Hex
let taker: Taker

/** Mines a block with what was sent, and waits until quotes are of it. */
const mine = async () => {
  await taker.call("evm_mine", [])
  await settled()
}

/** Waits until the log, and with it every quote, is as far as the chain. */
const settled = async () => {
  const head = Number(await taker.call<Hex>("eth_blockNumber", []))
  await engine.reaches("base", head)
  await engine.alive(`quotes of block ${head}`, async () => {
    const { body } = await quoteOf({ inputMint: WETH, outputMint: USDC, amount: 1_000_000n })
    return body.blockNumber === head
  })
}

interface Asked {
  readonly inputMint: string
  readonly outputMint: string
  readonly amount: bigint
  readonly [more: string]: string | bigint
}

const quoteOf = (asked: Asked) =>
  engine.get(
    `/quote?chain=${BASE}&${Object.entries(asked)
      .map(([name, value]) => `${name}=${value}`)
      .join("&")}`
  )

const post = (path: string, body: unknown) => postJson(`${engine.url}/v1${path}`, body)

const build = async (quote: Quote): Promise<Swap> => {
  const { status, body } = await post("/swap", { ...quote, taker: taker.address })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

/** Approves what a swap says is to be approved. */
const approve = async ({ approval }: Swap) => {
  if (approval === null || approval.needed === false) return
  if (approval.resetFirst === true) await taker.send(approval.reset)
  await taker.send(approval.approve)
  await mine()
}

/** Quotes, builds, approves, simulates and executes; returns the quote and what arrived. */
const trade = async (asked: Asked) => {
  const { status, body: quote } = await quoteOf(asked)
  expect(status, JSON.stringify(quote)).toBe(200)
  const swap = await build(quote)
  await approve(swap)
  const simulated = await post("/swap/simulate", { ...swap.transaction })
  const before = await taker.balanceOf(asked.outputMint)
  const hash = await taker.send(swap.transaction)
  await mine()
  const { status: mined, gasUsed, effectiveGasPrice } = await taker.receiptOf(hash)
  expect(mined).toBe("0x1")
  const fee = asked.outputMint === NATIVE ? BigInt(gasUsed) * BigInt(effectiveGasPrice) : 0n
  const arrived = (await taker.balanceOf(asked.outputMint)) - before + fee
  return { quote: quote as Quote, swap, simulated, arrived, gasUsed: Number(gasUsed), hash }
}

beforeAll(async () => {
  own = await openDevchain({ chain: "base", router: devchainRouter("base") })
  router = own.devchain.contracts.router.toLowerCase() as Hex
  await mineBlocks(own.devchain, 40)
  taker = await Taker.on(own.devchain)
  const chains = join(folder.path, "chains.json")
  writeFileSync(chains, JSON.stringify([{ extends: "base", routers: [router] }]))
  engine = await startEngine({
    dataDir: join(folder.path, "data"),
    rpc: { [BASE]: [own.devchain.wsUrl, own.devchain.rpcUrl] },
    env: { [`ROUTER_${BASE}`]: router, CHAINS_FILE: chains }
  })
  await engine.ready()
  await settled()
})

afterAll(async () => {
  await engine?.end("SIGKILL")
  await own?.remove()
  folder.remove()
})

it("gives exactly what was quoted, and the swap stands on the tape with its wallet", async () => {
  const { quote, simulated, arrived, hash } = await trade({
    ...{ inputMint: NATIVE, outputMint: USDC, amount: parseEther("700") }
  })
  expect(String(arrived)).toBe(quote.outputAmount)
  expect(simulated.body).toEqual({
    ...{ ok: true, outputAmount: quote.outputAmount, revert: null, cause: null, assumed: [] }
  } satisfies Simulation)
  const { body } = await engine.get(`/tokens/trades/${USDC}?chain=${BASE}&limit=50`)
  const rows = body.trades.filter(({ tx }: { tx: string }) => tx === hash)
  const ofDollars = quote.routePlan.filter(({ swapInfo }) => swapInfo.outputMint === USDC)
  expect(rows.length).toBe(ofDollars.length)
  expect(new Set(rows.map(({ wallet }: { wallet: string }) => wallet))).toEqual(
    new Set([taker.address])
  )
})

it("runs the example of docs/trade.md as it stands there", async () => {
  const env = { API: engine.url, NODE: own.devchain.rpcUrl }
  const [bought, sold] = await runExample("docs/trade.md", env, mine)
  expect(bought).toMatch(/^bought (\d+) of 0x[0-9a-f]{40}, quoted \1: 0x[0-9a-f]{64}$/)
  expect(sold).toMatch(/^sold half of it: 0x[0-9a-f]{64}$/)
})

it("splits over pools and hops, to the wei", async () => {
  const { tokens } = (await engine.get(`/tokens?chain=${BASE}`)).body
  const listed = (tokens as ReadonlyArray<{ readonly address: string }>).map(one => one.address)
  const others: Array<string> = []
  for (const outputMint of listed.filter(one => ![USDC, WETH].includes(one))) {
    const { body } = await quoteOf({ inputMint: USDC, outputMint, amount: 150_000_000_000n })
    if (body.routePlan.length > 0) others.push(outputMint)
  }
  let [split, hops] = [0, 0]
  for (const outputMint of others.slice(0, 6)) {
    const bought = await trade({ inputMint: USDC, outputMint, amount: 150_000_000_000n })
    expect(String(bought.arrived)).toBe(bought.quote.outputAmount)
    const sold = await trade({ inputMint: outputMint, outputMint: NATIVE, amount: bought.arrived })
    expect(String(sold.arrived)).toBe(sold.quote.outputAmount)
    for (const { quote } of [bought, sold]) {
      const { routePlan, inputMint, inputAmount } = quote
      if (routePlan.length > 1) split++
      if (routePlan.some(({ swapInfo }) => swapInfo.inputMint === WETH)) hops++
      const own = routePlan.filter(({ swapInfo }) => swapInfo.inputMint === inputMint)
      const sum = own.reduce((all, { swapInfo }) => all + BigInt(swapInfo.inputAmount), 0n)
      expect(String(sum)).toBe(inputAmount)
      expect(own.reduce((all, { percent }) => all + percent, 0)).toBe(100)
    }
  }
  expect(split).toBeGreaterThan(3)
  expect(hops).toBeGreaterThan(0)
})

it("buys at least what is asked for, wraps and unwraps, and trades six and eight decimals", async () => {
  const exact = await trade({
    ...{ inputMint: NATIVE, outputMint: CBBTC, amount: 10_000_000n, swapMode: "ExactOut" }
  })
  expect(exact.arrived).toBeGreaterThanOrEqual(10_000_000n)
  expect(String(exact.arrived)).toBe(exact.quote.outputAmount)
  const wrapped = await trade({ inputMint: NATIVE, outputMint: WETH, amount: parseEther("3") })
  expect(wrapped.arrived).toBe(parseEther("3"))
  const unwrapped = await trade({ inputMint: WETH, outputMint: NATIVE, amount: parseEther("1") })
  expect(unwrapped.arrived).toBe(parseEther("1"))
  const dollars = await trade({ inputMint: CBBTC, outputMint: USDC, amount: 5_000_000n })
  expect(String(dollars.arrived)).toBe(dollars.quote.outputAmount)
})

it("names why a swap would revert", async () => {
  const stranger = privateKeyToAccount(`0x${"7b".repeat(32)}`).address.toLowerCase() as Hex
  const asked = { inputMint: USDC, outputMint: WETH, amount: 1_000_000_000n }
  const { body: quote } = await quoteOf(asked)
  const strange = (await post("/swap", { ...quote, taker: stranger })).body as Swap
  expect(strange.approval).toMatchObject({ needed: true, resetFirst: false, spender: router })
  const causeOf = async (body: object) => (await post("/swap/simulate", body)).body as Simulation
  const poor = await causeOf(strange.transaction)
  expect([poor.cause, poor.revert?.split(":")[0]]).toEqual([
    "insufficient-balance",
    "ERC20InsufficientBalance"
  ])
  expect(await causeOf({ ...strange.transaction, assumeFunded: true })).toMatchObject({
    ...{ ok: true, outputAmount: quote.outputAmount, assumed: ["balance", "allowance"] }
  })
  // the taker has dollars, and takes his approval back
  await trade({ inputMint: NATIVE, outputMint: USDC, amount: parseEther("2") })
  const own = await build((await quoteOf(asked)).body)
  await taker.send(own.approval?.reset as UnsignedCall)
  await mine()
  const unapproved = await causeOf(own.transaction)
  expect([unapproved.cause, unapproved.revert?.split(":")[0]]).toEqual([
    "router-not-approved",
    "router not approved"
  ])
  await taker.send(own.approval?.approve as UnsignedCall)
  await mine()
  // somebody sells far more before it
  const tight = (await quoteOf({ ...asked, slippageBps: "1" })).body
  const moved = await build(tight)
  await trade({ inputMint: NATIVE, outputMint: USDC, amount: parseEther("1") })
  await trade({ inputMint: USDC, outputMint: WETH, amount: 900_000_000n })
  await taker.send(own.approval?.approve as UnsignedCall)
  await mine()
  expect((await causeOf(moved.transaction)).cause).toBe("price-moved")
})

/** Lists a token, and waits until quotes know it. */
const listed = async (name: string) => {
  const found = await taker.listed(name)
  await settled()
  return found
}

/** Warnings of a quote but the one of the chain's old blocks. */
const warningsOf = ({ warnings = [] }: Pick<Quote, "warnings">): ReadonlyArray<string> =>
  warnings.filter(one => !one.startsWith("the newest block is"))

it("trades tokens that keep some of their transfers, to the wei, and says what they keep", async () => {
  const { token, pair } = await listed("TestFeeToken")
  const pct = { fromPoolPct: 1, toTakerPct: 1, fromTakerPct: 1, toPoolPct: 1 }
  const bought = await trade({ inputMint: NATIVE, outputMint: token, amount: parseEther("0.5") })
  expect(String(bought.arrived)).toBe(bought.quote.outputAmount)
  expect(bought.quote.transferTaxes).toEqual([{ token, pool: pair, ...pct }])
  expect(warningsOf(bought.quote)).toEqual([
    `token ${token} keeps 1.99 % of purchases and 1.99 % of sales`
  ])
  const sold = await trade({ inputMint: token, outputMint: USDC, amount: bought.arrived })
  expect(String(sold.arrived)).toBe(sold.quote.outputAmount)
  expect(sold.quote.routePlan.length).toBeGreaterThan(1)
  const { body: exact } = await quoteOf({
    ...{ inputMint: NATIVE, outputMint: token, amount: 10n ** 18n, swapMode: "ExactOut" }
  })
  expect([exact.outputAmount, exact.noRouteReason]).toEqual(["0", "transfer-tax"])
})

it("quotes no token that cannot be sold, or keeps more than a tenth", async () => {
  const { contract, token, pair } = await listed("TestGuardedToken")
  const asked = { inputMint: NATIVE, outputMint: token, amount: parseEther("0.1") }
  await taker.transact(token, contract.call("guard", pair, 1, 0n))
  await settled()
  const { body: trap } = await quoteOf(asked)
  expect([trap.outputAmount, trap.noRouteReason, warningsOf(trap)]).toEqual([
    ...["0", "honeypot", [`token ${token} cannot be sold: only the owner sells`]]
  ])
  const other = await listed("TestGuardedToken")
  await taker.transact(other.token, other.contract.call("guard", other.pair, 0, 100_001n))
  await settled()
  const { body: dear } = await quoteOf({ ...asked, outputMint: other.token })
  expect([dear.outputAmount, dear.noRouteReason]).toEqual(["0", "transfer-tax"])
})

it("quotes nothing that would lose more than half of its worth", async () => {
  const { token } = await listed("BareToken")
  const asked = { inputMint: NATIVE, outputMint: token }
  const { body: much } = await quoteOf({ ...asked, amount: parseEther("11") })
  expect([much.outputAmount, much.noRouteReason]).toEqual(["0", "thin"])
  const { body: less } = await quoteOf({ ...asked, amount: parseEther("9") })
  expect([less.noRouteReason, warningsOf(less)]).toEqual([undefined, []])
})

it("refuses a quote whose block the chain undid", async () => {
  const asked = { inputMint: WETH, outputMint: USDC, amount: 10n ** 18n }
  const before = (await quoteOf(asked)).body
  const kept = await taker.call<Hex>("evm_snapshot", [])
  await mine()
  const undone = (await quoteOf(asked)).body
  await taker.call("evm_revert", [kept])
  // another block at its height, and one more
  await taker.send({
    chainId: BASE,
    from: taker.address,
    to: taker.address,
    data: "0x",
    value: "1"
  })
  await taker.call("evm_mine", [])
  await mine()
  const answer = await post("/swap", { ...undone, taker: taker.address })
  expect([answer.status, answer.body]).toEqual([
    400,
    {
      error: "QUOTE_EXPIRED",
      message: `the chain undid block ${undone.blockNumber} of the quote: quote again`
    }
  ])
  expect((await post("/swap", { ...before, taker: taker.address })).status).toBe(200)
})

it("refuses quotes that were edited, of another slippage, or without a route", async () => {
  const { body: quote } = await quoteOf({ inputMint: WETH, outputMint: USDC, amount: 10n ** 18n })
  const refusal = async (body: object) => {
    const answer = await post("/swap", { taker: taker.address, ...body })
    return [answer.status, answer.body.error]
  }
  for (const [name, value] of Object.entries(quote)) {
    if (name === "slippageBps") continue
    const edited = typeof value === "number" ? value + 1 : `${value}1`
    expect(await refusal({ ...quote, [name]: edited }), name).toEqual([400, "ROUTE_MISMATCH"])
    const { [name]: _, ...less } = quote
    expect(await refusal(less), name).toEqual([400, "ROUTE_MISMATCH"])
  }
  expect(await refusal({ ...quote, slippageBps: 51 })).toEqual([400, "SLIPPAGE_MISMATCH"])
  const { slippageBps: _, ...without } = quote
  expect((await post("/swap", { ...without, taker: taker.address })).status).toBe(200)
  const none = (await quoteOf({ inputMint: WETH, outputMint: USDC, amount: 0n })).body
  expect([none.outputAmount, none.routePlan, none.noRouteReason]).toEqual([
    ...["0", [], "amount-too-small"]
  ])
  expect(await refusal(none)).toEqual([404, "NO_ROUTE"])
})

it("quotes a single unit to the wei, and says why there is no route for none or for all", async () => {
  const bought = await trade({ inputMint: NATIVE, outputMint: USDC, amount: parseEther("0.001") })
  expect(String(bought.arrived)).toBe(bought.quote.outputAmount)
  const unit = await trade({ inputMint: USDC, outputMint: WETH, amount: 1n })
  expect(unit.arrived).toBeGreaterThan(0n)
  expect(String(unit.arrived)).toBe(unit.quote.outputAmount)
  const most = 2n ** 256n - 1n
  const told = []
  for (const amount of [0n, 1n, most, most + 1n]) {
    const { status, body } = await quoteOf({ inputMint: WETH, outputMint: USDC, amount })
    told.push([status, body.outputAmount, body.noRouteReason ?? body.error])
  }
  expect(told).toEqual([
    [200, "0", "amount-too-small"],
    [200, "0", "amount-too-small"],
    [200, "0", "too-large"],
    [400, undefined, "INVALID_PARAMS"]
  ])
})
