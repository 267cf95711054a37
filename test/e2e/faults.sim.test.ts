/**
 * One engine on five chains, each with a trouble of its own: nodes that are dead, slow, limited,
 * broken or liars, and logs that are none. What a lane cannot know it says; what it says is true;
 * and no lane feels another one's trouble.
 */
import type { Hex } from "viem"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { arbitrum } from "../../src/domain/chains/arbitrum.ts"
import { avalanche } from "../../src/domain/chains/avalanche.ts"
import { base } from "../../src/domain/chains/base.ts"
import { ethereum } from "../../src/domain/chains/ethereum.ts"
import { monad } from "../../src/domain/chains/monad.ts"
import { runCommand } from "../support/command.ts"
import { atRest, type Engine, freePort, startEngine } from "../support/engine.ts"
import { differenceFrom, logOf } from "../support/engine-log.ts"
import { marketTxs } from "../support/engine-market.ts"
import { startWorld, type World } from "../support/engine-world.ts"
import { type FakeLog, pairCreatedLog, syncLog, v2SwapLog } from "../support/fake-logs.ts"
import { type FakeRpc, startFakeRpc } from "../support/fake-rpc.ts"
import { extremeLogs, malformedLogs } from "../support/malformed-logs.ts"
import { temporaryFolder } from "../support/nats.ts"
import { oneAfterTheOther } from "../support/one-after-the-other.ts"
import { random, seed } from "../support/seed.ts"

/** Far below the 20 s after which a call is given up, far above what a block takes. */
const FRESH_MS = 3_000

const folder = temporaryFolder()
const worlds = new Map<string, World>()
let engine: Engine
let deadPort: number
/** of Monad, beside one that lies */
let honest: FakeRpc

const worldOf = (chain: ChainConfig): World => {
  const world = worlds.get(chain.key)
  if (world === undefined) throw new Error(`no world ${chain.key}`)
  return world
}

const newWorld = async (config: ChainConfig, options: Parameters<typeof startWorld>[1] = {}) => {
  const world = await startWorld(`faults ${config.key}`, {
    config,
    blocks: 12,
    swaps: 4,
    tokens: 2,
    ...options
  })
  worlds.set(config.key, world)
  return world
}

/** Waits until the lane's source tells of a problem that begins like this. */
const tells = ({ key }: ChainConfig, problem: string) =>
  engine.alive(`${key}: ${problem}`, async () => {
    const { source } = await engine.lane(key)
    return source?.state === "retrying" && source.problem?.startsWith(problem) === true
  })

const catchesUp = (chain: ChainConfig) =>
  engine.reaches(chain.key, worldOf(chain).chain.head.number)

oneAfterTheOther()

beforeAll(async () => {
  console.log(`faults: SEED=${seed}`)
  deadPort = await freePort()
  const healthy = await newWorld(base)
  const busy = await newWorld(avalanche, { faults: { rateLimit: 1 } })
  busy.rpc.retryAfter = "3"
  const limits = { rangeLimit: 30, resultLimit: 40 }
  const hanging = await newWorld(arbitrum, { blocks: 130, faults: { hang: 1, ...limits } })
  const lies = { repeatLogs: 0.4, reorderLogs: 0.4, rangeLimit: 8 }
  const lying = await newWorld(monad, { blocks: 60, faults: lies })
  honest = await startFakeRpc(lying.chain, "faults honest")
  engine = await startEngine({
    dataDir: folder.path,
    rpc: {
      ...healthy.endpoints,
      [ethereum.id]: [`http://127.0.0.1:${deadPort}`],
      [avalanche.id]: [busy.rpc.url],
      [arbitrum.id]: [hanging.rpc.url],
      [monad.id]: [lying.rpc.url, honest.url]
    }
  })
  await engine.ready()
})

afterAll(async () => {
  await engine?.end("SIGKILL")
  for (const world of worlds.values()) await world.close()
  await honest?.close()
  folder.remove()
})

it("a node that is dead at start is no empty chain: every answer is 503, and why is told", async () => {
  await tells(ethereum, `127.0.0.1:${deadPort} eth_chainId: connect ECONNREFUSED`)
  const token = ethereum.anchors[0]?.address
  for (const path of [
    "/tokens?chain=1",
    `/candles?chain=1&token=${token}&tf=1m`,
    `/tokens/trades/${token}?chain=1`,
    `/chains/ethereum/token/${token}/trades`
  ]) {
    const { status, body } = await engine.get(path)
    expect({ status, body }, path).toEqual({
      status: 503,
      body: {
        error: "NOT_READY",
        message: "ethereum: nothing of the chain has been read yet; /v1/status says why"
      }
    })
  }
  await engine.alive("its stall", async () => (await engine.lane("ethereum")).state === "stalled")
  expect(await engine.lane("ethereum")).toMatchObject({ ok: false, seq: 0, block: null })
})

