import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { isRpcUrl } from "../../../src/platform/rpc.ts"
import { FakeChain } from "../../../test/support/fake-chain.ts"
import {
  deployMarket,
  MUTE_POOL,
  randomTxs,
  TOKEN_A,
  TOKEN_B,
  V2_POOL,
  V3_POOL
} from "../../../test/support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../../../test/support/fake-rpc.ts"
import type { Faults } from "../../../test/support/fake-rpc-methods.ts"
import { PATIENCE_MS } from "../../../test/support/patience.ts"
import {
  gapsOf,
  loggedOf,
  type RpcRun,
  rpcChain,
  startRun,
  truthLogs
} from "../../../test/support/rpc-source.ts"
import { type Random, random } from "../../../test/support/seed.ts"
import { effective } from "../../../test/support/tape-input.ts"
import type { Event } from "../../event.ts"

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

let chain: FakeChain
let r: Random
let nodes: Array<FakeRpc>
let runs: Array<RpcRun>

beforeEach(context => {
  chain = new FakeChain()
  deployMarket(chain)
  r = random(context.task.name)
  nodes = []
  runs = []
})
afterEach(async () => {
  for (const run of runs) await run.stop()
  for (const node of nodes) await node.close()
})

const mine = (blocks: number) => {
  for (let i = 0; i < blocks; i++) chain.mine(randomTxs(r, 3))
}

const node = async (faults: Partial<Faults> = {}): Promise<FakeRpc> => {
  const rpc = await startFakeRpc(chain, `${nodes.length}`, faults)
  nodes.push(rpc)
  return rpc
}

const start = async (
  options: Parameters<typeof startRun>[0],
  before: ReadonlyArray<Event> = []
): Promise<RpcRun> => {
  const run = await startRun(options, before)
  runs.push(run)
  return run
}

const sealed = (run: RpcRun) =>
  effective(run.events).flatMap(event =>
    event.kind === "BlockSealed" ? [[event.block.number, event.grade] as const] : []
  )

/** The log is the chain: every event, in order, and every live block sealed. */
const expectTruth = (run: RpcRun, from = 0) => {
  expect(loggedOf(run.events)).toEqual(truthLogs(chain, from))
  expect(gapsOf(run.events)).toEqual([])
}

describe("a new log", () => {
  it("has the history by ranges and the newest blocks one by one", async () => {
    mine(120)
    const run = await start({ endpoints: [(await node()).url] })
    expect(await run.reach(chain)).toBe(true)
    expectTruth(run)
    const grades = sealed(run)
    expect(grades.filter(([number]) => number > 100).length).toBe(20)
    expect(
      grades.every(([n, grade]) => (n > 100 ? /root|bloom/ : /range|root|bloom/).test(grade))
    ).toBe(true)
    expect(grades.some(([number]) => number === 100)).toBe(true)
    expect(run.status()).toMatchObject({ state: "live", headBlock: 120, emittedBlock: 120 })
  })

  it("says with a seal where it begins, though the first blocks have no logs", async () => {
    chain = new FakeChain()
    for (let i = 0; i < 5; i++) chain.mine([])
    deployMarket(chain)
    mine(120)
    const run = await start({ endpoints: [(await node()).url] })
    expect(await run.reach(chain)).toBe(true)
    expectTruth(run)
    const [first, second] = sealed(run).map(([number]) => number)
    expect([first, second]).toEqual([0, truthLogs(chain)[0]?.block.number])
    expect(second).toBeGreaterThan(5)
  })

  it("begins where it is told, or at the head", async () => {
    mine(90)
    const rpc = await node()
    const some = await start({ endpoints: [rpc.url], start: "30" })
    expect(await some.reach(chain)).toBe(true)
    expectTruth(some, 30)
    const live = await start({ endpoints: [rpc.url], start: null })
    expect(await live.reach(chain)).toBe(true)
    expect(sealed(live).map(([number]) => number)).toEqual([90])
    mine(3)
    expect(await live.reach(chain)).toBe(true)
    expectTruth(live, 90)
  })

  it("falls back to ranges when the head is far ahead", async () => {
    mine(15)
    const rpc = await node()
    const run = await start({ endpoints: [rpc.url] })
    expect(await run.reach(chain)).toBe(true)
    const ranges = () => rpc.calls.get("eth_getLogs") ?? 0
    expect(ranges()).toBe(0)
    // what tokens did with payments stands in the receipts that prove the blocks
    expect(rpc.calls.get("eth_getTransactionReceipt")).toBe(undefined)
    for (let i = 0; i < 700; i++) chain.mine(i % 50 === 0 ? randomTxs(r, 3) : [])
    expect(await run.reach(chain)).toBe(true)
    expect(ranges()).toBeGreaterThan(0)
    expectTruth(run)
  })

  it("follows heads pushed over a WebSocket, also after it was cut", async () => {
    const rpc = await node()
    const run = await start({ endpoints: [rpc.wsUrl], pollMs: 60_000 })
    expect(await run.reach(chain)).toBe(true)
    for (let i = 0; i < 10; i++) {
      mine(1)
      expect(await run.reach(chain)).toBe(true)
    }
    const blocks = rpc.calls.get("eth_getBlockByNumber") ?? 0
    expect(blocks).toBeLessThan(16)
    rpc.cutSockets()
    // what is pushed before it has connected again it hears of with the next head
    const before = chain.head.number
    for (let tries = 0; tries < 40 && (run.status().emittedBlock ?? 0) <= before; tries++) {
      mine(1)
      await run.reach(chain, 500)
    }
    expect(await run.reach(chain)).toBe(true)
    expectTruth(run)
  })
})

