/**
 * A node without receipts, alone: what it tells is a word, said to be one from its first block on,
 * and proven or repaired once an endpoint with receipts is there.
 */
import { Effect } from "effect"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { wordWarning } from "../../engine/late/word-runs.ts"
import { assuranceOf } from "../../src/domain/assurance.ts"
import type { Event } from "../../streams/event.ts"
import { FakeChain, type FakeTx } from "../support/fake-chain.ts"
import { syncLog, transferLog, v2SwapLog } from "../support/fake-logs.ts"
import { deployMarket, TOKEN_A, V2_POOL } from "../support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../support/fake-rpc.ts"
import { type Faults, noFaults } from "../support/fake-rpc-methods.ts"
import { type LateRun, logNow, startLate } from "../support/late-run.ts"
import { type LogServer, startLogServer } from "../support/log-server.ts"
import { rpcChain, truthLogs } from "../support/rpc-source.ts"
import { openSmallLane } from "../support/small-lane.ts"

vi.setConfig({ testTimeout: 60_000 })

const WITHOUT_RECEIPTS = { noReceipts: true, noOneReceipt: true } as const
const TRADER = `0x${"09".repeat(20)}` as const
const BLOCKS = 24

let chain: FakeChain
let server: LogServer
let node: FakeRpc
let run: LateRun | null

beforeEach(async () => {
  chain = new FakeChain()
  deployMarket(chain)
  server = await startLogServer()
  run = null
})
afterEach(async () => {
  await run?.kill()
  await node.close()
  await server.stop()
})

/** So many swaps of one pool, each with the reserves before. */
const swaps = (count: number): FakeTx => ({
  ...{ from: TRADER, to: V2_POOL },
  logs: Array.from({ length: count }, (_, i) => [
    syncLog(V2_POOL, BigInt(1000 + i), 2000n),
    v2SwapLog(V2_POOL, TRADER, TRADER, [BigInt(5 + i), 0n, 0n, 3n])
  ]).flat()
})

/** Every third block has two swaps, of which a node may leave out the second unnoticed. */
const mine = (blocks: number) => {
  for (let i = 0; i < blocks; i++) chain.mine([swaps(chain.head.number % 3 === 0 ? 2 : 1)])
}

const twoSwaps = () =>
  chain.blocks
    .filter(({ txs }) => txs.flatMap(tx => tx.logs).length > 2)
    .map(({ number }) => number)

const begin = async (faults: Partial<Faults>) => {
  node = await startFakeRpc(chain, "words", faults)
  run = await startLate(server, { endpoints: [node.url] })
}

/** The log, and what a lane that folds it tells of its blocks. */
const told = async () => {
  const log = await logNow(server, rpcChain.key)
  const counters = await Effect.runPromise(
    Effect.gen(function* () {
      const lane = yield* openSmallLane
      yield* lane.commit(log.events)
      return yield* lane.ask("counters", {})
    }).pipe(Effect.scoped)
  )
  return { ...counters, ...log }
}

