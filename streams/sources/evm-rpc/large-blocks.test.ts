/** Blocks of more transactions than receipts are asked for, from nodes without block receipts. */
import { Effect, Result, Stream } from "effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import { syncLog, v2SwapLog } from "../../../test/support/fake-logs.ts"
import { V2_POOL } from "../../../test/support/fake-market.ts"
import type { Faults } from "../../../test/support/fake-rpc-methods.ts"
import {
  fastOptions,
  gapsOf,
  loggedOf,
  type RpcRun,
  rpcChain,
  truthLogs
} from "../../../test/support/rpc-source.ts"
import { RpcWorld } from "../../../test/support/rpc-world.ts"
import { emptyTail } from "../../../test/support/tape-input.ts"
import { evmRpcSource } from "./source.ts"

const WHO = `0x${"09".repeat(20)}` as const
/** indexes of two swaps in one pool: the bloom shows the same without one of them */
const [FIRST_SWAP, SECOND_SWAP] = [1, 3] as const

let world: RpcWorld
beforeEach(() => {
  world = new RpcWorld()
})
afterEach(() => world.end())

/** A block of two swaps, each in a transaction of its own, and of others without logs. */
const mine = (transactions: number) => {
  const swap = (n: bigint) => [
    syncLog(V2_POOL, 1000n + n, 2000n - n),
    v2SwapLog(V2_POOL, WHO, WHO, [n, 0n, 0n, n])
  ]
  const logs = [swap(1n), swap(2n)]
  const tx = (i: number) => ({ from: WHO, to: WHO, logs: logs[i] ?? [] })
  return world.chain.mine(Array.from({ length: transactions }, (_, i) => tx(i))).number
}

/** Reads the chain; `blockTimeMs` is short where half of it is to be no time for receipts. */
const read = async (blockTimeMs: number, ...faults: ReadonlyArray<Partial<Faults>>) => {
  for (const one of faults) await world.node({ noReceipts: true, ...one })
  const run = await world.start({ chain: { ...rpcChain, blockTimeMs } })
  await world.reached()
  return run
}

const gradeOf = (of: RpcRun, block: number) =>
  of.events.flatMap(event =>
    event.kind === "BlockSealed" && event.block.number === block ? [event.grade] : []
  )

/** Besides those of blocks, one may be asked for to follow a payment of the token. */
const receiptsAsked = () =>
  world.nodes.map(node => node.calls.get("eth_getTransactionReceipt") ?? 0).reduce((a, b) => a + b)

it("one node's logs are graded as its word, and counted in the status", async () => {
  const block = mine(130)
  const one = await read(1, { hidden: SECOND_SWAP })
  expect(gradeOf(one, block)).toEqual(["logs"])
  expect(one.status().grades).toEqual({ bloom: 1, logs: 1 })
  expect(loggedOf(one.events).length).toBe(truthLogs(world.chain).length - 1)
  expect(receiptsAsked()).toBeLessThan(2)
})

it("two nodes that tell the same are graded so, without any receipt", async () => {
  const block = mine(130)
  const both = await read(1, {}, {})
  expect(gradeOf(both, block)).toEqual(["second"])
  expect(both.status().grades).toEqual({ bloom: 1, second: 1 })
  expect(loggedOf(both.events)).toEqual(truthLogs(world.chain))
  expect(receiptsAsked()).toBeLessThan(2)
})

it.each([
  ["first", [{ hidden: SECOND_SWAP }, {}]],
  ["second", [{}, { hidden: SECOND_SWAP }]]
] as const)("a log that the %s of two leaves out is found: receipts decide", async (_, faults) => {
  const block = mine(130)
  const both = await read(1, ...faults)
  expect(gradeOf(both, block)).toEqual(["root"])
  expect(loggedOf(both.events)).toEqual(truthLogs(world.chain))
  expect(gapsOf(both.events)).toEqual([])
})

it("what two tell differently and no receipt decides is a gap with all that is told", async () => {
  const block = mine(130)
  const [first, second] = [{ hidden: FIRST_SWAP }, { hidden: SECOND_SWAP }]
  const both = await read(1, { ...first, noOneReceipt: true }, { ...second, noOneReceipt: true })
  expect(gradeOf(both, block)).toEqual(["unproven"])
  expect(loggedOf(both.events)).toEqual(truthLogs(world.chain))
  const gaps = both.events.filter(event => event.kind === "GapFound")
  expect(gaps).toMatchObject([
    { fromBlock: block, toBlock: block, reason: "two endpoints tell different logs" }
  ])
})

