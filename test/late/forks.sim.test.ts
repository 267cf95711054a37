/**
 * Forks told by two endpoints that lag, disagree and fall silent, to a source that is killed in
 * between: the log, and the tables folded from all of it, are those of a fresh reader of the final
 * chain.
 */

import { join } from "node:path"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { openTapeLog } from "../../engine/log/tape-log.ts"
import { FakeChain } from "../support/fake-chain.ts"
import { deployMarket, randomTxs } from "../support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../support/fake-rpc.ts"
import { noFaults } from "../support/fake-rpc-methods.ts"
import { foldSegments } from "../support/fold-segments.ts"
import { type LateRun, logNow, startLate } from "../support/late-run.ts"
import { allSegments, type LogServer, startLogServer } from "../support/log-server.ts"
import { temporaryFolder } from "../support/nats.ts"
import { PATIENCE_MS } from "../support/patience.ts"
import { rpcChain, truthLogs } from "../support/rpc-source.ts"
import { type Random, random } from "../support/seed.ts"

const ROUNDS = process.env["SWAPTAPE_LONG"] === "1" ? 40 : 2
/** Meetings of the two endpoints in a round; between two of them each may fork three times. */
const MEETINGS = 6
/** Three of them, the blocks they bring and what stands above stay within the finality depth. */
const DEEPEST = 3

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** An endpoint and what it sees of the chain. */
interface View {
  readonly chain: FakeChain
  readonly node: FakeRpc
}

let r: Random
let folder: ReturnType<typeof temporaryFolder>
let server: LogServer
let views: ReadonlyArray<View>
let run: LateRun

const newView = async (name: string): Promise<View> => {
  const chain = new FakeChain(rpcChain.id, 2, name)
  deployMarket(chain)
  return { chain, node: await startFakeRpc(chain, `${name} ${r.next()}`) }
}

beforeEach(async context => {
  r = random(context.task.name)
  folder = temporaryFolder()
  server = await startLogServer()
  views = [await newView("one"), await newView("other")]
})
afterEach(async () => {
  await run.kill()
  for (const { node } of views) node.cutSockets()
  for (const { node } of views) await node.close()
  await server.stop()
  folder.remove()
})

const start = async () => {
  const endpoints = views.map(({ node }) => (r.boolean() ? node.wsUrl : node.url))
  const rpc = { timeoutMs: 1_000, maxAnswerBytes: 2 ** 24 }
  run = await startLate(server, { endpoints, rpc })
}

/** Blocks of up to so many transactions; of none where `most` is 0. */
const mine = ({ chain }: View, blocks: number, most: number) => {
  for (let i = 0; i < blocks; i++) chain.mine(randomTxs(r, most))
}

const fork = (view: View, most: number) => {
  const depth = Math.min(view.chain.head.number, r.integer(1, DEEPEST))
  view.chain.rewind(depth)
  mine(view, r.integer(1, depth + 2), most)
}

/** One thing that happens to one endpoint's view. */
const happen = async (view: View, its: View) => {
  const most = r.integer(0, 2)
  switch (r.integer(0, 7)) {
    case 0:
      return fork(view, most)
    case 1: {
      // a fork of what only just forked, no deeper than the first
      const depth = Math.min(view.chain.head.number, DEEPEST)
      view.chain.rewind(depth)
      mine(view, 2, most)
      await sleep(r.integer(0, 15))
      view.chain.rewind(r.integer(1, 2))
      return mine(view, r.integer(1, depth), r.integer(0, 2))
    }
    case 2:
      return view.chain.adopt(its.chain)
    case 3:
      return view.chain.adopt(its.chain, Math.max(0, its.chain.head.number - r.integer(1, 2)))
    case 4:
      view.node.faults.lag = r.integer(0, 3)
      return mine(view, 1, most)
    case 5:
      view.node.faults.reset = r.pick([0, 1])
      return mine(view, 1, most)
    default:
      return mine(view, r.integer(1, 2), most)
  }
}

