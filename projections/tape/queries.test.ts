import { Effect } from "effect"
import { expect, it } from "vitest"
import { microDollars } from "../../api/groups/prints/print-pages.ts"
import type { Event } from "../../streams/event.ts"
import {
  DOLLAR,
  opening,
  openSmallLane,
  reserves,
  sale,
  sealed,
  TOKEN,
  twinPool
} from "../../test/support/small-lane.ts"
import { type CursorParams, NEWEST } from "./cursor.ts"
import { tapeOutput } from "./output.ts"

const EOA = `0x${"e1".repeat(20)}`
const STRANGER = `0x${"c1".repeat(20)}`
const TIME = 1_700_000_000

interface Moved {
  readonly tokenAmt: number | null
  readonly quoteAmount: number | null
}

it("counts micro-dollars of a decimal text exactly, rounded up", () => {
  const cases = {
    "0": 0n,
    "267.719617": 267_719_617n,
    "267.7196170": 267_719_617n,
    "267.719617000000000001": 267_719_618n,
    "0.0000001": 1n,
    "0.0000000": 0n,
    "12.5": 12_500_000n,
    "007": 7_000_000n,
    "999999999999999.999999000000000001": 1_000_000_000_000_000_000_000n
  }
  for (const [text, micro] of Object.entries(cases)) expect(microDollars(text), text).toBe(micro)
})

it("takes trades of exactly the least amount asked for", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const time = TIME
    // each is more than a whole number of micro-dollars as a double: 267.719617 times a million is
    // 267719617.00000003
    const dollars = [123, 3995, 7959, 15_640, 267_719_617, 267_719_776, 267_720_116, 267_721_128]
    yield* lane.commit([
      ...opening(time),
      reserves(time, 10_000, 20_000),
      ...dollars.map((micro, i) => sale(time, 1, micro, 2 + i)),
      sealed(time)
    ])
    const all = {
      token: TOKEN,
      side: null,
      dex: null,
      wallet: null,
      limit: 500,
      page: 1,
      asOf: null
    }
    for (const [i, micro] of dollars.entries()) {
      const { total, trades } = yield* lane.ask("tokenTrades", { ...all, min: String(micro / 1e6) })
      expect([total, trades.at(-1).usd]).toEqual([dollars.length - i, micro / 1e6])
    }
    const over = yield* lane.ask("tokenTrades", { ...all, min: "267.7196170000001" })
    expect(over.total).toBe(3)
    const most = yield* lane.ask("tokenTrades", { ...all, min: "999999999999999.9" })
    expect(most.total).toBe(0)
  }).pipe(Effect.scoped, Effect.runPromise))

it("pages through swaps of a token for itself, each once, from memory and from the tables", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const pool = `0x${"b9".repeat(20)}`
    const places = [2, 3, 4, 5, 6, 7, 8, 9]
    yield* lane.commit([
      ...opening(TIME),
      twinPool(TIME, pool),
      reserves(TIME, 10_000, 20_000),
      ...places.map(place =>
        place % 4 === 3 ? sale(TIME, 1, 2_000_000, place) : sale(TIME, 1, 2_000_000, place, pool)
      ),
      sealed(TIME)
    ])
    const walk = Effect.gen(function* () {
      const found: Array<{ readonly logIndex: number }> = []
      for (let cursor: CursorParams | null = NEWEST; cursor !== null; ) {
        const asked = { token: TOKEN, limit: 3, ...cursor }
        const page: {
          readonly trades: typeof found
          readonly nextBefore: string | null
        } = yield* lane.ask("chainTrades", asked)
        found.push(...page.trades)
        const [ts = 0, block = 0, index = 0] = (page.nextBefore ?? "").split(":").map(Number)
        const before = { beforeTs: ts, beforeBlock: block, beforeLogIndex: index }
        cursor = page.nextBefore === null ? null : before
      }
      return found
    })
    const fromMemory = yield* walk
    expect(fromMemory.map(({ logIndex }) => logIndex)).toEqual(places.toReversed())
    const whole = { side: "sell", tokenAmt: 1, quoteAmount: 2 }
    expect(fromMemory).toMatchObject(places.map(() => whole))
    lane.output(tapeOutput).recent.clear()
    expect(yield* walk).toEqual(fromMemory)
  }).pipe(Effect.scoped, Effect.runPromise))

it("names the time of which nobody knows whether a token traded", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const gap = {
      ...sealed(TIME + 40),
      ...{ kind: "GapFound", fromBlock: TIME + 10, toBlock: TIME + 19, reason: "not-read" }
    } as Event
    const asked = { token: TOKEN, limit: 9, ...NEWEST }
    const page = (cursor: object = {}) =>
      Effect.map(lane.ask("chainTrades", { ...asked, ...cursor }), ({ trades, unknown }) => ({
        blocks: trades.map(({ block }: { readonly block: number }) => block),
        unknown
      }))
    const before = { from: 0, to: TIME }
    yield* lane.commit([...opening(TIME), sale(TIME, 1, 2_000_000), sealed(TIME)])
    const first = { blocks: [TIME], unknown: [before] }
    expect(yield* page()).toEqual(first)
    expect(yield* page({ beforeTs: TIME - 1 })).toEqual({ ...first, blocks: [] })
    lane.output(tapeOutput).recent.clear()
    expect(yield* page()).toEqual(first)
    yield* lane.commit([sale(TIME + 40, 1, 2_000_000), sealed(TIME + 40), gap])
    const missing = { from: TIME + 1, to: TIME + 40 }
    const both = { blocks: [TIME + 40, TIME], unknown: [before, missing] }
    // its times are read, then remembered
    for (const _ of [1, 2]) expect(yield* page()).toEqual(both)
  }).pipe(Effect.scoped, Effect.runPromise))

