/**
 * The holder route as a caller meets it: a lane and a source in threads of their own, on a chain
 * that goes on. From a token that nobody tracks to its whole ledger, and through a reorg.
 */

import { join } from "node:path"
import { Effect, Exit, Layer, References, Scope } from "effect"
import type { Hex } from "viem"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { type ApiServer, serveApi } from "../../api/server/serve.ts"
import { upkeepDefaults } from "../../engine/lane/lane-open.ts"
import { Lanes, lanesOf } from "../../engine/lane/lanes.ts"
import { openTapeLog } from "../../engine/log/tape-log.ts"
import { startLane } from "../../src/bin/lane-set.ts"
import type { PinStatus } from "../../streams/source.ts"
import { FakeChain, type FakeTx } from "../support/fake-chain.ts"
import { syncLog, transferLog, v2SwapLog } from "../support/fake-logs.ts"
import { deployMarket, TOKEN_A, V2_POOL } from "../support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../support/fake-rpc.ts"
import { deployMintable, supplyAt } from "../support/fake-supply.ts"
import { get } from "../support/get.ts"
import { NOBODY } from "../support/holder-truth.ts"
import { logNow } from "../support/late-run.ts"
import { type LogServer, startLogServer } from "../support/log-server.ts"
import { temporaryFolder } from "../support/nats.ts"
import { PATIENCE_MS } from "../support/patience.ts"
import { rpcChain } from "../support/rpc-source.ts"
import { random, seed } from "../support/seed.ts"
import { openSocket } from "../support/ws-client.ts"

const CREATED = 20
/** The engine itself looks every half second for pins and their parts. */
const LOOK_MS = 50
const config = { ...rpcChain, id: 5042, key: "arc" }
const nobody = NOBODY as Hex
const DEAD: Hex = `0x${"0".repeat(36)}dead`
const WALLETS = Array.from({ length: 12 }, (_, i): Hex => `0x${(0xc0 + i).toString(16).repeat(20)}`)

const folder = temporaryFolder()
const chain = new FakeChain(config.id, 2)
const r = random("lane-holders")
let server: LogServer
let node: FakeRpc
let scope: Scope.Closeable
let api: ApiServer

/** Balances as the chain's transfers leave them. */
const balances = (): Map<string, bigint> => {
  const found = new Map<string, bigint>()
  const logs = chain.blocks.flatMap(({ txs }) => txs.flatMap(tx => tx.logs))
  for (const { address, topics, data } of logs) {
    if (address !== TOKEN_A) continue
    const [from, to] = topics.slice(1).map(topic => `0x${topic.slice(-40)}`) as [string, string]
    found.set(from, (found.get(from) ?? 0n) - BigInt(data))
    found.set(to, (found.get(to) ?? 0n) + BigInt(data))
  }
  found.delete(nobody)
  for (const [holder, balance] of found) if (balance === 0n) found.delete(holder)
  return found
}

/** Somebody moves some of what he has, mints, or burns. */
const trade = (): FakeTx => {
  const holders = [...balances()]
  const [from, balance] = holders.length === 0 ? [nobody, 0n] : r.pick(holders)
  const part = r.boolean(0.1) ? balance : (balance * BigInt(r.integer(0, 1000))) / 1001n
  const to = r.pick([...WALLETS, V2_POOL, DEAD, nobody])
  const isMint = from === nobody || r.boolean(0.2)
  const log = isMint
    ? transferLog(TOKEN_A, nobody, r.pick(WALLETS), r.bits(80))
    : transferLog(TOKEN_A, from as Hex, to, part)
  return { from: WALLETS[0] as Hex, to: TOKEN_A, logs: [log] }
}

