/**
 * A lane that keeps five days of trades and six of minutes beside one on the same log that keeps
 * all: tapes end at the cutoff, and everything folded from trades is the same.
 */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { compact, compactionFloor } from "../engine/store/compaction.ts"
import { keptFrom } from "../engine/store/retention.ts"
import { NEWEST } from "../projections/tape/cursor.ts"
import { tokens } from "../projections/tokens/output.ts"
import {
  advance,
  ask,
  contextOf,
  type MarketWorld,
  openMarketWorld,
  rows
} from "./support/market-world.ts"
import { isLong } from "./support/rounds.ts"

const RETENTION = { raw: 5, minutes: 6 }
const ROUNDS = isLong ? 15 : 9
/** the newest candles of a token, as most readers want them */
const candles = {
  ...{ pool: null, quote: "usd", from: null, to: null, limit: 300 },
  ...{ closed: false, raw: false, fields: "" }
}
const PAGE = 7

interface Trade {
  readonly ts: number
}

interface Page {
  readonly trades: ReadonlyArray<Trade>
  readonly nextBefore: string | null
}

const compacted = ({ core }: MarketWorld) =>
  Effect.gen(function* () {
    const floor = yield* compactionFloor(core.store, 10)
    if (floor !== null) yield* compact(core.store, floor, { minTailRows: 5 })
  })

/** All trades of a token, by keyset pages to the end. */
const tapeOf = (world: MarketWorld, token: string) =>
  Effect.gen(function* () {
    const all: Array<Trade> = []
    let before = NEWEST
    for (;;) {
      const page: Page = yield* ask(world, "chainTrades", { token, limit: PAGE, ...before })
      all.push(...page.trades)
      if (page.nextBefore === null) return all
      const [ts = 0, block = 0, logIndex = 0] = page.nextBefore.split(":").map(Number)
      before = { beforeTs: ts, beforeBlock: block, beforeLogIndex: logIndex }
    }
  })

/** What is made of single trades says from when on it is known. */
const expectKeptOnly = (all: MarketWorld, few: MarketWorld, cutoff: number) =>
  Effect.gen(function* () {
    const [row] = yield* rows(
      all,
      `SELECT token, ts FROM prints_tail WHERE ts >= ${cutoff} - 86400 AND ts < ${cutoff} ORDER BY seq LIMIT 1`
    )
    const { token: id = 0, ts = 0 } = row ?? {}
    expect(ts).toBeGreaterThan(0)
    const token = contextOf(all).output(tokens).addressOf(id)
    const subject = { token, pool: null, quote: "usd" } as const
    const plain = { fill: false, closed: false, raw: false, fields: "" }
    const asked = { ...subject, ...plain, from: ts - 60, to: cutoff + 600, limit: 300 }
    const seconds = { ...asked, tf: "15s", to: ts + 600 }
    const before = yield* ask(all, "candles", seconds)
    const after = yield* ask(few, "candles", seconds)
    expect(before.candles.length).toBeGreaterThan(0)
    expect(after.candles).toEqual([])
    expect(after.reachesFrom).toBe(cutoff)
    expect(after.unknown).toEqual([{ from: after.from, to: after.to }])

    // what is filled after the cutoff goes on from the last price before it, not before the window
    const filled = { ...seconds, fill: true, to: cutoff + 600 }
    const carriedOn = yield* ask(all, "candles", filled)
    const carried = yield* ask(few, "candles", filled)
    const since = carriedOn.candles.filter(({ t }: { readonly t: number }) => t >= cutoff)
    expect(carried.candles).toEqual(since)
    expect(carried.candles[0]?.t).toBe(cutoff)

    const hours = { ...asked, tf: "1h", from: cutoff - 86_400, fields: "buyers,trades" }
    const counted = yield* ask(all, "candles", hours)
    const uncounted = yield* ask(few, "candles", hours)
    const reason = `trades of before ${new Date(cutoff * 1000).toISOString().slice(0, 10)} are no longer kept: ask for later buckets`
    expect(uncounted.unavailable).toEqual([{ fields: ["buyers"], reason }])
    const without = counted.candles.map((candle: object) => ({ ...candle, buyers: null }))
    expect(uncounted.candles).toEqual(without)

    const proof = { ...subject, tf: "1m", t: ts, limit: 50, afterBlock: null, afterLogIndex: null }
    const whole = yield* ask(all, "candleProof", proof)
    const left = yield* ask(few, "candleProof", proof)
    expect(whole.swaps.length).toBeGreaterThan(0)
    const unknown = [{ from: whole.from, to: whole.to }]
    expect(left).toEqual({ ...whole, swaps: [], final: false, unknown, nextAfter: null })
  })

it("ends tapes at the cutoff, and keeps what is folded from older trades", async () => {
  await Effect.runPromise(
    Effect.gen(function* () {
      const all = yield* openMarketWorld("retention")
      const few = yield* openMarketWorld("retention", RETENTION)
      for (let round = 0; round < ROUNDS; round++) {
        yield* advance(all, round, r => r.integer(0, 14))
        yield* advance(few, round, r => r.integer(0, 14))
        if (round % 4 === 3) yield* compacted(few)
      }
      const { blockTime, seq } = all.core.committed
      expect(few.core.committed.seq).toBe(seq)
      const cutoff = keptFrom(RETENTION, blockTime).raw
      const seqs = (world: MarketWorld, where: string) =>
        rows(world, `SELECT seq FROM tape WHERE ${where} ORDER BY seq`)
      const kept = yield* seqs(all, `ts >= ${cutoff}`)
      expect(kept.length).toBeGreaterThan(20)
      expect((yield* seqs(all, "true")).length).toBeGreaterThan(kept.length + 20)
      expect(yield* seqs(few, "true")).toEqual(kept)

      yield* expectKeptOnly(all, few, cutoff)

      const board = yield* ask(all, "tokenList", { limit: 50, includeUnlisted: true })
      for (const { address: token } of board.tokens) {
        const whole = yield* tapeOf(all, token)
        const held = whole.filter(({ ts }) => ts >= cutoff)
        expect(yield* tapeOf(few, token)).toEqual(held)
        const filters = { side: null, dex: null, min: null, wallet: null }
        const first = { token, limit: 50, page: 1, asOf: null, ...filters }
        const page = yield* ask(few, "tokenTrades", first)
        const full = yield* ask(all, "tokenTrades", first)
        expect(page).toEqual({
          ...full,
          unknown: [{ from: 0, to: cutoff }],
          total: held.length,
          trades: full.trades.filter(({ ts }: Trade) => ts >= cutoff)
        })
        for (const [name, params] of [
          ["tokenPage", { token }],
          ["tokenStats", { token }],
          ["candles", { ...candles, token, tf: "1m", fill: false }],
          ["candles", { ...candles, token, tf: "1h", fill: true }]
        ] as const) {
          expect(yield* ask(few, name, params)).toEqual(yield* ask(all, name, params))
        }
      }
    }).pipe(Effect.scoped)
  )
})