describe("facts", () => {
  const allFacts = (run: RpcRun) =>
    run.events.flatMap(event =>
      event.kind === "PoolCreated" || event.kind === "TokenSeen" ? [event] : []
    )
  const subject = (fact: ReturnType<typeof allFacts>[number]) =>
    fact.kind === "PoolCreated" ? fact.pool : fact.token
  /** the first of each pool and token */
  const facts = (run: RpcRun) => {
    const subjects = allFacts(run).map(subject)
    return allFacts(run).filter((fact, i) => subjects.indexOf(subject(fact)) === i)
  }

  it("are read once and stand before a pool's first event", async () => {
    mine(60)
    const rpc = await node()
    const run = await start({ endpoints: [rpc.url] })
    expect(await run.reach(chain)).toBe(true)
    const found = facts(run)
    expect(found.filter(event => event.kind === "TokenSeen")).toMatchObject([
      { token: TOKEN_A, symbol: "AAA", name: "Token AAA", decimals: 18, totalSupply: 10n ** 24n },
      { token: TOKEN_B, symbol: "OLD", name: null, decimals: null, totalSupply: 7n }
    ])
    const pools = found.filter(event => event.kind === "PoolCreated")
    expect(pools.length).toBe(2)
    expect(pools).toContainEqual(
      expect.objectContaining({ pool: V2_POOL, fee: 2500, tickSpacing: null, source: "call" })
    )
    expect(pools).toContainEqual(
      expect.objectContaining({ pool: V3_POOL, fee: 500, tickSpacing: 10, venueKind: "uniswap-v3" })
    )
    for (const pool of [V2_POOL, V3_POOL]) {
      const about = run.events.filter(event => "pool" in event && event.pool === pool)
      expect(about[0]?.kind).toBe("PoolCreated")
    }
    mine(30)
    expect(await run.reach(chain)).toBe(true)
    expect(facts(run).length).toBe(4)
    // Only the token without decimals is asked again, as long as the hour has not passed.
    const again = allFacts(run).filter(fact => !found.includes(fact))
    for (const fact of again) expect(subject(fact)).toBe(TOKEN_B)
    expect(run.events.some(event => "pool" in event && event.pool === MUTE_POOL)).toBe(true)
  })

  it("come from the newest state where the node has no older one", async () => {
    mine(60)
    const run = await start({ endpoints: [(await node({ noState: true })).url] })
    expect(await run.reach(chain)).toBe(true)
    expect(facts(run).length).toBe(4)
  })

  it("are not told again after a restart, but after a rollback of their block", async () => {
    mine(3)
    while (chain.head.number < 12) mine(1)
    const rpc = await node()
    const first = await start({ endpoints: [rpc.url] })
    expect(await first.reach(chain)).toBe(true)
    await first.stop()
    mine(3)
    const second = await start({ endpoints: [rpc.url] }, first.events)
    expect(await second.reach(chain)).toBe(true)
    expect(facts(second).length).toBe(4)
    await second.stop()
    chain.rewind(chain.head.number)
    mine(20)
    const third = await start({ endpoints: [rpc.url] }, second.events)
    expect(await third.reach(chain)).toBe(true)
    const kept = effective(third.events)
    for (const pool of [V2_POOL, V3_POOL]) {
      const about = kept.filter(event => "pool" in event && event.pool === pool)
      expect(about[0]?.kind).toBe("PoolCreated")
    }
  })
})

