/** Nodes that answer 200 without logs they have forgotten: what headers show is never passed by. */
import { Effect, Stream } from "effect"
import { type Hex, toHex } from "viem"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type FakeLog, syncLog, transferLog, v2SwapLog } from "../../../test/support/fake-logs.ts"
import { TOKEN_A, V2_POOL } from "../../../test/support/fake-market.ts"
import type { Faults } from "../../../test/support/fake-rpc-methods.ts"
import { isLong } from "../../../test/support/rounds.ts"
import {
  fastOptions,
  gapsOf,
  loggedOf,
  type RpcRun,
  transfersOf,
  truthLogs
} from "../../../test/support/rpc-source.ts"
import { RpcWorld } from "../../../test/support/rpc-world.ts"
import { effective, emptyTail } from "../../../test/support/tape-input.ts"
import { eventsOf } from "../../event-objects.ts"
import { evmRpcSource } from "./source.ts"

const WHO: Hex = `0x${"07".repeat(20)}`
/** Of the chain, and what the pruning node keeps. */
const [BLOCKS, KEPT] = isLong ? [360, 120] : [180, 60]
/** What is forgotten is asked for in vain many times. */
const retry = { firstMs: 2, longestMs: 10, others: 0.01 }

let world: RpcWorld
beforeEach(() => {
  world = new RpcWorld()
})
afterEach(() => world.end())

/** So many logs of five items that nobody wants: they fill the bloom. */
const noise = (block: number, count: number): ReadonlyArray<FakeLog> =>
  Array.from({ length: count }, (_, i) => {
    const item = (n: number, size: number) => toHex(((block * 1000 + i) << 3) + n, { size })
    return {
      address: item(0, 20),
      topics: [1, 2, 3, 4].map(n => item(n, 32)),
      data: "0x"
    }
  })

/** A swap in every third block, a transfer in every 20th, and noise in all. */
const mine = (blocks: number, noisy = 1) => {
  for (let i = 0; i < blocks; i++) {
    const block = world.chain.head.number + 1
    const amount = BigInt(1_000_000 + block)
    const swap = [
      syncLog(V2_POOL, 10n ** 12n + amount, 10n ** 12n),
      v2SwapLog(V2_POOL, WHO, WHO, [amount, 0n, 0n, amount])
    ]
    const logs = [
      ...noise(block, noisy),
      ...(block % 3 === 0 ? swap : []),
      ...(block % 20 === 0 ? [transferLog(TOKEN_A, WHO, V2_POOL, amount)] : [])
    ]
    world.chain.mine([{ from: WHO, to: V2_POOL, logs }])
  }
}

const begin = async (...faults: ReadonlyArray<Partial<Faults>>) => {
  for (const one of faults) await world.node(one)
  const run = await world.start({ retry })
  await world.reached()
  return run
}

const gaps = ({ events }: RpcRun) =>
  effective(events).flatMap(event =>
    event.kind === "GapFound" ? [{ from: event.fromBlock, to: event.toBlock }] : []
  )

const isIn = (list: ReturnType<typeof gaps>, block: number) =>
  list.some(({ from, to }) => block >= from && block <= to)

/** What is missing is told of, and nothing else is wrong. */
const expectTruthOrGap = (one: RpcRun) => {
  const found = gaps(one)
  const told = loggedOf(one.events).filter(({ block }) => !isIn(found, block.number))
  expect(told).toEqual(truthLogs(world.chain).filter(({ block }) => !isIn(found, block.number)))
}

const calls = (method: string) =>
  world.nodes.reduce((sum, node) => sum + (node.calls.get(method) ?? 0), 0)

