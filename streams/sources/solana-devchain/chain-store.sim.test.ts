/** A simulated Solana that keeps its chain: kills at any moment, and a thousand blocks. */
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, beforeAll, expect, it } from "vitest"
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
import { startNode } from "./node.ts"

/** Two states are kept by then, and some blocks after them. */
const { copyOf, makeWhole, NOTHING, STOPPED } = keptChain(560)

let whole: Awaited<ReturnType<typeof makeWhole>>
beforeAll(async () => {
  whole = await makeWhole()
})
afterAll(removeFolders)

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

it("goes on from what is whole where a kill cut a line short, and makes the same again", async () => {
  const lines = readFileSync(newest(folderOf(`whole-${STOPPED}`), "blocks"), "utf8").split("\n")
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

it("uses the state before one that is damaged, and the first block where both are", async () => {
  const folder = copyOf("states")
  const states = readdirSync(folder).filter(name => name.startsWith("state"))
  expect(states).toHaveLength(2)
  for (const state of states.toReversed()) {
    truncateSync(join(folder, state), 1_000)
    expect(await run(folder, NOTHING, told)).toEqual(whole)
  }
})

it("keeps the newest thousand blocks for readers, and no more than some hundred beyond", async () => {
  const folder = copyOf("bounded")
  await run(folder, [STOPPED, 1_600], () => null)
  const [files, blocks] = [readdirSync(folder), await run(folder, [1_600, 1_600], blocksOf)]
  expect(files.filter(name => name.startsWith("state"))).toHaveLength(2)
  expect(blocks.length).toBeGreaterThan(1_000)
  expect(blocks.length).toBeLessThan(1_500)
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
