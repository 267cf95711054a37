/** Nodes whose headers lack blooms or transactions: no swap is lost without a word. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { FakeChain } from "../../../test/support/fake-chain.ts"
import { deployMarket, randomTxs } from "../../../test/support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../../../test/support/fake-rpc.ts"
import type { Faults } from "../../../test/support/fake-rpc-methods.ts"
import {
  gapsOf,
  loggedOf,
  type RpcRun,
  startRun,
  truthLogs
} from "../../../test/support/rpc-source.ts"
import { random } from "../../../test/support/seed.ts"

let chain: FakeChain
let nodes: Array<FakeRpc>
let run: RpcRun
beforeEach(() => {
  chain = new FakeChain()
  deployMarket(chain)
  nodes = []
})
afterEach(async () => {
  await run.stop()
  for (const node of nodes) await node.close()
})

/** Blocks read from nodes that tell blooms, then as many from nodes that lie. */
const read = async (label: string, ...faults: ReadonlyArray<Partial<Faults>>) => {
  const r = random(label)
  const mine = () => {
    for (let i = 0; i < 6; i++) chain.mine(randomTxs(r, 4))
    // transactions without logs, whose bloom is blank in truth
    chain.mine([{ from: `0x${"01".repeat(20)}`, to: null, logs: [] }])
  }
  mine()
  for (const [i, one] of faults.entries()) {
    const { noReceipts = false, bareHeaders = false } = one
    nodes.push(await startFakeRpc(chain, `${label} ${i}`, { noReceipts, bareHeaders }))
  }
  run = await startRun({ endpoints: nodes.map(({ url }) => url) })
  expect(await run.reach(chain)).toBe(true)
  nodes.forEach((node, i) => {
    Object.assign(node.faults, faults[i])
  })
  mine()
  expect(await run.reach(chain)).toBe(true)
}

/** The log is the chain but for its gaps, which are told. */
const expectTruthBut = (gaps: ReadonlyArray<number>) => {
  const isTold = ({ block }: { readonly block: { readonly number: number } }) =>
    !gaps.includes(block.number)
  expect(loggedOf(run.events).filter(isTold)).toEqual(truthLogs(chain).filter(isTold))
}

const expectTruth = () => {
  expect(gapsOf(run.events)).toEqual([])
  expectTruthBut([])
}

/** Those with transactions, since the nodes lie. */
const bareBlocks = () =>
  chain.blocks.flatMap(({ number, txs }) => (number > 7 && txs.length > 0 ? [number] : []))

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
    const gaps = gapsOf(run.events)
    expectTruthBut(gaps)
    expect(gaps.length).toBeLessThan(bareBlocks().length)
  })

  it("of the only node are gaps", async () => {
    await read("bare, alone", { noTransactions: true, bareHeaders: true })
    expect(gapsOf(run.events)).toEqual(bareBlocks())
    expectTruthBut(bareBlocks())
  })
})
