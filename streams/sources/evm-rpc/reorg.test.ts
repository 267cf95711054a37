import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { FakeChain } from "../../../test/support/fake-chain.ts"
import { deployMarket, randomTxs } from "../../../test/support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../../../test/support/fake-rpc.ts"
import { loggedOf, type RpcRun, startRun, truthLogs } from "../../../test/support/rpc-source.ts"
import { type Random, random } from "../../../test/support/seed.ts"
import { effective } from "../../../test/support/tape-input.ts"
import type { EventOf } from "../../event.ts"

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

const start = async (before: RpcRun["events"] = []) => {
  run = await startRun({ endpoints: [node.url] }, before)
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

  it("of exactly the finality depth is followed, a deeper one stops the source", async () => {
    mine(60)
    await start()
    await reached()
    chain.rewind(20)
    mine(21)
    await reached()
    expectChain()
    await sleep(30)
    chain.rewind(21)
    mine(30)
    const error = await run.ended
    expect(error).toMatchObject({ fatal: true })
    expect(error?.message).toMatch(/a reorg deeper than finality/)
    expect(run.status().state).toBe("stopped")
  })

  it("deeper than finality is refused after a restart too", async () => {
    mine(60)
    await start()
    await reached()
    await run.stop()
    chain.rewind(30)
    mine(40)
    await start(run.events)
    expect((await run.ended)?.message).toMatch(/a reorg deeper than finality/)
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
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("ends equal to the final chain: %d", async () => {
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
  })
})
