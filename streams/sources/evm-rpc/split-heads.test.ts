/** Two endpoints that see the chain differently: one lags, or stands on another branch. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { FakeChain } from "../../../test/support/fake-chain.ts"
import { deployMarket, randomTxs } from "../../../test/support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../../../test/support/fake-rpc.ts"
import { loggedOf, type RpcRun, startRun, truthLogs } from "../../../test/support/rpc-source.ts"
import { type Random, random } from "../../../test/support/seed.ts"
import { effective } from "../../../test/support/tape-input.ts"

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

const ROUNDS = process.env["SWAPTAPE_LONG"] === "1" ? 40 : 3

/** what the first endpoint has, which is the chain in the end, and what the second has */
let chain: FakeChain
let other: FakeChain
let r: Random
let nodes: Array<FakeRpc>
let run: RpcRun | null

beforeEach(context => {
  chain = new FakeChain()
  other = new FakeChain(chain.chainId, chain.blockTime, "other")
  deployMarket(chain)
  r = random(context.task.name)
  nodes = []
  run = null
})
afterEach(async () => {
  await run?.stop()
  for (const node of nodes) await node.close()
})

const mine = (on: FakeChain, blocks: number) => {
  for (let i = 0; i < blocks; i++) on.mine(randomTxs(r, 2))
}

const begin = async (sockets = false, views = [chain, other]) => {
  for (const view of views) {
    nodes.push(await startFakeRpc(view, `${nodes.length} ${r.next()}`))
  }
  const endpoints = nodes.map(node => (sockets ? node.wsUrl : node.url))
  run = await startRun({ endpoints })
  return run
}

const rollbacks = (of: RpcRun) => of.events.filter(({ kind }) => kind === "Rollback").length

const expectChain = (of: RpcRun) => {
  expect(loggedOf(of.events)).toEqual(truthLogs(chain))
  for (const { block } of effective(of.events)) {
    expect(block.hash).toBe(chain.at(block.number)?.hash)
  }
}

describe("an endpoint that", () => {
  it("has not heard of a reorg yet brings no branch back, however often it is asked", async () => {
    mine(chain, 30)
    other.adopt(chain)
    const one = await begin()
    expect(await one.reach(chain)).toBe(true)
    chain.rewind(3)
    mine(chain, 4)
    expect(await one.reach(chain)).toBe(true)
    expect(rollbacks(one)).toBe(1)
    const [first] = nodes as [FakeRpc]
    for (let i = 0; i < 8; i++) {
      // the one that knows is not to be had for a while
      first.faults.rateLimit = 1
      await sleep(40)
      first.faults.rateLimit = 0
      mine(chain, 1)
      expect(await one.reach(chain)).toBe(true)
    }
    expect(rollbacks(one)).toBe(1)
    expectChain(one)
  })

  it("lags by a few blocks rolls nothing back", async () => {
    mine(chain, 30)
    other.adopt(chain, 27)
    const one = await begin(true)
    for (let i = 0; i < 25; i++) {
      mine(chain, 1)
      other.adopt(chain, chain.head.number - r.integer(1, 4))
      const [first] = nodes as [FakeRpc]
      first.faults.errorObject = r.boolean(0.3) ? 1 : 0
      await sleep(r.integer(0, 20))
      first.faults.errorObject = 0
    }
    expect(await one.reach(chain)).toBe(true)
    expect(rollbacks(one)).toBe(0)
    expectChain(one)
  })

  it("is on a branch that is no longer than the log's is not followed; on a longer one it is", async () => {
    mine(chain, 30)
    other.adopt(chain, 27)
    const one = await begin()
    expect(await one.reach(chain)).toBe(true)
    // not before: whichever is asked first would be followed
    mine(other, 3)
    await sleep(150)
    expect(rollbacks(one)).toBe(0)
    mine(other, 2)
    expect(await one.reach(other)).toBe(true)
    expect(rollbacks(one)).toBe(1)
    chain.adopt(other)
    mine(chain, 1)
    other.adopt(chain)
    expect(await one.reach(chain)).toBe(true)
    expect(rollbacks(one)).toBe(1)
    expectChain(one)
  })
})

