/**
 * A lane that keeps five days of trades beside one on the same log that keeps all: tapes end at the
 * cutoff, and everything folded from trades is the same.
 */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { compact, compactionFloor } from "../engine/store/compaction.ts"
import { rawCutoff } from "../engine/store/retention.ts"
import { advance, ask, type MarketWorld, openMarketWorld, rows } from "./support/market-world.ts"

const RETENTION = { rawDays: 5 }
const ROUNDS = 15
const PAGE = 7

interface Trade {
  readonly ts: number
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
    let cursor: { beforeTs: number; beforeBlock: number; beforeLogIndex: number } | null = null
    for (;;) {
      const before = cursor ?? { beforeTs: null, beforeBlock: null, beforeLogIndex: null }
      const page = yield* ask(world, "chainTrades", { token, limit: PAGE, ...before })
      all.push(...page.trades)
      if (page.nextBefore === null) return all
      const [ts, block, logIndex] = String(page.nextBefore).split(":").map(Number)
      cursor = { beforeTs: ts ?? 0, beforeBlock: block ?? 0, beforeLogIndex: logIndex ?? 0 }
    }
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
      const cutoff = rawCutoff(RETENTION, blockTime)
      const seqs = (world: MarketWorld, where: string) =>
        rows(world, `SELECT seq FROM tape WHERE ${where} ORDER BY seq`)
      const kept = yield* seqs(all, `ts >= ${cutoff}`)
      expect(kept.length).toBeGreaterThan(20)
      expect((yield* seqs(all, "true")).length).toBeGreaterThan(kept.length + 20)
      expect(yield* seqs(few, "true")).toEqual(kept)

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
          total: held.length,
          trades: full.trades.filter(({ ts }: Trade) => ts >= cutoff)
        })
        for (const [name, params] of [
          ["tokenPage", { token }],
          ["tokenStats", { token }],
          ["candles", { token, tf: "1m", from: null, to: null, limit: 300, fill: false }],
          ["candles", { token, tf: "1h", from: null, to: null, limit: 300, fill: true }]
        ] as const) {
          expect(yield* ask(few, name, params)).toEqual(yield* ask(all, name, params))
        }
      }
    }).pipe(Effect.scoped)
  )
})
