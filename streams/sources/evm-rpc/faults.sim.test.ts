import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { randomTxs } from "../../../test/support/fake-market.ts"
import type { FakeRpc } from "../../../test/support/fake-rpc.ts"
import type { Faults } from "../../../test/support/fake-rpc-methods.ts"
import { gapsOf, loggedOf, type RpcRun, truthLogs } from "../../../test/support/rpc-source.ts"
import { RpcWorld } from "../../../test/support/rpc-world.ts"
import { type Random, random } from "../../../test/support/seed.ts"

/** Mixes that are tried. */
const ROUNDS = process.env["SWAPTAPE_LONG"] === "1" ? 24 : 3

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

let world: RpcWorld
let r: Random

beforeEach(context => {
  world = new RpcWorld()
  r = random(context.task.name)
})
afterEach(() => world.end())

const mine = (blocks: number) => {
  for (let i = 0; i < blocks; i++) world.chain.mine(randomTxs(r, 3))
}

const begin = async (...faults: ReadonlyArray<Partial<Faults>>) => {
  for (const one of faults) await world.node(one, `${world.nodes.length} ${r.next()}`)
  // Only a node that hangs is given up soon: on a busy machine an honest one may take a while.
  const hangs = faults.some(one => (one.hang ?? 0) > 0)
  const rpc = { timeoutMs: hangs ? 300 : 5000, maxAnswerBytes: 2 ** 24 }
  return world.start({ rpc })
}

/** Every block's events are those of the chain, or the log says that they may not be. */
const expectTruthOrGap = (of: RpcRun) => {
  const gaps = new Set(gapsOf(of.events))
  const proven = (events: ReturnType<typeof loggedOf>) =>
    events.filter(event => !gaps.has(event.block.number))
  expect(proven(loggedOf(of.events))).toEqual(proven(truthLogs(world.chain)))
}

/** Faults of a node that never lies about what a block holds, or only so that it shows. */
const honest: ReadonlyArray<readonly [string, Partial<Faults>]> = [
  ["429s", { rateLimit: 0.3 }],
  ["timeouts", { hang: 0.05 }],
  ["HTML", { html: 0.3 }],
  ["connection resets", { reset: 0.3 }],
  ["cut answers", { truncate: 0.3 }],
  ["error objects", { errorObject: 0.1 }],
  ["methods that it says it does not have", { noMethod: 0.1 }],
  ["repeated logs", { repeatLogs: 0.5 }],
  ["logs out of order", { reorderLogs: 0.5 }],
  ["logs of other blocks", { wrongBlockHash: 0.1 }],
  ["old heads", { oldHead: 0.5 }],
  ["blocks that are not there", { nullBlock: 0.1 }],
  [
    "all of it",
    {
      rateLimit: 0.05,
      hang: 0.01,
      html: 0.05,
      reset: 0.05,
      truncate: 0.05,
      errorObject: 0.02,
      repeatLogs: 0.2,
      reorderLogs: 0.2,
      wrongBlockHash: 0.1,
      oldHead: 0.3,
      nullBlock: 0.02,
      rangeLimit: 40
    }
  ]
]

