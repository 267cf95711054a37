/**
 * A node without receipts, alone: what it tells is a word, said to be one from its first block on,
 * and proven or repaired once an endpoint with receipts is there.
 */
import { Effect } from "effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import { wordWarning } from "../../engine/late/word-runs.ts"
import { coverage } from "../../projections/coverage/projection.ts"
import { assuranceOf } from "../../src/domain/assurance.ts"
import type { Event } from "../../streams/event.ts"
import type { FakeTx } from "../support/fake-chain.ts"
import { syncLog, transferLog, v2SwapLog } from "../support/fake-logs.ts"
import { TOKEN_A, V2_POOL } from "../support/fake-market.ts"
import { type Faults, noFaults } from "../support/fake-rpc-methods.ts"
import { LateNodes } from "../support/late-nodes.ts"
import { logNow } from "../support/late-run.ts"
import { rpcChain, truthLogs } from "../support/rpc-source.ts"
import { openLaneWith } from "../support/small-lane.ts"

const WITHOUT_RECEIPTS = { noReceipts: true, noOneReceipt: true } as const
const TRADER = `0x${"09".repeat(20)}` as const
const BLOCKS = 24

let world: LateNodes
beforeEach(async () => {
  folded = null
  world = await LateNodes.open()
})
afterEach(() => world.end())

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
  const { chain } = world
  for (let i = 0; i < blocks; i++) chain.mine([swaps(chain.head.number % 3 === 0 ? 2 : 1)])
}

const twoSwaps = () =>
  world.chain.blocks
    .filter(({ txs }) => txs.flatMap(tx => tx.logs).length > 2)
    .map(({ number }) => number)

/** Reads a node, with the log as it is. */
const begin = async (faults: Partial<Faults>) => {
  const node = await world.node(faults, "words")
  await world.start()
  return node
}

/** What a lane that folds a log tells of its blocks. */
const countersOf = (events: ReadonlyArray<Event>) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const lane = yield* openLaneWith(coverage)
      yield* lane.commit(events)
      return yield* lane.ask("counters", {})
    }).pipe(Effect.scoped)
  )

type Counters = Awaited<ReturnType<typeof countersOf>>

/** How long the log was that was folded last, and what was told of it. */
let folded: { readonly stored: number; readonly counters: Counters } | null

/** The log, and what a lane that folds it tells of its blocks: who waits folds no log twice. */
const told = async () => {
  const log = await logNow(world.server, rpcChain.key)
  const { stored, events } = log
  const known = folded?.stored === stored ? folded : { stored, counters: await countersOf(events) }
  folded = known
  return { ...known.counters, ...log }
}

const logged = (events: ReadonlyArray<Event>) => events.filter(({ tx }) => tx !== null)

/** Blocks come until the log tells that all final ones are proven. */
const untilProven = async () => {
  await world.until("proofs", async () => {
    if (world.isAtHead()) mine(1)
    const { assurance, gaps } = await told()
    return assurance === "proven" && gaps.length === 0
  })
  await world.untilHead()
}

it("is told as a word from the first block on, and proven once receipts can be had", async () => {
  mine(BLOCKS)
  const node = await begin(WITHOUT_RECEIPTS)
  await world.untilHead()
  const before = await told()
  expect(before.assurance).toBe("word")
  expect(before.words[0].fromBlock).toBe(1)
  expect(before.words.reduce((sum: number, run: { blocks: number }) => sum + run.blocks, 0)).toBe(
    BLOCKS
  )
  const [warning] = wordWarning(before.words)
  expect(warning).toContain(`${BLOCKS} blocks of 1..${BLOCKS} are one node's word`)
  expect(logged(before.events)).toEqual(truthLogs(world.chain))
  await world.run.kill()

  Object.assign(node.faults, noFaults())
  await world.start()
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
  expect(logged(after.events)).toEqual(truthLogs(world.chain))
})

