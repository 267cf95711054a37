/** History of a node that has forgotten it is gaps, told as such, until an endpoint has it. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { unreadWarning } from "../../engine/late/unread-blocks.ts"
import type { HistoryStatus } from "../../streams/source.ts"
import { FakeChain } from "../support/fake-chain.ts"
import { deployMarket, randomTxs } from "../support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../support/fake-rpc.ts"
import { noFaults } from "../support/fake-rpc-methods.ts"
import { type LateRun, logNow, startLate } from "../support/late-run.ts"
import { type LogServer, startLogServer } from "../support/log-server.ts"
import { rpcChain, truthLogs } from "../support/rpc-source.ts"
import { random } from "../support/seed.ts"

vi.setConfig({ testTimeout: 120_000 })

const BLOCKS = 120
const KEPT = 50

let chain: FakeChain
let server: LogServer
let node: FakeRpc
let run: LateRun | null
beforeEach(async () => {
  chain = new FakeChain()
  deployMarket(chain)
  const r = random("pruned history")
  for (let i = 0; i < BLOCKS; i++) chain.mine(randomTxs(r, 3))
  server = await startLogServer()
  run = null
})
afterEach(async () => {
  vi.restoreAllMocks()
  await run?.kill()
  await node.close()
  await server.stop()
})

const until = async (what: string, check: () => boolean) => {
  const deadline = performance.now() + 100_000
  while (!check()) {
    expect(run?.ended() ?? null).toBe(null)
    if (performance.now() > deadline) throw new Error(what)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

it("is missing and said to be until an endpoint has it, and is complete then", async () => {
  const said = vi.spyOn(console, "log")
  const lines = () => said.mock.calls.flat().join("\n")
  node = await startFakeRpc(chain, "pruned", { keepsLogs: KEPT, keepsReceiptLogs: KEPT })
  run = await startLate(server, { endpoints: [node.url], start: "latest", floor: 1, minPart: 1000 })
  await until("what cannot be read", () => lines().includes("cannot be read"))
  // all that it has kept is in the log, the newest first
  const { events, gaps } = await logNow(server, rpcChain.key)
  const lost = Math.max(
    ...truthLogs(chain).flatMap(({ block }) =>
      block.number <= BLOCKS - KEPT ? [block.number] : []
    )
  )
  expect(gaps.at(-1)).toMatchObject({ toBlock: lost, reason: "backfill" })
  const inLog = events.filter(({ tx, block }) => tx !== null && block.number > lost)
  expect(inLog).toEqual(truthLogs(chain, lost + 1))
  await until("its status", () => run?.late.history?.unread.at(-1)?.toBlock === lost)
  const history = run.late.history as HistoryStatus
  const { unread } = history
  expect(unread.at(-1)?.reason).toMatch(/^block \d+: the bloom shows logs that are missing$/)
  expect(history.state).toBe("reading")
  expect(history.doneBlocks).toBeGreaterThan(0)
  const [told = ""] = unreadWarning(unread, rpcChain.id)
  expect(history.problem).toBe(told)
  expect(lines()).toContain(`..${lost} of the history cannot be read: block ${lost}: `)
  expect(lines()).not.toContain("history is")

  Object.assign(node.faults, noFaults())
  await until("history", () => run?.late.history?.state === "done")
  await until("a line", () => lines().includes("history is"))
  expect(lines()).toMatch(
    /history is read from block 1 on.*: the logs of \d+ blocks are one node's word/
  )
  expect(run.late.history).toMatchObject({ problem: null, unread: [] })
  await run.kill()
  const whole = await logNow(server, rpcChain.key)
  expect(whole.gaps).toEqual([])
  expect(whole.events.filter(({ tx }) => tx !== null)).toEqual(truthLogs(chain, 1))
})

it("is complete where each of its blocks is proven", async () => {
  const said = vi.spyOn(console, "log")
  const lines = () => said.mock.calls.flat().join("\n")
  node = await startFakeRpc(chain, "honest")
  const options = { start: "latest", floor: 1, minPart: 1000, reading: "proofs" } as const
  run = await startLate(server, { endpoints: [node.url], ...options })
  await until("a line", () => lines().includes("history is"))
  expect(lines()).toContain(
    "history is complete: handed over to live, the log holds every block from 1"
  )
})
