/** Times of blocks of which nodes tell none, where a log or a range begins with them. */
import { expect, it } from "vitest"
import { type FakeSolana, type Fault, grown } from "../../../test/support/fake-solana.ts"
import { testNodes } from "../../../test/support/solana-nodes.ts"
import { openSource, ReadChain, readRange } from "../../../test/support/solana-reading.ts"

const { urls, nodeOf, follow } = testNodes()

/** Tells no time of the blocks of some slots. */
const untimed =
  (isUntimed: (slot: number) => boolean): Fault =>
  ({ method, params }, honest) => {
    const { result } = honest as { readonly result?: object }
    return method === "getBlock" && result !== undefined && isUntimed(params[0] as number)
      ? { result: { ...result, blockTime: null } }
      : null
  }

/** Answers of the second endpoint come late, so that the first stays the one in use. */
const late = () => new Promise<void>(resolve => setTimeout(resolve, 60))

const sourceOf = async (chain: FakeSolana, ...faults: ReadonlyArray<Fault>) => {
  for (const [at, fault] of faults.entries()) {
    await nodeOf(chain, fault, at === 0 ? undefined : late)
  }
  return openSource(urls())
}

/** The times of what the head gives out at first, and with the next block. */
const timesOf = async (chain: FakeSolana, ...faults: ReadonlyArray<Fault>) => {
  const following = follow(await sourceOf(chain, ...faults))
  const { chain: read } = following
  await expect.poll(() => read.blocks.length).toBe(1)
  chain.produce()
  await expect.poll(() => read.blocks.length).toBe(2)
  return read.blocks.map(({ slot, timeSeconds }) => [slot, timeSeconds])
}

const FROM_ANCESTOR = [
  [1019, 5 + 1016],
  [1020, 5 + 1020]
]
const OWN = [
  [1019, 5 + 1019],
  [1020, 5 + 1020]
]

it.each([
  ["of an ancestor", [untimed(slot => slot > 1016 && slot < 1020)], FROM_ANCESTOR],
  ["of another endpoint", [untimed(slot => slot < 1020), untimed(slot => slot < 1019)], OWN]
])(
  "a log's first block has the time %s where the endpoint tells none",
  async (_, faults, times) => {
    expect(await timesOf(grown(20), ...faults)).toEqual(times)
  }
)

it("begins a log with the first block of which anybody tells the time, and says so", async () => {
  const chain = grown(20)
  const source = await sourceOf(
    chain,
    untimed(slot => slot <= 1021)
  )
  const following = follow(source)
  const { chain: read } = following
  const label = source.status().description
  const words =
    `no endpoint (${label}) tells the time of slot 1019, or of the 32 blocks before it: ` +
    "an endpoint that keeps times of blocks is needed; the log begins with a later block"
  await expect.poll(() => source.status().warnings).toContain(words)
  expect(read.blocks).toEqual([])
  for (let i = 0; i < 3; i++) chain.produce()
  await expect.poll(() => read.blocks.map(({ slot }) => slot)).toEqual([1022])
  expect(read.blocks[0]?.timeSeconds).toBe(5 + 1022)
})

it("a range has the time of a block before it, or ends with words that say what is lacking", async () => {
  const chain = grown(60)
  const source = await sourceOf(
    chain,
    untimed(slot => slot > 1010 && slot < 1022)
  )
  const found = await readRange(source, 1020, 1023)
  if (!(found instanceof ReadChain)) throw new Error(found)
  expect(found.blocks.map(({ timeSeconds }) => timeSeconds)).toEqual([1015, 1015, 1027, 1028])
  const none = openSource([await untimedNode(chain)])
  expect(await readRange(none, 1040, 1041)).toMatch(
    /^no endpoint \(127\.0\.0\.1:\d+\) tells the time of slot 1040, or of the 32 blocks before it/
  )
})

const always = untimed(() => true)
const inSlot1021 = untimed(slot => slot === 1021)
const honest: Fault = () => null
/** Tells one block as three seconds later than it is. */
const early: Fault = ({ method, params }, { result }: { result?: object }) =>
  method === "getBlock" && params[0] === 1021 ? { result: { ...result, blockTime: 1029 } } : null
const ALL = [1020, 1021, 1022, 1023]
const OWN_TIMES = [1025, 1026, 1027, 1028]

it.each([
  ["one of two endpoints tells none", [always, honest], OWN_TIMES, ALL],
  ["the other one tells none", [honest, always], OWN_TIMES, ALL],
  ["two of three tell theirs", [always, honest, honest], OWN_TIMES, []],
  ["nobody tells one", [inSlot1021, inSlot1021], [1025, 1025, 1027, 1028], [1021]],
  ["one is ahead of those after it", [early, early], [1025, 1029, 1029, 1029], [1022, 1023]]
] as const)("has times and grades that two endpoints told, where %s", async (...of) => {
  const [, faults, times, words] = of
  const source = await sourceOf(grown(60), ...faults)
  const found = await readRange(source, 1020, 1023)
  if (!(found instanceof ReadChain)) throw new Error(found)
  expect(found.blocks.map(({ timeSeconds }) => timeSeconds)).toEqual(times)
  const asWords = found.blocks.flatMap(({ slot, grade }) => (grade === "word" ? [slot] : []))
  expect(asWords).toEqual(words)
})

it("goes on with the times of another endpoint, and names who tells none now", async () => {
  const chain = grown(20)
  let untimedAt = 0
  const by =
    (at: number): Fault =>
    (call, answer) =>
      untimedAt === at ? always(call, answer) : null
  const source = await sourceOf(chain, by(0), by(1))
  const { chain: read } = follow(source)
  await expect.poll(() => read.blocks.length).toBe(1)
  expect(read.blocks[0]?.timeSeconds).toBe(5 + 1019)
  const [first, second] = urls().map(url => new URL(url).host)
  const words = (silent = first, other = second) =>
    `times of blocks are not told by ${silent}: those of ${other} are taken, whose word alone ` +
    "they are; blocks count as told by two endpoints (grade second) once two tell their times: " +
    `replace ${silent} in RPC_SOLANA, or add another`
  expect(source.status().warnings).toEqual([words()])
  untimedAt = 1
  chain.produce()
  await expect.poll(() => source.status().warnings).toEqual([words(second, first)])
})

const untimedNode = (chain: FakeSolana): Promise<string> => nodeOf(chain, always)