describe("a node's limits", () => {
  it.each([
    ["range", { rangeLimit: 7 }],
    ["result", { resultLimit: 9 }],
    ["both, less than a block holds", { rangeLimit: 30, resultLimit: 2 }],
    ["a range that it tells in its own words", { rangeLimit: 7, limitText: "do not be greedy" }]
  ])("of %s are learnt and kept", async (_, faults) => {
    mine(200)
    const run = await start({ endpoints: [(await node(faults)).url] })
    expect(await run.reach(chain)).toBe(true)
    expectTruth(run)
  })

  it("of batches are worked around", async () => {
    mine(80)
    const run = await start({ endpoints: [(await node({ noBatch: true })).url] })
    expect(await run.reach(chain)).toBe(true)
    expectTruth(run)
  })

  it("of methods are worked around: no block receipts", async () => {
    mine(60)
    const rpc = await node({ noReceipts: true })
    const run = await start({ endpoints: [rpc.url] })
    expect(await run.reach(chain)).toBe(true)
    mine(10)
    expect(await run.reach(chain)).toBe(true)
    expectTruth(run)
    expect(rpc.calls.get("eth_getBlockReceipts")).toBeLessThanOrEqual(8)
    expect(rpc.calls.get("eth_getTransactionReceipt")).toBeGreaterThan(20)
    expect(sealed(run).every(([, grade]) => grade !== "unproven")).toBe(true)
  })
})

describe("a configuration that cannot be right", () => {
  it("stops the source: a node of another chain", async () => {
    const other = new FakeChain(137)
    const rpc = await startFakeRpc(other, "other")
    nodes.push(rpc)
    const run = await start({ endpoints: [rpc.url] })
    const message = `${rpc.url.slice(7)} serves chain 137, not chain 8453: check RPC_8453`
    expect(await run.ended).toMatchObject({ fatal: true, message })
    expect(run.status()).toMatchObject({ state: "stopped", problem: message })
  })

  it("stops the source only where all endpoints keep saying so", async () => {
    mine(5)
    const [first, second] = [await node({ wrongIds: 99 }), await node({ wrongIds: 99 })]
    const run = await start({ endpoints: [first.url, second.url] })
    expect(await run.ended).toMatchObject({
      fatal: true,
      message: expect.stringMatching(/ serves chain 137, not chain 8453: check RPC_8453$/)
    })
    for (const { calls } of [first, second]) expect(calls.get("eth_chainId")).toBe(4)
  })

  it.each([
    [{ endpoints: [] }, "RPC_8453 names no endpoint"],
    [
      { endpoints: ["http://a.example", "ftp://secret@b.example"] },
      "RPC_8453: part 2 is no http or ws URL"
    ],
    [
      { endpoints: ["http://a.example"], start: "-5" },
      'START_8453 is neither a block number nor "latest": -5'
    ]
  ])("is refused before anything starts: %o", async (options, message) => {
    await expect(startRun(options)).rejects.toThrow(message)
    expect(isRpcUrl("wss://a.example/v2/key")).toBe(true)
  })
})

