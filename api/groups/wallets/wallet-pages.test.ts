/** Wallets against a fold of their own over the raw tape, under forks and restarts. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { applySegment, commitPending } from "../../../engine/runner/lane-core.ts"
import { pricesOutput } from "../../../projections/prices/output.ts"
import { NEWEST } from "../../../projections/tape/cursor.ts"
import { asText } from "../../../test/support/answer-text.ts"
import { testChain } from "../../../test/support/chain-config.ts"
import {
  advance,
  ask,
  type MarketWorld,
  openMarketWorld
} from "../../../test/support/market-world.ts"
import { seed } from "../../../test/support/seed.ts"

const DAY = 86_400
const isLong = process.env["SWAPTAPE_LONG"] === "1"
const [ROUNDS, WALLETS] = isLong ? [24, 8] : [6, 4]
const ANCHORS = new Set(testChain.anchors.map(({ address }) => address as string))

interface Tape {
  readonly seq: number
  readonly block: number
  readonly log_index: number
  readonly ts: number
  readonly sides: ReadonlyArray<{
    readonly token: string
    readonly amount: number
    readonly isBuy: boolean
    readonly believed: boolean
  }>
  readonly usd: number | null
  readonly wallet: string | null
}

const half = (row: Readonly<Record<string, unknown>>, column: string, width: number): string =>
  BigInt(row[column] as bigint)
    .toString(16)
    .padStart(width, "0")

/** The whole tape in plain values. */
const readTape = (world: MarketWorld) =>
  Effect.gen(function* () {
    const known = yield* world.queries.rows(`SELECT * FROM (SELECT * FROM tokens UNION ALL
      SELECT * FROM tokens_tail) QUALIFY row_number() OVER (PARTITION BY token ORDER BY seq DESC) = 1`)
    const tokens = new Map(
      known.map(row => [
        Number(row["token"]),
        {
          address: `0x${half(row, "address_hi", 32)}${half(row, "address_lo", 8)}`,
          decimals: Number(row["decimals"])
        }
      ])
    )
    const rows = yield* world.queries.rows("SELECT * FROM tape ORDER BY seq")
    return rows.map((row): Tape => {
      const side = (i: 0 | 1) => {
        const token = tokens.get(Number(row[`token${i}`]))
        const isRaw = ((Number(row["unscaled"]) >> i) & 1) === 1
        const amount = Number(row[`amount${i}`]) / (isRaw ? 10 ** (token?.decimals ?? 0) : 1)
        return {
          ...{ token: token?.address ?? "", amount },
          isBuy: Number(row["bought0"]) === 1 - i,
          believed: ((Number(row["flags"]) >> i) & 1) === 0
        }
      }
      const wallet = row["wallet_hi"]
      return {
        ...{ seq: Number(row["seq"]), block: Number(row["block"]), ts: Number(row["ts"]) },
        log_index: Number(row["log_index"]),
        sides: [side(0), side(1)],
        usd: row["usd"] === null ? null : Number(row["usd"]) / 1e6,
        wallet:
          wallet === null ? null : `0x${half(row, "wallet_hi", 32)}${half(row, "wallet_lo", 8)}`
      }
    })
  })

/** What the spec says of a position, from its prints one by one. */
const positionsOf = (list: ReadonlyArray<Tape>, priceOf: (token: string) => number | null) => {
  const tokens = new Set(list.flatMap(({ sides }) => sides.map(({ token }) => token)))
  return [...tokens]
    .filter(token => !ANCHORS.has(token))
    .map(token => {
      const prints = list.flatMap(({ sides, usd, ts }) =>
        sides.filter(side => side.token === token).map(side => ({ ...side, usd, ts }))
      )
      const of = (isBuy: boolean) => {
        const some = prints.filter(print => print.isBuy === isBuy)
        const told = some.filter(({ usd, believed }) => usd !== null && believed)
        return {
          count: some.length,
          amount: some.reduce((sum, { amount }) => sum + amount, 0),
          usd: told.reduce((sum, { usd }) => sum + (usd as number), 0),
          unpriced: some.length - told.length
        }
      }
      const [bought, sold] = [of(true), of(false)]
      const partial = sold.amount > bought.amount * (1 + 1e-9)
      const cost = bought.amount > 0 ? bought.usd / bought.amount : 0
      const held = partial ? 0 : Math.max(0, bought.amount - sold.amount)
      const price = priceOf(token)
      const isTold = bought.unpriced + sold.unpriced === 0 || sold.count === 0
      return {
        ...{ token, priceUsd: price, buys: bought.count, sells: sold.count, partial },
        ...{ boughtUsd: bought.usd, soldUsd: sold.usd },
        ...{ boughtAmount: bought.amount, soldAmount: sold.amount, heldAmount: held },
        heldValueUsd: held === 0 ? 0 : price === null ? null : held * price,
        realizedPnlUsd: partial || !isTold ? null : sold.usd - sold.amount * cost,
        unrealizedPnlUsd:
          held === 0 ? 0 : price === null || bought.unpriced > 0 ? null : held * (price - cost),
        unpriced: bought.unpriced + sold.unpriced,
        lastDay: Math.max(...prints.map(({ ts }) => ts - (ts % DAY)))
      }
    })
}

