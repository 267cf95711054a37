/** The source against nodes that limit, lie, leave out, answer late and fork. */
import { Effect, Fiber, Stream } from "effect"
import { expect, it } from "vitest"
import {
  blockResult,
  type FakeCall,
  type FakeSolana,
  type Fault,
  grown
} from "../../../test/support/fake-solana.ts"
import { rounds } from "../../../test/support/rounds.ts"
import { type Random, random, seed } from "../../../test/support/seed.ts"
import { testNodes } from "../../../test/support/solana-nodes.ts"
import { openSource, ReadChain, readRange } from "../../../test/support/solana-reading.ts"
import type { SolanaBatch } from "../../solana/block.ts"

const { servers, nodeOf, follow } = testNodes()

const hashes = (chain: ReadChain) => chain.blocks.map(({ hash }) => hash)

const detailsOf = ({ params }: FakeCall): string =>
  (params[1] as { readonly transactionDetails?: string } | undefined)?.transactionDetails ?? ""

/** The block of the first slot of a range, whatever it is asked for. */
const range = async (chain: FakeSolana, ...faults: ReadonlyArray<Fault>) => {
  const urls = await Promise.all(faults.map(fault => nodeOf(chain, fault)))
  const source = openSource(urls)
  const first = chain.blocks[1]!.slot
  return { source, found: await readRange(source, first, chain.blocks[19]!.slot) }
}

const wanted = (chain: FakeSolana) => chain.blocks.slice(1, 20).map(({ blockhash }) => blockhash)

const foundHashes = (found: ReadChain | string) =>
  found instanceof ReadChain ? hashes(found) : found

it("reads a range with skipped slots, in order", async () => {
  const chain = grown(40, 2)
  const { found } = await range(chain, () => null)
  expect(foundHashes(found)).toEqual(wanted(chain))
})

it("finds by its child what a list of slots leaves out, at the end of a range too", async () => {
  const chain = grown(40, 1)
  const left = new Set([3, 4, 5, 19].map(at => chain.blocks[at]!.slot))
  const { found } = await range(chain, ({ method }, honest) => {
    const { result } = honest as { readonly result: ReadonlyArray<number> }
    return method === "getBlocks" ? { result: result.filter(slot => !left.has(slot)) } : null
  })
  expect(foundHashes(found)).toEqual(wanted(chain))
})

it("gives out nothing behind a range whose next slots a list leaves out", async () => {
  const chain = grown(40)
  const left = new Set([20, 21].map(at => chain.blocks[at]!.slot))
  const { found } = await range(chain, ({ method }, honest) => {
    const { result } = honest as { readonly result: ReadonlyArray<number> }
    return method === "getBlocks" ? { result: result.filter(slot => !left.has(slot)) } : null
  })
  expect(foundHashes(found)).toEqual(wanted(chain))
})

it("believes no error that a slot was skipped", async () => {
  const chain = grown(40)
  const { slot } = chain.blocks[7]!
  let refusals = 0
  const { found } = await range(chain, ({ method, params }) =>
    method === "getBlock" && params[0] === slot && refusals++ < 3
      ? { error: { code: -32007, message: `Slot ${slot} was skipped` } }
      : null
  )
  expect(foundHashes(found)).toEqual(wanted(chain))
})

it("asks who has a block that another has no more, and says where nobody has", async () => {
  const chain = grown(40)
  const { slot } = chain.blocks[7]!
  const gone: Fault = ({ method, params }) =>
    method === "getBlock" && params[0] === slot
      ? { error: { code: -32001, message: `Block ${slot} cleaned up` } }
      : null
  const one = await range(chain, gone, () => null)
  expect(foundHashes(one.found)).toEqual(wanted(chain))
  const none = await range(chain, gone)
  const label = new URL(servers.at(-1)!.url).host
  expect(none.found).toBe(
    `slot ${slot}: no endpoint has its block: ${label} getBlock: Block ${slot} cleaned up (-32001)`
  )
})