const mine = (blocks: number) => {
  for (let i = 0; i < blocks; i++) {
    const sync = { from: V2_POOL, to: V2_POOL, logs: [syncLog(V2_POOL, r.bits(60), r.bits(60))] }
    const who = WALLETS[0] as Hex
    const swap = v2SwapLog(V2_POOL, who, who, [r.bits(60), 0n, 0n, r.bits(60)])
    if (chain.head.number < 50) sync.logs.push(swap)
    chain.mine([sync, ...(chain.head.number + 1 >= CREATED ? [trade()] : [])])
  }
}

/** Starts the engine, as with these tokens in `PIN_5042` and `UNPIN_5042`. */
const start = async (pins: ReadonlyArray<string>, unpins: ReadonlyArray<string>) => {
  scope = await Effect.runPromise(Scope.make())
  const setting = {
    chain: config,
    endpoints: [node.url],
    start: "40",
    backfill: { from: null, order: "newest", prove: false },
    pins,
    unpins
  } as const
  const rateLimit = { enforced: false, loopbackEnforced: false }
  const settings = {
    ...{ port: 0, host: "127.0.0.1", dataDir: join(folder.path, "data"), rateLimit },
    ...{ holderPins: 2, threads: 1, upkeep: upkeepDefaults, chains: [setting] }
  }
  const options = { settings, natsUrl: server.nats.url, serverSilentMs: () => 0, json: false }
  const started = Effect.gen(function* () {
    const { client } = yield* startLane(setting, options)
    const lanes = Layer.succeed(Lanes, lanesOf([client]))
    return yield* serveApi(settings).pipe(Effect.provide(lanes))
  })
  api = await Effect.runPromise(
    started.pipe(Scope.provide(scope), Effect.provideService(References.MinimumLogLevel, "None"))
  )
}

const restart = async (pins: ReadonlyArray<string>, unpins: ReadonlyArray<string>) => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await start(pins, unpins)
  await vi.waitUntil(async () => (await laneNow()).source?.state === "live", PATIENCE_MS)
}

const laneNow = async () => JSON.parse((await get(`${api.url}/v1/status`)).text).lanes[0]

beforeAll(async () => {
  console.log(`lane-holders: SEED=${seed}`)
  deployMarket(chain)
  deployMintable(chain, TOKEN_A)
  chain.createdAt.set(TOKEN_A, CREATED)
  mine(60)
  node = await startFakeRpc(chain, "lane-holders")
  server = await startLogServer()
  await server.run(Effect.asVoid(openTapeLog(config.key)))
  await start([], [])
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await node.close()
  await server.stop()
  folder.remove()
})

const ask = async (token: string = TOKEN_A, limit = 1000) => {
  const { status, text } = await get(`${api.url}/v1/arc/token/${token}/holders?limit=${limit}`)
  return { status, body: JSON.parse(text) }
}

type Answer = Awaited<ReturnType<typeof ask>>

/** Asks until an answer is as it should be. */
const until = async (what: string, holds: (answer: Answer) => boolean): Promise<Answer> => {
  let last = await ask()
  const deadline = performance.now() + PATIENCE_MS
  while (!holds(last)) {
    if (performance.now() > deadline) throw new Error(`${what}: ${JSON.stringify(last)}`)
    await new Promise(resolve => setTimeout(resolve, LOOK_MS))
    last = await ask()
  }
  return last
}

const atHead = ({ status, body }: Answer) =>
  status === 200 && body.complete && body.coverage.forwardCursor === chain.head.number

/** Blocks come until all is told: the log joins what was read with its next one. */
const untilWhole = (what: string): Promise<Answer> =>
  until(what, answer => {
    const { complete, coverage } = answer.body
    if (!complete && coverage?.forwardCursor === chain.head.number) mine(1)
    return atHead(answer)
  })

