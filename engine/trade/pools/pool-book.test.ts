import { describe, expect, it } from "vitest"
import type { Event, EventOf } from "../../../streams/event.ts"
import { batchOf } from "../../../streams/event-objects.ts"
import { packAnswers } from "../../../streams/state-answers.ts"
import { testChain } from "../../../test/support/chain-config.ts"
import { marketBlock, newMarket } from "../../../test/support/market.ts"
import { type Random, random, seed } from "../../../test/support/seed.ts"
import { PoolBook } from "./pool-book.ts"
import { quotePool } from "./pool-market.ts"

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
  const book = new PoolBook(testChain, null, 100)
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

it("tells which positions a rollback undid", () => {
  const book = new PoolBook(testChain)
  const events = marketBlock(seed, market, "undone", 1, null, 3, new Set())
  book.take(batchOf(events), 1)
  const quoted = book.position
  const next = marketBlock(seed, market, "undone", 2, null, 3, new Set())
  book.take(batchOf(next), events.length + 1)
  const undone = book.position
  expect([quoted, undone].map(({ seq }) => book.isUndone(seq))).toEqual([false, false])
  const end = events.length + next.length
  const other = marketBlock(seed, market, "other", 2, null, 3, new Set())
  book.take(batchOf([undo(events.length, quoted.block), ...other]), end + 1)
  const newest = book.position
  expect([quoted, undone, newest].map(({ seq }) => book.isUndone(seq))).toEqual([
    ...[false, true, false]
  ])
})

