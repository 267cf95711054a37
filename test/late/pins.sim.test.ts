/** However late a token is pinned, and whatever happens meanwhile, its transfers end in the log. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Address } from "../../src/domain/address.ts"
import type { Event } from "../../streams/event.ts"
import type { PinStatus } from "../../streams/source.ts"
import { FakeChain, type FakeTx } from "../support/fake-chain.ts"
import { transferLog } from "../support/fake-logs.ts"
import { deployMarket, FACTORY, randomTxs, TOKEN_A, V2_POOL } from "../support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../support/fake-rpc.ts"
import { type Faults, noFaults } from "../support/fake-rpc-methods.ts"
import { type LateRun, type LateRunOptions, logNow, startLate } from "../support/late-run.ts"
import { type LogServer, startLogServer } from "../support/log-server.ts"
import { PATIENCE_MS } from "../support/patience.ts"
import { rpcChain, transfersOf, truthLogs } from "../support/rpc-source.ts"
import { type Random, random, seed } from "../support/seed.ts"

const TOKEN_C = `0x${"c3".repeat(20)}` as const
const CREATED = 60
const [HISTORY, KILLS] = process.env["SWAPTAPE_LONG"] === "1" ? [3_000, 8] : [170, 5]

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

let chain: FakeChain
let r: Random
let server: LogServer
let nodes: Array<FakeRpc>
let run: LateRun | null

beforeAll(() => console.log(`pins: SEED=${seed}`))
beforeEach(async context => {
  chain = new FakeChain()
  deployMarket(chain)
  r = random(context.task.name)
  server = await startLogServer()
  nodes = []
  run = null
})
afterEach(async () => {
  await run?.kill()
  for (const node of nodes) await node.close()
  await server.stop()
})

const someTransfers = (): ReadonlyArray<FakeTx> =>
  r.boolean(0.3)
    ? [
        {
          from: TOKEN_A,
          to: TOKEN_C,
          logs: Array.from({ length: r.integer(1, 3) }, () => {
            const log = transferLog(TOKEN_C, TOKEN_A, V2_POOL, r.bits(90))
            // what no ERC-20 token logs: a token of its own id, and half an amount
            if (r.boolean(0.1)) return { ...log, topics: [...log.topics, log.topics[0] ?? "0x"] }
            return r.boolean(0.05) ? { ...log, data: "0x00" as const } : log
          })
        }
      ]
    : []

const mine = (blocks: number) => {
  for (let i = 0; i < blocks; i++) {
    const created = chain.head.number + 1 >= CREATED
    chain.mine(r.shuffle([...randomTxs(r, 2), ...(created ? someTransfers() : [])]))
  }
}

/** The chain with the token's contract, and blocks of before the start. */
const history = (blocks = HISTORY) => {
  chain.contracts.set(TOKEN_C, {})
  chain.createdAt.set(TOKEN_C, CREATED)
  mine(blocks)
}

const begin = async (options: Partial<LateRunOptions> = {}, ...faults: ReadonlyArray<object>) => {
  if (nodes.length === 0) {
    for (const one of faults.length === 0 ? [{}] : faults)
      nodes.push(await startFakeRpc(chain, `${nodes.length} ${r.next()}`, one as Partial<Faults>))
  }
  run = await startLate(server, {
    endpoints: nodes.map(node => node.url),
    rpc: { timeoutMs: 400, maxAnswerBytes: 2 ** 24 },
    ...options
  })
}

const eventually = async (what: string, check: () => boolean) => {
  const until = performance.now() + PATIENCE_MS
  while (!check()) {
    expect(run?.ended() ?? null).toBe(null)
    if (performance.now() > until)
      throw new Error(`${what}: ${JSON.stringify([run?.late, run?.status()])}`)
    await sleep(10)
  }
}

const pinOf = (token: string): PinStatus | undefined =>
  run?.late.pins.find(pin => pin.token === token)

const atHead = () => run?.loggedBlock() === chain.head.number

/** Blocks come until the log holds every transfer of the tokens. */
const untilComplete = async (...tokens: ReadonlyArray<string>) => {
  await eventually("complete", () => {
    if (atHead() || r.boolean(0.1)) mine(1)
    return tokens.every(token => pinOf(token)?.complete === true)
  })
  mine(1)
  await eventually("the head", atHead)
}

const inOrder = (events: ReadonlyArray<Event>) =>
  events.toSorted((a, b) => a.block.number - b.block.number || a.logIndex - b.logIndex)

/** The log against the chain: swaps from a block on, transfers since ever. */
const expectTruth = async (from: number, ...tokens: ReadonlyArray<string>) => {
  await eventually("the head", atHead)
  const log = await logNow(server, rpcChain.key)
  const told = inOrder([...log.events, ...log.joined].filter(({ tx }) => tx !== null))
  const truth = inOrder([...truthLogs(chain, from), ...transfersOf(chain, tokens)])
  expect(told).toEqual(truth)
  expect(log.gaps).toEqual([])
  return log
}

const kindsOf = (events: ReadonlyArray<Event>, kind: Event["kind"]) =>
  events.filter(event => event.kind === kind)

