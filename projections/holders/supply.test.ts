/** What burns, silent units and missing facts make of a ledger's answer. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import { WHOLE } from "../../test/support/asked-holders.ts"
import { openLaneWith, sealed } from "../../test/support/small-lane.ts"
import { holdersProjection } from "./projection.ts"

const address = (byte: string) => `0x${byte.repeat(20)}`
const TOKEN = address("d1")
const NOBODY = `0x${"0".repeat(40)}`
const [ALICE, BOB] = [address("a1"), address("b2")]

const at = (time: number, fact: object, inTx = false): Event => {
  const block = { number: time, time, hash: null, parentHash: null }
  const tx = inTx ? { hash: `0x${"22".repeat(32)}`, index: 0, from: null, to: null } : null
  return { block, tx, logIndex: 0, ...fact } as Event
}
const transfer = (time: number, from: string, to: string, amount: bigint) =>
  at(time, { kind: "TransferSeen", token: TOKEN, from, to, amount, wrap: null }, true)
const wrap = (time: number, from: string, to: string, amount: bigint) =>
  at(time, { kind: "TransferSeen", token: TOKEN, from, to, amount, wrap: 1 }, true)
const told = (time: number, totalSupply: bigint | null, decimals: number | null = 2) =>
  at(time, {
    ...{ kind: "TokenSeen", token: TOKEN, symbol: null, name: null, decimals },
    ...{ totalSupply, source: "call" }
  })
const filled = (toBlock: number, reach: string, grade: string | null = "root", fromBlock = 1) =>
  at(toBlock, { kind: "TransfersFilled", token: TOKEN, fromBlock, toBlock, reach, grade })
const pinned = (time: number) => at(time, { kind: "TokenPinned", token: TOKEN })

/** So many gaps since block 9, and one before it, which is of no matter. */
const gapped = (count: number) =>
  [8, ...Array.from({ length: count }, (_, i) => 10 + i * 2)].map(block =>
    at(block, { kind: "GapFound", fromBlock: block, toBlock: block, reason: "no receipts" })
  )

/** Seals of runs that are one node's word, each run of a grade of its own. */
const doubted = (count: number) =>
  ["range", "logs"].slice(0, count + 1).map((grade, i) => sealed(8 + i * 3, grade))

/** The answer after these events of a token that is whole since block 1, pinned in block 9. */
const answerTo = (events: ReadonlyArray<Event>, reach = "creation", gaps = 2, words = 0) =>
  Effect.gen(function* () {
    const lane = yield* openLaneWith(holdersProjection)
    const all = [...events, ...gapped(gaps), ...doubted(words)].sort(
      (a, b) => a.block.number - b.block.number
    )
    const before = all.filter(({ block }) => block.number < 9)
    const after = all.filter(({ block }) => block.number >= 9)
    yield* lane.commit([...before, filled(8, reach), pinned(9), ...after, sealed(20, "root")])
    return yield* lane.ask("holders", { token: TOKEN, limit: 10, ...WHOLE, reached: 3 })
  }).pipe(Effect.scoped, Effect.runPromise)

const rowsOf = (body: { readonly top: ReadonlyArray<Record<string, unknown>> }) =>
  body.top.map(({ holder, balance, sharePct, kind }) => [holder, balance, sharePct, kind])

const MINTED = [transfer(2, NOBODY, ALICE, 100n), transfer(3, ALICE, BOB, 30n)]

