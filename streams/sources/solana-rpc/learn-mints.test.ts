/** New mints: each of a block is asked for, however many there are, within what a block may wait. */
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { toBase58 } from "../../../src/domain/base58.ts"
import type { TokenFact } from "../../facts.ts"
import { FactBook } from "../../facts.ts"
import { continuing } from "../../known-set.ts"
import { backTo, decoded, taken } from "../../solana/made-block.ts"
import { made } from "../../solana/made-transaction.ts"
import { madeSwap } from "../../solana/meteora-dlmm/made-swap.ts"
import { SolanaTapeWriter } from "../../solana/solana-tape-writer.ts"
import { SourceError } from "../../source.ts"
import { Learning, learnMints } from "./learn-mints.ts"

const mintOf = (n: number): string => {
  const bytes = new Uint8Array(32).fill(7)
  new DataView(bytes.buffer).setUint32(0, n)
  return toBase58(bytes)
}

/** A block of swaps, each of a mint of its own against the same other. */
const blockOf = (slot: number, from: number, count: number) =>
  decoded(
    slot,
    Array.from({ length: count }, (_, i) =>
      made({
        instructions: [madeSwap(100n, 70n)],
        tokens: { X: [mintOf(from + i), 0n, 100n], Y: [mintOf(0), 1_000n, 930n] }
      })
    )
  )

const named = (token: string): TokenFact => ({
  ...{ token, decimals: 6, totalSupply: null, source: "call" },
  ...{ symbol: token.slice(0, 4), name: token }
})

const learning = (tokens: Learning["tokens"]): Learning => {
  const facts = new FactBook()
  const none = { last: null, blocks: [], knownPools: [], knownTokens: [] }
  return new Learning(new SolanaTapeWriter({ facts, ...none }), facts, tokens)
}

const block = (slot: number, from: number, count: number) => {
  const made = blockOf(slot, from, count)
  return (own: Learning) =>
    Effect.andThen(
      learnMints(own, made),
      Effect.sync(() => own.writer.writeBlock(made))
    )
}

const run = <A>(work: Effect.Effect<A, never>) =>
  Effect.runPromise(Effect.provide(work, TestClock.layer()))

it("asks for all mints of a block, 200 at once", async () => {
  const asked: Array<number> = []
  const own = learning(mints => {
    asked.push(mints.length)
    return Effect.succeed(mints.map(named))
  })
  await run(learnMints(own, blockOf(10, 1, 450)))
  expect(asked).toEqual([200, 200, 51])
  const symbols = [0, 1, 200, 201, 450].map(n => own.facts.token(mintOf(n))?.symbol)
  expect(symbols).toEqual([0, 1, 200, 201, 450].map(n => mintOf(n).slice(0, 4)))
  expect(own.owed.size).toBe(0)
})

it("says with each mint which decimals balances tell, also when it is asked for later", async () => {
  const known: Array<ReadonlyMap<string, number>> = []
  const own = learning((_, decimals = new Map()) => {
    known.push(decimals)
    return Effect.fail(new SourceError({ message: "no node answers", fatal: false }))
  })
  const work = Effect.gen(function* () {
    yield* block(10, 1, 1)(own)
    yield* TestClock.adjust("30 seconds")
    yield* block(11, 0, 0)(own)
  })
  await run(work)
  const both = new Map([0, 1].map(n => [mintOf(n), 6] as const))
  expect(known).toEqual([both, both])
})

it("says of which mint a fork undid late facts", async () => {
  const facts = new FactBook()
  const tail = { blocks: [], knownPools: [], knownTokens: [mintOf(1)] }
  const writer = new SolanaTapeWriter({ facts, blocks: [], ...continuing(tail) })
  const own = new Learning(writer, facts, mints => Effect.succeed(mints.map(named)))
  own.owed.add(mintOf(1), 6)
  await run(block(11, 0, 0)(own))
  expect(own.owed.size).toBe(0)
  expect(writer.undo(backTo(11, 11)).untold).toEqual([])
  expect(writer.undo(backTo(10, 11)).untold).toEqual([mintOf(1)])
})

it("asks again, some at a time, for those that no node told of", async () => {
  let isDead = true
  const asked: Array<number> = []
  const own = learning(mints => {
    asked.push(mints.length)
    return isDead && asked.length > 1
      ? Effect.fail(new SourceError({ message: "no node answers", fatal: false }))
      : Effect.succeed(mints.map(named))
  })
  const work = Effect.gen(function* () {
    yield* block(10, 1, 450)(own)
    expect([asked, own.owed.size]).toEqual([[200, 200], 251])
    isDead = false
    yield* TestClock.adjust("29999 millis")
    yield* block(11, 451, 1)(own)
    expect([asked.length, own.owed.size]).toEqual([2, 252])
    yield* TestClock.adjust("1 millis")
    // a block without a new mint brings them too
    yield* block(12, 0, 0)(own)
    expect([asked.slice(2), own.owed.size]).toEqual([[200], 52])
    yield* block(13, 452, 1)(own)
    expect([asked.slice(3), own.owed.size]).toEqual([[53], 0])
  })
  await run(work)
})