describe("a pinned token", () => {
  it("has all its transfers, whether it was pinned at the start or late", async () => {
    history()
    await begin({ pins: [TOKEN_C, TOKEN_A] })
    await untilComplete(TOKEN_C, TOKEN_A)
    // this node tells no balances: its word is not taken for any
    await eventually("audits that came to nothing", () =>
      [TOKEN_C, TOKEN_A].every(token => pinOf(token)?.unaudited?.includes("could not be read"))
    )
    const early = await expectTruth(0, TOKEN_C, TOKEN_A)
    expect(kindsOf(early.events, "HoldersAudited")).toEqual([])
    await run?.kill()
    await server.stop()
    server = await startLogServer()
    await begin({})
    await eventually("the head", atHead)
    run?.pin([TOKEN_C])
    mine(r.integer(1, 5))
    await eventually("pinned", () => pinOf(TOKEN_C)?.addedBlock != null)
    run?.pin([TOKEN_A, TOKEN_C])
    await untilComplete(TOKEN_C, TOKEN_A)
    const late = await expectTruth(0, TOKEN_C, TOKEN_A)
    expect(pinOf(TOKEN_C)).toMatchObject({
      state: "complete",
      createdBlock: CREATED,
      floorBlock: CREATED,
      reachedBlock: null,
      problem: null
    })
    expect(kindsOf(late.events, "TokenPinned").length).toBe(2)
    expect(kindsOf(late.joined, "TransferSeen").length).toBeGreaterThan(
      kindsOf(early.joined, "TransferSeen").length
    )
    // a pin moves nothing
    expect([late.rollbacks, late.stored]).toEqual([0, late.events.length])
  })

  it("has those of before the log's first block too", async () => {
    history()
    await begin({ start: "latest" })
    await eventually("the head", atHead)
    const first = chain.head.number
    mine(3)
    await eventually("the head", atHead)
    run?.pin([TOKEN_C])
    await untilComplete(TOKEN_C)
    const { events } = await expectTruth(first, TOKEN_C)
    const seals = kindsOf(events, "BlockSealed").map(({ block }) => block.number)
    // a block of which only transfers were read is not complete
    expect(Math.min(...seals)).toBe(first)
  })

  it("has them however often the engine is killed", async () => {
    history()
    for (let kill = 0; kill < KILLS; kill++) {
      const pins = kill < 2 ? [] : kill === 2 ? [TOKEN_A] : [TOKEN_C]
      await begin({ start: String(HISTORY - 100), pins })
      mine(r.integer(1, 9))
      // once the log tells of it, nobody needs to ask again
      if (kill === 2) await eventually("pinned", () => pinOf(TOKEN_A)?.addedBlock != null)
      await sleep(r.integer(0, 300))
      await run?.kill()
    }
    await begin({ pins: [TOKEN_C] })
    await untilComplete(TOKEN_C, TOKEN_A)
    await expectTruth(HISTORY - 100, TOKEN_C, TOKEN_A)
  })

  it("has them over one URL's sockets, and every call its answer", async () => {
    history()
    const node = await startFakeRpc(chain, "sockets")
    nodes.push(node)
    await begin({ endpoints: [node.wsUrl], rpc: { timeoutMs: 20_000, maxAnswerBytes: 2 ** 24 } })
    await eventually("the head", atHead)
    run?.pin([TOKEN_C, TOKEN_A])
    await untilComplete(TOKEN_C, TOKEN_A)
    await expectTruth(0, TOKEN_C, TOKEN_A)
    expect(run?.status()?.endpoints).toMatchObject([{ errors: 0, wrongAnswers: 0 }])
  })

  it("is pinned again where a reorg undid it", async () => {
    history()
    await begin()
    await eventually("the head", atHead)
    run?.pin([TOKEN_C])
    mine(4)
    await eventually("pinned", () => pinOf(TOKEN_C)?.addedBlock != null)
    for (let fork = 0; fork < 4; fork++) {
      const depth = r.integer(3, 10)
      chain.rewind(depth)
      mine(depth + r.integer(1, 4))
      await eventually("the head", atHead)
    }
    await untilComplete(TOKEN_C)
    const { events } = await expectTruth(0, TOKEN_C)
    expect(kindsOf(events, "TokenPinned").length).toBe(1)
  })

  it("stays complete while history is read and blocks are repaired", async () => {
    history()
    await begin({ start: "latest", floor: 20, minPart: 40 }, { dropLogs: 0.3 }, { dropLogs: 0.1 })
    for (let step = 0; step < 12; step++) {
      if (step === 3) run?.pin([TOKEN_C])
      if (step === 6) run?.pin([TOKEN_A])
      mine(r.integer(1, 4))
      await sleep(r.integer(0, 60))
    }
    for (const node of nodes) node.faults.dropLogs = 0
    await untilComplete(TOKEN_C, TOKEN_A)
    await eventually("no gaps", () => run?.isWhole() === true)
    await expectTruth(20, TOKEN_C, TOKEN_A)
  })
})

