/**
 * Two engines over one log server, each with its own data folder: one swap engine to whoever asks.
 * The chain mines when it is told, and its router contract knows Permit2, so what comes between a
 * quote, its swap and its simulation is what the test puts there.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { encodeFunctionData, erc20Abi, parseEther } from "viem"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Quote } from "../../api/groups/trade/quote.api.ts"
import type { Swap } from "../../api/groups/trade/swap.api.ts"
import { deploymentData, routerArguments } from "../../engine/trade/contract/deployment.ts"
import { NATIVE } from "../../engine/trade/contract/router-call.ts"
import { base as baseChain } from "../../src/domain/chains/base.ts"
import type { Hex } from "../../src/platform/anvil-rpc.ts"
import { mineBlocks, openDevchain, type TestDevchain } from "../support/devchain.ts"
import { type Engine, startEngine } from "../support/engine.ts"
import { startNats, type TestNats, temporaryFolder } from "../support/nats.ts"
import { oneAfterTheOther } from "../support/one-after-the-other.ts"
import permit2 from "../support/permit2.json" with { type: "json" }
import { signPermit } from "../support/permit2.ts"
import { postJson, Taker } from "../support/taker.ts"

const BASE = 8453
const WETH = "0x4200000000000000000000000000000000000006"
const USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const ETHER = parseEther("1")

const folder = temporaryFolder()
let nats: TestNats
let own: TestDevchain
let taker: Taker
let router: Hex
let env: Record<string, string>
let first: Engine
let second: Engine

const start = (name: string): Promise<Engine> =>
  startEngine({
    dataDir: join(folder.path, name),
    rpc: { [BASE]: [own.devchain.rpcUrl] },
    env
  })

const pathOf = (inputMint: string, outputMint: string, amount: bigint): string =>
  `/quote?chain=${BASE}&inputMint=${inputMint}&outputMint=${outputMint}&amount=${amount}`

const quoteOf = async (
  engine: Engine,
  inputMint: string,
  outputMint: string,
  amount: bigint
): Promise<Quote> => (await engine.get(pathOf(inputMint, outputMint, amount))).body

/** Waits until the quotes of engines are of the chain's newest block. */
const settled = async (...engines: ReadonlyArray<Engine>) => {
  const head = Number(await taker.call<Hex>("eth_blockNumber", []))
  for (const engine of engines) {
    await engine.alive(`quotes of block ${head}`, async () => {
      const { blockNumber } = await quoteOf(engine, WETH, USDC, 1_000_000n)
      return blockNumber === head
    })
  }
}

const mine = async () => {
  await taker.call("evm_mine", [])
  await settled(first, second)
}

const post = (engine: Engine, path: string, body: unknown) =>
  postJson(`${engine.url}/v1${path}`, body)

const build = (engine: Engine, quote: Quote) =>
  post(engine, "/swap", { ...quote, taker: taker.address })

const simulate = async (engine: Engine, { transaction }: Swap, more: object = {}) => {
  const { status, body } = await post(engine, "/swap/simulate", { ...transaction, ...more })
  return [status, body.ok, body.cause, body.outputAmount]
}

/** Undoes blocks, and puts others in their place that move no pool: one more than there were. */
const reorganized = async (snapshot: string, blocks: number) => {
  await taker.call("evm_revert", [snapshot])
  const call = { chainId: BASE, from: taker.address, to: taker.address }
  await taker.send({ ...call, data: "0x", value: "1" })
  for (let i = 0; i <= blocks; i++) await taker.call("evm_mine", [])
  await settled(first, second)
}

oneAfterTheOther()

beforeAll(async () => {
  nats = await startNats()
  const code = deploymentData({ ...routerArguments(baseChain), poolManager: NATIVE })
  own = await openDevchain({ chain: "base", router: code })
  router = own.devchain.contracts.router.toLowerCase() as Hex
  await mineBlocks(own.devchain, 40)
  taker = await Taker.on(own.devchain)
  await taker.call("anvil_setCode", [permit2.address, permit2.code])
  const chains = join(folder.path, "chains.json")
  writeFileSync(chains, JSON.stringify([{ extends: "base", routers: [router] }]))
  env = { [`ROUTER_${BASE}`]: router, CHAINS_FILE: chains, NATS_URL: nats.url }
  first = await start("first")
  second = await start("second")
  await first.ready()
  await second.ready()
  await settled(first, second)
})

afterAll(async () => {
  await first?.end("SIGKILL")
  await second?.end("SIGKILL")
  await own?.remove()
  await nats?.stop()
  folder.remove()
})