type Figures = { readonly [name: string]: unknown }

const expectClose = (found: Figures, expected: Figures, what: string): void => {
  for (const [name, value] of Object.entries(expected)) {
    if (typeof value !== "number") expect(found[name], `${what} ${name}`).toBe(value)
    else {
      const off = Math.abs((found[name] as number) - value)
      const scale = Number(expected["boughtUsd"] ?? 0) + Number(expected["soldUsd"] ?? 0)
      expect(off, `${what} ${name}`).toBeLessThanOrEqual(1e-9 * (Math.abs(value) + scale + 1))
    }
  }
}

const checkPnl = (world: MarketWorld, tape: ReadonlyArray<Tape>, wallet: string, days: number) =>
  Effect.gen(function* () {
    const found = yield* ask(world, "walletPnl", { wallet, days })
    const { blockTime, seq } = world.core.committed
    const since = blockTime - (blockTime % DAY) - (days - 1) * DAY
    const own = tape.filter(trade => trade.wallet === wallet && trade.ts >= since)
    const market = yield* ask(world, "priceMap", { limit: 1000 })
    const prices = world.folds.output(pricesOutput).allPrices()
    const list = yield* ask(world, "tokenList", { limit: 1000, includeUnlisted: true })
    const priceOf = (token: string): number | null =>
      market.prices[token]?.priceUsd ??
      list.tokens.find((row: { address: string }) => row.address === token)?.priceUsd ??
      null
    expect(prices.length).toBeGreaterThan(0)
    const expected = positionsOf(own, priceOf)
    const rows = found.positions as ReadonlyArray<Figures>
    expect(rows.length).toBe(expected.length)
    for (const one of expected) {
      const row = rows.find(({ token }) => token === one.token)
      expectClose(row ?? {}, one, `${wallet} ${one.token}`)
    }
    const volumes = rows.map(row => Number(row["boughtUsd"]) + Number(row["soldUsd"]))
    expect(volumes).toEqual(volumes.toSorted((a, b) => b - a))
    const sum = (of: (row: (typeof expected)[number]) => number | null) =>
      expected.reduce((all, row) => all + (of(row) ?? 0), 0)
    const believed = own.filter(({ usd, sides }) => usd !== null && sides.every(s => s.believed))
    expectClose(
      found,
      {
        ...{ chain: testChain.id, wallet, windowDays: days, since, asOf: seq, truncated: false },
        ...{ tokens: expected.length, trades: own.length },
        unpricedTrades: own.length - believed.length,
        volumeUsd: believed.reduce((all, { usd }) => all + (usd as number), 0),
        boughtUsd: sum(row => row.boughtUsd),
        soldUsd: sum(row => row.soldUsd),
        realizedPnlUsd: sum(row => row.realizedPnlUsd),
        unrealizedPnlUsd: sum(row => row.unrealizedPnlUsd),
        heldValueUsd: sum(row => row.heldValueUsd),
        partialTokens: expected.filter(({ partial }) => partial).length,
        unpricedTokens: expected.filter(({ heldValueUsd }) => heldValueUsd === null).length,
        likelyBot: false,
        updatedAt: blockTime * 1000
      },
      wallet
    )
    return own.length
  })

