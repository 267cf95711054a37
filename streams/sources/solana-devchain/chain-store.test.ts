/** A simulated Solana that keeps its chain: over stops, kills at any moment, and damaged files. */
import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, beforeAll, expect, it } from "vitest"
import { temporaryFolder } from "../../../test/support/nats.ts"
import { followSource, openSource } from "../../../test/support/solana-reading.ts"
import type { Block } from "./bank.ts"
import { type SolanaNode, startNode } from "./node.ts"

const SLOT_MS = 400
const PLAN = { seed: "kept", users: 8, pooled: 2, curves: 2, slotMs: SLOT_MS }
const START_MS = 1_790_000_000_000

const temporary = temporaryFolder()
afterAll(temporary.remove)
const folderOf = (name: string) => join(temporary.path, name)

const blocksOf = ({ bank }: SolanaNode): ReadonlyArray<Block> =>
  bank.slots(0, Number.MAX_SAFE_INTEGER).flatMap(slot => bank.at(slot) ?? [])

/** What a node tells at its end: its blocks, and every account that its blocks name. */
const told = (node: SolanaNode) => {
  const blocks = blocksOf(node)
  const keys = blocks.flatMap(({ transactions }) =>
    transactions.flatMap(({ transaction }) => transaction.message.accountKeys)
  )
  const accounts = [...new Set(keys)].map(key => node.bank.account(key as never))
  return { blocks, accounts, finalized: node.bank.finalized }
}

/** Runs a node from some slot of the same clock on; `then` sees it before it stops. */
const run = <A>(
  folder: string | null,
  [from, to]: readonly [number, number],
  then: (node: SolanaNode) => A
): Promise<A> =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START_MS + from * SLOT_MS)
    const node = yield* startNode({ ...PLAN, port: 0, folder })
    for (let slot = from; slot < to; slot++) {
      yield* TestClock.adjust(SLOT_MS)
      yield* node.step
    }
    return then(node)
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.runPromise)

/** Two states are kept by then, and some blocks after them. */
const STOPPED = 560
const NOTHING: readonly [number, number] = [STOPPED, STOPPED]
let whole: ReturnType<typeof told>

beforeAll(async () => {
  whole = await run(folderOf("whole"), [0, STOPPED], told)
})

const copyOf = (name: string) => {
  cpSync(folderOf("whole"), folderOf(name), { recursive: true })
  return folderOf(name)
}

const newest = (folder: string, kind: string) => {
  const names = readdirSync(folder).filter(name => name.startsWith(kind))
  return join(folder, names.sort().at(-1) ?? "")
}

it("is where a node is that never stopped, and goes on as it does", async () => {
  const folder = folderOf("stopped")
  const unstopped = await run(null, [0, STOPPED + 40], told)
  const stops = [0, 20, 21, 300, STOPPED]
  for (const [i, from] of stops.slice(0, -1).entries())
    await run(folder, [from, stops[i + 1] as number], told)
  const again = await run(folder, NOTHING, told)
  expect(again).toEqual(whole)
  const after = await run(folder, [STOPPED, STOPPED + 40], told)
  expect(after).toEqual(unstopped)
})

it("takes slots that passed meanwhile for skipped ones, and forks back as before", async () => {
  const folder = copyOf("away")
  const late = STOPPED + 1_000
  const blocks = await run(folder, [late, late + 10], node => {
    const all = blocksOf(node)
    expect(node.bank.fork(20)).toBe(true)
    return all
  })
  const first = blocks[whole.blocks.length]
  const last = whole.blocks.at(-1)
  expect(first?.parentSlot).toBe(last?.slot)
  expect(first?.slot).toBeGreaterThan((last?.slot ?? 0) + 990)
  expect(blocks.slice(0, whole.blocks.length)).toEqual(whole.blocks)
})