it.each([
  [-32001, "cleaned up, does not exist on node. First available block: 1100", 6],
  [-32009, "was skipped, or missing in long-term storage", 38]
])("has a third endpoint told where the second has old blocks no more (%i)", async (...of) => {
  const [code, words, most] = of
  const chain = grown(40)
  let asked = 0
  const pruned: Fault = ({ method, params }) => {
    if (method !== "getBlock") return null
    asked++
    return { error: { code, message: `Slot ${params[0]} ${words}` } }
  }
  const { found } = await range(
    chain,
    () => null,
    pruned,
    () => null
  )
  if (!(found instanceof ReadChain)) throw new Error(found)
  expect(hashes(found)).toEqual(wanted(chain))
  expect(found.blocks.map(({ grade }) => grade)).toEqual(found.blocks.map(() => "second"))
  // as many as are in flight before the first answer
  expect(asked).toBeLessThanOrEqual(most)
})

it("asks again where an answer is of another slot", async () => {
  const chain = grown(40)
  let lies = 0
  const { found, source } = await range(chain, ({ method, params }) => {
    const at = chain.blocks.findIndex(({ slot }) => slot === params[0])
    if (method !== "getBlock" || at % 4 !== 3 || lies++ >= 5) return null
    return { result: blockResult(chain.blocks[at - 2]!, "full") }
  })
  expect(foundHashes(found)).toEqual(wanted(chain))
  expect(lies).toBeGreaterThan(5)
  expect(source.status().state).toBe("starting")
})

it("refuses a block of a time far ahead of the clock, which all later ones would have", async () => {
  const chain = grown(30)
  // a quarter of an hour is granted, as to blocks of any chain
  const ahead = Math.floor(Date.now() / 1000) + 1_000
  const lying: Fault = ({ method }, honest) => {
    const { result } = honest as { readonly result?: object }
    return method === "getBlock" && result !== undefined
      ? { result: { ...result, blockTime: ahead } }
      : null
  }
  const { found } = await range(chain, lying, () => null)
  expect(foundHashes(found)).toEqual(wanted(chain))
  const times = found instanceof ReadChain ? found.blocks.map(one => one.timeSeconds) : []
  expect(times.length).toBe(19)
  expect(times.filter(time => time === null || time >= ahead)).toEqual([])
})

it.each([
  ["getBlock", { blockhash: "hash" }],
  ["getBlock", { blockhash: null }],
  ["getBlock", { blockTime: -5 }],
  ["getBlock", { blockTime: "1024" }],
  ["getBlock", { parentSlot: 1019 }],
  ["getSlot", "1019"],
  ["getSlot", 1e30]
])("counts what no honest node gives, to %s %j, and asks another", async (method, told) => {
  const chain = grown(20)
  const server = await nodeOf(chain, call => {
    if (call.method !== method) return null
    const block = chain.at(call.params[0] as number)
    if (typeof told !== "object") return { result: told }
    return block === undefined
      ? null
      : { result: { ...blockResult(block, detailsOf(call)), ...told } }
  })
  const source = openSource([server, await nodeOf(chain)])
  const following = follow(source)
  const { chain: read } = following
  await expect.poll(() => hashes(read)).toEqual([chain.head.blockhash])
  const wrongAnswers = () => source.status().endpoints.map(one => one.wrongAnswers)
  // on a slow machine the other may have answered for it: it is asked about later blocks, too
  const isCounted = () => {
    const isWrong = wrongAnswers()[0] !== 0
    if (!isWrong) chain.produce()
    return isWrong
  }
  await expect.poll(isCounted).toBe(true)
  const given = () => chain.blocks.slice(19).map(({ blockhash }) => blockhash)
  await expect.poll(() => hashes(read)).toEqual(given())
  expect(wrongAnswers()[1]).toBe(0)
})

it.each([
  ["first", 0, {}],
  ["second", 1, { word: 1 }]
] as const)("goes on without who is silent, asked %s, and blames nobody else", async (...of) => {
  const [, silent, grades] = of
  const chain = grown(20)
  const quiet: Fault = ({ method }) => (method === "getBlock" ? "silence" : null)
  const urls = [await nodeOf(chain), await nodeOf(chain)]
  urls[silent] = await nodeOf(chain, quiet)
  const source = openSource(urls, [], null, 60_000)
  const following = follow(source)
  await expect.poll(() => following.chain.blocks.length).toBe(1)
  const { endpoints, grades: told } = source.status()
  expect(endpoints[silent]?.errors).toBeGreaterThan(0)
  expect(endpoints[1 - silent]).toMatchObject({ problem: null, errors: 0 })
  expect(endpoints.map(({ wrongAnswers }) => wrongAnswers)).toEqual([0, 0])
  expect(told).toMatchObject(grades)
})

