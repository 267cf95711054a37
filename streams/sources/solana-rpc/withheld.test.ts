/** What is given out where somebody lies, and the truth is late, hidden, or told by as many. */
import { expect, it } from "vitest"
import { type Fault, grown } from "../../../test/support/fake-solana.ts"
import { testNodes } from "../../../test/support/solana-nodes.ts"
import { openSource, ReadChain, readRange } from "../../../test/support/solana-reading.ts"

const { urls, nodeOf, follow } = testNodes()
const chain = grown(40)
const honest: Fault = () => null

interface Told {
  readonly blockTime: number
  readonly signatures?: ReadonlyArray<string>
  readonly transactions?: ReadonlyArray<object>
}

/** Makes another block of each that a node tells. */
const changed =
  (change: (block: Told, slot: number) => object): Fault =>
  ({ method, params }, answer) => {
    const { result } = answer as { readonly result?: Told }
    return method === "getBlock" && result !== undefined
      ? { result: change(result, params[0] as number) }
      : null
  }

/** A node that has each whole block a little late: it refuses it once. */
const lateWhole = (): Fault => {
  const refused = new Set<unknown>()
  return ({ method, params: [slot, options] }) => {
    const { transactionDetails } = (options ?? {}) as { readonly transactionDetails?: string }
    if (method !== "getBlock" || transactionDetails !== "full" || refused.has(slot)) return null
    refused.add(slot)
    return { error: { code: -32004, message: `Block not available for slot ${slot}` } }
  }
}

const range = async (...faults: ReadonlyArray<Fault>) => {
  for (const fault of faults) await nodeOf(chain, fault)
  const source = openSource(urls())
  const found = await readRange(source, chain.blocks[1]!.slot, chain.blocks[18]!.slot)
  if (!(found instanceof ReadChain)) throw new Error(found)
  return { source, blocks: found.blocks }
}

it("waits for the whole of a block whose time two tell otherwise than the first", async () => {
  const early = changed(block => ({ ...block, blockTime: block.blockTime - 3 }))
  const { source, blocks } = await range(early, lateWhole(), lateWhole())
  expect(blocks.map(({ slot, timeSeconds }) => timeSeconds - slot)).toEqual(
    Array.from({ length: 18 }, () => 5)
  )
  const wrong = source.status().endpoints.map(({ wrongAnswers }) => wrongAnswers > 0)
  expect(wrong).toEqual([true, false, false])
})

it("compares transactions also where times differ, and keeps none that one invents", async () => {
  const inventing = changed((block, slot) => {
    const { signatures, transactions, blockTime } = block
    const more = `invented${slot}`.padEnd(88, "i")
    const one = {
      transaction: { signatures: [more], message: { accountKeys: ["payer"], instructions: [] } },
      meta: { err: null, preBalances: [], postBalances: [] }
    }
    return {
      ...{ ...block, blockTime: blockTime - 1 },
      ...(signatures === undefined ? {} : { signatures: [...signatures, more] }),
      ...(transactions === undefined ? {} : { transactions: [...transactions, one] })
    }
  })
  const { blocks } = await range(inventing, honest)
  expect(new Set(blocks.map(({ grade }) => grade))).toEqual(new Set(["unproven"]))
  const told = blocks.flatMap(({ signatures }) => signatures)
  expect(told.filter(one => one.startsWith("invented"))).toEqual([])
  expect(told.length).toBe(18 * 3)
})

it("blames nobody of two against two, and says of the past what it says of the head", async () => {
  const [ours, theirs] = [grown(20), grown(20)]
  theirs.branch = 8
  for (const one of [ours, ours, theirs, theirs]) await nodeOf(one, honest)
  const source = openSource(urls())
  const read = follow(source).chain
  await expect.poll(() => read.blocks.length).toBe(1)
  for (let i = 0; i < 15; i++) for (const one of [ours, theirs]) one.produce()
  await expect.poll(() => source.status().disputed).not.toBe(null)
  const found = await readRange(source, 1021, 1026)
  if (!(found instanceof ReadChain)) throw new Error(found)
  expect(found.blocks.map(({ grade }) => grade)).toEqual(Array.from({ length: 6 }, () => "word"))
  expect(source.status().endpoints.map(({ wrongAnswers }) => wrongAnswers)).toEqual([0, 0, 0, 0])
})