const TOKEN_D = `0x${"d4".repeat(20)}` as const

it("a pin says why its past cannot be read, for as long as that is so", async () => {
  history(100)
  // it has no transfers that a node could forget
  chain.contracts.set(TOKEN_D, {})
  await begin()
  await eventually("the head", atHead)
  const [node] = nodes as [FakeRpc]
  Object.assign(node.faults, { keepsLogs: 30, keepsReceiptLogs: 30 })
  run?.pin([TOKEN_C])
  // before the node refuses, it may be said that none has told anything
  await eventually("a problem", () => {
    if (atHead()) mine(1)
    return pinOf(TOKEN_C)?.problem?.startsWith("earlier transfers") === true
  })
  expect(pinOf(TOKEN_C)?.problem).toMatch(
    /^earlier transfers cannot be read: block \d+: the bloom shows .* in RPC_8453 .*archive node/
  )
  expect(pinOf(TOKEN_C)).toMatchObject({ complete: false, reachedBlock: null })
  // whose past can be read waits for no other
  run?.pin([TOKEN_D])
  await eventually("another pin", () => {
    if (atHead()) mine(1)
    return pinOf(TOKEN_D)?.complete === true
  })
  expect(pinOf(TOKEN_C)?.problem).not.toBe(null)
  Object.assign(node.faults, noFaults())
  await untilComplete(TOKEN_C)
  expect(pinOf(TOKEN_C)?.problem).toBe(null)
  await expectTruth(0, TOKEN_C)
})

it("a pin says that nobody tells its past, while no call is answered", async () => {
  history(100)
  await begin()
  await eventually("the head", atHead)
  const [node] = nodes as [FakeRpc]
  // to find its creation alone takes some calls: none is over before it is seen to be pinned
  Object.assign(node.faults, { lateMs: 60 })
  run?.pin([TOKEN_C])
  await eventually("the pin", () => {
    if (atHead()) mine(1)
    return pinOf(TOKEN_C)?.state === "pinned"
  })
  Object.assign(node.faults, { hang: 1 })
  await eventually(
    "a problem",
    () => pinOf(TOKEN_C)?.problem?.includes("no node has told") === true
  )
  Object.assign(node.faults, noFaults())
  await untilComplete(TOKEN_C)
  expect(pinOf(TOKEN_C)?.problem).toBe(null)
  await expectTruth(0, TOKEN_C)
})

describe("a token whose creation nobody can tell", () => {
  it("is read from the registry's first block, and to the end once somebody can", async () => {
    history()
    const venues = [
      { id: "uniswap_v2", kind: "uniswap-v2", factory: FACTORY as Address, startBlock: 100 }
    ]
    await begin(
      { pins: [TOKEN_C], start: "150", chain: { ...rpcChain, venues } },
      { noState: true }
    )
    await eventually("incomplete", () => {
      if (atHead()) mine(1)
      return pinOf(TOKEN_C)?.state === "incomplete"
    })
    expect(pinOf(TOKEN_C)).toMatchObject({ createdBlock: null, floorBlock: 100, complete: false })
    expect(pinOf(TOKEN_C)?.problem).toMatch(/transfers before block 100/)
    await run?.kill()
    const [node] = nodes as [FakeRpc]
    node.faults.noState = false
    await begin({ chain: { ...rpcChain, venues } })
    await untilComplete(TOKEN_C)
    expect(pinOf(TOKEN_C)).toMatchObject({ createdBlock: CREATED, floorBlock: CREATED })
    await expectTruth(150, TOKEN_C)
  })

  it("is read from the chain's first block where the registry knows none", async () => {
    history(100)
    await begin({ pins: [TOKEN_C] }, { noState: true })
    await untilComplete(TOKEN_C)
    expect(pinOf(TOKEN_C)).toMatchObject({ createdBlock: null, floorBlock: 0, problem: null })
    await expectTruth(0, TOKEN_C)
  })
})

it("a token may be pinned before it is created", async () => {
  mine(30)
  await begin({ pins: [TOKEN_C] })
  await eventually("absent", () => pinOf(TOKEN_C)?.problem?.includes("no contract") === true)
  expect(pinOf(TOKEN_C)).toMatchObject({ state: "pinned", complete: false })
  await run?.kill()
  history(CREATED)
  await begin()
  await untilComplete(TOKEN_C)
  expect(pinOf(TOKEN_C)).toMatchObject({ createdBlock: CREATED })
  await expectTruth(0, TOKEN_C)
})

it("nothing is asked of a node for transfers where nothing is pinned", async () => {
  history(60)
  const asked = async (pins: ReadonlyArray<string>) => {
    await begin({ pins, reading: "ranges" })
    await eventually("the head", atHead)
    await run?.kill()
    const [node] = nodes as [FakeRpc]
    return node.calls.get("eth_getLogs") ?? 0
  }
  const without = await asked([])
  await server.stop()
  server = await startLogServer()
  const [node] = nodes as [FakeRpc]
  await node.close()
  nodes = []
  expect(await asked([TOKEN_C])).toBeGreaterThan(without)
})