it("says that a WebSocket pushes nothing, and reads the chain without it", async () => {
  const chain = grown(20)
  const source = openSource([await nodeOf(chain), "ws://127.0.0.1:1"])
  follow(source)
  const warnings = () => {
    chain.produce()
    return source.status().warnings
  }
  await expect
    .poll(warnings)
    .toEqual(["127.0.0.1:1 pushes no new blocks over its WebSocket: they are asked for instead"])
})

it("waits for a block that is not there yet, and tells no error of it", async () => {
  const chain = grown(20)
  let early = 0
  const url = await nodeOf(chain, ({ method }) =>
    method === "getBlock" && early++ < 3
      ? { error: { code: -32004, message: "Block not available" } }
      : null
  )
  const source = openSource([url])
  const following = follow(source)
  await expect.poll(() => following.chain.blocks.length).toBe(1)
  expect(source.status()).toMatchObject({ state: "live", retries: 0, headBlock: chain.head.slot })
})

it("rolls back by a fork, and back to where a log stands after a restart", async () => {
  const chain = grown(20)
  const url = await nodeOf(chain)
  const source = openSource([url])
  const following = follow(source)
  const { chain: read } = following
  const start = chain.head
  await expect.poll(() => read.blocks.length).toBe(1)
  for (let i = 0; i < 4; i++) chain.produce()
  await expect.poll(() => read.blocks.length).toBe(5)
  chain.fork(2)
  chain.produce(1)
  const ofBranch = () => [start, ...chain.blocks.slice(20)].map(({ blockhash }) => blockhash)
  await expect.poll(() => hashes(read)).toEqual(ofBranch())
  expect(read.rollbacks).toBe(1)
  expect(source.status()).toMatchObject({ reorgs: 1, lastReorgDepth: 2 })
  await following.stop()

  const blocks = read.blocks.map(({ slot: number, hash, timeSeconds }) => ({
    ...{ number, hash, time: timeSeconds }
  }))
  chain.fork(3)
  chain.produce(6)
  chain.produce()
  const again = follow(openSource([url]), { blocks, knownPools: [], knownTokens: [] })
  again.chain.blocks = [...read.blocks]
  await expect.poll(() => hashes(again.chain)).toEqual(ofBranch())
  expect(again.chain.rollbacks).toBe(1)
})

it("goes back to before its first block, whose time nodes tell, or else that of its child", async () => {
  for (const isTold of [true, false]) {
    const chain = grown(20)
    const [start, parent] = [chain.blocks[19]!.slot, chain.blocks[18]!.slot]
    const hidden: Fault = ({ method, params }) =>
      method === "getBlock" && params[0] === parent && !isTold
        ? { error: { code: -32001, message: `Block ${parent} cleaned up` } }
        : null
    const batches: Array<SolanaBatch> = []
    const reading = Stream.runForEach(
      openSource([await nodeOf(chain, hidden)]).batches({
        blocks: [],
        knownPools: [],
        knownTokens: []
      }),
      batch => Effect.sync(() => batches.push(batch))
    )
    const fiber = Effect.runFork(reading)
    await expect.poll(() => batches.length).toBe(1)
    chain.fork(1)
    chain.produce(1)
    await expect.poll(() => batches.length).toBe(2)
    const { blockhash: toHash } = chain.at(parent)!
    const toTime = 5 + (isTold ? parent : start + 2)
    expect(batches[1]?.[0]).toEqual({
      ...{ _tag: "Rollback", toBlock: parent, toHash, toTime, fromBlock: start }
    })
    await Effect.runPromise(Fiber.interrupt(fiber))
  }
})

it("ends where a log is of another chain", async () => {
  const chain = grown(20)
  const blocks = [{ number: chain.blocks[15]!.slot, hash: "of another" }]
  const source = openSource([await nodeOf(chain)])
  follow(source, { blocks, knownPools: [], knownTokens: [] })
  await expect.poll(() => source.status().state).toBe("stopped")
  expect(source.status().problem).toBe(
    `the chain at ${source.status().description} shares none of the blocks from slot 1015 to ` +
      "1015: it is another chain, or was begun anew"
  )
})

