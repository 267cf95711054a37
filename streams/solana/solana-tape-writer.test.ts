/** What blocks made by hand become on the tape. */
import { describe, expect, it } from "vitest"
import { random } from "../../test/support/seed.ts"
import { backTo, block, decoded, kinds, newWriter, signature, taken, tapeOf } from "./made-block.ts"
import {
  addressOf,
  dataLog,
  type Made,
  type MadeInstruction,
  made,
  payloadOf
} from "./made-transaction.ts"
import { orcaWhirlpool } from "./orca-whirlpool/venue.ts"
import { type DecodedBlock, decodeBlock } from "./solana-tape-writer.ts"
import { partsOfPlace, placeOf } from "./tape-place.ts"
import type { Transaction } from "./transaction.ts"

const [POOL, VAULT_A, VAULT_B, WALLET, PAYER] = [1, 2, 3, 4, 5].map(addressOf) as [
  string,
  string,
  string,
  string,
  string
]
/** The lower and the higher one by their bytes. */
const [LOW, HIGH] = [addressOf(40), addressOf(60)]

/** The root of 4 (of the second token's raw units a raw unit of the first), times 2^64. */
const ROOT_OF_4 = 2n << 64n

interface SwapSpec {
  readonly aToB: boolean
  /** mints of the pool's first and second token */
  readonly mints: readonly [string, string]
  /** what the vaults gained, where that is not what the event says */
  readonly gains?: readonly [bigint, bigint]
  readonly more?: Partial<Made>
}

/** Orca's `swap`, whose event says that 100 came in and 70 went out. */
const orcaSwap = ({ aToB, mints, gains, more = {} }: SwapSpec): Transaction => {
  const accounts = Array.from({ length: 11 }, (_, at) => addressOf(100 + at))
  for (const [at, account] of [
    [1, WALLET],
    [2, POOL],
    [4, VAULT_A],
    [6, VAULT_B]
  ] as const) {
    accounts[at] = account
  }
  const event = payloadOf("e1ca49af932ba096", 121, [
    [8, POOL],
    [40, aToB ? 1 : 0, 1],
    [57, ROOT_OF_4, 16],
    [73, 100n],
    [81, 70n]
  ])
  const swap: MadeInstruction = {
    program: orcaWhirlpool.program,
    accounts,
    data: payloadOf("f8c69e91e17587c8", 42, []),
    logs: [dataLog(event)]
  }
  const [a, b] = gains ?? (aToB ? [100n, -70n] : [-70n, 100n])
  const tokens = {
    [VAULT_A]: [mints[0], 1_000n, 1_000n + a],
    [VAULT_B]: [mints[1], 5_000n, 5_000n + b]
  } as const
  const one = made({ instructions: [swap], tokens, ...more })
  return { ...one, feePayer: PAYER }
}

const AB = { aToB: true, mints: [LOW, HIGH] } as const