it("a node that is overloaded is left alone for as long as it asks", async () => {
  const { rpc } = worldOf(avalanche)
  await tells(avalanche, `${rpc.url.slice(7)} eth_chainId: HTTP 429`)
  // The first request is the start's, which asks once for the chain's candidates; the lane's follow.
  const [, first = 0, second = 0] = await engine.alive(
    "another request of the lane",
    () => rpc.requestedAt.length > 2 && rpc.requestedAt
  )
  Object.assign(rpc.faults, { rateLimit: 0, html: 1 })
  expect(second - first).toBeGreaterThan(2_990)
})

it("the troubles of other chains delay no block", async () => {
  const world = worldOf(base)
  await catchesUp(base)
  const delays: Array<number> = []
  for (let i = 0; i < 10; i++) {
    const minedAt = performance.now()
    world.mine(1, 4)
    await catchesUp(base)
    delays.push(performance.now() - minedAt)
  }
  expect(Math.max(...delays)).toBeLessThan(atRest(FRESH_MS))
  for (const chain of [ethereum, avalanche, arbitrum]) {
    expect((await engine.lane(chain.key)).seq, chain.key).toBe(0)
  }
})

it("a node that was dead at start is read once it lives", async () => {
  await newWorld(ethereum, { port: deadPort })
  await catchesUp(ethereum)
  expect(
    (await engine.get("/tokens?chain=1&includeUnlisted=1")).body.tokens.length
  ).toBeGreaterThan(2)
})

it("a node that answers with a page is told, and asked again", async () => {
  const { rpc } = worldOf(avalanche)
  await tells(avalanche, `${rpc.url.slice(7)} eth_chainId: the answer is not JSON`)
  rpc.retryAfter = null
  const often = { rateLimit: 0.05, html: 0.05, errorObject: 0.05, reset: 0.05, truncate: 0.05 }
  Object.assign(rpc.faults, often)
})

describe("logs", () => {
  const usd = base.anchors[0]?.address as Hex
  const factoryOf = (kind: string) => base.venues.find(venue => venue.kind === kind)?.factory as Hex
  const emitters = () => {
    const { pools } = worldOf(base).market
    const [pool, pair] = [pools.find(({ isV3 }) => isV3), pools.find(({ isV3 }) => !isV3)]
    return {
      pair: pair?.address as Hex,
      pool: pool?.address as Hex,
      v2Factory: factoryOf("uniswap-v2"),
      v3Factory: factoryOf("uniswap-v3")
    }
  }
  const mineLogs = (...txs: ReadonlyArray<ReadonlyArray<FakeLog>>) => {
    const world = worldOf(base)
    const from = world.market.wallets[0] as Hex
    world.mineTxs(txs.map(logs => ({ from, to: null, logs })))
    return catchesUp(base)
  }
  const tradesOf = async (token: Hex, limit: number) =>
    (await engine.get(`/tokens/trades/${token}?chain=8453&limit=${limit}`)).body.trades

  it("that are malformed are quarantined with a reason, counted, and stop nothing", async () => {
    const byReason = malformedLogs(emitters())
    const malformed = Object.values(byReason).flat()
    await mineLogs(malformed)
    const lane = await engine.alive("the counts", async () => {
      const found = await engine.lane("base")
      return found.quarantined.length > 0 && found.source?.quarantined === malformed.length && found
    })
    const counted = Object.fromEntries(lane.quarantined.map(({ reason, count }) => [reason, count]))
    expect(counted).toEqual(
      Object.fromEntries(Object.entries(byReason).map(([reason, logs]) => [reason, logs.length]))
    )
    expect(lane).toMatchObject({ warnings: [], gaps: [], source: { state: "live", problem: null } })
  })

  it("with the largest values there are become trades that no dollars are believed of", async () => {
    await mineLogs(extremeLogs(emitters()))
    const trades: ReadonlyArray<object> = await tradesOf(usd, 5)
    const dollars = (value: bigint) => Number(value) / 1e6
    expect(trades).toMatchObject([
      { tokenAmt: dollars(2n ** 255n), usd: null, priceUsd: null },
      { tokenAmt: 0, usd: 0, priceUsd: null },
      { tokenAmt: dollars(2n ** 255n), usd: null, priceUsd: null },
      { tokenAmt: 0, usd: 0, priceUsd: null },
      { tokenAmt: dollars(2n ** 256n), usd: null, priceUsd: null }
    ])
  })

  it("of a token without decimals tell no amount and no price, dollars by the other side", async () => {
    const odd = worldOf(base).market.tokens.at(-1)?.address as Hex
    const mute: Hex = `0x${"dd".repeat(20)}`
    const trade = (other: Hex, pair: Hex): ReadonlyArray<FakeLog> => {
      const isFirst = odd < other
      const [token0, token1] = isFirst ? [odd, other] : [other, odd]
      const [paid, got] = [5_000_000n, 10n ** 18n]
      return [
        pairCreatedLog(factoryOf("uniswap-v2"), token0, token1, pair),
        syncLog(pair, 10n ** 18n, 10n ** 18n),
        v2SwapLog(pair, pair, pair, isFirst ? [0n, paid, got, 0n] : [paid, 0n, 0n, got])
      ]
    }
    const [priced, unpriced] = [`0x${"d1".repeat(20)}`, `0x${"d2".repeat(20)}`] as const
    await mineLogs(trade(usd, priced), trade(mute, unpriced))
    const unknown = { side: "buy", tokenAmt: null, priceUsd: null }
    expect(await tradesOf(odd, 2)).toMatchObject([
      { ...unknown, pool: unpriced, usd: null },
      { ...unknown, pool: priced, usd: 5 }
    ])
    expect(await tradesOf(usd, 1)).toMatchObject([
      { pool: priced, side: "sell", tokenAmt: 5, usd: 5, priceUsd: 1 }
    ])
    const { tokens } = (await engine.get("/tokens?chain=8453&limit=100&includeUnlisted=1")).body
    for (const token of [odd, mute]) {
      const listed = tokens.find(({ address }: { address: string }) => address === token)
      expect(listed).toMatchObject({ decimals: null, priceUsd: null, depthUsd: null })
      const { body } = await engine.get(`/candles?chain=8453&token=${token}&tf=1m`)
      expect(body.candles).toEqual([])
    }
  })
})

