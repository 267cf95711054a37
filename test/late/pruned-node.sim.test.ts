/** History of a node that has forgotten it is gaps, told as such, until an endpoint has it. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { unreadWarning } from "../../engine/late/unread-blocks.ts"
import type { HistoryStatus } from "../../streams/source.ts"
import { randomTxs } from "../support/fake-market.ts"
import { noFaults } from "../support/fake-rpc-methods.ts"
import { LateNodes } from "../support/late-nodes.ts"
import { logNow } from "../support/late-run.ts"
import { rpcChain, truthLogs } from "../support/rpc-source.ts"
import { random } from "../support/seed.ts"

const BLOCKS = 120
const KEPT = 50
/** What is forgotten is asked for in vain many times. */
const retry = { firstMs: 2, longestMs: 10, others: 0.01 }

let world: LateNodes
beforeEach(async () => {
  world = await LateNodes.open()
  const r = random("pruned history")
  for (let i = 0; i < BLOCKS; i++) world.chain.mine(randomTxs(r, 3))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.end()
})

it("is missing and said to be until an endpoint has it, and is complete then", async () => {
  const said = vi.spyOn(console, "log")
  const lines = () => said.mock.calls.flat().join("\n")
  const node = await world.node({ keepsLogs: KEPT, keepsReceiptLogs: KEPT }, "pruned")
  const run = await world.start({ start: "latest", floor: 1, minPart: 1000, retry })
  await world.until("what cannot be read", () => lines().includes("cannot be read"))
  // all that it has kept is in the log, the newest first
  const { events, gaps } = await logNow(world.server, rpcChain.key)
  const lost = Math.max(
    ...truthLogs(world.chain).flatMap(({ block }) =>
      block.number <= BLOCKS - KEPT ? [block.number] : []
    )
  )
  expect(gaps.at(-1)).toMatchObject({ toBlock: lost, reason: "backfill" })
  const inLog = events.filter(({ tx, block }) => tx !== null && block.number > lost)
  expect(inLog).toEqual(truthLogs(world.chain, lost + 1))
  await world.until("its status", () => run.late.history?.unread.at(-1)?.toBlock === lost)
  const history = run.late.history as HistoryStatus
  const { unread } = history
  expect(unread.at(-1)?.reason).toMatch(/^block \d+: the bloom shows logs that are missing$/)
  expect(history.state).toBe("reading")
  expect(history.doneBlocks).toBeGreaterThan(0)
  const [told = ""] = unreadWarning(unread, rpcChain)
  expect(history.problem).toBe(told)
  expect(lines()).toContain(`..${lost} of the history cannot be read: block ${lost}: `)
  expect(lines()).not.toContain("history is")

  Object.assign(node.faults, noFaults())
  await world.until("history", () => run.late.history?.state === "done")
  await world.until("a line", () => lines().includes("history is"))
  expect(lines()).toMatch(
    /history is read from block 1 on.*: the logs of \d+ blocks are one node's word/
  )
  expect(run.late.history).toMatchObject({ problem: null, unread: [] })
  await run.kill()
  const whole = await logNow(world.server, rpcChain.key)
  expect(whole.gaps).toEqual([])
  expect(whole.events.filter(({ tx }) => tx !== null)).toEqual(truthLogs(world.chain, 1))
})

it("is missing where no node has its blocks at all, and said to be", async () => {
  const said = vi.spyOn(console, "log")
  const lines = () => said.mock.calls.flat().join("\n")
  const kept = { keepsBlocks: KEPT, keepsLogs: KEPT, keepsReceiptLogs: KEPT }
  const node = await world.node(kept, "without old blocks")
  const run = await world.start({ start: "latest", floor: 1, minPart: 1000, retry })
  const lost = BLOCKS - KEPT
  await world.until("its status", () => run.late.history?.unread.at(-1)?.toBlock === lost)
  expect(run.late.history?.unread.at(-1)?.reason).toMatch(/^block \d+: no endpoint has it$/)
  const line = `..${lost} of the history cannot be read: block `
  await world.until("its line", () => lines().includes(line))
  Object.assign(node.faults, noFaults())
  await world.until("history", () => run.late.history?.state === "done")
  await run.kill()
  const whole = await logNow(world.server, rpcChain.key)
  expect(whole.gaps).toEqual([])
  expect(whole.events.filter(({ tx }) => tx !== null)).toEqual(truthLogs(world.chain, 1))
})

it("is complete where each of its blocks is proven", async () => {
  const said = vi.spyOn(console, "log")
  const lines = () => said.mock.calls.flat().join("\n")
  await world.node({}, "honest")
  const options = { start: "latest", floor: 1, minPart: 1000, reading: "proofs" } as const
  await world.start(options)
  await world.until("a line", () => lines().includes("history is"))
  expect(lines()).toContain(
    "history is complete: handed over to live, the log holds every block from 1"
  )
})