describe("the tape of Solana", () => {
  it("has a pool's mints before its first swap, in the order of their bytes", () => {
    const events = tapeOf(block(7, [orcaSwap({ aToB: true, mints: [HIGH, LOW] })]))
    expect(kinds(events)).toEqual([
      "TokenSeen",
      "TokenSeen",
      "PoolCreated",
      "ReservesSynced",
      "SwapExecuted",
      "BlockSealed"
    ])
    expect(events[2]).toMatchObject({
      ...{ pool: POOL, venueKind: "orca-whirlpool", factory: orcaWhirlpool.program },
      ...{ tokens: [LOW, HIGH], source: "call", tx: null }
    })
    expect(events[3]).toMatchObject({ reserve0: 4_930n, reserve1: 1_100n })
    expect(events[4]).toMatchObject({
      ...{ pool: POOL, sender: PAYER, recipient: WALLET, logIndex: placeOf(1, 0, 0) },
      ...{ amount0In: 0n, amount0Out: 70n, amount1In: 100n, amount1Out: 0n },
      tx: { hash: signature(70), index: 1, from: PAYER, to: orcaWhirlpool.program },
      block: { number: 7, time: 1_007, hash: addressOf(207), parentHash: addressOf(206) }
    })
    expect(events[5]).toMatchObject({ logs: 1, grade: "second" })
  })

  it.each([
    ["as the venue has it", AB, 2n << 96n],
    ["as the venue has it, the other way", { aToB: false, mints: [LOW, HIGH] }, 2n << 96n],
    ["turned over", { aToB: true, mints: [HIGH, LOW] }, 1n << 95n]
  ] as const)("tells the price's root %s", (_, spec, root) => {
    const [swap] = tapeOf(block(7, [orcaSwap(spec)])).filter(one => one.kind === "SwapExecuted")
    expect(swap).toMatchObject({ sqrtPriceX96: root, liquidity: null, tick: null })
  })

  it("says behind a swap what its vaults say against it", () => {
    const bad = orcaSwap({ ...AB, gains: [99n, -70n] })
    const untold = orcaSwap({ ...AB, more: { balances: false } })
    const doubts = tapeOf(block(7, [bad, orcaSwap(AB)])).filter(
      ({ kind }) => kind === "SwapDoubted" || kind === "SwapExecuted"
    )
    expect(kinds(doubts)).toEqual(["SwapExecuted", "SwapDoubted", "SwapExecuted"])
    expect(doubts[1]).toMatchObject({
      ...{ verdict: "bad", reason: "a vault gained another amount", pool: POOL },
      ...{ logIndex: doubts[0]?.logIndex, tx: { hash: signature(70) } }
    })
    expect(tapeOf(block(7, [untold]))).toMatchObject([
      { kind: "LogQuarantined", reason: "the mint of a vault is not told" },
      { kind: "BlockSealed" }
    ])
  })

  it("quarantines what cannot be read, and goes on", () => {
    const malformed = { _tag: "MalformedTransaction", reason: "no signature" } as const
    const short = { ...orcaSwap(AB), feePayer: "not an account" }
    const [first] = block(7, [orcaSwap(AB)]).transactions
    const transactions = [malformed, first as Transaction]
    expect(tapeOf(block(7, [], { transactions, signatures: [signature(70)] }))).toMatchObject([
      { kind: "LogQuarantined", reason: "no signature", tx: null },
      { kind: "TokenSeen" },
      { kind: "TokenSeen" },
      { kind: "PoolCreated" },
      { kind: "ReservesSynced" },
      { kind: "SwapExecuted", tx: { index: 0 } },
      { kind: "BlockSealed", logs: 2 }
    ])
    expect(tapeOf(block(7, [short]))).toMatchObject([
      { kind: "LogQuarantined", reason: "its signature or an account is none", tx: null },
      { kind: "BlockSealed" }
    ])
    const refused = orcaSwap({ ...AB, more: { logLines: 1, tokens: {} } })
    expect(tapeOf(block(7, [refused]))[0]).toMatchObject({
      ...{ kind: "LogQuarantined", address: orcaWhirlpool.program },
      reason: "neither an event nor transfers tell the amounts"
    })
  })

  it("passes slots over that have no block, and takes no block for the child of another", () => {
    const next = block(9, [], { parentSlot: 7, parentHash: addressOf(207) })
    expect(kinds(tapeOf(block(7, []), next))).toEqual(["BlockSealed", "BlockSealed"])
    const writer = newWriter()
    writer.writeBlock(decoded(7, []))
    writer.writeBlock(decodeBlock({ ...next, parentHash: addressOf(9) }))
    expect(writer.problem?.message).toBe(
      `out of order: block 9 with parent ${addressOf(9)} after ${addressOf(207)}`
    )
  })

  it("says of a block of which endpoints differ that it is a gap", () => {
    expect(tapeOf(block(7, [], { grade: "unproven" }))).toMatchObject([
      { kind: "GapFound", fromBlock: 7, toBlock: 7 },
      { kind: "BlockSealed", grade: "unproven" }
    ])
  })

  it("goes back to a block, and tells pools again that came after it", () => {
    const writer = newWriter()
    writer.writeBlock(decoded(7, []))
    writer.writeBlock(decoded(8, [orcaSwap(AB)], { timeSeconds: 1_006 }))
    writer.undo(backTo(7, 8, 1_001))
    writer.writeBlock(decoded(9, [orcaSwap(AB)], { parentSlot: 7, parentHash: addressOf(207) }))
    expect(writer.problem).toBeNull()
    const events = taken(writer)
    expect(events.find(({ kind }) => kind === "SwapExecuted")?.block.time).toBe(1_007)
    const back = events.findIndex(({ kind }) => kind === "Rollback")
    expect(events[back]).toMatchObject({
      ...{ toBlock: 7, toHash: addressOf(207), fromBlock: 8, reason: "reorg" },
      block: { number: 7, time: 1_007 }
    })
    expect(kinds(events.slice(back + 1))).toEqual(kinds(events.slice(1, back)))
  })

  it("goes back to a block of before those whose times it keeps, as a node has it", () => {
    const writer = newWriter()
    for (let slot = 1; slot <= 1_026; slot++) writer.writeBlock(decoded(slot, []))
    writer.undo(backTo(2, 1_026, 1_002))
    writer.writeBlock(decoded(3, []))
    expect(writer.problem).toBeNull()
    const events = taken(writer)
    const back = events.findIndex(({ kind }) => kind === "Rollback")
    expect(events.slice(back)).toMatchObject([
      { kind: "Rollback", toBlock: 2, block: { number: 2, time: 1_002 } },
      { kind: "BlockSealed", block: { number: 3, time: 1_003 } }
    ])
  })
})