it("is a gap where receipts show other logs, and repaired as one", async () => {
  mine(BLOCKS)
  const node = await begin({ ...WITHOUT_RECEIPTS, hidden: 3 })
  await world.untilHead()
  const lacking = twoSwaps()
  expect(lacking.length).toBe(BLOCKS / 3)
  const before = await told()
  // nothing but what it lacks is wrong, and nobody could know
  expect(before.gaps).toEqual([])
  expect(before.assurance).toBe("word")
  expect(truthLogs(world.chain).length - logged(before.events).length).toBe(lacking.length)
  await world.run.kill()

  Object.assign(node.faults, noFaults())
  // so that all of them are looked at together
  const chainNow = { ...rpcChain, finalityDepth: 0 }
  await world.start({ chain: chainNow })
  await untilProven()
  const after = await told()
  expect(after.words).toEqual([])
  expect(after.gaps).toEqual([])
  expect(logged(after.events)).toEqual(truthLogs(world.chain))
  const found = after.events.filter((event: Event) => event.kind === "GapFound")
  expect(found).toMatchObject([{ fromBlock: 1, toBlock: BLOCKS }])
  const grades = after.events.flatMap((event: Event) =>
    event.kind === "BlockSealed" ? [event.grade] : []
  )
  expect(new Set(grades)).toEqual(new Set(["root", "bloom"]))
})

it("stays a gap where receipts of other amounts are told, once a root has fitted", async () => {
  mine(BLOCKS / 2)
  const node = await begin({ dropLogs: 1 })
  await world.until("gaps", () => world.run.late.repairs.open > 0)
  // the only node tells as many logs as blooms show, with amounts that nothing commits to
  Object.assign(node.faults, noFaults(), { wrongAmounts: true })
  await world.until("a refusal", () =>
    (world.run.late.repairs.problem ?? "").endsWith("the receipts do not give the root")
  )
  expect((await told()).gaps.length).toBeGreaterThan(0)

  Object.assign(node.faults, noFaults())
  await untilProven()
  const after = await told()
  expect(after.gaps).toEqual([])
  expect(logged(after.events)).toEqual(truthLogs(world.chain))
})

it("is proven but for the block of which nobody has receipts, however many are older", async () => {
  mine(BLOCKS)
  const node = await begin(WITHOUT_RECEIPTS)
  await world.untilHead()
  await world.run.kill()

  // below the newest of those that are looked at together
  const forgotten = BLOCKS - 2
  Object.assign(node.faults, noFaults(), { forgotten })
  await world.start({ chain: { ...rpcChain, finalityDepth: 0 } })
  await world.until("proofs", async () => {
    if (world.isAtHead()) mine(1)
    const { words } = await told()
    return words.length === 1 && words[0].blocks === 1
  })
  const { words, events } = await told()
  expect(words).toMatchObject([{ grade: "logs", toBlock: forgotten, blocks: 1 }])
  const proven = events.flatMap((event: Event) =>
    event.kind === "BlocksProven"
      ? Array.from({ length: event.blocks }, (_, i) => event.fromBlock + i)
      : []
  )
  const all = Array.from({ length: BLOCKS }, (_, i) => i + 1)
  expect(proven.toSorted((a: number, b: number) => a - b)).toEqual(
    all.filter(number => number !== forgotten)
  )
})

it("does not make the head wait for a node that has forgotten its past, nor call it a lie", async () => {
  mine(BLOCKS)
  const node = await begin(WITHOUT_RECEIPTS)
  await world.untilHead()
  await world.run.kill()

  Object.assign(node.faults, noFaults(), { keepsTransactions: 2 })
  // as a simulated chain is read: one node by two addresses
  const endpoints = [node.url, node.url]
  await world.start({ endpoints, chain: { ...rpcChain, finalityDepth: 0 } })
  await world.untilHead()
  const asked = () => node.calls.get("eth_getBlockReceipts") ?? 0
  for (let looks = 1; looks <= 3; looks++) {
    const before = asked()
    await world.until("another look", () => asked() >= before + BLOCKS)
    mine(1)
    await world.untilHead()
  }
  const told = world.run.status()?.endpoints ?? []
  expect(told.map(({ state, wrongAnswers }) => [state === "resting", wrongAnswers])).toEqual([
    [false, 0],
    [false, 0]
  ])
})

/** How the transfers of a pinned token's past are known, by what the log tells of them. */
const pinnedGrades = async (faults: Partial<Faults>) => {
  const moved = { from: TRADER, to: TOKEN_A, logs: [transferLog(TOKEN_A, TRADER, V2_POOL, 7n)] }
  for (let i = 0; i < BLOCKS; i++) world.chain.mine([moved])
  await begin(faults)
  await world.untilHead()
  world.run.pin([TOKEN_A])
  await world.until("the pin", async () => {
    if (world.isAtHead()) mine(1)
    return world.run.late.pins[0]?.complete === true
  })
  const { events } = await logNow(world.server, rpcChain.key)
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