it("keeps the branch that took the place of another", async () => {
  const folder = copyOf("forked")
  await run(folder, NOTHING, node => node.bank.fork(5))
  // a fork that nothing stands on was told to nobody
  expect(await run(folder, NOTHING, told)).toEqual(whole)
  const branch = await Effect.gen(function* () {
    yield* TestClock.setTime(START_MS + STOPPED * SLOT_MS)
    const node = yield* startNode({ ...PLAN, port: 0, folder })
    node.bank.fork(5)
    for (let i = 0; i < 4; i++) yield* node.step
    return told(node)
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.runPromise)
  expect(branch.blocks.length).toBeLessThan(whole.blocks.length)
  expect(await run(folder, NOTHING, told)).toEqual(branch)
})

it("goes on from what is whole where a kill cut a line short, and makes the same again", async () => {
  const lines = readFileSync(newest(folderOf("whole"), "blocks"), "utf8").split("\n")
  const length = (count: number) => Buffer.byteLength(`${lines.slice(0, count).join("\n")}\n`)
  const count = lines.length - 1
  const cuts = [
    [length(count) - 1, 1],
    [length(count - 1) + 5, 1],
    [length(count - 1), 1],
    [length(count - 3) + 100, 3],
    [1, count],
    [0, count]
  ] as const
  for (const [i, [bytes, lost]] of cuts.entries()) {
    const folder = copyOf(`cut ${i}`)
    truncateSync(newest(folder, "blocks"), bytes)
    const blocks = await run(folder, NOTHING, blocksOf)
    expect(blocks).toEqual(whole.blocks.slice(0, -lost))
    await run(folder, [STOPPED, STOPPED + 5], () => null)
    const more = await run(folder, NOTHING, blocksOf)
    expect(more.slice(0, blocks.length)).toEqual(blocks)
    expect(more.length).toBeGreaterThan(blocks.length)
  }
})

it("takes zeros that a power cut left, and what was not put in its place, for nothing", async () => {
  const folder = copyOf("zeros")
  appendFileSync(newest(folder, "blocks"), Buffer.alloc(4_096))
  writeFileSync(join(folder, "state-7.gz.new"), "half of a state")
  expect(await run(folder, NOTHING, told)).toEqual(whole)
  expect(readdirSync(folder)).not.toContain("state-7.gz.new")
})

it("uses the state before one that is damaged, and the first block where both are", async () => {
  const folder = copyOf("states")
  const states = readdirSync(folder).filter(name => name.startsWith("state"))
  expect(states).toHaveLength(2)
  for (const state of states.toReversed()) {
    truncateSync(join(folder, state), 1_000)
    expect(await run(folder, NOTHING, told)).toEqual(whole)
  }
})

const refusal = (folder: string, plan = PLAN) =>
  startNode({ ...plan, port: 0, folder }).pipe(
    Effect.scoped,
    Effect.flip,
    Effect.map(({ _tag, message }) => `${_tag}: ${message.replaceAll(folder, "DIR")}`),
    Effect.runPromise
  )

it("says what is wrong with a folder, and what to do", async () => {
  const cannot = "ChainUnusable: the simulated Solana in DIR cannot go on: "
  const folder = copyOf("wrong")
  const path = newest(folder, "blocks")
  const text = readFileSync(path, "utf8")
  expect(await refusal(folder, { ...PLAN, seed: "other" })).toBe(
    `${cannot}it is that of the seed kept, or of another plan; use that, or use another folder or ` +
      "remove this one to begin another chain"
  )
  writeFileSync(path, text.replace("blockTime", "blockTame"))
  expect(await refusal(folder)).toMatch(/: line 1 of DIR\/blocks-\d+.log is damaged; put a copy/)
  writeFileSync(path, "")
  const parts = readdirSync(folder).filter(name => name.startsWith("blocks"))
  truncateSync(join(folder, parts[1] ?? ""), 0)
  expect(await refusal(folder)).toMatch(/: blocks up to slot \d+ are missing; put a copy of its/)
  writeFileSync(path, text)
  expect(await refusal(folder)).toMatch(/: blocks before slot \d+ are missing; put a copy of its/)
  writeFileSync(join(folder, "chain.json"), "{")
  expect(await refusal(folder)).toContain(`${cannot}chain.json is unreadable`)
})

it("is used by one node at a time", async () => {
  const folder = copyOf("busy")
  await Effect.gen(function* () {
    yield* startNode({ ...PLAN, port: 0, folder })
    const message = yield* Effect.promise(() => refusal(folder))
    expect(message).toContain("the folder DIR is in use by process")
  }).pipe(Effect.scoped, Effect.runPromise)
})

const freePort = () =>
  new Promise<number>(resolve => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

const steps = (node: SolanaNode, count: number) =>
  Effect.runPromise(node.step.pipe(Effect.repeat({ times: count - 1 })))

it("is followed over its restart without a fork, and no block is lost", async () => {
  const [folder, port] = [folderOf("followed"), await freePort()]
  const start = async (slot: number) => {
    const scope = Effect.runSync(Scope.make())
    const starting = TestClock.setTime(START_MS + slot * SLOT_MS).pipe(
      Effect.andThen(startNode({ ...PLAN, port, folder })),
      Scope.provide(scope),
      Effect.provide(TestClock.layer())
    )
    const node = await Effect.runPromise(starting)
    return { node, stop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
  }
  const before = await start(0)
  await steps(before.node, 50)
  const following = followSource(openSource([before.node.url]))
  const { chain } = following
  await expect.poll(() => chain.blocks.length).toBe(1)
  await steps(before.node, 20)
  await before.stop()
  // longer than a reader lists slots at once
  const after = await start(1_500)
  expect(blocksOf(after.node)).toEqual(blocksOf(before.node))
  expect(after.node.bank.finalized).toBe(before.node.bank.finalized)
  await steps(after.node, 20)
  const from = chain.blocks[0]?.slot ?? 0
  const hashes = () => chain.blocks.map(({ hash }) => hash)
  const truth = blocksOf(after.node).filter(({ slot }) => slot >= from)
  await expect.poll(hashes).toEqual(truth.map(one => one.blockhash))
  await following.stop()
  await after.stop()
  expect([chain.rollbacks, following.ended()]).toEqual([0, null])
})

it("keeps the newest thousand blocks for readers, and no more than some hundred beyond", async () => {
  const folder = copyOf("bounded")
  await run(folder, [STOPPED, 1_600], () => null)
  const [files, blocks] = [readdirSync(folder), await run(folder, [1_600, 1_600], blocksOf)]
  expect(files.filter(name => name.startsWith("state"))).toHaveLength(2)
  expect(blocks.length).toBeGreaterThan(1_000)
  expect(blocks.length).toBeLessThan(1_500)
})
