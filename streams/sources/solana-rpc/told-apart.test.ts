/** Endpoints that tell other parents, times and transactions of one block than others do. */
import { describe, expect, it } from "vitest"
import { FakeSolana, type Fault } from "../../../test/support/fake-solana.ts"
import { testNodes } from "../../../test/support/solana-nodes.ts"
import { openSource, ReadChain, readRange } from "../../../test/support/solana-reading.ts"
import type { Source } from "../../source.ts"

const { servers, urls, hosts, nodeOf, follow } = testNodes()

const wrongAnswers = ({ status }: Pick<Source, "status">) =>
  status().endpoints.map(({ wrongAnswers: count }) => count > 0)

describe("heads of blocks", () => {
  const chain = new FakeSolana()
  for (let i = 0; i < 40; i++) chain.produce()
  const honest: Fault = () => null

  const range = async (...faults: ReadonlyArray<Fault>) => {
    for (const fault of faults) await nodeOf(chain, fault)
    const source = openSource(urls())
    const found = await readRange(source, chain.blocks[1]!.slot, chain.blocks[18]!.slot)
    if (!(found instanceof ReadChain)) throw new Error(found)
    return { source, blocks: found.blocks }
  }

  type Told = { readonly result: { readonly parentSlot: number; readonly blockTime: number } }
  /** The liar has no block in the fifth slots, and tells their children as those of their parents. */
  const dropping: Fault = ({ method, params }, answer) => {
    const isDropped = (slot: unknown) => (slot as number) % 5 === 0
    const { result } = answer as Told
    if (method === "getBlocks") {
      return { result: (result as unknown as Array<number>).filter(slot => !isDropped(slot)) }
    }
    if (method !== "getBlock" || result === undefined) return null
    if (isDropped(params[0])) return { error: { code: -32007, message: "Slot was skipped" } }
    const parent = isDropped(result.parentSlot) ? chain.at(result.parentSlot) : undefined
    const { parentSlot, previousBlockhash } = parent ?? chain.at(params[0] as number)!
    return { result: { ...result, blockHeight: null, parentSlot, previousBlockhash } }
  }

  it("takes the block with the later parent, and blames who leaves its slot out", async () => {
    const { source, blocks } = await range(dropping, honest)
    expect(blocks.map(({ slot }) => slot)).toEqual(chain.blocks.slice(1, 19).map(b => b.slot))
    expect(wrongAnswers(source)).toEqual([true, false])
  })

  const late: Fault = ({ method }, answer) => {
    const { result } = answer as Told
    return method === "getBlock" ? { result: { ...result, blockTime: result.blockTime + 7 } } : null
  }

  it("blames who tells another time than two others", async () => {
    const { source, blocks } = await range(late, honest, honest)
    expect(blocks.map(one => (one.timeSeconds ?? 0) - one.slot)).toEqual(blocks.map(() => 5))
    expect(wrongAnswers(source)).toEqual([true, false, false])
  })

  /** The liar puts a block of its own into each fifth slot, which has none. */
  const inserting: Fault = ({ method, params }, answer) => {
    const [slot] = params as ReadonlyArray<number>
    const { result } = answer as Told
    if (method !== "getBlock") return null
    const [last, next] = [gappy.at(slot! - 1), gappy.at(slot! + 1)]
    if (result === undefined && last !== undefined && next !== undefined) {
      const { blockhash, slot: parentSlot } = last
      const own = { blockhash: gappy.blocks[0]!.previousBlockhash, parentSlot, blockTime: slot }
      return { result: { ...own, previousBlockhash: blockhash, signatures: [], transactions: [] } }
    }
    if (result === undefined || result.parentSlot !== slot! - 2) return null
    const parent = { parentSlot: slot! - 1, previousBlockhash: gappy.blocks[0]!.previousBlockhash }
    return { result: { ...result, ...parent, blockHeight: null } }
  }
  const gappy = new FakeSolana()
  for (let i = 0; i < 40; i++) gappy.produce(i % 5 === 4 ? 1 : 0)

  it.each([
    ["first", [inserting, honest], [true, false]],
    ["second", [honest, inserting], [false, true]]
  ] as const)(
    "blames who puts a block in that heights have no room for, asked %s",
    async (...of) => {
      const [, faults, wrong] = of
      for (const fault of faults) await nodeOf(gappy, fault)
      const source = openSource(urls())
      const found = await readRange(source, gappy.blocks[1]!.slot, gappy.blocks[18]!.slot)
      if (!(found instanceof ReadChain)) throw new Error(found)
      expect(found.blocks.map(({ slot }) => slot)).toEqual(
        gappy.blocks.slice(1, 19).map(({ slot }) => slot)
      )
      expect(wrongAnswers(source)).toEqual(wrong)
    }
  )

  type Listed = { readonly result: { readonly signatures?: ReadonlyArray<string> } }
  /** The liar invents a transaction in each block. */
  const inventing: Fault = ({ method, params }, answer) => {
    const { result } = answer as Listed & { result: { transactions?: ReadonlyArray<object> } }
    if (method !== "getBlock") return null
    const { signatures, transactions } = result
    const more = `invented${params[0]}`.padEnd(88, "i")
    const one = {
      transaction: { signatures: [more], message: { accountKeys: ["payer"], instructions: [] } },
      meta: { err: null, preBalances: [], postBalances: [] }
    }
    return {
      result: {
        ...result,
        ...(signatures === undefined ? {} : { signatures: [...signatures, more] }),
        ...(transactions === undefined ? {} : { transactions: [...transactions, one] })
      }
    }
  }

  it("believes two others against who tells more transactions", async () => {
    const { source, blocks } = await range(inventing, honest, honest)
    const all = new Set(blocks.flatMap(({ signatures }) => signatures))
    expect([...all].filter(one => one.startsWith("invented"))).toEqual([])
    expect(wrongAnswers(source)).toEqual([true, false, false])
  })

  /** The liar leaves the first transaction of each block out. */
  const leavingOut: Fault = ({ method }, answer) => {
    const { result } = answer as Listed & { result: { transactions?: ReadonlyArray<object> } }
    if (method !== "getBlock") return null
    const { signatures, transactions } = result
    return {
      result: {
        ...result,
        ...(signatures === undefined ? {} : { signatures: signatures.slice(1) }),
        ...(transactions === undefined ? {} : { transactions: transactions.slice(1) })
      }
    }
  }

  it.each([
    ["invents transactions", inventing, 3],
    ["leaves some out", leavingOut, 2]
  ] as const)("blames none of two where one %s, and keeps what both tell", async (...of) => {
    const [, liar, kept] = of
    for (const order of [
      [liar, honest],
      [honest, liar]
    ]) {
      const { source, blocks } = await range(...order)
      expect(new Set(blocks.map(({ grade }) => grade))).toEqual(new Set(["unproven"]))
      const told = blocks.map(({ slot }) => chain.at(slot)!.signatures.slice(-kept))
      expect(blocks.map(({ signatures }) => signatures)).toEqual(told)
      expect(wrongAnswers(source)).toEqual([false, false])
      const [from, to] = [chain.blocks[1]!.slot, chain.blocks[18]!.slot]
      expect(await readRange(source, from, to, "proofs")).toBe(
        `slot ${from}: endpoints tell of different transactions`
      )
      await nodeOf(chain)
      const three = openSource(urls())
      const proven = await readRange(three, from, to, "proofs")
      if (!(proven instanceof ReadChain)) throw new Error(proven)
      expect(new Set(proven.blocks.map(({ grade }) => grade))).toEqual(new Set(["second"]))
      expect(wrongAnswers(three)).toEqual(order.map(one => one === liar).concat(false))
      for (const server of servers.splice(0)) await server.close()
    }
  })

  it("names both of two that tell other transactions", async () => {
    for (const fault of [leavingOut, honest]) await nodeOf(chain, fault)
    const source = openSource(urls())
    const following = follow(source)
    await expect.poll(() => following.chain.blocks.length).toBe(1)
    const [first, second] = hosts()
    expect(source.status().warnings).toEqual([
      `${first} and ${second} tell of different transactions of blocks, and no third endpoint is ` +
        "heard: what both tell is kept, and those blocks are gaps until two tell the same"
    ])
    expect(source.status().grades).toEqual({ unproven: 1 })
  })

  const repeating: Fault = ({ method }, answer) => {
    const { result } = answer as Listed
    if (method !== "getBlock" || result.signatures === undefined) return null
    return { result: { ...result, signatures: [...result.signatures, result.signatures[0]] } }
  }

  it("takes a block with a transaction twice for no answer", async () => {
    const { source, blocks } = await range(honest, repeating, honest)
    expect(blocks.map(({ slot }) => slot)).toEqual(chain.blocks.slice(1, 19).map(b => b.slot))
    const errors = source.status().endpoints.map(one => one.errors > 0)
    expect([errors, wrongAnswers(source)]).toEqual([
      [false, true, false],
      [false, true, false]
    ])
  })

  it("takes no two for one where they tell other times, and says so", async () => {
    for (const fault of [late, honest]) await nodeOf(chain, fault)
    const source = openSource(urls(), [], chain.blocks[1]!.slot)
    const { chain: read, stop } = follow(source)
    await expect.poll(() => read.blocks.length).toBe(chain.blocks.length - 1)
    await stop()
    expect(new Set(read.blocks.map(({ grade }) => grade))).toEqual(new Set(["word"]))
    const [first, second] = hosts()
    const either = [`${first} and ${second}`, `${second} and ${first}`]
    const words = "tell of different times of blocks, and no other decides"
    expect(either.map(both => `${both} ${words}`)).toContain(source.status().warnings[0])
    // one that is ahead would be that of all blocks after it
    expect(new Set(read.blocks.map(one => (one.timeSeconds ?? 0) - one.slot))).toEqual(new Set([5]))
  })
})
