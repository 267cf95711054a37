/** A simulated Solana that keeps its chain: over stops, forks and damaged files. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import {
  blocksOf,
  folderOf,
  keptChain,
  newest,
  PLAN,
  removeFolders,
  run,
  SLOT_MS,
  START_MS,
  told
} from "../../../test/support/kept-solana.ts"

const { copyOf, makeWhole, NOTHING, STOPPED } = keptChain(60)

import { freePort } from "../../../test/support/engine.ts"
import { followSource, openSource } from "../../../test/support/solana-reading.ts"
import { startSolanaDevchain } from "./devchain.ts"
import { type SolanaNode, startNode } from "./node.ts"

let whole: Awaited<ReturnType<typeof makeWhole>>
beforeAll(async () => {
  whole = await makeWhole()
})
afterAll(removeFolders)

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

it("takes zeros that a power cut left, and what was not put in its place, for nothing", async () => {
  const folder = copyOf("zeros")
  appendFileSync(newest(folder, "blocks"), Buffer.alloc(4_096))
  writeFileSync(join(folder, "state-7.gz.new"), "half of a state")
  expect(await run(folder, NOTHING, told)).toEqual(whole)
  expect(readdirSync(folder)).not.toContain("state-7.gz.new")
})

it("says what it drops of a file that was cut off, and refuses one whose end is damaged", async () => {
  const folder = copyOf("torn")
  const path = newest(folder, "blocks")
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1)
  const half = lines.length >> 1
  writeFileSync(path, lines.slice(0, half).concat("0123 half of a line").join("\n"))
  const said = vi.spyOn(console, "log").mockImplementation(() => undefined)
  const { blocks } = await run(folder, NOTHING, told)
  const words = said.mock.calls.flat().join()
  said.mockRestore()
  expect(blocks).toEqual(whole.blocks.slice(0, half - lines.length))
  expect(words).toContain(
    `the simulated Solana goes on after slot ${blocks.at(-1)?.slot}: the block that follows in ` +
      `${path} was cut short and is dropped`
  )
  writeFileSync(path, [...lines.slice(0, half), "0123 one", "0123 two", ""].join("\n"))
  expect(await refusal(folder)).toContain(
    `the last 2 lines of ${path.replace(folder, "DIR")} are damaged, and a kill leaves one such ` +
      "line in the newest file at most; put a copy of that file back"
  )
})

const refusal = (folder: string, plan = PLAN) =>
  startNode({ ...plan, port: 0, folder }).pipe(
    Effect.scoped,
    Effect.flip,
    Effect.map(({ _tag, message }) => `${_tag}: ${message.replaceAll(folder, "DIR")}`),
    Effect.runPromise
  )

it("tells an engine to go on without it, since the log beside the folder stays", async () => {
  const folder = folderOf("engine")
  const chain = join(folder, "devchain", "solana")
  mkdirSync(chain, { recursive: true })
  writeFileSync(join(chain, "state-7.gz"), "")
  const { message } = await Effect.runPromise(
    Effect.scoped(Effect.flip(startSolanaDevchain(folder)))
  )
  expect(message).toBe(
    `the simulated Solana in ${chain} cannot go on: chain.json is missing; put it back, or ` +
      "set DEVCHAIN_SOLANA=off to go on without it (leave the folder where it is), or another " +
      "DATA_DIR to begin other chains"
  )
})

it("is used by one node at a time", async () => {
  const folder = copyOf("busy")
  await Effect.gen(function* () {
    yield* startNode({ ...PLAN, port: 0, folder })
    const message = yield* Effect.promise(() => refusal(folder))
    expect(message).toContain("the folder DIR is in use by process")
  }).pipe(Effect.scoped, Effect.runPromise)
})

/** Runs something so many slots after the chain began. */
const atSlot = <A, E, R>(slot: number, work: Effect.Effect<A, E, R>) =>
  TestClock.setTime(START_MS + slot * SLOT_MS).pipe(
    Effect.andThen(work),
    Effect.provide(TestClock.layer())
  )

const steps = (node: SolanaNode, count: number, slot: number) =>
  Effect.runPromise(atSlot(slot, node.step.pipe(Effect.repeat({ times: count - 1 }))))

it("is followed over its restart without a fork, and no block is lost", async () => {
  const [folder, port] = [folderOf("followed"), await freePort()]
  const start = async (slot: number) => {
    const scope = Effect.runSync(Scope.make())
    const starting = startNode({ ...PLAN, port, folder }).pipe(Scope.provide(scope))
    const node = await Effect.runPromise(atSlot(slot, starting))
    return { node, stop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
  }
  const before = await start(0)
  await steps(before.node, 50, 50)
  const following = followSource(openSource([before.node.url]))
  const { chain } = following
  await expect.poll(() => chain.blocks.length).toBe(1)
  await steps(before.node, 20, 70)
  await before.stop()
  // longer than a reader lists slots at once
  const after = await start(1_500)
  expect(blocksOf(after.node)).toEqual(blocksOf(before.node))
  expect(after.node.bank.finalized).toBe(before.node.bank.finalized)
  await steps(after.node, 20, 1_520)
  const from = chain.blocks[0]?.slot ?? 0
  const hashes = () => chain.blocks.map(({ hash }) => hash)
  const truth = blocksOf(after.node).filter(({ slot }) => slot >= from)
  await expect.poll(hashes).toEqual(truth.map(one => one.blockhash))
  await following.stop()
  await after.stop()
  expect([chain.rollbacks, following.ended()]).toEqual([0, null])
})