describe("a supply", () => {
  it("shrinks by what is burnt where the token says so", async () => {
    const body = await answerTo([...MINTED, transfer(4, ALICE, NOBODY, 20n), told(5, 80n)])
    expect(body).toMatchObject({ totalSupply: "80", supplyFromTransfers: "80", holders: 2 })
    expect(rowsOf(body)).toEqual([
      [ALICE, "50", 62.5, "wallet"],
      [BOB, "30", 37.5, "wallet"]
    ])
    expect(body).toMatchObject({ supplyMatches: true, heldByWalletsPct: 100, negativeHolders: 0 })
    expect(body.concentration).toMatchObject({ top1: 62.5, top5: 100, top100: 100 })
  })

  it("of which all is 100 %, however doubles round", async () => {
    const all = 7_664_113_652_618_443_732_940n
    const body = await answerTo([transfer(2, NOBODY, ALICE, all), told(5, all)])
    expect(body).toMatchObject({ supplyMatches: true, heldByWalletsPct: 100 })
    expect(body.concentration).toMatchObject({ top1: 100, top100: 100 })
  })

  it("keeps it where it does not, and the zero address holds it", async () => {
    const body = await answerTo([...MINTED, transfer(4, ALICE, NOBODY, 20n), told(5, 100n)])
    expect(body).toMatchObject({ totalSupply: "100", supplyFromTransfers: "80", holders: 3 })
    expect(rowsOf(body)).toEqual([
      [ALICE, "50", 50, "wallet"],
      [BOB, "30", 30, "wallet"],
      [NOBODY, "20", 20, "burn"]
    ])
    expect(body).toMatchObject({ supplyMatches: true, heldByWalletsPct: 80 })
    expect(body.walletConcentration).toMatchObject({ top1: 50, top5: 80 })
  })

  it("has what was minted to the zero address, as pairs do", async () => {
    const body = await answerTo([transfer(2, NOBODY, NOBODY, 25n), ...MINTED, told(5, 125n)])
    expect(body).toMatchObject({ totalSupply: "125", supplyMatches: true, holders: 3 })
    expect(rowsOf(body)[2]).toEqual([NOBODY, "25", 20, "burn"])
  })

  it("is that of the answer's block where transfers explain what was read before", async () => {
    const body = await answerTo([...MINTED, told(5, 100n), transfer(10, NOBODY, BOB, 100n)])
    expect(body).toMatchObject({ totalSupply: "200", supplyMatches: true })
    expect(rowsOf(body)[0]).toEqual([BOB, "130", 65, "wallet"])
  })

  it("is explained by what was made some changes before, or is later", async () => {
    const mints = [4, 5, 6].map(time => transfer(time, NOBODY, BOB, 1n))
    const early = await answerTo([...MINTED, ...mints, told(7, 101n)])
    expect(early).toMatchObject({ totalSupply: "103", supplyMatches: true })
    const late = await answerTo([...MINTED, told(3, 102n), ...mints])
    expect(late).toMatchObject({ totalSupply: "103", supplyMatches: true })
  })

  it("is explained by the sum of a block before, however often that changed since", async () => {
    const wraps = (time: number) =>
      Array.from({ length: 40 }, () => [wrap(time, NOBODY, BOB, 3n), wrap(time, BOB, NOBODY, 2n)])
    const [first, second] = [wraps(5).flat(), wraps(6).flat()]
    const body = await answerTo([...MINTED, ...first, ...second, told(7, 140n)])
    expect(body).toMatchObject({ totalSupply: "180", supplyMatches: true, complete: false })
    const never = await answerTo([...MINTED, ...first, told(7, 103n)])
    expect(never).toMatchObject({ totalSupply: "103", supplyMatches: false })
  })

  it("loses what is unwrapped, and keeps what the zero address was sent", async () => {
    const events = [
      ...[wrap(2, NOBODY, ALICE, 100n), transfer(3, ALICE, BOB, 30n)],
      ...[transfer(4, ALICE, NOBODY, 20n), wrap(5, BOB, NOBODY, 10n)]
    ]
    const body = await answerTo([...events, told(6, 90n)], "creation", 0)
    expect(body).toMatchObject({ totalSupply: "90", supplyMatches: true, complete: true })
    expect(rowsOf(body).map(([holder, balance]) => [holder, balance])).toEqual([
      [ALICE, "50"],
      [NOBODY, "20"],
      [BOB, "20"]
    ])
    // what was read is of a block or some before
    const early = await answerTo([...events, wrap(6, NOBODY, BOB, 5n), told(7, 90n)])
    expect(early).toMatchObject({ totalSupply: "95", supplyMatches: true })
  })

  it("is as read where units come or go in silence", async () => {
    const body = await answerTo([...MINTED, told(5, 120n)])
    expect(body).toMatchObject({ totalSupply: "120", supplyMatches: false })
    expect(rowsOf(body)[1]).toEqual([BOB, "30", 25, "wallet"])
  })

  it("is unknown where nobody read it, and shares with it", async () => {
    const body = await answerTo([...MINTED, told(5, null, null)])
    expect(body).toMatchObject({ totalSupply: null, supplyMatches: null, decimals: null })
    expect(body.top[0]).toEqual({
      ...{ holder: ALICE, balance: "70", amount: null, sharePct: null, kind: "wallet" }
    })
    expect(body).toMatchObject({ heldByWalletsPct: null, holders: 2 })
    expect(body.concentration.top10).toBe(null)
  })
})

describe("a supply that was read before the ledger", () => {
  const older = [
    "transfers make a supply of 100; the token's is read again, since what was read is older than the ledger"
  ]

  it("is not held against transfers, and a newer one is", async () => {
    const body = await answerTo([told(1, 70n), ...MINTED], "creation", 0)
    expect(body).toMatchObject({ totalSupply: "70", supplyMatches: null, complete: false })
    expect(body.incompleteBecause).toEqual(older)
    const same = await answerTo([told(1, 100n), ...MINTED], "creation", 0)
    expect(same).toMatchObject({ supplyMatches: true, complete: true })
    const newer = await answerTo([told(1, 70n), ...MINTED, told(10, 100n)], "creation", 0)
    expect(newer).toMatchObject({ supplyMatches: true, complete: true })
  })
})