/** The whole ledger against the chain. */
const expectTruth = ({ body }: Answer) => {
  const truth = [...balances()].sort(([a, x], [b, y]) =>
    x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1
  )
  expect(
    body.top.map(({ holder, balance }: { holder: string; balance: string }) => [holder, balance])
  ).toEqual(truth.map(([holder, balance]) => [holder, String(balance)]))
  const supply = supplyAt(chain, TOKEN_A, chain.head.number)
  expect(body).toMatchObject({
    ...{ chain: 5042, token: TOKEN_A, tracked: true, complete: true, decimals: 6 },
    ...{ holders: truth.length, negativeHolders: 0, supplyMatches: true },
    ...{ totalSupply: String(supply), supplyFromTransfers: String(supply) },
    updatedAt: chain.head.timestamp * 1000
  })
  for (const row of body.top) {
    const kind = row.holder === V2_POOL ? "pool" : row.holder === DEAD ? "burn" : "wallet"
    expect(row.kind).toBe(kind)
    expect(row.amount).toBe(Number(row.balance) / 1e6)
    expect(row.sharePct).toBeCloseTo((Number(row.balance) / Number(supply)) * 100, 9)
  }
  const wallets = truth.filter(([holder]) => holder !== V2_POOL && holder !== DEAD)
  const share = (rows: typeof truth) =>
    (Number(rows.reduce((sum, [, balance]) => sum + balance, 0n)) / Number(supply)) * 100
  expect(body.heldByWalletsPct).toBeCloseTo(share(wallets), 9)
  expect(body.concentration.top5).toBeCloseTo(share(truth.slice(0, 5)), 9)
  expect(body.concentration.top100).toBeCloseTo(100, 9)
  expect(body.walletConcentration.top1).toBeCloseTo(share(wallets.slice(0, 1)), 9)
}

/** What others read meanwhile, where nothing trades. */
const ROUTES = [
  `/arc/token/${TOKEN_A}/trades`,
  `/tokens/trades/${TOKEN_A}?chain=5042`,
  `/candles?chain=5042&token=${TOKEN_A}&tf=1m&from=1&to=2000000000`
]

const readRoutes = () =>
  Promise.all(
    ROUTES.map(async path => {
      const { status, text } = await get(`${api.url}/v1${path}`)
      const { trades, candles, data } = JSON.parse(text)
      return `${status} ${JSON.stringify(trades ?? candles ?? data)}`
    })
  )

/** Readers of other things: whatever they were told that was not so before. */
const watch = async () => {
  const before = await readRoutes()
  const changed = new Set<string>()
  const clients = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const upgrade = await openSocket(api.port)
      if (!upgrade.ok) throw new Error(`no upgrade: ${upgrade.status}`)
      upgrade.client.send({ op: "subscribe", channel: "trades", chain: 5042, token: TOKEN_A })
      return upgrade.client
    })
  )
  let polls = 0
  let isOver = false
  const polling = (async () => {
    while (!isOver) {
      for (const [i, body] of (await readRoutes()).entries()) {
        if (body !== before[i]) changed.add(`${body} after ${before[i]}`)
      }
      polls++
      // readers who come again and again, and leave the lane the cores
      await new Promise(resolve => setTimeout(resolve, LOOK_MS))
    }
  })()
  return {
    before,
    /** all routes have been read anew, from now on */
    polled: () => {
      const wanted = polls + 2
      return vi.waitUntil(() => polls >= wanted, PATIENCE_MS)
    },
    end: async () => {
      isOver = true
      await polling
      const frames = clients.flatMap(client => client.frames.map(({ type }) => type))
      for (const client of clients) client.close()
      return { changed: [...changed], frames: [...new Set(frames)].sort() }
    }
  }
}

