/**
 * A lane that begins in the middle of a chain's life: the log does not tell the ticks of its pools,
 * so they are read from their contracts, logged, and quoted from then on as the contracts swap. Its
 * node lies once: what a swap contradicts is read again.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Quote } from "../../api/groups/trade/quote.api.ts"
import { devchainRouter } from "../../src/bin/devchain-facts.ts"
import { runCommand } from "../support/command.ts"
import { mineBlocks, openDevchain, type TestDevchain } from "../support/devchain.ts"
import { type Engine, startEngine } from "../support/engine.ts"
import { startLyingNode } from "../support/lying-proxy.ts"
import { temporaryFolder } from "../support/nats.ts"
import { isLong } from "../support/rounds.ts"

const WETH = "0x4200000000000000000000000000000000000006"
const USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const TAKER = `0x${"5a".repeat(20)}`
/** Blocks whose quotes are compared with the contracts. */
const CHECKED = isLong ? 10 : 5

/** `liquidity()` and `ticks(int24)` of Uniswap V3. */
const [LIQUIDITY, TICKS] = ["0x1a686502", "0xf30dba93"]

const folder = temporaryFolder()
let node: Awaited<ReturnType<typeof startLyingNode>>
let own: TestDevchain
let engine: Engine
let head = 0

beforeAll(async () => {
  own = await openDevchain({ chain: "base", router: devchainRouter("base") })
  await mineBlocks(own.devchain, 40)
  node = await startLyingNode(own.devchain.rpcUrl, twiceTheLiquidity)
  engine = await startEngine({
    dataDir: folder.path,
    rpc: { 8453: [node.url] },
    env: { ROUTER_8453: own.devchain.contracts.router, START_8453: "latest" }
  })
  await engine.ready()
})
afterAll(async () => {
  await engine?.end("SIGKILL")
  node?.close()
  await own?.remove()
  folder.remove()
})

let lie: string | null = null

/** Says of the first pool that is read, of one block, that it has twice its liquidity. */
const twiceTheLiquidity: Parameters<typeof startLyingNode>[1] = ({ to, data, block }, words) => {
  if (!data.startsWith(LIQUIDITY) && !data.startsWith(TICKS)) return words
  lie ??= `${to} ${block}`
  if (lie !== `${to} ${block}`) return words
  const [first = 0n, second, ...others] = words
  return second === undefined
    ? [2n * first]
    : [2n * first, 2n * BigInt.asIntN(256, second), ...others]
}

/** Mines a block of trades and waits until quotes are of it. */
const mine = async () => {
  await mineBlocks(own.devchain, 1)
  await engine.alive("quotes of the next block", async () => {
    const { block } = (await engine.lane("base")).quotes
    if (block === null || block <= head) return false
    head = block
    return true
  })
}

const post = async (path: string, body: unknown) => {
  const headers = { "content-type": "application/json" }
  const init = { method: "POST", headers, body: JSON.stringify(body) }
  return (await fetch(`${engine.url}/v1${path}`, init)).json()
}

it("finds a lie about a pool's state out by its next swap, and tells of it", async () => {
  const counts = async () => (await engine.lane("base")).quotes.reads
  for (let blocks = 1; (await counts()).contradicted === 0; blocks++) {
    expect(blocks).toBeLessThan(80)
    // a read that took too long told nothing: another one lies
    if (blocks % 20 === 0) lie = null
    await mine()
  }
  expect(await counts()).toMatchObject({ differed: 0, contradicted: expect.any(Number) })
})

it("tells why pools cannot be quoted, reads their states, and quotes them to the wei", async () => {
  const unknown = "its ticks are not known, and it crossed some"
  await mine()
  const { unquoted } = (await engine.lane("base")).quotes
  expect(unquoted.map(({ reason }) => reason)).toContain(unknown)
  const path = `/quote?chain=8453&inputMint=${WETH}&outputMint=${USDC}&amount=${200n * 10n ** 18n}&why=1`
  const quoteOf = async (): Promise<Quote> => (await engine.get(path)).body
  const rangesOf = ({ routePlan }: Quote) =>
    routePlan.filter(({ swapInfo }) => swapInfo.dex === "uniswap_v3")
  for (let blocks = 0; rangesOf(await quoteOf()).length < 2; blocks++) {
    expect(blocks).toBeLessThan(60)
    await mine()
  }
  let checked = 0
  for (let blocks = 0; blocks < CHECKED; blocks++) {
    await mine()
    const quote = await quoteOf()
    if (rangesOf(quote).length === 0) continue
    checked++
    const { transaction } = await post("/swap", { ...quote, taker: TAKER })
    const simulated = await post("/swap/simulate", { ...transaction, assumeFunded: true })
    expect(simulated).toMatchObject({ ok: true, outputAmount: quote.outputAmount })
  }
  expect(checked).toBeGreaterThan(CHECKED / 2)
  await engine.stop()
  const { stdout } = await runCommand("log", [...["cat", "--chain", "base", "--data", folder.path]])
  expect(stdout).toContain('"kind":"PoolStateRead"')
})
