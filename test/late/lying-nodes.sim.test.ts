/**
 * An hour of a chain read from nodes that lie: at any moment the log is the truth or shows the gap,
 * and once a node tells the truth, the gaps are filled and the log is the truth.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import { randomTxs } from "../support/fake-market.ts"
import type { FakeRpc } from "../support/fake-rpc.ts"
import { type Faults, noFaults } from "../support/fake-rpc-methods.ts"
import { LateNodes } from "../support/late-nodes.ts"
import { logNow } from "../support/late-run.ts"
import { rpcChain, truthLogs } from "../support/rpc-source.ts"
import { type Random, random } from "../support/seed.ts"

/** An hour of blocks of two seconds; without `npm run test:long` a sixth of it. */
const HOUR = process.env["SWAPTAPE_LONG"] === "1" ? 1800 : 200
const LIVE = HOUR / 2

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

let world: LateNodes
let r: Random

beforeEach(async context => {
  world = await LateNodes.open()
  r = random(context.task.name)
})
afterEach(() => world.end())

const mine = (blocks: number) => {
  for (let i = 0; i < blocks; i++) world.chain.mine(randomTxs(r, 2))
}

const begin = async (prove: boolean, ...faults: ReadonlyArray<Partial<Faults>>) => {
  for (const one of faults) await world.node(one, `${world.nodes.length} ${r.next()}`)
  await world.start({
    proveHistory: prove,
    rpc: { timeoutMs: 400, maxAnswerBytes: 2 ** 24 }
  })
}

/** The log against the chain: nothing wrong, and nothing missing but where it says so. */
const expectTruthOrGap = async () => {
  const { events, gaps } = await logNow(world.server, rpcChain.key)
  const isOpen = (number: number) =>
    gaps.some(({ fromBlock, toBlock }) => number >= fromBlock && number <= toBlock)
  const sure = (list: ReadonlyArray<Event>) =>
    list.filter(({ block, tx }) => tx !== null && !isOpen(block.number))
  const last = events.findLast(({ kind }) => kind === "BlockSealed")?.block.number ?? -1
  const truth = truthLogs(world.chain).filter(({ block }) => block.number <= last)
  expect(sure(events)).toEqual(sure(truth))
  return gaps
}

const everything = {
  dropLogs: 0.4,
  repeatLogs: 0.2,
  reorderLogs: 0.2,
  wrongBlockHash: 0.05,
  oldHead: 0.3,
  nullBlock: 0.02,
  rateLimit: 0.05,
  hang: 0.006,
  html: 0.05,
  reset: 0.05,
  truncate: 0.03,
  errorObject: 0.02,
  rangeLimit: 40
} satisfies Partial<Faults>

/** A fault that never struck would prove nothing. */
const expectAllStruck = () => {
  const { rangeLimit: _, ...byChance } = everything
  const struck = new Set(world.nodes.flatMap(node => [...node.struck.keys()]))
  expect([...struck].sort()).toEqual(Object.keys(byChance).sort())
}

const liveHour = async () => {
  for (let mined = 0; mined < LIVE; ) {
    const blocks = r.integer(1, 12)
    mine(blocks)
    mined += blocks
    await sleep(r.integer(0, 12))
  }
}

describe("an hour of a chain", () => {
  it("from two nodes that do everything wrong is the truth or a gap, and the truth in the end", async () => {
    mine(HOUR - LIVE)
    await begin(true, everything, everything)
    await liveHour()
    await world.untilHead()
    await expectTruthOrGap()
    expectAllStruck()
    for (const node of world.nodes) Object.assign(node.faults, noFaults())
    await world.until("no gaps", () => world.run.late.repairs.open === 0)
    mine(1)
    await world.untilHead()
    expect(await expectTruthOrGap()).toEqual([])
  })

  it("from a node that always leaves logs out is gaps that fill once another one is there", async () => {
    mine(20)
    await begin(true, { dropLogs: 1 })
    for (let i = 0; i < 12; i++) {
      mine(1)
      await sleep(10)
    }
    await world.untilHead()
    await world.until("gaps", () => world.run.late.repairs.open > 0)
    const [node] = world.nodes as [FakeRpc]
    // a gap is tried again, and does not hold the head back
    await world.until("tries", () => world.run.late.repairs.tries > 2)
    // so many that some are always dropped
    world.chain.mine(Array.from({ length: 30 }, () => randomTxs(r, 2)).flat())
    mine(2)
    await world.untilHead()
    // what the log knows of gaps survives a kill; by chance some have been filled until then
    await world.run.kill()
    const before = await expectTruthOrGap()
    expect(before.length).toBeGreaterThan(0)
    node.faults.dropLogs = 0
    await world.start()
    mine(1)
    await world.untilHead()
    await world.until("no gaps", () => {
      const { open, filled } = world.run.late.repairs
      return open === 0 && filled >= before.length
    })
    const { events, gaps, rollbacks } = await logNow(world.server, rpcChain.key)
    expect(gaps).toEqual([])
    expect(events.filter(({ tx }) => tx !== null)).toEqual(truthLogs(world.chain))
    const repaired = events.filter(event => event.kind === "GapFilled")
    expect(repaired.length).toBeGreaterThanOrEqual(before.length)
    for (const { block } of repaired) {
      const seal = events.find(
        event => event.kind === "BlockSealed" && event.block.number === block.number
      )
      expect(seal).toMatchObject({ grade: "root" })
    }
    expect(rollbacks).toBeGreaterThan(0)
  })

  it("of history that one of two nodes leaves logs out of is the truth at once", async () => {
    mine(HOUR)
    await begin(false, { dropLogs: 1 }, {})
    await world.untilHead()
    expect(await expectTruthOrGap()).toEqual([])
    const { events } = await logNow(world.server, rpcChain.key)
    const grades = new Set(
      events.flatMap(event => (event.kind === "BlockSealed" ? [event.grade] : []))
    )
    expect(grades.has("second")).toBe(true)
    const [liar, honest] = world.run.status()?.endpoints ?? []
    expect(liar?.wrongAnswers).toBeGreaterThan(0)
    expect(honest?.wrongAnswers).toBe(0)
  })
})