it("goes from pending to incomplete to the whole ledger, and through a reorg", async () => {
  await until("there", ({ status, body }) => status === 503 && body.error !== "NOT_READY")
  await vi.waitUntil(async () => (await laneNow()).block === chain.head.number, PATIENCE_MS)
  const readers = await watch()
  expect(readers.before.map(answer => answer.slice(0, 4))).toEqual(["200 ", "200 ", "200 "])
  const first = await until("pinned by the first request that the lane can answer", answer =>
    ["HOLDERS_PENDING"].includes(answer.body.error)
  )
  expect([first.status, first.body.message]).toEqual([
    503,
    `transfers of ${TOKEN_A} on chain 5042 are being gathered: some are told from the next blocks on, all once its past is read; /v1/status tells how far they are (pins)`
  ])
  expect((await ask()).body.error).toBe("HOLDERS_PENDING")
  const unknown = await ask(`0x${"99".repeat(20)}`)
  expect([unknown.status, unknown.body.error]).toEqual([404, "UNKNOWN_TOKEN"])

  // the source must have been told before the next block for it to be the one
  await vi.waitUntil(async () => (await laneNow()).source?.pins?.length === 1, PATIENCE_MS)
  mine(1)
  const added = chain.head.number
  const begun = await until("tracked", ({ status }) => status === 200)
  expect(begun.body).toMatchObject({
    ...{ tracked: true, complete: false, supplyMatches: null, decimals: 6 },
    coverage: { addedBlock: added, floorBlock: added, createdBlock: null, gaps: 0, words: 0 }
  })
  expect(begun.body.coverage.logs).toBeLessThanOrEqual(1)

  await readers.polled()
  mine(config.finalityDepth)
  const whole = await untilWhole("complete")
  await readers.polled()
  const { changed, frames } = await readers.end()
  expect([changed, frames]).toEqual([[], ["hello", "subscribed"]])
  expect(whole.body.coverage).toEqual({
    ...{ addedBlock: added, floorBlock: CREATED, createdBlock: CREATED, backfillCursor: null },
    ...{
      forwardCursor: chain.head.number,
      logs: chain.head.number - CREATED + 1,
      gaps: 0,
      words: 0,
      problem: null
    }
  })
  expectTruth(whole)
  expect((await ask(TOKEN_A, 3)).body.top).toEqual(whole.body.top.slice(0, 3))

  chain.rewind(5)
  mine(9)
  expectTruth(await untilWhole("the other branch"))
})

it("tells nothing of a token whose pin was taken back, and all of it when it is pinned again", async () => {
  const gone = {
    status: 503,
    body: {
      error: "HOLDERS_UNAVAILABLE",
      message:
        `${TOKEN_A} on chain 5042 was pinned once, and whoever runs this engine took that back: ` +
        "only PIN_5042 has its transfers gathered again"
    }
  }
  const shown = async () => (await laneNow()).source.pins.map(({ state }: PinStatus) => state)
  const folded = () =>
    vi.waitUntil(async () => (await laneNow()).block === chain.head.number, PATIENCE_MS)
  await restart([], [TOKEN_A])
  const at = chain.head.number + 1
  mine(2)
  expect(await until("unpinned", ({ status }) => status === 503)).toEqual(gone)
  expect(await shown()).toEqual(["unpinned"])

  // with no setting the log remembers it, also where the block that says so is undone
  await restart([], [])
  expect(await ask()).toEqual(gone)
  chain.rewind(chain.head.number - at + 2)
  mine(6)
  await folded()
  expect(await ask()).toEqual(gone)
  expect(await shown()).toEqual(["unpinned"])
  const { events } = await logNow(server, config.key)
  const late = events.filter(({ block, kind }) => kind === "TransferSeen" && block.number >= at)
  const unpins = events.filter(({ kind }) => kind === "TokenUnpinned")
  expect([late.length, unpins.map(({ block }) => block.number)]).toEqual([0, [at - 1]])

  await restart([TOKEN_A], [])
  mine(1)
  const added = chain.head.number
  const begun = await until("pinned again", ({ status }) => status === 200)
  expect(begun.body.coverage).toMatchObject({ addedBlock: added, floorBlock: added })
  mine(config.finalityDepth)
  const whole = await untilWhole("complete again")
  expectTruth(whole)
  expect(whole.body.coverage.logs).toBe(chain.head.number - CREATED + 1)
})