describe("a node with", () => {
  it.each(honest)("%s gives the whole truth, from history to head", async (_, faults) => {
    mine(100)
    const one = await begin(faults)
    for (let i = 0; i < 10; i++) {
      mine(1)
      await sleep(10)
    }
    expect(await one.reach(world.chain)).toBe(true)
    expectTruthOrGap(one)
    expect(gapsOf(one.events)).toEqual([])
  })

  it("missing logs is found out: another node has them", async () => {
    mine(30)
    // the faster one is asked first
    const both = await begin({ dropLogs: 1 }, { lateMs: 20 })
    expect(await both.reach(world.chain)).toBe(true)
    // the other node may have been asked for all of it so far
    for (let i = 0; i < 60 && both.status().retries === 0; i++) {
      mine(2)
      expect(await both.reach(world.chain)).toBe(true)
    }
    expect(loggedOf(both.events)).toEqual(truthLogs(world.chain))
    expect(both.status().retries).toBeGreaterThan(0)
  })

  it("missing logs now and then is asked again", async () => {
    mine(40)
    const one = await begin({ dropLogs: 0.4 })
    expect(await one.reach(world.chain)).toBe(true)
    expectTruthOrGap(one)
    expect(gapsOf(one.events).length).toBeLessThan(5)
  })

  it("missing logs for ever is a gap in the log, not a silence", async () => {
    mine(8)
    world.chain.mine(Array.from({ length: 30 }, () => randomTxs(r, 3)).flat())
    const one = await begin({ hidden: 0 })
    expect(await one.reach(world.chain)).toBe(true)
    expectTruthOrGap(one)
    const lost = truthLogs(world.chain).length - loggedOf(one.events).length
    expect(lost).toBeGreaterThan(0)
    expect(gapsOf(one.events).length).toBeGreaterThan(0)
    const found = one.events.find(event => event.kind === "GapFound")
    expect(found).toMatchObject({ reason: expect.stringMatching(/missing|do not give the root/) })
    const seal = one.events.find(
      event => event.kind === "BlockSealed" && event.block.number === found?.block.number
    )
    expect(seal).toMatchObject({ grade: "unproven" })
  })

  it("an old view of the chain neither hides logs nor holds the head back", async () => {
    mine(150)
    const both = await begin({ lag: 60 }, {})
    expect(await both.reach(world.chain)).toBe(true)
    const [laggard] = world.nodes as [FakeRpc]
    laggard.faults.lag = 5
    for (let i = 0; i < 5; i++) {
      mine(1)
      await sleep(20)
    }
    expect(await both.reach(world.chain)).toBe(true)
    expect(loggedOf(both.events)).toEqual(truthLogs(world.chain))
  })

  it("a view that grows old while history is read is noticed", async () => {
    mine(400)
    const both = await begin({ rangeLimit: 20 }, {})
    const [laggard] = world.nodes as [FakeRpc]
    await sleep(15)
    laggard.faults.lag = 390
    expect(await both.reach(world.chain)).toBe(true)
    expect(loggedOf(both.events)).toEqual(truthLogs(world.chain))
  })

  it("no receipts and missing topics falls back to each receipt", async () => {
    mine(20)
    const one = await begin({ noReceipts: true, dropLogs: 0.3 })
    expect(await one.reach(world.chain)).toBe(true)
    expect(world.nodes[0]?.calls.get("eth_getTransactionReceipt") ?? 0).toBeGreaterThan(0)
  })
})

describe("seeded mixes of lies and forks on two nodes", () => {
  const mix = (): Partial<Faults> => {
    const maybe = (most: number) => (r.boolean(0.4) ? r.next() * most : 0)
    return {
      rateLimit: maybe(0.2),
      html: maybe(0.2),
      reset: maybe(0.2),
      truncate: maybe(0.1),
      errorObject: maybe(0.05),
      repeatLogs: maybe(0.4),
      reorderLogs: maybe(0.4),
      wrongBlockHash: maybe(0.1),
      dropLogs: maybe(0.3),
      oldHead: maybe(0.4),
      nullBlock: maybe(0.05),
      noReceipts: false,
      noBatch: r.boolean(0.3)
    }
  }

  it.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))(
    "end in the truth or a gap: %d",
    async () => {
      mine(r.integer(5, 45))
      const both = await begin(mix(), mix())
      for (let i = 0; i < 12; i++) {
        if (r.boolean(0.3)) world.chain.rewind(r.integer(1, 4))
        mine(r.integer(1, 4))
        await sleep(r.integer(0, 30))
      }
      mine(5)
      expect(await both.reach(world.chain)).toBe(true)
      expectTruthOrGap(both)
    }
  )
})