const until = async (what: string, check: () => Promise<boolean>) => {
  const deadline = performance.now() + 40_000
  while (!(await check())) {
    expect(run?.ended() ?? null).toBe(null)
    if (performance.now() > deadline) throw new Error(`${what}: ${JSON.stringify(run?.status())}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

const untilHead = () => until("the head", async () => run?.loggedBlock() === chain.head.number)

const logged = (events: ReadonlyArray<Event>) => events.filter(({ tx }) => tx !== null)

/** Blocks come until the log tells that all final ones are proven. */
const untilProven = async () => {
  await until("proofs", async () => {
    if (run?.loggedBlock() === chain.head.number) mine(1)
    const { assurance, gaps } = await told()
    return assurance === "proven" && gaps.length === 0
  })
  await untilHead()
}

it("is told as a word from the first block on, and proven once receipts can be had", async () => {
  mine(BLOCKS)
  await begin(WITHOUT_RECEIPTS)
  await untilHead()
  const before = await told()
  expect(before.assurance).toBe("word")
  expect(before.words[0].fromBlock).toBe(1)
  expect(before.words.reduce((sum: number, run: { blocks: number }) => sum + run.blocks, 0)).toBe(
    BLOCKS
  )
  const [warning] = wordWarning(before.words)
  expect(warning).toContain(`${BLOCKS} blocks of 1..${BLOCKS} are one node's word`)
  expect(logged(before.events)).toEqual(truthLogs(chain))
  await run?.kill()

  Object.assign(node.faults, noFaults())
  run = await startLate(server, { endpoints: [node.url] })
  mine(rpcChain.finalityDepth)
  await untilProven()
  const after = await told()
  expect(after.words).toEqual([])
  expect(wordWarning(after.words)).toEqual([])
  // nothing that stood in the log moved for it
  expect(after.rollbacks).toBe(0)
  expect(after.events.slice(0, before.events.length)).toEqual(before.events)
  const proofs = after.events.filter((event: Event) => event.kind === "BlocksProven")
  const proven = proofs.map((event: Event) => (event.kind === "BlocksProven" ? event.blocks : 0))
  expect(proven.reduce((sum: number, blocks: number) => sum + blocks, 0)).toBe(BLOCKS)
  expect(logged(after.events)).toEqual(truthLogs(chain))
})

it("is a gap where receipts show other logs, and repaired as one", async () => {
  mine(BLOCKS)
  await begin({ ...WITHOUT_RECEIPTS, hidden: 3 })
  await untilHead()
  const lacking = twoSwaps()
  expect(lacking.length).toBe(BLOCKS / 3)
  const before = await told()
  // nothing but what it lacks is wrong, and nobody could know
  expect(before.gaps).toEqual([])
  expect(before.assurance).toBe("word")
  expect(truthLogs(chain).length - logged(before.events).length).toBe(lacking.length)
  await run?.kill()

  Object.assign(node.faults, noFaults())
  // so that all of them are looked at together
  const chainNow = { ...rpcChain, finalityDepth: 0 }
  run = await startLate(server, { endpoints: [node.url], chain: chainNow })
  await untilProven()
  const after = await told()
  expect(after.words).toEqual([])
  expect(after.gaps).toEqual([])
  expect(logged(after.events)).toEqual(truthLogs(chain))
  const found = after.events.filter((event: Event) => event.kind === "GapFound")
  expect(found).toMatchObject([{ fromBlock: 1, toBlock: BLOCKS }])
  const grades = after.events.flatMap((event: Event) =>
    event.kind === "BlockSealed" ? [event.grade] : []
  )
  expect(new Set(grades)).toEqual(new Set(["root", "bloom"]))
})

/** How the transfers of a pinned token's past are known, by what the log tells of them. */
const pinnedGrades = async (faults: Partial<Faults>) => {
  const moved = { from: TRADER, to: TOKEN_A, logs: [transferLog(TOKEN_A, TRADER, V2_POOL, 7n)] }
  for (let i = 0; i < BLOCKS; i++) chain.mine([moved])
  await begin(faults)
  await untilHead()
  run?.pin([TOKEN_A])
  await until("the pin", async () => {
    if (run?.loggedBlock() === chain.head.number) mine(1)
    return run?.late.pins[0]?.complete === true
  })
  const { events } = await logNow(server, rpcChain.key)
  return events.flatMap(event => (event.kind === "TransfersFilled" ? [event.grade] : []))
}

it.each([
  [WITHOUT_RECEIPTS, "word"],
  [{}, "proven"]
] as const)("is told of what a pin has read, too: %#", async (faults, assurance) => {
  const grades = await pinnedGrades(faults)
  expect(grades.length).toBeGreaterThan(0)
  expect(new Set(grades.map(grade => assuranceOf(grade ?? "untold")))).toEqual(new Set([assurance]))
})
