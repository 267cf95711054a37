/** What was given out and told wrong: by a node that is honest again, and by one among others. */
import { expect, it } from "vitest"
import {
  blockResult,
  type FakeCall,
  type FakeSolana,
  type Fault,
  grown,
  honestAnswer
} from "../../../test/support/fake-solana.ts"
import { testNodes } from "../../../test/support/solana-nodes.ts"
import { openSource } from "../../../test/support/solana-reading.ts"

const { urls, hosts, nodeOf, follow } = testNodes()

const honest: Fault = () => null

const open = async (nodes: ReadonlyArray<readonly [FakeSolana, Fault]>) => {
  for (const [chain, fault] of nodes) await nodeOf(chain, fault)
  const source = openSource(urls())
  return { source, read: follow(source).chain, labels: hosts() }
}

const detailsOf = ({ params }: FakeCall): string =>
  (params[1] as { readonly transactionDetails: string }).transactionDetails

const hashesFrom = (chain: FakeSolana, slot: number) =>
  chain.blocks.flatMap(block => (block.slot >= slot ? [block.blockhash] : []))

/** Tells once that the block of the slot before, which it leaves out of lists, is that of a slot. */
const mistakes = (chain: FakeSolana, slot: () => number): Fault => {
  let isDone = false
  return (call, answer) => {
    const { method, params } = call
    if (isDone) return null
    if (method === "getBlocks") {
      const { result } = answer as { readonly result: ReadonlyArray<number> }
      return { result: result.filter(one => one !== slot() - 1) }
    }
    const isOther = method !== "getBlock" || params[0] !== slot()
    if (isOther || detailsOf(call) === "none") return null
    isDone = true
    return { result: blockResult(chain.at(slot() - 1)!, detailsOf(call)) }
  }
}

it.each([
  ["the only endpoint", 1],
  ["one of two", 2]
])("takes a block back that %s told of another slot once, and says who", async (_, count) => {
  const chain = grown(20)
  const liar = [chain, mistakes(chain, () => 1021)] as const
  const { source, read, labels } = await open([liar, [chain, honest] as const].slice(0, count))
  await expect.poll(() => read.blocks.length).toBe(1)
  chain.produce()
  chain.produce()
  const told = () => read.blocks.at(-1)?.slot
  await expect.poll(told).toBe(1021)
  chain.produce()
  await expect.poll(() => read.blocks.map(({ hash }) => hash)).toEqual(hashesFrom(chain, 1019))
  expect(read.rollbacks).toBe(1)
  const { warnings, endpoints } = source.status()
  const twoOf = `${labels[0]} and ${labels[1]} tell of different blocks in slots`
  expect(warnings).toEqual([
    ...(count === 2 ? [`${twoOf}, and no other decides`] : []),
    `slot 1021 was told as another block than it is, by ${labels[0]}: ` +
      "what was given out from slot 1020 to 1021 is replaced"
  ])
  expect(endpoints.map(({ wrongAnswers }) => wrongAnswers)).toEqual([1, 0].slice(0, count))
})

it("takes a time back that later blocks show to be ahead of them, and names who told it", async () => {
  const [chain, behind] = [grown(20), grown(20)]
  const ahead: Fault = ({ method, params }, { result }: { result?: object }) =>
    method === "getBlock" && params[0] === 1021 && result !== undefined
      ? { result: { ...result, blockTime: 1826 } }
      : null
  const { source, read, labels } = await open([
    [chain, ahead],
    [behind, honest],
    [behind, honest]
  ])
  const told = () => read.blocks.map(({ slot, timeSeconds, grade }) => [slot, timeSeconds, grade])
  const first = [1019, 1024, "second"]
  await expect.poll(told).toEqual([first])
  for (let i = 0; i < 3; i++) chain.produce()
  const false1826 = [1021, 1022].map(slot => [slot, 1826, "word"])
  await expect.poll(told).toEqual([first, [1020, 1025, "word"], ...false1826])
  for (let i = 0; i < 4; i++) behind.produce()
  chain.produce()
  const own = [1021, 1022, 1023].map(slot => [slot, 5 + slot, "second"])
  await expect.poll(told).toEqual([first, [1020, 1025, "word"], ...own])
  expect(read.rollbacks).toBe(1)
  expect(source.status().warnings).toEqual([
    `slot 1021 was told with a time ahead of later blocks, by ${labels[0]}: ` +
      "what was given out from slot 1021 to 1022 is replaced"
  ])
  const wrong = source.status().endpoints.map(({ wrongAnswers }) => wrongAnswers > 0)
  expect(wrong).toEqual([true, false, false])
})

it("takes the first block of all back where it was told of another slot", async () => {
  const chain = grown(20)
  const { read } = await open([[chain, mistakes(chain, () => 1019)]])
  await expect.poll(() => read.blocks.length).toBe(1)
  chain.produce()
  await expect.poll(() => read.blocks.map(({ hash }) => hash)).toEqual(hashesFrom(chain, 1019))
  expect(read.rollbacks).toBe(1)
})