describe("a state that was read", () => {
  const [TOKEN0, TOKEN1] = [`0x${"01".repeat(20)}`, `0x${"02".repeat(20)}`] as const
  const POOL = `0x${"0f".repeat(20)}`
  const block = (number: number) => ({
    ...{ number, time: 1000 + number, parentHash: null },
    hash: `0x${number.toString(16).padStart(64, "0")}`
  })
  const at = (number: number) => ({ block: block(number), tx: null, logIndex: 0 })
  const sealed = (number: number): Event => ({
    ...{ kind: "BlockSealed", ...at(number), logs: 0, grade: "bloom" }
  })
  const created: Event = {
    ...{ kind: "PoolCreated", ...at(1), pool: POOL, venueKind: "uniswap-v2" },
    ...{ factory: testChain.venues[0]?.factory ?? null, tokens: [TOKEN0, TOKEN1] },
    ...{ fee: 3000, tickSpacing: null, source: "call" }
  }
  /** What the pair's contract said at the end of block 2. */
  const read = (reserve0: bigint, reserve1: bigint, readHash = block(2).hash): Event => ({
    ...{ kind: "PoolStateRead", ...at(3), pool: POOL, venueKind: "uniswap-v2" },
    ...{ readBlock: 2, readTime: 1002, readHash },
    answers: packAnswers([[[reserve0, reserve1, 0n]]])
  })
  const synced = (number: number, reserve0: bigint, reserve1: bigint): Event => ({
    ...{ kind: "ReservesSynced", ...at(number), tx: TX, pool: POOL, reserve0, reserve1 }
  })
  const TX = { hash: `0x${"aa".repeat(32)}`, index: 0, from: null, to: null }
  /** A sale of 1,000 to a pair of a million each. */
  const sale = (number: number): Event => ({
    ...{ kind: "SwapExecuted", ...at(number), tx: TX, logIndex: 1, pool: POOL },
    ...{ venueKind: "uniswap-v2", sender: null, recipient: null, amount0In: 1000n },
    ...{ amount0Out: 0n, amount1In: 0n, amount1Out: 996n, sqrtPriceX96: null, liquidity: null },
    ...{ tick: null, fee: null, token0: null, token1: null, index0: null, index1: null }
  })
  const bookOf = (...events: ReadonlyArray<Event>) => {
    const book = new PoolBook(testChain)
    book.take(batchOf(events), 1)
    return book
  }
  const sold = (book: PoolBook) => {
    const [pool] = book.between(TOKEN0, TOKEN1)
    if (pool === undefined) throw new Error("no pool")
    return quotePool(pool, TOKEN0, TOKEN1, 1000n)
  }
  const unknown = { ok: false, reason: "unknown-state" }

  it("is quoted, and stays once a swap agrees", () => {
    const before = [created, sealed(1), sealed(2)]
    expect(sold(bookOf(...before))).toEqual(unknown)
    const told = [...before, read(1_000_000n, 1_000_000n), sealed(3)]
    expect(sold(bookOf(...told))).toEqual({ ok: true, amountIn: 1000n, amountOut: 996n })
    const after = bookOf(...told, synced(4, 1_001_000n, 999_004n), sale(4), sealed(4))
    expect(sold(after)).toEqual({ ok: true, amountIn: 1000n, amountOut: 994n })
    expect(after.wanted()).toEqual([])
  })

  it("is of no use where a swap contradicts it, and is wanted again", () => {
    const lied = [created, sealed(1), sealed(2), read(9_000_000n, 1_000_000n), sealed(3)]
    const book = bookOf(...lied, synced(4, 1_001_000n, 999_004n), sale(4), sealed(4))
    expect(sold(book)).toEqual(unknown)
    expect(book.wanted().map(({ facts }) => facts.pool)).toEqual([POOL])
    expect(book.reads.counts).toEqual({ agreed: 0, differed: 0, contradicted: 1 })
    expect(book.reads.takeNews()).toEqual([
      `a swap of pool ${POOL} in block 4 contradicts the state that was read: it is read again`
    ])
  })

  it("is compared where the log tells one, and what differs is read again", () => {
    const told = [created, sealed(1), synced(2, 5n, 5n), synced(2, 1_000_000n, 1_000_000n)]
    const before = [...told, sale(2), sealed(2)]
    const agreed = bookOf(...before, read(1_000_000n, 1_000_000n), sealed(3))
    expect(agreed.audited().map(({ facts }) => facts.pool)).toEqual([POOL])
    expect(agreed.reads.counts).toEqual({ agreed: 1, differed: 0, contradicted: 0 })
    expect(sold(agreed)).toEqual({ ok: true, amountIn: 1000n, amountOut: 996n })
    // the pool moved on since the block that was read
    const moved = bookOf(...before, synced(3, 3n, 3n), read(1_000_000n, 1_000_000n), sealed(3))
    expect(moved.reads.counts).toEqual({ agreed: 1, differed: 0, contradicted: 0 })
    const differed = bookOf(...before, read(1_000_000n, 1_000_001_000n), sealed(3))
    expect(differed.reads.counts).toEqual({ agreed: 0, differed: 1, contradicted: 0 })
    expect(sold(differed)).toEqual(unknown)
    expect(differed.audited()).toEqual([])
    expect(differed.wanted().map(({ facts }) => facts.pool)).toEqual([POOL])
    expect(differed.reads.takeNews()).toEqual([
      `the contracts of pool ${POOL} tell another state at block 2 than the log: it is read again`
    ])
    const again = [{ ...read(7n, 7n, block(3).hash), readBlock: 3 } as Event, sealed(4)]
    differed.take(batchOf(again), before.length + 3)
    expect(sold(differed)).toMatchObject({ ok: true, amountOut: 6n })
  })

  it("comes to the same in a book that began with an image, however little that can take back", () => {
    const told = [created, sealed(1), synced(2, 1_000_000n, 1_000_000n), sealed(2)]
    const swapped = [synced(3, 1_001_000n, 999_004n), sale(3), sealed(3)]
    const whole = bookOf(...told, ...swapped)
    const begun = new PoolBook(testChain, whole.image())
    begun.recall(batchOf([...told, ...swapped]), 1)
    const short = new PoolBook(testChain, null, 1)
    short.take(batchOf([...told, ...swapped]), 1)
    const books = [whole, begun, short]
    let next = told.length + swapped.length + 1
    const take = (event: Event, number: number) => {
      const batch = batchOf([event, sealed(number)])
      const taken = books.map(book => book.take(batch, next))
      next += 2
      return taken
    }
    expect(take(read(1_000_000n, 1_000_000n), 4)).toEqual([true, true, true])
    expect(books.map(({ reads }) => reads.counts.agreed)).toEqual([1, 1, 1])
    expect(books.map(sold)).toEqual(
      books.map(() => ({ ok: true, amountIn: 1000n, amountOut: 994n }))
    )
    take({ ...read(1_000_000n, 1_000_001_000n), block: block(5) } as Event, 5)
    expect(books.map(({ reads }) => reads.counts.differed)).toEqual([1, 1, 1])
    expect(books.map(sold)).toEqual([unknown, unknown, unknown])
  })

  it("is left where the block that was read is not the log's", () => {
    const other = read(1_000_000n, 1_000_000n, block(7).hash)
    expect(sold(bookOf(created, sealed(1), sealed(2), other, sealed(3)))).toEqual(unknown)
  })

  it("is brought on over a fork by the events that count", () => {
    // a segment of two blocks, of which the second is undone by the next segment
    const first = [created, sealed(1), sealed(2), synced(3, 5n, 5n), sealed(3)]
    const book = bookOf(...first)
    const agreed = [undo(3, block(2)), synced(3, 1_001_000n, 999_004n), sale(3), sealed(3)]
    book.take(batchOf(agreed), first.length + 1)
    const told = [read(1_000_000n, 1_000_000n), sealed(4)]
    book.take(batchOf(told), first.length + agreed.length + 1)
    expect(sold(book)).toEqual({ ok: true, amountIn: 1000n, amountOut: 994n })
  })

  it("goes with the block that told it", () => {
    const told = [created, sealed(1), sealed(2), read(1_000_000n, 1_000_000n), sealed(3)]
    const book = bookOf(...told)
    book.take(batchOf([undo(3, block(2)), sealed(3)]), told.length + 1)
    expect(sold(book)).toEqual(unknown)
  })
})