/** What of a quote is of the moment, and not of the position and the order. */
const MOMENTS = ["timeTaken", "expiresAt", "quoteId", "gasPriceWei", "gasCostUSD", "warnings"]

/** The quote's bytes without what is of the moment. */
const bytesOf = (quote: Quote): string =>
  JSON.stringify(Object.entries(quote).filter(([name]) => !MOMENTS.includes(name)))

/** Asks both engines for the same orders, and compares the bytes; returns how many have a route. */
const routesAgreed = async (): Promise<number> => {
  let routes = 0
  for (const { address } of own.devchain.tokens.slice(0, 6)) {
    for (const [tokenIn, tokenOut, amount] of [
      [USDC, address, 150_000_000_000n],
      [address, WETH, ETHER],
      [NATIVE, address, 3n * ETHER]
    ] as const) {
      const path = pathOf(tokenIn, tokenOut, amount)
      const answers = await Promise.all([first.get(path), second.get(path)])
      const [a, b] = answers.map(({ status, body }) => `${status} ${bytesOf(body)}`)
      expect(a).toBe(b)
      if (answers[0].body.routePlan?.length > 0) routes++
    }
  }
  return routes
}

it("quotes the same bytes at one position, and each builds what the other quoted", async () => {
  expect(await routesAgreed()).toBeGreaterThan(5)
  const [mine, others] = [
    await quoteOf(first, NATIVE, USDC, ETHER),
    await quoteOf(second, NATIVE, USDC, ETHER)
  ]
  const built = await Promise.all([build(second, mine), build(first, others)])
  expect(built.map(({ status }) => status)).toEqual([200, 200])
  expect(built[0]?.body.transaction.data.slice(0, 10)).toBe(
    built[1]?.body.transaction.data.slice(0, 10)
  )
  const edited = await build(second, { ...mine, outputAmount: "5" })
  expect([edited.status, edited.body.error]).toEqual([400, "ROUTE_MISMATCH"])
})

it("goes on with one while the other is away, which comes back with the same quotes", async () => {
  const before = await quoteOf(first, NATIVE, USDC, ETHER)
  await first.end("SIGKILL")
  await mineBlocks(own.devchain, 5)
  await settled(second)
  first = await start("first")
  await first.ready()
  await settled(first, second)
  expect(await routesAgreed()).toBeGreaterThan(5)
  // A seal of its own is known again, also where the start took longer than a quote is good for.
  const { status, body } = await build(first, before)
  if (body.error !== "QUOTE_EXPIRED") expect(status).toBe(200)
  else expect(Date.now() / 1000).toBeGreaterThanOrEqual(before.expiresAt)
})

it("sells by a signature for Permit2, and gives what was quoted", async () => {
  const { address } = taker
  const bought = (await build(first, await quoteOf(first, NATIVE, USDC, 2n * ETHER))).body as Swap
  await taker.send(bought.transaction)
  await mine()
  const most = 2n ** 256n - 1n
  const approve = { abi: erc20Abi, functionName: "approve" } as const
  const data = encodeFunctionData({ ...approve, args: [permit2.address as Hex, most] })
  await taker.transact(USDC, data)
  await settled(first, second)
  const quote = await quoteOf(first, USDC, WETH, 1_000_000_000n)
  const [nonce, deadline] = [7n, 4_000_000_000n]
  const signature = await signPermit(taker.account, {
    ...{ permit2: permit2.address as Hex, chainId: BASE, token: USDC },
    ...{ amount: BigInt(quote.inputAmount), spender: router, nonce, deadline }
  })
  const signed = { nonce: String(nonce), signedUntil: Number(deadline), signature }
  const swapped = await post(second, "/swap", { ...quote, taker: address, permit2: signed })
  expect([swapped.status, swapped.body.approval]).toEqual([200, null])
  const swap = swapped.body as Swap
  expect(await simulate(first, swap)).toEqual([200, true, null, quote.outputAmount])
  const before = await taker.balanceOf(WETH)
  const hash = await taker.send(swap.transaction)
  await mine()
  expect((await taker.receiptOf(hash)).status).toBe("0x1")
  expect(String((await taker.balanceOf(WETH)) - before)).toBe(quote.outputAmount)
  // the signature is spent, and was never good for another amount
  expect((await simulate(first, swap)).slice(0, 3)).toEqual([200, false, "venue-refused"])
  const other = await quoteOf(first, USDC, WETH, 999_000_000n)
  const wrong = await post(first, "/swap", {
    ...{ ...other, taker: address },
    permit2: { ...signed, nonce: "8" }
  })
  expect((await simulate(first, wrong.body)).slice(0, 3)).toEqual([200, false, "venue-refused"])
})