it("tells on every tape how a wallet was found, or why it was not", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const by = (to: string | null, logIndex: number) => {
      const hash = `0x${logIndex.toString(16).padStart(64, "0")}`
      const tx = { hash, index: logIndex, from: to === null ? null : EOA, to }
      return { ...sale(TIME, 1, 2_000_000, logIndex), tx } as Event
    }
    const targets = [null, EOA, STRANGER]
    yield* lane.commit([
      ...opening(TIME),
      reserves(TIME, 10_000, 20_000),
      ...targets.map((to, i) => by(to, 2 + i)),
      sealed(TIME)
    ])
    // newest first
    const told = [
      [null, "unknown-contract", 2],
      [EOA, "direct", 2],
      [null, "no-transaction", 2]
    ]
    const of = (
      list: ReadonlyArray<Moved & { readonly wallet: unknown; readonly walletBy: unknown }>
    ) => list.map(({ wallet, walletBy, quoteAmount }) => [wallet, walletBy, quoteAmount])
    const filters = { side: null, dex: null, min: null, wallet: null }
    const page = { token: TOKEN, ...filters, limit: 9, page: 1, asOf: null }
    // from memory, and from the tables
    expect(of((yield* lane.ask("tokenTrades", page)).trades)).toEqual(told)
    expect(of((yield* lane.ask("tokenTrades", { ...page, side: "sell" })).trades)).toEqual(told)
    const keyed = yield* lane.ask("chainTrades", { token: TOKEN, limit: 9, ...NEWEST })
    expect(of(keyed.trades)).toEqual(told)
    const wallets = yield* lane.ask("walletTrades", { wallet: EOA, limit: 9, ...NEWEST })
    expect(of(wallets.trades)).toEqual(told.slice(1, 2))
    expect(of((yield* lane.ask("chainPrints", { limit: 9, min: null, ...NEWEST })).prints)).toEqual(
      told
    )
    const frames = yield* lane.frames(0, new Map([["trades", new Set([TOKEN])]]))
    expect(of(frames.map(({ body }) => JSON.parse(body).trade))).toEqual(told.toReversed())
  }).pipe(Effect.scoped, Effect.runPromise))

it("tells on every tape what moved of the other token, once its decimals are known", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const [seen, ...rest] = opening(TIME)
    const unknown = { ...seen, decimals: null } as Event
    const sold = [reserves(TIME, 10_000, 20_000), sale(TIME, 3, 6_000_000)]
    yield* lane.commit([unknown, ...rest, ...sold, sealed(TIME)])
    const filters = { side: null, dex: null, wallet: null, page: 1, asOf: null }
    const tapesOf = (token: string) =>
      Effect.gen(function* () {
        const asked = { token, limit: 9, ...filters }
        const pages = [
          yield* lane.ask("tokenTrades", { ...asked, min: null }),
          // from the tables
          yield* lane.ask("tokenTrades", { ...asked, min: "1" }),
          yield* lane.ask("chainTrades", { ...asked, ...NEWEST })
        ]
        const frames = yield* lane.frames(0, new Map([["trades", new Set([token])]]))
        const told = frames.map(({ body }) => JSON.parse(body).trade)
        const lists: ReadonlyArray<ReadonlyArray<Moved>> = [
          ...pages.map(({ trades }) => trades),
          told.toReversed()
        ]
        return lists.map(list => list.map(row => [row.tokenAmt, row.quoteAmount]))
      })
    const times4 = <A>(list: A) => [list, list, list, list]
    expect(yield* tapesOf(TOKEN)).toEqual(times4([[null, 6]]))
    expect(yield* tapesOf(DOLLAR)).toEqual(times4([[6, null]]))
    const [known] = opening(TIME + 1)
    yield* lane.commit([known as Event, sale(TIME + 1, 4, 8_000_000), sealed(TIME + 1)])
    const [ofToken, ofDollar] = [yield* tapesOf(TOKEN), yield* tapesOf(DOLLAR)]
    const amounts = [
      [4, 8],
      [3, 6]
    ]
    expect(ofToken).toEqual(times4(amounts))
    expect(ofDollar).toEqual(times4(amounts.map(pair => pair.toReversed())))
    lane.output(tapeOutput).recent.clear()
    expect([yield* tapesOf(TOKEN), yield* tapesOf(DOLLAR)]).toEqual([ofToken, ofDollar])
  }).pipe(Effect.scoped, Effect.runPromise))
