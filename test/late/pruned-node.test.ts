/** History of a node that has forgotten it is gaps, told as such, until an endpoint has it. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { FakeChain } from "../support/fake-chain.ts"
import { deployMarket, randomTxs } from "../support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../support/fake-rpc.ts"
import { noFaults } from "../support/fake-rpc-methods.ts"
import { type LateRun, logNow, startLate } from "../support/late-run.ts"
import { type LogServer, startLogServer } from "../support/log-server.ts"
import { rpcChain, truthLogs } from "../support/rpc-source.ts"
import { random } from "../support/seed.ts"

vi.setConfig({ testTimeout: 120_000 })

const BLOCKS = 400
const KEPT = 150

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
  await until("a problem", () => /^block \d+: /.test(run?.late.history?.problem ?? ""))
  const { events, gaps } = await logNow(server, rpcChain.key)
  const first = BLOCKS - rpcChain.finalityDepth
  expect(gaps).toEqual([{ fromBlock: 1, toBlock: first - 1, reason: "backfill" }])
  const told = events.filter(({ tx }) => tx !== null)
  expect(told).toEqual(truthLogs(chain, first))
  expect(run.late.history?.state).toBe("reading")
  expect(lines()).not.toContain("history is")

  Object.assign(node.faults, noFaults())
  await until("history", () => run?.late.history?.state === "done")
  await until("a line", () => lines().includes("history is"))
  expect(lines()).toMatch(
    /history is read from block 1 on.*: the logs of \d+ blocks are one node's word/
  )
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
