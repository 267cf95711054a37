import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { FakeChain } from "../../../test/support/fake-chain.ts"
import { deployMarket, randomTxs } from "../../../test/support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../../../test/support/fake-rpc.ts"
import {
  loggedOf,
  type RpcRun,
  rpcChain,
  startRun,
  truthLogs
} from "../../../test/support/rpc-source.ts"
import { type Random, random } from "../../../test/support/seed.ts"
import { effective } from "../../../test/support/tape-input.ts"
import type { EventOf } from "../../event.ts"

/** Schedules that are tried. */
const ROUNDS = process.env["SWAPTAPE_LONG"] === "1" ? 40 : 2

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

let chain: FakeChain
let r: Random
let node: FakeRpc
let run: RpcRun

beforeEach(async context => {
  chain = new FakeChain()
  deployMarket(chain)
  r = random(context.task.name)
  node = await startFakeRpc(chain, context.task.name)
})
afterEach(async () => {
  await run.stop()
  await node.close()
})

const mine = (blocks: number, most = 3) => {
  for (let i = 0; i < blocks; i++) chain.mine(randomTxs(r, most))
}

const start = async (before: RpcRun["events"] = [], tailBlocks?: number) => {
  const known = tailBlocks === undefined ? {} : { tailBlocks }
  run = await startRun({ endpoints: [node.url], ...known }, before)
}

const reached = async () => expect(await run.reach(chain)).toBe(true)

const rollbacks = () =>
  run.events.filter((event): event is EventOf<"Rollback"> => event.kind === "Rollback")

/** The log after its rollbacks is the chain: same events, and the same blocks sealed. */
const expectChain = () => {
  expect(loggedOf(run.events)).toEqual(truthLogs(chain))
  for (const { block } of effective(run.events)) {
    expect(block.hash).toBe(chain.at(block.number)?.hash)
  }
}