it("refuses to build what a reorg undid, and simulates what was built before it", async () => {
  const sale = 1_000_000_000n
  const [buying, selling] = [
    await quoteOf(first, NATIVE, USDC, ETHER),
    await quoteOf(first, USDC, WETH, sale)
  ]
  const snapshot = await taker.call<string>("evm_snapshot", [])
  // much is bought, so buying is worth less and selling more, until that is undone
  const much = (await build(first, await quoteOf(first, NATIVE, USDC, 50n * ETHER))).body as Swap
  await taker.send(much.transaction)
  await mine()
  const [dearer, better] = [
    await quoteOf(second, NATIVE, USDC, ETHER),
    await quoteOf(second, USDC, WETH, sale)
  ]
  expect(BigInt(dearer.outputAmount)).toBeLessThan(BigInt(buying.outputAmount))
  expect(BigInt(better.otherAmountThreshold)).toBeGreaterThan(BigInt(selling.outputAmount))
  const built = [await build(second, dearer), await build(second, better)] as const
  expect(built.map(({ status }) => status)).toEqual([200, 200])
  await reorganized(snapshot, 1)
  const message = `the chain undid block ${dearer.blockNumber} of the quote: quote again`
  for (const engine of [first, second]) {
    expect(await build(engine, dearer)).toEqual({
      ...{ status: 400, body: { error: "QUOTE_EXPIRED", message } }
    })
    expect((await build(engine, buying)).status).toBe(200)
    expect((await quoteOf(engine, NATIVE, USDC, ETHER)).outputAmount).toBe(buying.outputAmount)
    // by the shares of the other route more than was quoted, and less than by the best
    const [status, isOk, cause, amount] = await simulate(engine, built[0].body)
    expect([status, isOk, cause]).toEqual([200, true, null])
    expect(BigInt(amount)).toBeGreaterThan(BigInt(dearer.outputAmount))
    expect(BigInt(amount)).toBeLessThanOrEqual(BigInt(buying.outputAmount))
    expect(await simulate(engine, built[1].body, { assumeFunded: true })).toEqual([
      ...[200, false, "price-moved", null]
    ])
  }
  expect(await routesAgreed()).toBeGreaterThan(5)
})

it("names why a swap cannot be of pools that were emptied, stopped or taken away since", async () => {
  const { token, pair } = await taker.listed("BareToken")
  await settled(first, second)
  const quote = await quoteOf(first, NATIVE, token, ETHER)
  // 1,000,000 of it and 10 of the native unit, 0.3 %
  expect(quote.outputAmount).toBe("90661089388014913158134")
  const swap = (await build(first, quote)).body as Swap
  await taker.emptied(pair)
  await settled(first, second)
  // what is built of it now is the same swap, with the least that was quoted
  const late = (await build(second, quote)).body as Swap
  expect(late.transaction).toEqual(swap.transaction)
  const { status, body } = await post(first, "/swap/simulate", swap.transaction)
  // what follows is why the quotes of this engine are of old blocks, where it is not the writer
  const [moved] = body.revert.split("; quote again")
  expect([status, { ...body, revert: moved }]).toEqual([
    200,
    {
      ...{ ok: false, outputAmount: null, cause: "price-moved", assumed: [] },
      revert: `the price moved: 316227 would arrive, the least is ${quote.otherAmountThreshold}`
    }
  ])
  const again = await quoteOf(first, NATIVE, token, ETHER)
  expect([again.outputAmount, again.noRouteReason]).toEqual(["0", "thin"])
  for (const [code, words] of [
    ["0x", "BadLeg(1)"],
    // reverts with `EnforcedPause()`, and jumps in a circle
    ["0x63d93c06655f526004601cfd", "it reverts with 0xd93c0665"],
    ["0x5b5f56", "it reverts without a reason"]
  ]) {
    await taker.call("anvil_setCode", [pair, code])
    const refused = await post(second, "/swap/simulate", swap.transaction)
    expect([refused.status, refused.body]).toEqual([
      200,
      {
        ...{ ok: false, outputAmount: null, cause: "venue-refused", assumed: [] },
        revert: `a pool refused: ${words}; quote again in some seconds`
      }
    ])
  }
  const deadline = quote.expiresAt + 601
  await taker.call("evm_mine", [deadline])
  expect(await simulate(first, swap)).toEqual([200, false, "deadline-passed", null])
})
