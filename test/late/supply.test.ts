/** A mint that the head did not see is read with the repair of its block. */

import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { FakeChain, type FakeTx } from "../support/fake-chain.ts"
import { syncLog } from "../support/fake-logs.ts"
import { deployMarket, V2_POOL } from "../support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../support/fake-rpc.ts"
import { deployMintable, mint, supplyAt } from "../support/fake-supply.ts"
import { type LateRun, logNow, startLate } from "../support/late-run.ts"
import { type LogServer, startLogServer } from "../support/log-server.ts"
import { PATIENCE_MS } from "../support/patience.ts"
import { rpcChain } from "../support/rpc-source.ts"
import { random } from "../support/seed.ts"

const TOKEN = `0x${"c3".repeat(20)}` as const

let chain: FakeChain
let server: LogServer
let node: FakeRpc
let run: LateRun

beforeEach(async () => {
  // six blocks a minute
  chain = new FakeChain(rpcChain.id, 10)
  deployMarket(chain)
  deployMintable(chain, TOKEN)
  chain.mine([mint(TOKEN, 500n)])
  server = await startLogServer()
  node = await startFakeRpc(chain, `supply ${random("supply").next()}`)
  const rpc = { timeoutMs: 400, maxAnswerBytes: 2 ** 24 }
  run = await startLate(server, { endpoints: [node.url], pins: [TOKEN], rpc })
})
afterEach(async () => {
  await run.kill()
  await node.close()
  await server.stop()
})

const step = async (...txs: ReadonlyArray<FakeTx>) => {
  chain.mine(txs)
  await vi.waitUntil(() => run.loggedBlock() === chain.head.number, { timeout: PATIENCE_MS })
}

const lastSupply = async () => {
  const { events, gaps } = await logNow(server, rpcChain.key)
  const seen = events.findLast(event => event.kind === "TokenSeen" && event.token === TOKEN)
  return { gaps: gaps.length, supply: seen?.kind === "TokenSeen" ? seen.totalSupply : null }
}

const noise = (count: number): FakeTx => ({
  from: TOKEN,
  to: V2_POOL,
  logs: Array.from({ length: count }, (_, i) => syncLog(V2_POOL, BigInt(i + 1), 1n))
})

it("the supply is that of the chain, whether or not the head saw the mint", async () => {
  for (let i = 0; i < 8; i++) await step()
  expect(await lastSupply()).toEqual({ gaps: 0, supply: 500n })
  node.faults.dropLogs = 1
  // so many that some are always dropped
  await step(mint(TOKEN, 25n), noise(40))
  await vi.waitUntil(() => run.late.repairs.open > 0, { timeout: PATIENCE_MS })
  node.faults.dropLogs = 0
  await vi.waitUntil(() => run.late.repairs.open === 0, { timeout: PATIENCE_MS })
  for (let i = 0; i < 3; i++) await step()
  expect(supplyAt(chain, TOKEN, chain.head.number)).toBe(525n)
  expect(await lastSupply()).toEqual({ gaps: 0, supply: 525n })
})