describe("a reorg", () => {
  it("is rolled back to the common ancestor, in one batch with the new branch", async () => {
    mine(30)
    await start()
    await reached()
    chain.rewind(4)
    mine(5)
    await reached()
    expectChain()
    expect(rollbacks()).toMatchObject([
      {
        toSeq: 0,
        toBlock: 26,
        toHash: chain.at(26)?.hash,
        fromBlock: 30,
        reason: "reorg",
        block: { number: 26, hash: chain.at(26)?.hash, time: chain.at(26)?.timestamp },
        tx: null
      }
    ])
    expect(run.status().reorgs).toBe(1)
  })

  it("may shorten the chain, and be seen when it grows again or at once", async () => {
    mine(30)
    await start()
    await reached()
    chain.rewind(6)
    mine(2)
    await reached()
    expectChain()
    chain.rewind(3)
    await sleep(60)
    mine(1)
    await reached()
    expectChain()
  })

  it("may empty the blocks", async () => {
    mine(30)
    await start()
    await reached()
    chain.rewind(8)
    mine(8, 0)
    await reached()
    expectChain()
  })

  it("may happen again before the last one is over", async () => {
    mine(30)
    await start()
    await reached()
    for (const depth of [3, 6, 2, 9, 1]) {
      chain.rewind(depth)
      mine(depth + 1)
      await sleep(r.integer(0, 12))
    }
    await reached()
    expectChain()
  })

  it("may happen while nobody looks", async () => {
    mine(30)
    await start()
    await reached()
    await run.stop()
    chain.rewind(12)
    mine(15)
    await start(run.events)
    await reached()
    expectChain()
    expect(rollbacks()).toMatchObject([{ toBlock: 18, fromBlock: 30 }])
  })

  it("may undo the whole of a short log", async () => {
    mine(12)
    run = await startRun({ endpoints: [node.url], start: "5" })
    await reached()
    chain.rewind(9)
    mine(12)
    await reached()
    expect(rollbacks()).toMatchObject([{ toBlock: 4, fromBlock: 12 }])
    expect(loggedOf(run.events)).toEqual(truthLogs(chain, 5))
  })

  it("deeper than finality is followed too", async () => {
    mine(60)
    await start()
    await reached()
    chain.rewind(20)
    mine(21)
    await reached()
    await sleep(30)
    // history is sealed where it has events
    const kept = run.tail().blocks.findLast(({ number }) => number <= 20)
    chain.rewind(41)
    mine(50)
    await reached()
    expectChain()
    expect(rollbacks()).toMatchObject([
      { toBlock: 40, fromBlock: 60 },
      { toBlock: kept?.number, fromBlock: 61 }
    ])
    const lastReorgDepth = 61 - (kept?.number ?? 0)
    expect(run.status()).toMatchObject({ state: "live", reorgs: 2, lastReorgDepth })
    const tooDeep = "after which they are expected to stay; what was said of blocks"
    const { finalityDepth } = rpcChain
    expect(run.status().warnings).toEqual([
      `the chain replaced its last ${lastReorgDepth} blocks, more than the ${finalityDepth} ${tooDeep} ${62 - lastReorgDepth} to 61 before is void`
    ])
    expect(run.status().lastReorgRecoveryMs).toBeGreaterThanOrEqual(0)
  })

  it.each([
    { known: 2, depth: 3 },
    { known: 2, depth: 30 },
    { known: 20, depth: 90 },
    { known: 1, depth: 85 }
  ])("of $depth blocks is found in the log where only $known are known", async param => {
    mine(95)
    await start()
    await reached()
    await run.stop()
    // history is sealed where it has events
    const kept = run.tail().blocks.findLast(({ number }) => number <= 95 - param.depth)
    chain.rewind(param.depth)
    mine(param.depth + 10)
    await start(run.events, param.known)
    await reached()
    expectChain()
    expect(rollbacks()).toMatchObject([{ toBlock: kept?.number, fromBlock: 95 }])
  })

  it("to a chain that is shorter than all that is known of the log is seen at once", async () => {
    mine(90)
    await start()
    await reached()
    await run.stop()
    const kept = run.tail().blocks.findLast(({ number }) => number <= 30)
    await start(run.events, 5)
    await reached()
    chain.rewind(60)
    mine(3)
    await reached()
    expectChain()
    expect(rollbacks()).toMatchObject([{ toBlock: kept?.number, fromBlock: 90 }])
  })

  it("of all there is, is another chain: the source stops and says what to do", async () => {
    mine(60)
    await start()
    await reached()
    await run.stop()
    await node.close()
    const other = new FakeChain(chain.chainId, chain.blockTime, "another")
    deployMarket(other)
    node = await startFakeRpc(other, "another chain")
    for (let i = 0; i < 80; i++) other.mine(randomTxs(r, 3))
    await start(run.events, 5)
    const error = await run.ended
    expect(error).toMatchObject({ fatal: true })
    expect(error?.message).toMatch(
      /^no block of the log of \w+, which ends at 60 \(0x[0-9a-f]{64}\), is one of the chain at 127\.0\.0\.1:\d+: it is another chain, or was begun anew\. Point RPC_\d+ at the right one, or start with a new data folder$/
    )
    expect(run.status().state).toBe("stopped")
  })

  it("is not believed of an old head, nor of a node that fell behind", async () => {
    mine(30)
    await start()
    await reached()
    node.faults.oldHead = 1
    await sleep(60)
    node.faults.oldHead = 0
    mine(2)
    await reached()
    expect(rollbacks()).toEqual([])
    expectChain()
  })
})

describe("any schedule of forks and restarts", () => {
  it.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))(
    "ends equal to the final chain: %d",
    async () => {
      mine(r.integer(3, 60))
      await start()
      for (let step = 0; step < 25; step++) {
        const height = chain.head.number
        // Two rewinds in a row, unseen, must stay within the finality depth together.
        const depth = Math.min(height, r.integer(1, 6))
        switch (r.integer(0, 4)) {
          case 0:
            chain.rewind(depth)
            break
          case 1:
            chain.rewind(depth)
            mine(r.integer(0, depth + 2), r.integer(0, 3))
            break
          case 2:
            await run.stop()
            if (r.boolean()) {
              chain.rewind(depth)
              mine(depth + 1)
            }
            await start(run.events)
            break
          default:
            mine(r.integer(1, 4))
        }
        await sleep(r.integer(0, 25))
        if (step % 3 === 2) {
          mine(1)
          await reached()
        }
      }
      mine(1)
      await reached()
      expectChain()
    }
  )
})