describe("a node that lies", () => {
  it("about its newest logs is found out, and another one believed", async () => {
    const world = worldOf(monad)
    await catchesUp(monad)
    world.rpc.faults.dropLogs = 1
    for (let i = 0; i < 10; i++) {
      world.mine(1, 6)
      await catchesUp(monad)
    }
    expect((await engine.lane("monad")).source?.retries).toBeGreaterThan(0)
  })

  it("and is the only one leaves a gap that is told, until it is truthful", async () => {
    const world = worldOf(ethereum)
    world.rpc.faults.dropLogs = 1
    // so many that some are always dropped
    world.mineTxs(marketTxs(random("a full block"), world.market, 40))
    const { number } = world.chain.head
    const gap = await engine.alive(
      "the gap",
      async () => (await engine.lane("ethereum")).gaps[0] ?? null
    )
    expect(gap).toMatchObject({ fromBlock: number, toBlock: number })
    world.rpc.faults.dropLogs = 0
    world.mine(2, 4)
    await catchesUp(ethereum)
    await engine.alive("the repair", async () =>
      (await engine.lane("ethereum")).gaps.length === 0 ? true : null
    )
  })
})

it("a node that answers in every wrong way, now and then, is read in the end", () =>
  catchesUp(avalanche))

it("a node that hangs is given up and asked again; then in ranges that it takes", async () => {
  const { rpc } = worldOf(arbitrum)
  await tells(arbitrum, `${rpc.url.slice(7)} eth_chainId: no answer in 20000 ms`)
  rpc.faults.hang = 0
  rpc.cutSockets()
  await catchesUp(arbitrum)
  expect(rpc.calls.get("eth_getLogs")).toBeGreaterThan(3)
})

it("in the end every log tells its chain, and the tables their log", async () => {
  expect(await engine.stop()).toEqual({ code: 130, signal: null })
  const found: { [chain: string]: string | null } = {}
  for (const { config, chain } of worlds.values()) {
    found[config.key] = differenceFrom(chain, await logOf(folder.path, config.key))
  }
  expect(found).toEqual({
    base: null,
    ethereum: null,
    avalanche: null,
    arbitrum: null,
    monad: null
  })
  const verified = await runCommand("verify", ["--data", folder.path])
  expect(verified.code, verified.output).toBe(0)
})