const reached = async (number: number) => {
  const until = performance.now() + PATIENCE_MS
  while (run.loggedBlock() !== number) {
    expect(run.ended()).toBe(null)
    if (performance.now() > until) throw new Error(JSON.stringify(run.status()))
    await sleep(5)
  }
}

/** Both are well and see one chain, longer than what either has told: the log must get there. */
const meet = async () => {
  const [one, other] = views as [View, View]
  for (const { node } of views) Object.assign(node.faults, noFaults())
  const [ahead, behind] = r.boolean() ? [one, other] : [other, one]
  // one that was just started does not know yet what the log has
  await vi.waitUntil(() => run.loggedBlock() !== null, { timeout: PATIENCE_MS })
  const { headBlock, emittedBlock } = run.status() ?? {}
  const told = Math.max(headBlock ?? 0, emittedBlock ?? 0, run.loggedBlock() ?? 0)
  const longest = Math.max(told, behind.chain.head.number)
  mine(ahead, Math.max(1, longest - ahead.chain.head.number + 1), 2)
  behind.chain.adopt(ahead.chain)
  await reached(ahead.chain.head.number)
}

/** What stands in a log, as a lane reads it. */
const segmentsOf = (of: LogServer) => of.run(Effect.flatMap(openTapeLog(rpcChain.key), allSegments))

/**
 * Tables that tell of the log itself: facts are in it as often as a restarted source tells them, and
 * blocks without logs where they were read one by one.
 */
const ofTheLog = ["event_counts", "minute_blocks", "log_start"]

/** The tables of a log, whose lane was stopped now and then. */
const tablesOf = async (of: LogServer, name: string, most: number) => {
  const segments = await segmentsOf(of)
  const file = join(folder.path, `${name}.duckdb`)
  for (;;) {
    const count = Math.ceil(r.next() * most)
    const { left, tables } = await foldSegments(rpcChain, segments, file, count)
    if (left === 0) return tables.filter(({ name }) => !ofTheLog.includes(name))
  }
}

/** The same chain read at once, into a log of its own. */
const freshTables = async ({ chain, node }: View) => {
  const fresh = await startLogServer()
  const other = await startLate(fresh, { endpoints: [node.url] })
  const until = performance.now() + PATIENCE_MS
  while (other.loggedBlock() !== chain.head.number && performance.now() < until) {
    await sleep(5)
  }
  await other.kill()
  const tables = await tablesOf(fresh, "fresh", Number.POSITIVE_INFINITY)
  await fresh.stop()
  return tables
}

describe("any forks, told by two endpoints to a source that is killed in between", () => {
  it.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))("end in the chain: %d", async () => {
    const [one, other] = views as [View, View]
    mine(one, r.integer(5, 40), 2)
    other.chain.adopt(one.chain)
    await start()
    for (let meeting = 0; meeting < MEETINGS; meeting++) {
      for (let step = 0; step < 3; step++) {
        const isDown = r.boolean(0.2)
        if (isDown) await run.kill()
        await happen(one, other)
        await happen(other, one)
        if (isDown) await start()
        await sleep(r.integer(0, 40))
      }
      await meet()
    }
    // what was sealed while endpoints disagreed may have to be proven again
    await vi.waitUntil(() => run.late.repairs.open === 0, { timeout: PATIENCE_MS })
    await run.kill()

    const { events, gaps, rollbacks } = await logNow(server, rpcChain.key)
    expect(gaps).toEqual([])
    expect(events.filter(({ tx }) => tx !== null)).toEqual(truthLogs(one.chain))
    for (const { block } of events) {
      expect(block.hash).toBe(one.chain.at(block.number)?.hash)
    }
    expect(rollbacks).toBeGreaterThan(0)
    expect(await tablesOf(server, "killed", 40)).toEqual(await freshTables(one))
  })
})
