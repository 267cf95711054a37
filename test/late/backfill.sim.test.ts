/** History read beside the head and killed again and again ends in the log of an undisturbed run. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { Event } from "../../streams/event.ts"
import { FakeChain } from "../support/fake-chain.ts"
import { deployMarket, randomTxs } from "../support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../support/fake-rpc.ts"
import { type LateRun, type LateRunOptions, logNow, startLate } from "../support/late-run.ts"
import { type LogServer, startLogServer } from "../support/log-server.ts"
import { rpcChain, truthLogs } from "../support/rpc-source.ts"
import { random, seed } from "../support/seed.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
const BLOCKS = isLong ? 100_000 : 600
const KILLS = isLong ? 50 : 3
if (isLong) vi.setConfig({ testTimeout: 1_200_000 })

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

const chain = new FakeChain()
let node: FakeRpc
beforeAll(async () => {
  console.log(`backfill: SEED=${seed}`)
  const r = random("backfill")
  deployMarket(chain)
  for (let i = 0; i < BLOCKS; i++) chain.mine(r.boolean(0.2) ? randomTxs(r, 2) : [])
  // what providers do: refuse wide ranges and many results, now and then everything
  node = await startFakeRpc(chain, "backfill", {
    rangeLimit: isLong ? 2_000 : 90,
    resultLimit: 400,
    rateLimit: 0.02,
    html: 0.01
  })
})
afterAll(() => node.close())

/** Waits until the log holds the history, or until it is enough. */
const isDone = async (run: LateRun, isEnough = () => false): Promise<boolean> => {
  while (!isEnough()) {
    expect(run.ended()).toBe(null)
    // a run that has just started has told nothing of history yet
    if (run.isWhole() && run.late.history?.state === "done") return true
    await sleep(1)
  }
  return false
}

const key = rpcChain.key

const withServer = async <A>(use: (server: LogServer) => Promise<A>): Promise<A> => {
  const server = await startLogServer()
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}

const options = (order: "newest" | "oldest"): LateRunOptions => ({
  endpoints: [node.url],
  start: "latest",
  floor: 1,
  order,
  minPart: isLong ? 5_000 : 150
})

const asked = () => node.calls.get("eth_getLogs") ?? 0

/** Blocks of history that are read, as far as it was told. */
const doneBlocks = (run: LateRun): number => run.late.history?.doneBlocks ?? 0

/**
 * Whether it is time to kill a run: after some calls, which is mostly before anything of it stands
 * in the log; or, while enough is left to read, after some progress.
 */
const killer = (run: LateRun, calls: number, progress: number) => {
  const last = asked() + calls
  let first: number | null = null
  return () => {
    if (run.late.history !== null) first ??= doneBlocks(run)
    if (progress === 0) return asked() >= last
    return first !== null && doneBlocks(run) >= first + progress
  }
}

/**
 * Reads history to its end, killed so many times before that; `calls` is what it takes to read it
 * undisturbed. Long histories are killed after progress every other time, until half is read.
 */
const toEnd = async (server: LogServer, order: "newest" | "oldest", kills = 0, calls = 0) => {
  const r = random(`kills ${order}`)
  let interrupted = 0
  let read = 0
  for (let left = kills; ; left--) {
    const run = await startLate(server, options(order))
    const goesOn = isLong && left % 2 === 0 && read < BLOCKS / 2
    const progress = goesOn ? r.integer(1, BLOCKS / KILLS) : 0
    const isKilled = killer(run, r.integer(0, Math.floor(calls / Math.max(1, kills))), progress)
    const done = await isDone(run, () => left > 0 && isKilled())
    if (left > 0 && !done) interrupted++
    read = Math.max(read, doneBlocks(run))
    if (isLong) console.log(`${left} kills left, ${doneBlocks(run)} blocks read by this run`)
    const { history } = run.late
    await run.kill()
    if (left > 0) continue
    expect(interrupted).toBe(kills)
    return history
  }
}

/** What is told of a history that was read before the last start. */
const toldAgain = async (server: LogServer, order: "newest" | "oldest") => {
  const run = await startLate(server, options(order))
  while (run.late.history === null) {
    expect(run.ended()).toBe(null)
    await sleep(1)
  }
  await run.kill()
  return run.late.history
}

/** What a log tells besides the facts it repeats, which depend on where parts begin. */
const story = (events: ReadonlyArray<Event>) => events.filter(event => event.tx !== null)
const facts = (events: ReadonlyArray<Event>) =>
  new Set(
    events.flatMap(event =>
      event.kind === "PoolCreated" ? [event.pool] : event.kind === "TokenSeen" ? [event.token] : []
    )
  )

describe.each(["newest", "oldest"] as const)("history, %s first", order => {
  it(`of ${BLOCKS} blocks, killed ${KILLS} times, is that of an undisturbed run`, async () => {
    const calm = await withServer(async server => {
      const began = performance.now()
      const before = asked()
      const history = await toEnd(server, order)
      expect(history).toMatchObject({ order, state: "done", etaSeconds: 0, problem: null })
      expect(history?.doneBlocks).toBe(history?.totalBlocks)
      const log = await logNow(server, key)
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      const factor = (log.stored / log.events.length).toFixed(2)
      console.log(`${order} first: ${seconds} s, ${factor} times the events in the log`)
      const { fromBlock, toBlock, totalBlocks } = history ?? {}
      const span = { fromBlock, toBlock, totalBlocks, etaSeconds: 0 }
      return { ...log, span, calls: asked() - before }
    })
    const killed = await withServer(async server => {
      const history = await toEnd(server, order, KILLS, calm.calls)
      expect(history).toMatchObject({ ...calm.span, doneBlocks: history?.totalBlocks })
      expect(await toldAgain(server, order)).toMatchObject({ ...calm.span, state: "done" })
      return logNow(server, key)
    })
    expect(calm.gaps).toEqual([])
    expect(killed.gaps).toEqual([])
    const truth = truthLogs(chain, 1)
    expect(story(calm.events).length).toBe(truth.length)
    expect(story(calm.events)).toEqual(truth)
    expect(story(killed.events)).toEqual(truth)
    expect(facts(killed.events)).toEqual(facts(calm.events))
    // what is written again behind each part stays a small multiple of the whole
    expect(calm.stored / calm.events.length).toBeLessThan(4)
  })
})

it("a new history is taken up by a log that began later", async () => {
  const middle = chain.head.number - 250
  await withServer(async server => {
    const upTo = async (floor: number) => {
      const run = await startLate(server, { ...options("newest"), floor })
      // it is declared in a block that comes
      const before = chain.head.number
      while (run.loggedBlock() !== before) await sleep(1)
      chain.mine([])
      while (run.loggedBlock() === before) await sleep(1)
      await isDone(run)
      await run.kill()
      return logNow(server, key)
    }
    expect(story((await upTo(middle)).events)).toEqual(truthLogs(chain, middle))
    const log = await upTo(middle - 200)
    expect(story(log.events)).toEqual(truthLogs(chain, middle - 200))
    expect(log.gaps).toEqual([])
  })
})
