import { expect, it } from "vitest"
import type { Event, EventOf } from "../../../streams/event.ts"
import { batchOf } from "../../../streams/event-objects.ts"
import { testChain } from "../../../test/support/chain-config.ts"
import { marketBlock, newMarket } from "../../../test/support/market.ts"
import { type Random, random, seed } from "../../../test/support/seed.ts"
import { PoolBook } from "./pool-book.ts"

const [dollar, native] = testChain.anchors
const market = newMarket(seed, dollar?.address ?? "", native?.address ?? "")

/** What a book tells of every pair of tokens, by pool. */
const told = (book: PoolBook) => {
  const tokens = market.tokens.map(({ address }) => address)
  return tokens.flatMap((a, i) =>
    tokens.slice(i + 1).flatMap(b =>
      book
        .between(a, b)
        .map(({ kind, ...pool }) => ({ ...pool, kind: kind.kind }))
        .sort((x, y) => (x.pool < y.pool ? -1 : 1))
    )
  )
}

const undo = (toSeq: number, block: Event["block"]): EventOf<"Rollback"> => ({
  kind: "Rollback",
  block,
  tx: null,
  logIndex: 0,
  toSeq,
  toBlock: block.number,
  toHash: null,
  fromBlock: block.number + 1,
  reason: "reorg"
})

/** A log in which some blocks are undone again, and the events of it that count. */
const forkedLog = (r: Random, blocks: number) => {
  const log: Array<Event> = []
  /** seq of the last event of each block that counts, and the pools known then */
  const ends: Array<{ readonly seq: number; readonly known: ReadonlySet<string> }> = []
  let known = new Set<string>()
  for (let branch = 0, height = 1; height <= blocks; height++) {
    const events = marketBlock(`${seed}/${branch}`, market, "book", height, null, 4, known)
    log.push(...events)
    ends.push({ seq: log.length, known: new Set(known) })
    const depth = r.integer(0, 9) === 0 ? Math.min(ends.length, r.integer(1, 6)) : 0
    if (depth === 0) continue
    height -= depth
    branch++
    ends.splice(ends.length - depth)
    const end = ends.at(-1)
    known = new Set(end?.known ?? [])
    const block = { ...(events[0] as Event).block, number: height }
    log.push(undo(end?.seq ?? 0, block))
  }
  return log
}

const effective = (log: ReadonlyArray<Event>): ReadonlyArray<Event> => {
  const kept: Array<{ readonly event: Event; readonly seq: number }> = []
  for (const [i, event] of log.entries()) {
    if (event.kind !== "Rollback") kept.push({ event, seq: i + 1 })
    else while ((kept.at(-1)?.seq ?? 0) > event.toSeq) kept.pop()
  }
  return kept.map(({ event }) => event)
}

it("stands after forks where the chain that is left leads", () => {
  for (let run = 0; run < 10; run++) {
    const r = random(`book ${run}`)
    const log = forkedLog(r, 60)
    const forked = new PoolBook(testChain)
    for (let from = 0; from < log.length; ) {
      const to = Math.min(log.length, from + r.integer(1, 80))
      expect(forked.take(batchOf(log.slice(from, to)), from + 1)).toBe(true)
      from = to
    }
    const straight = new PoolBook(testChain)
    const left = effective(log)
    expect(straight.take(batchOf(left), 1)).toBe(true)
    expect(told(forked)).toEqual(told(straight))
    expect(told(forked).length).toBeGreaterThan(10)
    expect(forked.position.block).toEqual(straight.position.block)
  }
})

it("cannot take back what is older than its journal, and says so", () => {
  const book = new PoolBook(testChain, 100)
  const known = new Set<string>()
  let seq = 0
  for (let height = 1; height <= 40; height++) {
    const events = marketBlock(seed, market, "long", height, null, 12, known)
    book.take(batchOf(events), seq + 1)
    seq += events.length
  }
  const { block } = book.position
  expect(book.take(batchOf([undo(seq - 30, block)]), seq + 1)).toBe(true)
  expect(book.take(batchOf([undo(10, block)]), seq + 2)).toBe(false)
})

it("knows no state any more once blocks are missing, but the pools", () => {
  const book = new PoolBook(testChain)
  const events = marketBlock(seed, market, "gap", 1, null, 40, new Set())
  book.take(batchOf(events), 1)
  const before = told(book)
  const gap = {
    kind: "GapFound",
    ...{ block: book.position.block, tx: null, logIndex: 0 },
    ...{ fromBlock: 2, toBlock: 3, reason: "receipts are missing" }
  } satisfies Event
  book.take(batchOf([gap]), events.length + 1)
  const after = told(book)
  expect(after.map(({ pool, facts }) => ({ pool, facts }))).toEqual(
    before.map(({ pool, facts }) => ({ pool, facts }))
  )
  for (const { kind, facts, state } of [...book.pools()]) {
    expect(state).toEqual(kind.pool.initial(facts))
  }
  expect(after).not.toEqual(before)
  book.take(batchOf([undo(events.length, book.position.block)]), events.length + 2)
  expect(told(book)).toEqual(before)
})
