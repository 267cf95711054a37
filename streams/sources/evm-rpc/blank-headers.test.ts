/** Nodes whose headers lack blooms or transactions: no swap is lost without a word. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { randomTxs } from "../../../test/support/fake-market.ts"
import type { Faults } from "../../../test/support/fake-rpc-methods.ts"
import { gapsOf, loggedOf, truthLogs } from "../../../test/support/rpc-source.ts"
import { RpcWorld } from "../../../test/support/rpc-world.ts"
import { random } from "../../../test/support/seed.ts"

let world: RpcWorld
beforeEach(() => {
  world = new RpcWorld()
})
afterEach(() => world.end())

/** Blocks read from nodes that tell blooms, then as many from nodes that lie. */
const read = async (label: string, ...faults: ReadonlyArray<Partial<Faults>>) => {
  const r = random(label)
  const mine = () => {
    for (let i = 0; i < 6; i++) world.chain.mine(randomTxs(r, 4))
    // transactions without logs, whose bloom is blank in truth
    world.chain.mine([{ from: `0x${"01".repeat(20)}`, to: null, logs: [] }])
  }
  mine()
  for (const [i, one] of faults.entries()) {
    const { noReceipts = false, bareHeaders = false } = one
    await world.node({ noReceipts, bareHeaders }, `${label} ${i}`)
  }
  await world.start()
  await world.reached()
  world.nodes.forEach((node, i) => {
    Object.assign(node.faults, faults[i])
  })
  mine()
  await world.reached()
}

/** The log is the chain but for its gaps, which are told. */
const expectTruthBut = (gaps: ReadonlyArray<number>) => {
  const isTold = ({ block }: { readonly block: { readonly number: number } }) =>
    !gaps.includes(block.number)
  expect(loggedOf(world.run.events).filter(isTold)).toEqual(truthLogs(world.chain).filter(isTold))
}

const expectTruth = () => {
  expect(gapsOf(world.run.events)).toEqual([])
  expectTruthBut([])
}

/** Those with transactions, since the nodes lie. */
const bareBlocks = () =>
  world.chain.blocks.flatMap(({ number, txs }) => (number > 7 && txs.length > 0 ? [number] : []))

describe("blank blooms in headers that do not give their hashes", () => {
  it("are no proof: receipts tell the logs", async () => {
    await read("blank", { blankBlooms: true, bareHeaders: true })
    expectTruth()
  })

  it("are no proof without block receipts either", async () => {
    await read("blank, by one", { blankBlooms: true, bareHeaders: true, noReceipts: true })
    expectTruth()
  })
})

describe("headers without transactions, that do not give their hashes", () => {
  it("of one of two nodes are told by the other, or gaps", async () => {
    await read("bare", { noTransactions: true, bareHeaders: true }, { bareHeaders: true })
    const gaps = gapsOf(world.run.events)
    expectTruthBut(gaps)
    expect(gaps.length).toBeLessThan(bareBlocks().length)
  })

  it("of the only node are gaps", async () => {
    await read("bare, alone", { noTransactions: true, bareHeaders: true })
    expect(gapsOf(world.run.events)).toEqual(bareBlocks())
    expectTruthBut(bareBlocks())
  })
})