it("reads old blocks again, and tells of one that held other transactions", async () => {
  const chain = grown(20)
  const source = openSource([await nodeOf(chain)])
  const following = follow(source)
  await expect.poll(() => following.chain.blocks.length).toBe(1)
  const { slot } = chain.head
  for (let i = 0; i < 10; i++) chain.produce()
  await expect.poll(() => source.audit()).toMatchObject({ cursor: slot, different: 0 })
  const at = chain.blocks.findIndex(block => block.slot === slot)
  chain.blocks[at] = { ...chain.blocks[at]!, signatures: ["late".padEnd(88, "s")] }
  await expect.poll(() => source.audit().different).toBeGreaterThan(0)
  expect(source.status().warnings[0]).toBe(
    `slot ${slot} held other transactions when it was read first, by ${source.status().description}`
  )
})

it.each([
  [["nonsense"], "part 1 of the endpoints is no http or ws URL"],
  [["ws://127.0.0.1:1"], "there is no endpoint with an http URL"]
])("refuses %j", (urls, message) => {
  expect(() => openSource(urls)).toThrow(message)
})

/** What a node may do wrong; a flaky one only what passes. */
const faultsOf = (draw: Random, chain: FakeSolana, isLiar: boolean): Fault => {
  const passing: ReadonlyArray<Fault> = [
    () => "hang-up",
    () => ({ status: 429, headers: { "retry-after": "0" }, body: "slow down" }),
    () => ({ status: 500, body: "<html>" }),
    () => ({ body: "{" }),
    ({ method }) =>
      method === "getBlock" ? { error: { code: -32004, message: "Block not available" } } : null,
    ({ method }) => (method === "getBlock" ? { result: null } : null),
    ({ method }, honest) => {
      const { result } = honest as { readonly result: ReadonlyArray<number> }
      return method === "getBlocks" ? { result: result.filter(() => draw.boolean()) } : null
    }
  ]
  const lying: ReadonlyArray<Fault> = [
    ({ method }) =>
      method === "getBlock" ? { error: { code: -32007, message: "Slot was skipped" } } : null,
    ({ method }) =>
      method === "getBlock" ? { error: { code: -32001, message: "cleaned up" } } : null,
    call =>
      call.method === "getBlock"
        ? { result: blockResult(draw.pick(chain.blocks), detailsOf(call)) }
        : null,
    call => {
      const block = chain.at(call.params[0] as number)
      if (call.method !== "getBlock" || block === undefined) return null
      const few = { ...block, signatures: block.signatures.slice(1) }
      return { result: blockResult(few, detailsOf(call)) }
    }
  ]
  const all = isLiar ? [...passing, ...lying] : passing
  return (call, honest) => (draw.boolean(0.25) ? draw.pick(all)(call, honest) : null)
}

const STEPS = 60

const oneRound = async (label: string): Promise<void> => {
  const draw = random(label)
  const chain = grown(20, 1)
  let steps = 0
  const step = ({ method }: FakeCall) => {
    if (method !== "getSlot" || steps >= STEPS) return
    steps++
    if (draw.boolean(0.15)) chain.fork(draw.integer(1, 4))
    for (let count = draw.integer(1, 3); count > 0; count--) chain.produce(draw.integer(0, 2))
  }
  const late = async (call: FakeCall) => {
    if (draw.boolean(0.2)) await new Promise(resolve => setTimeout(resolve, draw.integer(1, 30)))
    step(call)
  }
  const urls = [
    await nodeOf(chain, faultsOf(draw, chain, true), late),
    await nodeOf(chain, faultsOf(draw, chain, false), late),
    await nodeOf(chain, faultsOf(draw, chain, false), late)
  ]
  const source = openSource(urls)
  const following = follow(source)
  const { chain: read, ended } = following
  await expect.poll(() => [ended(), steps]).toEqual([null, STEPS])
  await expect.poll(() => [ended(), read.blocks.at(-1)?.hash]).toEqual([null, chain.head.blockhash])
  const first = chain.blocks.findIndex(({ slot }) => slot === read.blocks[0]?.slot)
  expect(hashes(read)).toEqual(chain.blocks.slice(first).map(({ blockhash }) => blockhash))
  for (const { slot, signatures, grade } of read.blocks) {
    if (grade === "second") expect(signatures).toEqual(chain.at(slot)?.signatures)
  }
  await following.stop()
}

it("gives out the chain in order, each block once, whatever nodes do", async () => {
  for (let round = 0; round < rounds(8); round++) {
    console.log(`SEED=${seed} round ${round}`)
    await oneRound(`solana source ${round}`)
  }
})