it("waits once for nodes that are silent, and lets blocks of the next 30 seconds pass", async () => {
  let isSilent = true
  const asked: Array<ReadonlyArray<string>> = []
  const own = learning(mints => {
    asked.push(mints)
    return isSilent ? Effect.never : Effect.succeed(mints.map(named))
  })
  const work = Effect.gen(function* () {
    const waiting = yield* Effect.forkChild(block(10, 1, 1)(own), { startImmediately: true })
    yield* TestClock.adjust("1999 millis")
    expect(waiting.pollUnsafe()).toBeUndefined()
    yield* TestClock.adjust("1 millis")
    yield* Fiber.join(waiting)
    // a slot each 400 ms; none of them waits, or the clock that stands would hold it up for ever
    for (let i = 1; i <= 74; i++) {
      yield* TestClock.adjust("400 millis")
      yield* block(10 + i, 1 + i, 1)(own)
    }
    expect(asked.map(some => new Set(some))).toEqual([new Set([mintOf(0), mintOf(1)])])
    expect(own.owed.size).toBe(76)
    isSilent = false
    yield* TestClock.adjust("400 millis")
    yield* block(85, 76, 1)(own)
    expect([asked.length, asked[1]?.length, own.owed.size]).toEqual([2, 77, 0])
  })
  await run(work)
})

it("asks for mints of the past where few are owed, and the log is told of them", async () => {
  const asked: Array<ReadonlyArray<string>> = []
  const answer: Learning["tokens"] = mints => {
    asked.push(mints)
    return Effect.succeed(mints.map(named))
  }
  const facts = new FactBook()
  const none = { last: null, blocks: [], knownPools: [], knownTokens: [] }
  const past = new Map(Array.from({ length: 201 }, (_, n) => [mintOf(n + 2), 6] as const))
  const own = new Learning(new SolanaTapeWriter({ facts, ...none }), facts, answer, past)
  await run(block(10, 1, 1)(own))
  // those of the block first, and fewer of the past by them
  expect(asked.map(some => [some.length, new Set(some.slice(0, 2))])).toEqual([
    [200, new Set([mintOf(0), mintOf(1)])]
  ])
  expect([past.size, own.owed.size]).toEqual([3, 0])
  await run(block(11, 0, 0)(own))
  expect([asked[1], past.size]).toEqual([[200, 201, 202].map(mintOf), 0])
  const seen = taken(own.writer).flatMap(one => (one.kind === "TokenSeen" ? [one] : []))
  const told = new Map(seen.map(({ token, name }) => [token, name]))
  expect([told, seen.length]).toEqual([
    new Map(Array.from({ length: 201 }, (_, n) => [mintOf(n + 2), mintOf(n + 2)])),
    201
  ])
})

it("asks three times for a mint that does not exist, ever later, and with others never more", async () => {
  const asked: Array<number> = []
  let now = 0
  const own = learning(mints => {
    if (mints.includes(mintOf(1))) asked.push(now)
    const gone = { decimals: null, symbol: null, name: null }
    return Effect.succeed(
      mints.map(mint => ({ ...named(mint), ...(mint === mintOf(1) ? gone : {}) }))
    )
  })
  const work = Effect.gen(function* () {
    yield* block(10, 1, 1)(own)
    for (now = 1; now <= 300; now++) {
      yield* TestClock.adjust("1 second")
      yield* block(10 + now, 1 + now, 1)(own)
    }
    expect([asked, own.owed.size]).toEqual([[0, 10, 40], 0])
  })
  await run(work)
})

it("asks for a mint that no node tells of ever later, each quarter of an hour at last", async () => {
  const asked: Array<number> = []
  let now = 0
  const own = learning(() => {
    asked.push(now)
    return Effect.fail(new SourceError({ message: "no node answers", fatal: false }))
  })
  const work = Effect.gen(function* () {
    for (now = 0; now <= 3_600; now += 10) {
      yield* block(10 + now, 1, 1)(own)
      yield* TestClock.adjust("10 seconds")
    }
    expect(asked).toEqual([0, 30, 60, 150, 420, 1_230, 2_130, 3_030])
  })
  await run(work)
})