it("forgets a height that was told wrong once", async () => {
  const chain = grown(20)
  let lies = 0
  const { read } = await open([
    [
      chain,
      call => {
        const block = chain.at(call.params[0] as number)
        if (call.method !== "getBlock" || block === undefined || lies++ > 0) return null
        return { result: { ...blockResult(block, detailsOf(call)), blockHeight: 7 } }
      }
    ]
  ])
  await expect.poll(() => read.blocks.length).toBe(1)
  chain.produce()
  await expect.poll(() => read.blocks.map(({ hash }) => hash)).toEqual(hashesFrom(chain, 1019))
  expect(read.rollbacks).toBe(0)
})

it("takes nothing back on the word of one where two others confirm it", async () => {
  const chain = grown(20)
  // whatever is asked of the head's slot, its answer is the block of the slot before
  const lying: Fault = call => {
    const slot = call.params[0] as number
    const old = chain.at(slot - 1)
    if (call.method !== "getBlock" || slot < 1020 || old === undefined) return null
    return { result: blockResult(old, detailsOf(call)) }
  }
  const { source, read } = await open([
    [chain, lying],
    [chain, honest],
    [chain, honest]
  ])
  await expect.poll(() => read.blocks.length).toBe(1)
  for (let i = 0; i < 3; i++) {
    chain.produce()
    await expect
      .poll(() => read.blocks.map(({ hash }) => hash))
      .toEqual(hashesFrom(chain, read.blocks[0]!.slot))
  }
  expect(read.rollbacks).toBe(0)
  expect(source.status().endpoints.map(({ wrongAnswers }) => wrongAnswers > 0)).toEqual([
    true,
    false,
    false
  ])
})

it.each([
  ["among others", 3, false],
  ["alone", 1, false],
  ["among others, and lists all slots up to it", 3, true],
  ["alone, and lists all slots up to it", 1, true]
])("goes on behind a head that one endpoint tells far too high, %s", async (_, count, isAll) => {
  const chain = grown(20)
  let lead = 0
  const ahead: Fault = ({ method, params }, answer) => {
    if (method === "getBlocks" && isAll && lead > 0) {
      const [from, to] = params as [number, number]
      return { result: Array.from({ length: to - from + 1 }, (_, at) => from + at) }
    }
    return method === "getSlot" ? { result: (answer as { result: number }).result + lead } : null
  }
  const nodes = [ahead, honest, honest].map(fault => [chain, fault] as const)
  const { source, read, labels } = await open(nodes.slice(0, count))
  await expect.poll(() => read.blocks.length).toBe(1)
  lead = 1_000_000
  for (let i = 0; i < 6; i++) {
    const { slot } = chain.produce(i % 2)
    await expect.poll(() => read.blocks.at(-1)?.slot).toBe(slot)
  }
  const words =
    `^${labels[0]} getSlot: slot 10010\\d\\d is told to be the newest, ` +
    "and no block of the last 32 slots up to it is shown$"
  await expect.poll(() => source.status().warnings).toEqual([expect.stringMatching(words)])
  const wrong = source.status().endpoints.map(({ wrongAnswers }) => wrongAnswers > 0)
  expect(wrong).toEqual([true, false, false].slice(0, count))
  if (count > 1) expect(source.status().headBlock).toBe(chain.head.slot)
  expect(read.blocks.map(({ hash }) => hash)).toEqual(hashesFrom(chain, 1019))
})

it("believes a head that is far ahead where blocks are near to it, of who is not behind", async () => {
  const [chain, behind] = [grown(20), grown(20)]
  const { source, read, labels } = await open([
    [behind, honest],
    [chain, honest]
  ])
  await expect.poll(() => read.blocks.length).toBe(1)
  for (let i = 0; i < 60; i++) chain.produce(2)
  await expect.poll(() => read.blocks.at(-1)?.slot).toBe(chain.head.slot)
  expect(read.blocks.map(({ hash }) => hash)).toEqual(hashesFrom(chain, 1019))
  const { endpoints, warnings } = source.status()
  expect(endpoints.map(one => [one.endpoint, one.wrongAnswers])).toEqual(
    labels.map(label => [label, 0])
  )
  expect(warnings).toEqual([])
})

