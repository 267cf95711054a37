/** Endpoints that tell other parents, times, balances and failures of one block than others do. */
import { Effect, Exit, Scope, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FakeSolana, type Fault } from "../../../test/support/fake-solana.ts"
import { localServer } from "../../../test/support/local-http.ts"
import { testNodes } from "../../../test/support/solana-nodes.ts"
import {
  EMPTY_TAIL,
  openSource,
  ReadChain,
  readRange
} from "../../../test/support/solana-reading.ts"
import type { Event } from "../../event.ts"
import { eventsOf } from "../../event-objects.ts"
import { venuesByProgram } from "../../solana/venues.ts"
import type { Source } from "../../source.ts"
import { type SolanaNode, startNode } from "../solana-devchain/node.ts"
import { solanaTapeSource } from "./tape-source.ts"

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

describe("contents of blocks", () => {
  const scope = Effect.runSync(Scope.make())
  let node: SolanaNode
  const step = async (times: number) => {
    for (let i = 0; i < times; i++) await Effect.runPromise(node.step)
  }
  beforeAll(async () => {
    const plan = { seed: "opinions", users: 20, pooled: 3, curves: 3, port: 0, slotMs: 400 }
    node = await Effect.runPromise(startNode(plan).pipe(Scope.provide(scope)))
    await step(80)
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  interface Meta {
    err: unknown
    logMessages: ReadonlyArray<string>
    postTokenBalances: ReadonlyArray<{ readonly uiTokenAmount: { amount: string } }>
    preTokenBalances: ReadonlyArray<object>
  }
  type Lie = (meta: Meta) => void
  interface ToldBlock {
    readonly signatures?: Array<string>
    readonly transactions?: Array<{ readonly meta: Meta; readonly transaction: object }>
  }

  /** The node's answers, but of what is told of blocks what a liar makes of it. */
  const tellingBlocks = async (
    lie: (block: ToldBlock, certainty: unknown) => void
  ): Promise<string> => {
    const server = await localServer(async ({ body }) => {
      const { params } = JSON.parse(body) as { readonly params: ReadonlyArray<unknown> }
      const answer = await (await fetch(node.url, { method: "POST", body })).json()
      const { result } = answer as { readonly result?: ToldBlock }
      const { commitment } = (params[1] ?? {}) as { readonly commitment?: unknown }
      lie(result ?? {}, commitment)
      return { body: answer }
    })
    servers.push(server)
    return server.url
  }

  /** The node's answers, but with a lie in each transaction of full blocks. */
  const telling = (lie: Lie): Promise<string> =>
    tellingBlocks(({ transactions = [] }) => {
      for (const { meta } of transactions) lie(meta)
    })

  const richer: Lie = ({ postTokenBalances }) => {
    for (const { uiTokenAmount: one } of postTokenBalances)
      one.amount = `${BigInt(one.amount) + 9n}`
  }
  const without: Lie = meta => {
    meta.postTokenBalances = []
    meta.preTokenBalances = []
  }
  const failed: Lie = meta => {
    meta.err = { InstructionError: [0, { Custom: 1 }] }
  }

  const eventsIn = async (...endpoints: ReadonlyArray<string>) => {
    const source = Effect.runSync(solanaTapeSource({ endpoints, start: null, genesisHash: null }))
    const [oldest] = node.bank.slots(1, Number.MAX_SAFE_INTEGER)
    const range = { fromBlock: oldest as number, toBlock: node.bank.head.slot - 40 }
    const events: Array<Event> = []
    const past = source.past?.(range, EMPTY_TAIL, "ranges") ?? Stream.empty
    await Effect.runPromise(
      Stream.runForEach(past, batch => Effect.sync(() => events.push(...eventsOf(batch))))
    )
    const swaps = events.filter(({ kind }) => kind === "SwapExecuted").map(({ tx }) => tx?.hash)
    const reasons = events.flatMap(one => (one.kind === "LogQuarantined" ? [one.reason] : []))
    const doubts = events.filter(({ kind }) => kind === "SwapDoubted").length
    return { source, swaps, reasons, doubts }
  }

  it("takes the answer that bears swaps out, and quarantines them where none does", async () => {
    const honest = await eventsIn(node.url)
    expect(honest.swaps.length).toBeGreaterThan(5)
    const mended = await eventsIn(await telling(richer), node.url)
    expect([mended.swaps, mended.reasons]).toEqual([honest.swaps, []])
    expect(wrongAnswers(mended.source)).toEqual([true, false])
    const alone = await eventsIn(await telling(richer), await telling(richer))
    expect(alone.swaps).toEqual([])
    expect(alone.reasons.length).toBe(honest.swaps.length)
    expect(wrongAnswers(alone.source)).toEqual([false, false])
  })

  it("asks another for balances that one leaves out, with which swaps would go unchecked", async () => {
    const honest = await eventsIn(node.url)
    const mended = await eventsIn(await telling(without), node.url)
    expect([mended.swaps, mended.reasons, mended.doubts]).toEqual([honest.swaps, [], 0])
    expect(wrongAnswers(mended.source)).toEqual([true, false])
  })

  it("finds by the audit that transactions were told as failed, and by a third who did", async () => {
    const liar = await telling(failed)
    const first = node.bank.head.slot - 30
    const audited = async (endpoints: ReadonlyArray<string>) => {
      const source = openSource(endpoints, [...venuesByProgram.keys()], first)
      const { stop } = follow(source)
      await expect.poll(() => source.audit().different).toBeGreaterThan(0)
      await stop()
      return source
    }
    await step(40)
    const two = await audited([liar, node.url])
    expect(two.status().warnings[0]).toMatch(
      /^slot \d+ held transactions that failed otherwise, or with other balances or instructions/
    )
    expect(wrongAnswers(two)).toEqual([false, false])
    const three = await audited([liar, node.url, await telling(() => undefined)])
    expect(wrongAnswers(three)).toEqual([true, false, false])
  })

  /** A lie of a block's answer; it returns whether there was something to lie of. */
  type BlockLie = (block: ToldBlock) => boolean
  const logs =
    (change: (lines: ReadonlyArray<string>) => ReadonlyArray<string>): BlockLie =>
    ({ transactions = [] }) => {
      const logging = transactions.filter(({ meta }) =>
        meta.logMessages.some(line => line.startsWith("Program data: "))
      )
      for (const { meta } of logging) meta.logMessages = change(meta.logMessages)
      return logging.length > 0
    }
  const logged = (data: string) =>
    logs(([first, ...lines]) => [first!, `Program data: ${data}`, ...lines])
  const cutOff = logs(lines => [...lines.slice(0, -1), "Log truncated"])
  const inventing =
    (name: string): BlockLie =>
    ({ transactions }) => {
      const message = { accountKeys: ["payer"], instructions: [] }
      const meta = { err: null, preBalances: [], postBalances: [] } as unknown as Meta
      const transaction = { signatures: [name.padEnd(88, "i")], message }
      return transactions?.push({ transaction, meta }) !== undefined
    }
  const listing: BlockLie = ({ signatures }) =>
    signatures?.push("listed".padEnd(88, "i")) !== undefined
  const nothing: BlockLie = () => true

  it("blames by the audit whom a third contradicts that bears the other out, and else nobody", async () => {
    /** what whoever is asked next for a final block tells: the second, then the third */
    const lies: Array<BlockLie> = []
    const lying = () =>
      tellingBlocks((block, certainty) => {
        const isAudit = certainty === "finalized" && (block.signatures ?? block.transactions)
        if (isAudit && lies[0]?.(block) === true) lies.shift()
      })
    const endpoints = [await lying(), await lying(), await lying()]
    const programs = [...venuesByProgram.keys()]
    const source = openSource(endpoints, programs, node.bank.head.slot - 60, 3_000, 2)
    follow(source)
    const sumOfWrong = () =>
      source.status().endpoints.reduce((sum, { wrongAnswers: count }) => sum + count, 0)
    for (const [at, undecided] of [
      [logged("AAAA"), cutOff],
      [logged("AAAA"), logged("BBBB")],
      [inventing("one"), inventing("other")]
    ].entries()) {
      lies.push(...undecided)
      await expect.poll(() => source.audit().different).toBe(at + 1)
      expect(sumOfWrong()).toBe(0)
    }
    const ready = () => source.status().endpoints.every(({ restMs }) => restMs === 0)
    for (const [at, second] of [logged("AAAA"), inventing("one"), listing].entries()) {
      await expect.poll(ready).toBe(true)
      lies.push(second, nothing)
      await expect.poll(sumOfWrong).toBe(at + 1)
      expect([source.audit().different, lies]).toEqual([3, []])
    }
    await expect.poll(ready).toBe(true)
    lies.push(inventing("one"), inventing("one"))
    await expect.poll(() => source.audit().different).toBe(4)
    expect(sumOfWrong()).toBe(4)
  })
})