describe("a node that forgot old logs, alone", () => {
  it("is found out, and its receipts tell what they were", async () => {
    mine(BLOCKS)
    const one = await begin({ keepsLogs: KEPT })
    expect(gaps(one)).toEqual([])
    expect(loggedOf(one.events)).toEqual(truthLogs(world.chain))
    expect(one.status().endpoints[0]?.wrongAnswers).toBeGreaterThan(0)
  })

  it.each([
    ["receipts without logs", { keepsReceiptLogs: KEPT }],
    ["no receipts of them", { keepsReceipts: KEPT }],
    ["no receipts at all", { noReceipts: true, noOneReceipt: true }]
  ] as const)("and has %s: every missing swap lies in a gap", async (_, faults) => {
    mine(BLOCKS)
    const one = await begin({ keepsLogs: KEPT, ...faults })
    expectTruthOrGap(one)
    const missing = truthLogs(world.chain).length - loggedOf(one.events).length
    expect(missing).toBe(2 * Math.floor((BLOCKS - KEPT) / 3))
    // each block with a swap of those that are forgotten, and none of the others
    const told = gaps(one)
    expect(told.every(({ from, to }) => from % 3 === 0 && to <= BLOCKS - KEPT)).toBe(true)
    expect(told.length).toBe((BLOCKS - KEPT) / 3)
  })

  it("is found out where blooms are too full to tell", async () => {
    mine(100, 90)
    const one = await begin({ keepsLogs: 30 })
    expect(loggedOf(one.events)).toEqual(truthLogs(world.chain))
    expect(gaps(one)).toEqual([])
  })

  it("is found out where its headers are blank", async () => {
    mine(BLOCKS)
    const one = await begin({ keepsLogs: KEPT, blankBlooms: true, bareHeaders: true })
    expect(loggedOf(one.events)).toEqual(truthLogs(world.chain))
    expect(gaps(one)).toEqual([])
  })

  it("is found out where another forgot the same", async () => {
    mine(BLOCKS)
    const one = await begin({ keepsLogs: KEPT }, { keepsLogs: KEPT })
    expect(loggedOf(one.events)).toEqual(truthLogs(world.chain))
    expect(gaps(one)).toEqual([])
  })
})

describe("two that differ about blocks whose receipts nobody has any more", () => {
  const faults = [{ keepsReceipts: KEPT }, { keepsLogs: KEPT, keepsReceipts: KEPT }] as const

  it("are not asked for ever: what both tell is taken, and is a gap", async () => {
    mine(KEPT + 60)
    const one = await begin(...faults)
    expect(loggedOf(one.events)).toEqual(truthLogs(world.chain))
    expect(gapsOf(one.events)).toEqual(Array.from({ length: 20 }, (_, i) => 3 * (i + 1)))
  })

  it("give no history that is put in its place as if it were whole", async () => {
    mine(KEPT + 60)
    for (const some of faults) await world.node(some)
    const source = await Effect.runPromise(
      evmRpcSource(fastOptions({ endpoints: world.urls, retry }))
    )
    const past = source.past?.({ fromBlock: 1, toBlock: KEPT }, emptyTail, "ranges")
    const outcome = await Effect.runPromise(Effect.result(Stream.runDrain(past ?? Stream.empty)))
    expect(outcome).toMatchObject({
      _tag: "Failure",
      failure: { fatal: false, message: "block 3: two endpoints tell different logs" }
    })
  })
})

it("two that are both wrong, of whom receipts tell in some blocks only, are not asked for ever", async () => {
  const swap = (amount: bigint) => [
    syncLog(V2_POOL, 1000n + amount, 2000n),
    v2SwapLog(V2_POOL, WHO, WHO, [amount, 0n, 0n, amount])
  ]
  for (let i = 0; i < 2; i++) {
    world.chain.mine([{ from: WHO, to: V2_POOL, logs: [...swap(1n), ...swap(2n)] }])
  }
  for (let i = 0; i < 60; i++) world.chain.mine([])
  // of the first block nobody has receipts
  const forgot = { keepsLogs: 10, keepsReceipts: 61 }
  const one = await begin(forgot, { hidden: 3, noReceipts: true, noOneReceipt: true })
  expect(gapsOf(one.events)).toEqual([1])
  const later = ({ block }: { readonly block: { readonly number: number } }) => block.number > 1
  expect(loggedOf(one.events).filter(later)).toEqual(truthLogs(world.chain).filter(later))
})