describe("a ledger that is not whole", () => {
  it.each([
    [[told(5, 100n)], "creation", 0, null],
    [[told(5, 100n)], "creation", 1, ["1 run of blocks is not proven since block 9"]],
    [[told(5, null)], "creation", 0, ["the token's supply could not be read"]],
    [
      [told(5, 120n)],
      "creation",
      0,
      [
        "transfers make a supply of 100, the token says 120: its balances change without transfers, or some are missing"
      ]
    ],
    [
      [told(5, 100n), transfer(6, address("c3"), BOB, 7n)],
      "creation",
      0,
      ["1 address sent more than the ledger saw them get"]
    ],
    [[told(5, 100n)], "part", 0, ["transfers before block 1 are not in the ledger yet"]],
    [
      [told(5, 100n)],
      "floor",
      2,
      [
        "when the token was created cannot be told: transfers before block 1 are not read",
        "2 runs of blocks are not proven since block 9"
      ]
    ]
  ] as const)("says why: %#", async (events, reach, gaps, reasons) => {
    const body = await answerTo([...MINTED, ...events], reach, gaps)
    expect([body.complete, body.incompleteBecause]).toEqual([reasons === null, reasons])
  })

  it.each([
    ["part", null, " yet"],
    ["floor", null, " yet"],
    ["part", "no node has block 2", ": no node has block 2"]
  ])("speaks of no transfers before block 0: %#", async (reach, problem, why) => {
    const body = await Effect.gen(function* () {
      const lane = yield* openLaneWith(holdersProjection)
      const whole = filled(8, reach, "root", 0)
      yield* lane.commit([...MINTED, told(5, 100n), whole, pinned(9), sealed(20, "root")])
      return yield* lane.ask("holders", { token: TOKEN, limit: 10, ...WHOLE, problem })
    }).pipe(Effect.scoped, Effect.runPromise)
    const words =
      "transfers of all blocks from block 0 on are in the ledger, but the log does not say that none is missing"
    expect([body.coverage.floorBlock, body.incompleteBecause]).toEqual([0, [words + why]])
  })

  it("says what the source knows of why the past is not there", async () => {
    const params = { token: TOKEN, limit: 10, ...WHOLE }
    const body = await Effect.gen(function* () {
      const lane = yield* openLaneWith(holdersProjection)
      yield* lane.commit([
        ...MINTED,
        told(5, 100n),
        filled(8, "part"),
        pinned(9),
        sealed(20, "root")
      ])
      return yield* lane.ask("holders", { ...params, problem: "no node has block 2" })
    }).pipe(Effect.scoped, Effect.runPromise)
    expect(body).toMatchObject({
      complete: false,
      incompleteBecause: ["transfers before block 1 are not in the ledger: no node has block 2"]
    })
  })

  it.each([
    ["root", 0, null],
    ["second", 0, null],
    ["nothing", 0, null],
    [
      "range",
      0,
      [
        "transfers of blocks 3..8 are in part one node's word: an endpoint with receipts, or a second one, lets a new pin of it be checked"
      ]
    ],
    [
      null,
      0,
      [
        "the log does not tell how the transfers of blocks 3..8 are known, as an earlier version read them: an endpoint with receipts, or a second one, lets a new pin of it be checked"
      ]
    ],
    [
      "root",
      1,
      [
        "1 run of blocks is the word of one node or file since block 9: nothing proves that no transfer was left out"
      ]
    ]
  ])("says what is only a word: %#", async (grade, words, reasons) => {
    const parts = [filled(8, "part", grade, 3), filled(2, "creation")]
    const events = [...MINTED, told(5, 100n), ...parts]
    const body = await answerTo(events, "part", 0, words)
    expect([body.complete, body.incompleteBecause]).toEqual([reasons === null, reasons])
    expect(body.coverage.words).toBe(words)
  })

  it("shows who has something for certain, and counts who gave what nobody saw him get", async () => {
    const events = [...MINTED, told(5, 100n), transfer(6, address("c3"), BOB, 7n)]
    const body = await answerTo(events, "floor")
    expect(body).toMatchObject({
      ...{ tracked: true, complete: false, supplyMatches: null, totalSupply: "100" },
      ...{ holders: 2, negativeHolders: 1, decimals: 2, updatedAt: 20_000 },
      coverage: {
        ...{ addedBlock: 9, floorBlock: 1, createdBlock: null, backfillCursor: 3 },
        ...{ forwardCursor: 20, logs: 3, gaps: 2 }
      }
    })
    expect(rowsOf(body)).toEqual([
      [ALICE, "70", 70, "wallet"],
      [BOB, "37", 37, "wallet"]
    ])
    expect(body.top[0].amount).toBe(0.7)
  })

  it("is pending without a pin, and unknown without a token", async () => {
    const ask = (events: ReadonlyArray<Event>) =>
      Effect.gen(function* () {
        const lane = yield* openLaneWith(holdersProjection)
        yield* lane.commit([...events, sealed(20, "root")])
        const params = { token: TOKEN, limit: 10, ...WHOLE }
        return (yield* lane.ask("holders", params)).code
      }).pipe(Effect.scoped, Effect.runPromise)
    expect(await ask([told(5, 1n)])).toBe("HOLDERS_PENDING")
    expect(await ask([told(5, 1n), ...MINTED])).toBe("HOLDERS_PENDING")
    expect(await ask([])).toBe("UNKNOWN_TOKEN")
  })
})