it("says which blocks were replaced that had been final", async () => {
  const chain = grown(20)
  const { source, read } = await open([[chain, honest]])
  await expect.poll(() => read.blocks.length).toBe(1)
  for (let i = 0; i < 16; i++) chain.produce()
  await expect.poll(() => read.blocks.at(-1)?.slot).toBe(1035)
  // a block is read again once it was seen to be final: the ninth is the second that is noted
  await expect.poll(() => source.audit().cursor).toBe(1027)
  chain.fork(16)
  chain.produce()
  chain.produce()
  await expect.poll(() => read.blocks.map(({ hash }) => hash)).toEqual(hashesFrom(chain, 1019))
  expect(source.status().warnings).toEqual([
    expect.stringMatching(
      /^the chain replaced 16 blocks, from slot 1020 to 1035, which were final up to slot 102\d: what was said of them before is void$/
    )
  ])
})

/** A chain, and one that leaves it with its next block. */
const parted = () => {
  const [chain, other] = [grown(20), grown(20)]
  other.branch = 7
  return [chain, other] as const
}

const produced = (chain: FakeSolana, count: number): void => {
  for (let i = 0; i < count; i++) chain.produce()
}

it("names one of three that tells a different chain, and goes on with the others", async () => {
  const [chain, other] = parted()
  const nodes = [chain, chain, other].map(one => [one, honest] as const)
  const { source, read, labels } = await open(nodes)
  await expect.poll(() => read.blocks.length).toBe(1)
  for (const one of [chain, other]) produced(one, 12)
  const told = () => source.status().warnings.find(text => text.includes("different chains"))
  const theirs = labels[2]
  const ours = `(${labels[0]}|${labels[1]})`
  await expect
    .poll(told)
    .toMatch(
      new RegExp(
        `^${theirs} and ${ours} tell different chains: slot 10\\d\\d is block \\w+ to ` +
          `${theirs}, and \\w+ to ${ours}, as in the log; see RPC_SOLANA$`
      )
    )
  const { slot } = chain.head
  produced(chain, 6)
  await expect.poll(() => read.blocks.at(-1)?.slot).toBe(chain.head.slot)
  const grades = read.blocks.flatMap(block => (block.slot > slot ? [block.grade] : []))
  expect(grades).toEqual(Array.from({ length: 6 }, () => "second"))
  expect(source.status().disputed).toBe(null)
})

it("follows none of three that makes up blocks of its own, and blames it at once", async () => {
  const [chain, other] = parted()
  const nodes = [other, chain, chain].map(one => [one, honest] as const)
  const { source, read } = await open(nodes)
  await expect.poll(() => read.blocks.length).toBe(1)
  for (let i = 0; i < 4; i++) {
    for (const one of [chain, other]) produced(one, 1)
    await expect.poll(() => read.blocks.map(({ hash }) => hash)).toEqual(hashesFrom(chain, 1019))
  }
  expect(read.blocks.map(({ grade }) => grade)).toEqual(Array.from({ length: 5 }, () => "second"))
  expect(read.rollbacks).toBe(0)
  const wrong = source.status().endpoints.map(({ wrongAnswers }) => wrongAnswers > 0)
  expect(wrong).toEqual([true, false, false])
})

it("leaves the branch of one of three that makes up blocks ahead of all others", async () => {
  const [chain, other] = parted()
  const nodes = [other, chain, chain].map(one => [one, honest] as const)
  const { source, read } = await open(nodes)
  await expect.poll(() => read.blocks.length).toBe(1)
  produced(other, 12)
  await expect.poll(() => read.blocks.at(-1)?.slot).toBe(1031)
  produced(chain, 6)
  const wrong = () => source.status().endpoints.map(({ wrongAnswers }) => wrongAnswers > 0)
  await expect.poll(wrong).toEqual([true, false, false])
  produced(chain, 8)
  await expect.poll(() => read.blocks.map(({ hash }) => hash)).toEqual(hashesFrom(chain, 1019))
  expect(read.rollbacks).toBe(1)
  expect(wrong()).toEqual([true, false, false])
})

it("says that nobody knows which of two chains is right, until both tell one", async () => {
  const [chain, other] = parted()
  let healed: FakeSolana | null = null
  const lying: Fault = call => (healed === null ? null : honestAnswer(healed, call))
  const { source, read, labels } = await open([
    [other, lying],
    [chain, honest]
  ])
  await expect.poll(() => read.blocks.length).toBe(1)
  produced(other, 12)
  await expect.poll(() => read.blocks.at(-1)?.slot).toBe(1031)
  expect(source.status().disputed).toBe(null)
  produced(chain, 6)
  const words = `^${labels[1]} and ${labels[0]} tell different chains: slot 1025 is block .* as many`
  await expect.poll(() => source.status().disputed).toMatch(new RegExp(words))
  for (const one of [other, chain]) produced(one, 8)
  const last = () => read.blocks.at(-1)
  await expect.poll(() => [last()?.slot, last()?.grade]).toEqual([1039, "word"])
  healed = chain
  produced(chain, 8)
  await expect.poll(() => source.status().disputed).toBe(null)
  await expect.poll(() => read.blocks.map(({ hash }) => hash)).toEqual(hashesFrom(chain, 1019))
})