it("a log that one told at first is not lost when two leave it out alike", async () => {
  const block = mine(130)
  const hides = { hidden: SECOND_SWAP, noOneReceipt: true }
  const both = await read(1, { ...hides, toldFirst: 1 }, hides)
  expect(gradeOf(both, block)).toEqual(["unproven"])
  expect(loggedOf(both.events)).toEqual(truthLogs(world.chain))
  expect(gapsOf(both.events)).toEqual([block])
})

it("a node that tells logs that the bloom does not show is not listened to", async () => {
  const block = mine(130)
  const both = await read(1, { noOneReceipt: true }, { noOneReceipt: true, invented: true })
  expect(gradeOf(both, block)).toEqual(["logs"])
  expect(loggedOf(both.events)).toEqual(truthLogs(world.chain))
  expect(gapsOf(both.events)).toEqual([])
})

it("a gap does not close on one node's word", async () => {
  const block = mine(130)
  const proofs = async (...faults: ReadonlyArray<Partial<Faults>>) => {
    for (const one of faults) await world.node({ noReceipts: true, ...one })
    const source = await Effect.runPromise(evmRpcSource(fastOptions({ endpoints: world.urls })))
    const past = source.past?.({ fromBlock: block, toBlock: block }, emptyTail, "proofs")
    const read = Stream.runDrain(past ?? Stream.empty)
    const outcome = await Effect.runPromise(Effect.result(read))
    return Result.isFailure(outcome) ? outcome.failure.message : "proven"
  }
  expect(await proofs({ noOneReceipt: true })).toMatch(/one endpoint's word alone/)
  expect(await proofs({ noOneReceipt: true })).toBe("proven")
})

it("another node with block receipts proves what the one in use only tells", async () => {
  const block = mine(130)
  const both = await read(1, { hidden: SECOND_SWAP }, { noReceipts: false })
  expect(gradeOf(both, block)).toEqual(["root"])
  expect(loggedOf(both.events)).toEqual(truthLogs(world.chain))
  expect(receiptsAsked()).toBeLessThan(2)
})

it("receipts of larger blocks are asked for where those of smaller ones came fast", async () => {
  mine(90)
  const one = await read(60_000, {})
  const block = mine(700)
  expect(await one.reach(world.chain)).toBe(true)
  expect(gradeOf(one, block)).toEqual(["root"])
  mine(1001)
  expect(await one.reach(world.chain)).toBe(true)
  expect(one.status().grades).toEqual({ bloom: 1, root: 2, logs: 1 })
})

it("a dead node that may have receipts does not hold back one that has none", async () => {
  const block = mine(90)
  const both = await read(1, {}, { reset: 1, noReceipts: false })
  expect(gradeOf(both, block)).toEqual(["root"])
  expect(loggedOf(both.events)).toEqual(truthLogs(world.chain))
})

it("history that two tell differently, without any receipts, is a gap and not the end", async () => {
  const blocks = Array.from({ length: 20 }, () => mine(3))
  for (let i = 0; i < 60; i++) world.chain.mine([])
  const both = await read(1, { hidden: SECOND_SWAP, noOneReceipt: true }, { noOneReceipt: true })
  for (const block of blocks) expect(gradeOf(both, block)).toEqual(["unproven"])
  expect(gapsOf(both.events)).toEqual(blocks)
  expect(loggedOf(both.events)).toEqual(truthLogs(world.chain))
})

it("a node that leaves logs out of history is blamed for each that receipts show, and no other", async () => {
  const blocks = Array.from({ length: 5 }, () => mine(3))
  for (let i = 0; i < 60; i++) world.chain.mine([])
  // the liar has no receipts: only the other's show what it left out
  const both = await read(1, { noReceipts: false }, { hidden: SECOND_SWAP, noOneReceipt: true })
  for (const block of blocks) expect(gradeOf(both, block)).toEqual(["root"])
  expect(loggedOf(both.events)).toEqual(truthLogs(world.chain))
  const blamed = both.status().endpoints.map(({ wrongAnswers }) => wrongAnswers)
  expect(blamed).toEqual([0, 5])
})
