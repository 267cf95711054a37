/** Time that the log does not cover is told, and numbers of a day stand only where it does. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { NEWEST } from "../../../projections/tape/cursor.ts"
import type { Event } from "../../../streams/event.ts"
import {
  opening,
  openSmallLane,
  sale,
  sealed,
  TOKEN,
  undo
} from "../../../test/support/small-lane.ts"

const DAY = 86_400
/** 03:00:00 of a Tuesday. A block's number is its time, so the log does not begin with the chain. */
const START = 1_699_930_800
const MIDNIGHT = START - (START % DAY)
const WALLET = `0x${"71".repeat(20)}`

/** A sale at this second of a day, whose sender is named. */
const trade = (day: number, second: number): Event => {
  const event = sale(MIDNIGHT + day * DAY + second, 1, 2_000_000)
  return { ...event, recipient: WALLET, tx: { ...event.tx, from: WALLET } } as Event
}

const sealedAt = (day: number, second: number): Event => sealed(MIDNIGHT + day * DAY + second)

/** What the log says at the noon of a day of the blocks between two seconds of another. */
const said = (kind: "GapFound" | "GapFilled", day: number, of: number, from: number, to: number) =>
  ({
    ...sealedAt(day, 43_200),
    ...{ kind, reason: "unproven" },
    ...{ fromBlock: MIDNIGHT + of * DAY + from, toBlock: MIDNIGHT + of * DAY + to }
  }) as unknown as Event

it("has no wallets of a day before the log's start and in a gap, and 0 where nobody traded", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const seqs: Array<number> = []
    const after = (...events: ReadonlyArray<Event>) =>
      Effect.gen(function* () {
        seqs.push(yield* lane.commit(events))
        const { wallets } = yield* lane.ask("overview", { days: 14, own: false, stale: false })
        return [(wallets.day - MIDNIGHT) / DAY, wallets.today, wallets.yesterday]
      })
    expect(yield* after(...opening(START), trade(0, 11_000), sealedAt(0, 11_000))).toEqual([
      ...[0, 1, null]
    ])
    // of its first day the log lacks three hours
    expect(yield* after(trade(1, 5), sealedAt(1, 5))).toEqual([1, 1, null])
    expect(yield* after(trade(2, 5), sealedAt(2, 5))).toEqual([2, 1, 1])
    expect(yield* after(sealedAt(3, 5))).toEqual([3, 0, 1])
    expect(yield* after(sealedAt(4, 5))).toEqual([4, 0, 0])
    expect(yield* after(trade(4, 100), sealedAt(4, 100))).toEqual([4, 1, 0])
    expect(yield* after(sealedAt(4, 900), sealedAt(5, 5))).toEqual([5, 0, 1])
    const found = said("GapFound", 5, 4, 200, 300)
    expect(yield* after(found, sealedAt(5, 43_200))).toEqual([5, 0, null])
    expect(yield* after(sealedAt(5, 43_300))).toEqual([5, 0, null])
    // the day after it is whole
    expect(yield* after(sealedAt(6, 5))).toEqual([6, 0, 0])
    const forked = MIDNIGHT + 5 * DAY + 43_400
    expect(yield* after(undo(forked, seqs[8] as number), sealed(forked))).toEqual([5, 0, null])
    const filled = { ...said("GapFilled", 5, 4, 200, 300), block: sealed(forked + 5).block }
    expect(yield* after(filled as Event, sealed(forked + 5))).toEqual([5, 0, 1])
  }).pipe(Effect.scoped, Effect.runPromise))

/** Queries on windows of 24 hours, each with parameters. */
const DAILY = [
  ["tokenBoard", { sort: "volume", includeUnlisted: true, rules: null }],
  ["priceMap", {}],
  ["tokenPage", { token: TOKEN }],
  ["tokenPools", { token: TOKEN }],
  ["tokenSearch", { q: "tkn" }],
  ["tokenList", { includeUnlisted: true }],
  ["stocks", {}],
  ["trending", {}],
  ["attention", {}],
  ["launchers", { sort: "launches" }],
  ["graduated", { cursor: null }]
] as const

/** Tapes, whose window is all time; of the first what memory holds, of the others what tables do. */
const TAPES = [
  ["tokenTrades", { token: TOKEN, side: null, dex: null, min: null, wallet: null, page: 1 }],
  ["tokenTrades", { token: TOKEN, side: "buy", dex: null, min: null, wallet: null, page: 1 }],
  ["chainPrints", { min: null, ...NEWEST }],
  ["chainPrints", { min: "1000000", ...NEWEST }],
  ["walletTrades", { wallet: WALLET, ...NEWEST }]
] as const

it("is told beside all that was traded in a window", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const page = { limit: 10, offset: 0, asOf: null }
    const unknownOf = (name: string, params: object) =>
      Effect.map(lane.ask(name, { ...page, ...params }), ({ unknown }) => unknown as unknown)
    const equal = (queries: typeof DAILY | typeof TAPES) =>
      Effect.gen(function* () {
        const all = yield* Effect.forEach(queries, ([name, params]) => unknownOf(name, params))
        const [first, ...others] = all
        for (const other of others) expect(other).toEqual(first)
        return first
      })
    /** What the windows of 24 hours, and those of days, say, and tapes. */
    const told = Effect.gen(function* () {
      return {
        day: yield* equal(DAILY),
        tape: yield* equal(TAPES),
        stats: yield* unknownOf("tokenStats", { token: TOKEN }),
        overview: yield* unknownOf("overview", { days: 2, own: true, stale: false }),
        venues: yield* unknownOf("venueShares", { days: 2 }),
        wallet: yield* unknownOf("walletPnl", { wallet: WALLET, days: 2 })
      }
    })
    yield* lane.commit([...opening(START), trade(0, 11_000), sealedAt(0, 11_000)])
    const days = [{ from: MIDNIGHT - DAY, to: START }]
    const before = [{ from: 0, to: START }]
    expect(yield* told).toEqual({
      day: [{ from: START - 23 * 3600, to: START }],
      tape: before,
      stats: [{ from: MIDNIGHT + 11_001 - DAY, to: START }],
      ...{ overview: days, venues: days, wallet: days }
    })
    yield* lane.commit([trade(4, 900), sealedAt(4, 900), trade(5, 5), sealedAt(5, 5)])
    const none = { day: [], tape: before, stats: [], overview: [], venues: [], wallet: [] }
    expect(yield* told).toEqual(none)
    const found = said("GapFound", 5, 4, 72_000, 72_100)
    yield* lane.commit([{ ...found, block: sealedAt(5, 6).block } as Event, sealedAt(5, 6)])
    // between the known blocks around it
    const gap = [{ from: MIDNIGHT + 4 * DAY + 901, to: MIDNIGHT + 5 * DAY + 5 }]
    const since = MIDNIGHT + 4 * DAY + 3600
    expect(yield* told).toEqual({
      day: [{ ...gap[0], from: since }],
      tape: [...before, ...gap],
      stats: gap,
      ...{ overview: gap, venues: gap, wallet: gap }
    })
    const filled = { ...said("GapFilled", 5, 4, 72_000, 72_100), block: sealedAt(5, 7).block }
    yield* lane.commit([filled as Event, sealedAt(5, 7)])
    expect(yield* told).toEqual(none)
  }).pipe(Effect.scoped, Effect.runPromise))