describe("a node that tells of another chain", () => {
  it("now and then is asked again", async () => {
    mine(5)
    const rpc = await node({ wrongIds: 3 })
    const run = await start({ endpoints: [rpc.url] })
    expect(await run.reach(chain)).toBe(true)
    expect(rpc.calls.get("eth_chainId")).toBe(4)
    expectTruth(run)
  })

  it("again and again is set aside while another one serves", async () => {
    mine(5)
    const [first, second] = [await node({ wrongIds: 99 }), await node()]
    const run = await start({ endpoints: [first.url, second.url] })
    while ((first.calls.get("eth_chainId") ?? 0) < 4) await sleep(5)
    mine(5)
    expect(await run.reach(chain)).toBe(true)
    expectTruth(run)
    const [aside, used] = run.status().endpoints
    expect(aside).toMatchObject({
      state: "resting",
      problem: `${first.url.slice(7)} serves chain 137, not chain 8453: check RPC_8453`
    })
    // of 300 s some have passed
    expect(aside?.restMs).toBeGreaterThan(120_000)
    expect(used).toMatchObject({ state: "in-use", problem: null })
    expect(first.calls.get("eth_chainId")).toBe(4)
  })
})

it("takes no news of heads from a socket of another chain", async () => {
  const other = new FakeChain()
  for (let i = 0; i < 3000; i++) other.mine([])
  mine(20)
  const foreign = await startFakeRpc(other, "other", { wrongIds: Number.MAX_SAFE_INTEGER })
  nodes.push(foreign)
  const run = await start({ endpoints: [(await node()).url, foreign.wsUrl], pollMs: 50 })
  expect(await run.reach(chain)).toBe(true)
  for (let i = 0; i < 5; i++) {
    mine(1)
    other.mine([])
    expect(await run.reach(chain)).toBe(true)
    other.mine([])
    await sleep(20)
  }
  expectTruth(run)
  expect(run.status().headBlock).toBe(chain.head.number)
})

describe("a dead node", () => {
  it("is waited for, and shown without its secrets", async () => {
    mine(5)
    const rpc = await node({ reset: 1 })
    const url = rpc.url.replace("//", "//user:hunter2@").concat("/v2/0123456789abcdef?key=s3cret")
    const run = await start({ endpoints: [url] })
    await vi.waitUntil(() => run.status().retries > 2, { timeout: PATIENCE_MS })
    const status = run.status()
    expect(status).toMatchObject({ state: "retrying", description: rpc.url.slice(7) })
    expect(status.problem).toContain("eth_")
    expect(JSON.stringify(status)).not.toMatch(/hunter2|0123456789abcdef|s3cret/)
    rpc.faults.reset = 0
    expect(await run.reach(chain)).toBe(true)
    expect(run.status()).toMatchObject({ state: "live", problem: null })
    expectTruth(run)
  })

  it("is left for another one", async () => {
    mine(30)
    const [first, second] = [await node(), await node()]
    // which of two equals is used may change with their latency
    second.faults.lag = 5
    // an honest one may take a while on a busy machine; the one that hangs is waited for once
    const rpc = { timeoutMs: 2_000, maxAnswerBytes: 2 ** 24 }
    const run = await start({ endpoints: [first.url, second.url], rpc })
    expect(await run.reach(chain)).toBe(true)
    // its head is compared, nothing else is asked of it
    expect(second.calls.get("eth_getBlockReceipts")).toBe(undefined)
    second.faults.lag = 0
    first.faults.hang = 1
    mine(3)
    expect(await run.reach(chain)).toBe(true)
    first.faults.hang = 0
    second.faults.html = 1
    mine(3)
    expect(await run.reach(chain)).toBe(true)
    expectTruth(run)
  })
})

it("has the finality depth these tests count with", () => {
  expect(rpcChain.finalityDepth).toBe(20)
})