describe("an honest node", () => {
  it("is asked for each header once, and for few receipts", async () => {
    mine(1000 + 20)
    const one = await begin({})
    expect(loggedOf(one.events)).toEqual(truthLogs(world.chain))
    expect(calls("eth_getLogs")).toBeLessThanOrEqual(6)
    // 1,001 headers of history, 20 blocks at the head, and what repeats the newest
    expect(calls("eth_getBlockByNumber")).toBeLessThan(1100)
    expect(calls("eth_getBlockReceipts")).toBeLessThan(40)
  })

  it("is believed where blooms are too full to tell", async () => {
    mine(100, 90)
    const one = await begin({ noReceipts: true, noOneReceipt: true })
    expect(loggedOf(one.events)).toEqual(truthLogs(world.chain))
    expect(gaps(one)).toEqual([])
    expect(one.status().grades["range"]).toBeGreaterThan(0)
  })
})

describe("transfers of one token", () => {
  const readFrom = async (endpoints: ReadonlyArray<string>) => {
    const source = await Effect.runPromise(evmRpcSource(fastOptions({ endpoints, retry })))
    const range = { fromBlock: 1, toBlock: BLOCKS - 30 }
    const past = source.past?.(range, emptyTail, "ranges", [TOKEN_A]) ?? Stream.empty
    return Effect.runPromise(Effect.result(Stream.runCollect(past)))
  }
  const read = async (faults: Partial<Faults>) => {
    mine(BLOCKS)
    await world.node(faults, "transfers")
    return readFrom(world.urls)
  }

  it("that the node forgot are read from receipts", async () => {
    const outcome = await read({ keepsLogs: KEPT })
    if (outcome._tag === "Failure") throw outcome.failure
    const found = [...outcome.success].flatMap(eventsOf).filter(({ tx }) => tx !== null)
    const truth = transfersOf(world.chain, [TOKEN_A]).filter(
      ({ block }) => block.number <= BLOCKS - 30
    )
    expect(found).toEqual(truth)
    expect(truth.length).toBe(Math.floor((BLOCKS - 30) / 20))
  })

  it("whose transactions are forgotten meanwhile are not asked for for ever", async () => {
    mine(BLOCKS)
    const node = await world.node({}, "forgets meanwhile")
    // it has told all logs, and some of the blocks they stand in
    const forgets = () => (node.calls.get("eth_getBlockByNumber") ?? 0) > 60
    Object.defineProperty(node.faults, "keepsTransactions", {
      get: () => (forgets() ? KEPT : Number.POSITIVE_INFINITY)
    })
    const outcome = await readFrom(world.urls)
    expect(outcome).toMatchObject({
      _tag: "Failure",
      failure: { _tag: "SourceError", fatal: false, message: expect.stringMatching(/^block \d+: /) }
    })
    expect(node.calls.get("eth_getLogs")).toBeLessThan(10)
  })

  it("of blocks that no node has are not asked for for ever", async () => {
    const outcome = await read({ nullBlock: 1 })
    expect(outcome).toMatchObject({
      _tag: "Failure",
      failure: { _tag: "SourceError", fatal: false, message: "block 1: no endpoint has it" }
    })
  })

  it("of blocks that no node has in the middle are not asked for for ever", async () => {
    mine(BLOCKS)
    const node = await world.node({}, "loses the middle")
    // the ends of what is asked for were there
    const loses = () => (node.calls.get("eth_getBlockByNumber") ?? 0) > 2
    Object.defineProperty(node.faults, "keepsBlocks", {
      get: () => (loses() ? 30 : Number.POSITIVE_INFINITY)
    })
    expect(await readFrom(world.urls)).toMatchObject({
      _tag: "Failure",
      failure: {
        ...{ _tag: "SourceError", fatal: false },
        message: expect.stringMatching(/^block \d+: no endpoint has it$/)
      }
    })
    expect(node.calls.get("eth_getLogs")).toBeLessThan(10)
  })

  it("that nobody has end in an error that names the block, not in a part of them", async () => {
    const outcome = await read({ keepsLogs: KEPT, keepsReceiptLogs: KEPT })
    expect(outcome).toMatchObject({
      _tag: "Failure",
      failure: { _tag: "SourceError", fatal: false, message: expect.stringMatching(/^block \d+: /) }
    })
  })
})
