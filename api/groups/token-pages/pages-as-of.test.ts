/** Pages of a former position: the list they are of, or a refusal, while the tape grows and forks. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { applySegment, commitPending } from "../../../engine/runner/lane-core.ts"
import {
  advance,
  ask,
  fork,
  type MarketWorld,
  openMarketWorld
} from "../../../test/support/market-world.ts"
import { seed } from "../../../test/support/seed.ts"
import { KeptOrders, type Order } from "../boards/kept-orders.ts"

type Params = { readonly [name: string]: string | number | boolean | null }

const BOARD = { sort: "volume", includeUnlisted: true, rules: null }
const TRADES = { side: null, dex: null, min: null, wallet: null }

const refusal = ({ queries }: MarketWorld, name: string, params: Params) =>
  Effect.map(queries.answer({ name, params }), answer =>
    answer.ok ? null : [answer.refusal.status, answer.refusal.code]
  )

/** Commits some blocks on top. */
const grow = (world: MarketWorld, swaps: number) =>
  Effect.gen(function* () {
    for (let i = 0; i < 3; i++) {
      yield* applySegment(world.core, world.log.append(world.events("main", 1, swaps)))
      yield* commitPending(world.core)
    }
  })

interface List {
  readonly token: string
  readonly all: ReadonlyArray<unknown>
  readonly total: number
  readonly stats24h: unknown
  readonly asOf: number
}

/** The whole tape of a token as its first page tells it. */
const tapeOf = (world: MarketWorld, token: string) =>
  Effect.gen(function* () {
    const params = { ...TRADES, token, limit: 500, page: 1, asOf: null }
    const { trades, total, stats24h, asOf } = yield* ask(world, "tokenTrades", params)
    return { token, all: trades, total, stats24h, asOf } as List
  })

/** Its pages, asked for now. */
const expectSame = (world: MarketWorld, { token, all, total, stats24h, asOf }: List) =>
  Effect.gen(function* () {
    const pages: Array<unknown> = []
    for (let page = 1; (page - 1) * 7 < all.length; page++) {
      const params = { ...TRADES, token, limit: 7, page, asOf }
      const found = yield* ask(world, "tokenTrades", params)
      expect([found.total, found.stats24h, found.asOf]).toEqual([total, stats24h, asOf])
      pages.push(...found.trades)
    }
    expect(pages).toEqual(all)
    const params = { ...TRADES, token, side: "buy", limit: 500, page: 1, asOf }
    const buys = yield* ask(world, "tokenTrades", params)
    expect(buys.trades).toEqual(all.filter(row => (row as { side: string }).side === "buy"))
    expect(buys.total).toBe(buys.trades.length)
    const rows = all as ReadonlyArray<{ readonly wallet: string | null }>
    const wallet = rows.find(row => row.wallet !== null)?.wallet ?? null
    if (wallet === null) return
    const own = { ...TRADES, token, wallet, limit: 500, page: 1, asOf }
    const found = yield* ask(world, "tokenTrades", own)
    expect(found.trades).toEqual(rows.filter(row => row.wallet === wallet))
  })

describe("pages as of a position", () => {
  it("of a tape are the tape's that was, or refused once it is undone", () =>
    Effect.gen(function* () {
      console.log(`pages: SEED=${seed}`)
      const world = yield* openMarketWorld(`${seed}/pages`)
      yield* advance(world, 0, () => 20)
      const { tokens } = yield* ask(world, "tokenBoard", { ...BOARD, limit: 3, offset: 0 })
      const lists: Array<List> = []
      for (const { address } of tokens) lists.push(yield* tapeOf(world, address))
      yield* grow(world, 9)
      for (const list of lists) yield* expectSame(world, list)
      const newest = yield* tapeOf(world, tokens[0].address)
      expect(newest.total).toBeGreaterThan(lists[0]?.total ?? 0)
      const ahead = { ...TRADES, token: newest.token, limit: 7, page: 1, asOf: newest.asOf + 1 }
      expect(yield* refusal(world, "tokenTrades", ahead)).toEqual([400, "INVALID_PARAMS"])
      yield* grow(world, 3)
      yield* fork(world, "another branch")
      const undone = { ...ahead, asOf: world.log.segments.at(-2)?.header.lastSeq ?? 0 }
      expect(yield* refusal(world, "tokenTrades", undone)).toEqual([410, "AS_OF_GONE"])
      const rebuilt = yield* openMarketWorld("rebuilt")
      for (const segment of world.log.segments) {
        rebuilt.log.segments.push(segment)
        yield* applySegment(rebuilt.core, segment)
      }
      yield* commitPending(rebuilt.core)
      expect(yield* refusal(rebuilt, "tokenTrades", undone)).toEqual([410, "AS_OF_GONE"])
      const never = { ...undone, token: `0x${"ab".repeat(20)}` }
      expect(yield* refusal(world, "tokenTrades", never)).toEqual([404, "UNKNOWN_TOKEN"])
    }).pipe(Effect.scoped, Effect.runPromise))

  it("of a board are in the order of its first page", () =>
    Effect.gen(function* () {
      const world = yield* openMarketWorld(`${seed}/board pages`)
      yield* advance(world, 0, () => 30)
      const whole = yield* ask(world, "tokenBoard", { ...BOARD, limit: 100, offset: 0 })
      const token = whole.tokens[0].address
      const pools = yield* ask(world, "tokenPools", { token, limit: 100, offset: 0 })
      const names = (list: ReadonlyArray<{ address?: string; pool?: string }>) =>
        list.map(({ address, pool }) => address ?? pool)
      yield* grow(world, 60)
      const { asOf } = whole
      const seen: Array<unknown> = []
      for (let offset = 0; offset < whole.total; offset += 2) {
        const page = yield* ask(world, "tokenBoard", { ...BOARD, limit: 2, offset, asOf })
        expect([page.asOf, page.total]).toEqual([asOf, whole.total])
        seen.push(...names(page.tokens))
      }
      expect(seen).toEqual(names(whole.tokens))
      const same = { token, limit: 100, offset: 0, asOf: pools.asOf }
      expect(names((yield* ask(world, "tokenPools", same)).pools)).toEqual(names(pools.pools))
      const never = { ...BOARD, sort: "trades", limit: 2, offset: 0, asOf }
      expect(yield* refusal(world, "tokenBoard", never)).toEqual([410, "AS_OF_GONE"])
      const { seq } = world.core.committed
      const present = { ...BOARD, limit: 2, offset: 0, asOf: seq }
      expect((yield* ask(world, "tokenBoard", present)).asOf).toBe(seq)
      expect(yield* refusal(world, "tokenBoard", { ...present, asOf: seq + 1 })).toEqual([
        ...[400, "INVALID_PARAMS"]
      ])
      yield* fork(world, "another branch")
      expect(yield* refusal(world, "tokenBoard", { ...present, asOf })).toEqual([410, "AS_OF_GONE"])
    }).pipe(Effect.scoped, Effect.runPromise))
})

it("orders are kept up to a number of rows, the newest ones", () => {
  const order = (rows: number): Order => new Uint32Array(rows)
  const kept = new KeptOrders(1000)
  for (let seq = 1; seq <= 5; seq++) kept.keep("a", seq, order(300))
  const known = [1, 2, 3, 4, 5].filter(seq => kept.get("a", seq) !== undefined)
  expect(known).toEqual([4, 5])
  kept.keep("b", 6, order(5000))
  expect([kept.get("a", 5), kept.get("b", 6)?.length]).toEqual([undefined, 5000])
  expect(kept.keep("b", 6, order(1)).length).toBe(5000)
})