/** Reads a wallet's trades page by page. */
const checkPages = (world: MarketWorld, tape: ReadonlyArray<Tape>, wallet: string) =>
  Effect.gen(function* () {
    const own = tape.filter(trade => trade.wallet === wallet).reverse()
    const places: Array<string> = []
    let cursor = NEWEST
    for (;;) {
      const params = { wallet, limit: world.r.integer(1, 60), ...cursor }
      const page = yield* ask(world, "walletTrades", params)
      for (const row of page.trades) {
        places.push(`${row.block}:${row.logIndex}`)
        expect(row.wallet).toBe(wallet)
        const seen = own[places.length - 1]?.sides.find(({ token }) => token === row.token)
        expect([row.side, row.token]).toEqual([seen?.isBuy ? "buy" : "sell", seen?.token])
        expect(row.token === row.quoteToken).toBe(false)
      }
      if (page.nextBefore === null) break
      const [ts = 0, block = 0, log = 0] = String(page.nextBefore).split(":").map(Number)
      cursor = { beforeTs: ts, beforeBlock: block, beforeLogIndex: log }
    }
    expect(places).toEqual(own.map(({ block, log_index }) => `${block}:${log_index}`))
    const middle = own[own.length >> 1]
    if (middle === undefined) return
    const params = { wallet, limit: 500, ...NEWEST, beforeTs: middle.ts }
    const page = yield* ask(world, "walletTrades", params)
    const before = own.filter(({ ts }) => ts < middle.ts).slice(0, 500)
    expect(page.trades.length).toBe(before.length)
    expect(page.trades[0]?.ts).toBe(before[0]?.ts)
  })

/** Of a wallet that trades more than is looked at, the newest count and the answer says so. */
const checkBound = (world: MarketWorld) =>
  Effect.gen(function* () {
    const tape = yield* readTape(world)
    const wallet = tape.findLast(trade => trade.wallet !== null)?.wallet as string
    const since = world.core.committed.blockTime - 31 * DAY
    const own = tape.filter(trade => trade.wallet === wallet && trade.ts > since)
    const most = own.length - 1
    const found = yield* ask(world, "walletPnl", { wallet, days: 30, most })
    const inWindow = own.filter(({ ts }) => ts >= found.since).length
    expect([found.truncated, found.trades, found.since]).toEqual([true, most, own[1]?.ts])
    expect(inWindow).toBeGreaterThanOrEqual(most)
  })

/** A lane that folds the same log anew answers the same bytes. */
const checkReplay = (world: MarketWorld) =>
  Effect.gen(function* () {
    const fresh = yield* openMarketWorld("replay")
    for (const segment of world.log.segments) {
      fresh.log.segments.push(segment)
      yield* applySegment(fresh.core, segment)
    }
    yield* commitPending(fresh.core)
    for (const { wallet } of (yield* readTape(world)).slice(0, 8)) {
      if (wallet === null) continue
      for (const request of [
        { name: "walletPnl", params: { wallet, days: 30 } },
        { name: "walletTrades", params: { wallet, limit: 500, ...NEWEST } }
      ]) {
        const again = asText(yield* fresh.queries.answer(request))
        expect(again).toEqual(asText(yield* world.queries.answer(request)))
      }
    }
  })

describe("wallets", () => {
  it("have the figures and pages that the raw tape gives", () =>
    Effect.gen(function* () {
      console.log(`wallets: SEED=${seed}`)
      const world = yield* openMarketWorld(`${seed}/wallet pnl`)
      let checked = 0
      for (let round = 0; round < ROUNDS; round++) {
        yield* advance(world, round, r => r.pick([0, 1, 5, 40]))
        yield* commitPending(world.core)
        const tape = yield* readTape(world)
        const wallets = new Set(tape.flatMap(({ wallet }) => (wallet === null ? [] : [wallet])))
        for (const wallet of [...wallets].slice(0, WALLETS)) {
          checked += yield* checkPnl(world, tape, wallet, world.r.pick([1, 2, 7, 30]))
        }
        const [one] = wallets
        if (one !== undefined) yield* checkPages(world, tape, one)
      }
      expect(checked).toBeGreaterThan(20)
      yield* checkBound(world)
      yield* checkReplay(world)
    }).pipe(Effect.scoped, Effect.runPromise))

  it("that were never seen have zeros", () =>
    Effect.gen(function* () {
      const world = yield* openMarketWorld("never seen")
      yield* advance(world, 0, () => 3)
      const wallet = `0x${"ab".repeat(20)}`
      const found = yield* ask(world, "walletPnl", { wallet, days: 7 })
      const zeros = Object.entries(found).filter(([, value]) => value === 0)
      expect(zeros.map(([name]) => name)).toEqual([
        ...["tokens", "trades", "unpricedTrades", "volumeUsd", "boughtUsd", "soldUsd"],
        ...["realizedPnlUsd", "unrealizedPnlUsd", "heldValueUsd", "winRate", "partialTokens"],
        "unpricedTokens"
      ])
      expect([found.positions, found.likelyBot, found.truncated]).toEqual([[], false, false])
      const page = yield* ask(world, "walletTrades", { wallet, limit: 5, ...NEWEST })
      expect([page.trades, page.nextBefore]).toEqual([[], null])
    }).pipe(Effect.scoped, Effect.runPromise))
})