describe("an endpoint that stays on another branch", () => {
  it("is named in a warning while it does, and no longer", async () => {
    mine(chain, 30)
    other.adopt(chain)
    const one = await begin()
    expect(await one.reach(chain)).toBe(true)
    other.rewind(2)
    // far enough behind the head to be no matter of a moment; the other branch stays shorter
    mine(chain, 12)
    mine(other, 12)
    expect(await one.reach(chain)).toBe(true)
    const [, second] = nodes as [FakeRpc, FakeRpc]
    const block = chain.at(chain.head.number - 8)
    await expect
      .poll(() => one.status().warnings)
      .toEqual([
        `${second.url.slice(7)} has another block ${block?.number} of base than the log ` +
          `(${block?.hash}), and stands by it: it is on another branch, or of another chain. ` +
          "Its word is not followed while others are as far; see RPC_8453"
      ])
    expect(one.status().disputed).toBe(one.status().warnings[0])
    expectChain(one)
    other.adopt(chain)
    await expect.poll(() => one.status().warnings).toEqual([])
    expect(one.status().disputed).toBe(null)
    expect(rollbacks(one)).toBe(0)
  })
})

describe("two endpoints that go to other branches one after the other", () => {
  it("are warned of one by one, each with a line of the log", async () => {
    const third = new FakeChain(chain.chainId, chain.blockTime, "third")
    mine(chain, 30)
    other.adopt(chain)
    third.adopt(chain)
    const one = await begin(false, [chain, other, third])
    expect(await one.reach(chain)).toBe(true)
    const elsewhere = (text: string) => text.match(/(\S+) has another block/)?.[1] ?? null
    const warned = () => one.status().warnings.map(elsewhere)
    const [, second, last] = nodes.map(({ url }) => url.slice(7))
    other.rewind(2)
    // far enough behind the head to be no matter of a moment; the other branches stay shorter
    for (const view of [chain, other]) mine(view, 12)
    third.adopt(chain)
    await expect.poll(warned).toEqual([second])
    third.rewind(2)
    for (const view of [chain, other, third]) mine(view, 12)
    await expect.poll(warned).toEqual([second, last])
    expect(one.lines.map(elsewhere).filter(label => label !== null)).toEqual([second, last])
    expect(await one.reach(chain)).toBe(true)
    expectChain(one)
  })
})

describe("two endpoints on any branches", () => {
  it.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))("end in the chain: %d", async () => {
    mine(chain, r.integer(5, 40))
    other.adopt(chain)
    const one = await begin(r.boolean())
    /** branches that an endpoint took up: the log may not turn more often */
    let turns = 0
    for (let step = 0; step < 25; step++) {
      const [view, its] = r.boolean() ? ([chain, other] as const) : ([other, chain] as const)
      const depth = Math.min(view.head.number, r.integer(1, 4))
      switch (r.integer(0, 4)) {
        case 0:
          view.rewind(depth)
          mine(view, r.integer(depth, depth + 2))
          turns++
          break
        case 1:
          view.adopt(its)
          turns++
          break
        case 2:
          view.adopt(its, Math.max(0, its.head.number - r.integer(0, 3)))
          turns++
          break
        default:
          mine(view, r.integer(1, 2))
      }
      await sleep(r.integer(0, 20))
      // within the finality depth of each other
      if (step % 4 === 3) other.adopt(chain)
    }
    if (other.head.number > chain.head.number) chain.adopt(other)
    // a chain that ends below the log says nothing
    mine(chain, Math.max(3, (one.status().headBlock ?? 0) - chain.head.number + 1))
    other.adopt(chain)
    expect(await one.reach(chain)).toBe(true)
    expectChain(one)
    expect(rollbacks(one)).toBeLessThanOrEqual(turns + 7)
  })
})
