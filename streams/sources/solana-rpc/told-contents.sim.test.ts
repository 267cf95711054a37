/** Endpoints that tell other balances, failures and logs of one block than others do. */
import { Effect, Exit, Scope, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { localServer } from "../../../test/support/local-http.ts"
import { testNodes } from "../../../test/support/solana-nodes.ts"
import { EMPTY_TAIL, openSource } from "../../../test/support/solana-reading.ts"
import type { Event } from "../../event.ts"
import { eventsOf } from "../../event-objects.ts"
import { venuesByProgram } from "../../solana/venues.ts"
import type { Source } from "../../source.ts"
import { type SolanaNode, startNode } from "../solana-devchain/node.ts"
import { solanaTapeSource } from "./tape-source.ts"

const { servers, follow } = testNodes()

const wrongAnswers = ({ status }: Pick<Source, "status">) =>
  status().endpoints.map(({ wrongAnswers: count }) => count > 0)

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
    logMessages: ReadonlyArray<string> | null
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
    const grades = new Set(events.flatMap(one => (one.kind === "BlockSealed" ? [one.grade] : [])))
    return { source, events, swaps, reasons, doubts, grades }
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

  it("asks another for logs that one withholds, and grades a block of which nobody tells them", async () => {
    const kinds = ({ events }: { readonly events: ReadonlyArray<Event> }) =>
      events.flatMap(({ kind }) => (kind === "BlockSealed" ? [] : [kind]))
    const logging = (logMessages: ReadonlyArray<string> | null): Lie => {
      return meta => {
        meta.logMessages = logMessages
      }
    }
    const honest = await eventsIn(node.url)
    expect(kinds(honest)).toContain("ReservesSynced")
    for (const withheld of [logging(null), logging([])]) {
      let count = 0
      const some = await telling(meta => {
        if (count++ % 5 < 3) withheld(meta)
      })
      // who is blamed rests, and two others are left
      const mended = await eventsIn(some, node.url, await telling(() => undefined))
      expect([kinds(mended), mended.grades]).toEqual([kinds(honest), new Set(["second"])])
      expect(wrongAnswers(mended.source)).toEqual([true, false, false])
      const none = await eventsIn(await telling(withheld), await telling(withheld))
      const unlogged = none.events.flatMap(one =>
        one.kind === "BlockSealed" && one.grade === "unlogged" ? [one.block.number] : []
      )
      const trading = honest.events.flatMap(({ tx, block }) => (tx === null ? [] : [block.number]))
      expect([none.swaps, unlogged]).toEqual([honest.swaps, [...new Set(trading)]])
      expect(none.grades).toEqual(new Set(["second", "unlogged"]))
      const reserves = [honest, none].map(
        one => kinds(one).filter(kind => kind === "ReservesSynced").length
      )
      expect(reserves).toEqual([46, 17])
      expect(wrongAnswers(none.source)).toEqual([false, false])
    }
    const cut = await eventsIn(await telling(logging(["Log truncated"])), node.url)
    expect([cut.grades, wrongAnswers(cut.source)]).toEqual([new Set(["second"]), [false, false]])
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
        meta.logMessages?.some(line => line.startsWith("Program data: "))
      )
      for (const { meta } of logging) meta.logMessages = change(meta.logMessages ?? [])
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