it("orders places as transactions, instructions and parts run, and refuses what has no room", () => {
  const { integer } = random("places")
  const some = Array.from({ length: 300 }, () => ({
    transaction: integer(0, 2 ** 15 - 1),
    path: integer(0, 63) * 256 + integer(0, 127),
    part: integer(0, 15)
  }))
  const ordered = some.toSorted(
    (a, b) => a.transaction - b.transaction || a.path - b.path || a.part - b.part
  )
  const places = ordered.map(one => placeOf(one.transaction, one.path, one.part) as number)
  expect(places.toSorted((a, b) => a - b)).toEqual(places)
  expect(places.map(partsOfPlace)).toEqual(ordered)
  expect(Math.max(...places)).toBeLessThan(2 ** 32)
  const wide = [placeOf(2 ** 15, 0, 0), placeOf(0, 64 * 256, 0), placeOf(0, 128, 0)]
  expect([...wide, placeOf(0, 0, 16)]).toEqual([null, null, null, null])
})

it("tells which slots files lack: those up to a block's parent, and parts of slots", () => {
  const part = (slot: number): DecodedBlock =>
    decodeBlock({
      ...{ _tag: "PartOfBlock", grade: "file", slot, timeSeconds: 1_000 + slot },
      ...{ signatures: [], transactions: [] }
    })
  const whole = (slot: number, parentSlot: number): DecodedBlock =>
    decoded(slot, [], { parentSlot, parentHash: addressOf(200 + parentSlot), grade: "file" })
  const writer = newWriter()
  for (const one of [part(10), part(14), whole(20, 17), whole(22, 20)]) writer.writeBlock(one)
  expect(writer.problem).toBeNull()
  const gaps = taken(writer).filter(({ kind }) => kind === "GapFound")
  const reason = "the files hold a part of these slots, or none"
  expect(gaps).toMatchObject([
    { block: { number: 10 }, fromBlock: 10, toBlock: 10, reason },
    { block: { number: 14 }, fromBlock: 11, toBlock: 14, reason },
    { block: { number: 20 }, fromBlock: 15, toBlock: 17, reason }
  ])
})

it("begins a log of files with a whole block, ahead of which nothing is missing", () => {
  const writer = newWriter()
  writer.writeBlock(decoded(20, [], { parentSlot: 17, grade: "file" }))
  expect(kinds(taken(writer))).toEqual(["BlockSealed"])
})
