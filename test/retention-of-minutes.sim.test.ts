/**
 * A lane whose minutes leave, whatever it is put through, beside one on the same log that keeps
 * them: its tables are those of a rebuild, its hours those of all minutes, and frames below an hour
 * end at the cutoff and say so.
 */
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { newFoldSet } from "../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../engine/runner/lane-core.ts"
import { openQueries } from "../engine/runner/queries.ts"
import { compact, compactionFloor } from "../engine/store/compaction.ts"
import { keptFrom, type Retention } from "../engine/store/retention.ts"
import { digests, openStore } from "../engine/store/store.ts"
import { rowsName, tailName } from "../engine/store/table.ts"
import { withUses } from "../projections/all.ts"
import { candlesOutput } from "../projections/candles/output.ts"
import { pairHoursTable, pairMinutesTable } from "../projections/candles/tables.ts"
import { testChain } from "./support/chain-config.ts"
import { advance, ask, openMarketWorld, rows } from "./support/market-world.ts"
import type { MemoryLog } from "./support/memory-log.ts"
import { temporaryFolder } from "./support/nats.ts"
import { type Random, random, seed } from "./support/seed.ts"

const ALL: Retention = { raw: 2, minutes: null }
const FEW: Retention = { raw: 2, minutes: 4 }
const isLong = process.env["SWAPTAPE_LONG"] === "1"
const ROUNDS = isLong ? 60 : 7
const NAME = "retained minutes"

const folder = temporaryFolder()
afterAll(() => folder.remove())

const openOn = (log: MemoryLog, file: string, retention: Retention) =>
  Effect.gen(function* () {
    const folds = newFoldSet(testChain, withUses(candlesOutput))
    const store = yield* openStore(file, folds.tables, { threads: 2, retention })
    const core = yield* loadCore(store, folds, log.read)
    const queries = yield* openQueries(store, testChain, folds, core)
    return { store, core, queries, folds }
  })

type Lane = Effect.Success<ReturnType<typeof openOn>>

/** What is compared, of a lane that may fold more. */
const { tables } = newFoldSet(testChain, withUses(candlesOutput))
const digestsOf = ({ store }: Pick<Lane, "store">) => digests(store.writer, tables)

/** Folds all of a log in one life; `isCommitted` after a segment. */
const straight = (log: MemoryLog, isCommitted: () => boolean) =>
  Effect.gen(function* () {
    const lane = yield* openOn(log, ":memory:", FEW)
    for (const segment of log.segments) {
      yield* applySegment(lane.core, segment)
      if (isCommitted()) yield* commitPending(lane.core)
    }
    yield* commitPending(lane.core)
    return yield* digestsOf(lane)
  }).pipe(Effect.scoped)

/** One life of a lane: it folds some segments, with upkeep, and ends without a commit. */
const live = (log: MemoryLog, file: string, r: Random) =>
  Effect.gen(function* () {
    const { core } = yield* openOn(log, file, FEW)
    const end = core.committed.streamSeq + r.integer(6, 20)
    for (const segment of log.segments.slice(core.committed.streamSeq, end)) {
      yield* applySegment(core, segment)
      if (r.boolean(0.7)) yield* commitPending(core)
      if (!r.boolean(0.3)) continue
      const floor = yield* compactionFloor(core.store, r.pick([1, 2000, 20_000]))
      const options = { minTailRows: r.pick([1, 30, 10_000]), pieceRows: 50 }
      if (floor !== null) yield* compact(core.store, floor, options)
    }
    return core.committed.streamSeq
  }).pipe(Effect.scoped)

const count = (lane: Lane, relation: string) =>
  Effect.map(
    rows(lane as never, `SELECT count(*) AS n FROM ${relation}`),
    ([row]) => row?.["n"] ?? 0
  )

/** Rows of minutes, and of hours that are rolled up. */
const held = (lane: Lane) =>
  Effect.gen(function* () {
    const minutes = yield* count(lane, rowsName(pairMinutesTable))
    const hours = yield* count(lane, rowsName(pairHoursTable))
    return { minutes, hours: hours + (yield* count(lane, tailName(pairHoursTable))) }
  })

interface Candle {
  readonly t: number
  readonly n: number
}

const open = { from: null, to: null, limit: 1000, closed: false, raw: false }

/** Asks both lanes for the same candles. */
const askBoth = (all: Lane, few: Lane, params: object) =>
  Effect.all([ask(all as never, "candles", params), ask(few as never, "candles", params)])

/** Frames of an hour and more are the same. */
const compareHours = (all: Lane, few: Lane, subject: object, r: Random) =>
  Effect.forEach(["1h", "4h", "1d", "1w"], tf =>
    Effect.gen(function* () {
      const fields = r.pick(["", "trades,buyVol,filtered,hash,final,state"])
      // some windows begin after the first hours, whose close is carried
      const from = r.boolean(0.3) ? few.store.keptFrom.minutes : null
      const asked = { ...open, from, tf, fill: r.boolean(), raw: r.boolean(0.3), fields }
      const [whole, kept] = yield* askBoth(all, few, { ...subject, ...asked })
      expect(kept, JSON.stringify({ ...subject, ...asked })).toEqual(whole)
    })
  )

/** Frames below an hour are the same from the cutoff on, and say that they begin there. */
const compareMinutes = (all: Lane, few: Lane, subject: object, r: Random) =>
  Effect.gen(function* () {
    const cutoff = few.store.keptFrom.minutes
    const both = (params: object) => askBoth(all, few, { ...subject, ...params })
    let [cut, carried] = [0, 0]
    for (const tf of ["1m", "5m", "15m"]) {
      const asked = { ...open, tf, fill: r.boolean(0.7), fields: r.pick(["", "hash"]) }
      const [whole, kept] = yield* both({ ...asked, from: cutoff, to: cutoff + 20_000 })
      expect(kept, `${tf} after`).toEqual(whole)
      if (kept.candles[0]?.n === 0) carried++
      const from = cutoff - 30_000
      const [before, left] = yield* both({ ...asked, from, to: cutoff + 900 })
      const candles = before.candles.filter(({ t }: Candle) => t >= cutoff)
      cut += before.candles.length - candles.length
      const unknown = [{ from: left.from, to: cutoff }]
      expect(left, `${tf} across`).toEqual({ ...before, candles, unknown, reachesFrom: cutoff })
      const gone = yield* ask(few as never, "candles", { ...subject, ...asked, from, to: cutoff })
      expect(gone).toMatchObject({ candles: [], reachesFrom: cutoff, unknown })
    }
    return { cut, carried }
  })

/** Tokens and pools with a trade. */
const subjectsOf = (lane: Lane) =>
  Effect.gen(function* () {
    const hex = (hi: string, lo: string, digits: number) =>
      `'0x' || lower(lpad(hex(${hi}), 32, '0')) || lower(lpad(hex(${lo}), ${digits}, '0'))`
    const named = (sql: string) => lane.queries.rows(sql)
    const tokens = yield* named(
      `SELECT DISTINCT ${hex("address_hi", "address_lo", 8)} AS id FROM tokens_tail
       WHERE token IN (SELECT token FROM candles_1h_tail)`
    )
    const pools = yield* named(
      `SELECT DISTINCT ${hex("id_hi", "id_lo", 32)} AS id FROM pools_tail
       WHERE pool IN (SELECT pool FROM markets_tail WHERE token0 IS NOT NULL AND token1 IS NOT NULL)`
    )
    return [
      ...tokens.map(({ id }) => ({ token: String(id), pool: null, quote: "usd" })),
      ...pools.flatMap(({ id }) =>
        ["usd", "token"].map(quote => ({ token: null, pool: String(id), quote }))
      )
    ]
  })

it("has the tables of a rebuild, and the hours of all minutes, while minutes leave", () =>
  Effect.gen(function* () {
    console.log(`${NAME}: SEED=${seed}`)
    const world = yield* openMarketWorld(NAME, ALL)
    for (let round = 0; round < ROUNDS; round++) {
      yield* advance(world, round, r => r.integer(0, 10))
    }
    const { log } = world
    const all = { ...world, store: world.core.store }
    const r = random(`${NAME} lives`)
    const file = join(folder.path, "grown.duckdb")
    for (let at = 0; at < log.segments.length; ) at = yield* live(log, file, r)
    const few = yield* openOn(log, file, FEW)
    // a fork behind what was merged leaves one commit, and upkeep goes by one that is final
    for (const round of [ROUNDS, ROUNDS + 1]) yield* advance(world, round, x => x.integer(0, 10))
    for (const segment of log.segments.slice(few.core.committed.streamSeq)) {
      yield* applySegment(few.core, segment)
      yield* commitPending(few.core)
    }
    for (let isMore = true; isMore; ) {
      const floor = yield* compactionFloor(few.store, 100)
      const merged = floor === null ? [] : yield* compact(few.store, floor, { minTailRows: 1 })
      isMore = merged.length > 0
    }

    const grown = yield* digestsOf(few)
    expect(yield* straight(log, () => false)).toEqual(grown)
    expect(yield* straight(log, () => r.boolean())).toEqual(grown)

    const { hours, minutes } = yield* held(few)
    const kept = yield* held(all)
    expect(kept.hours).toBe(0)
    expect(hours).toBeGreaterThan(Math.min(20, 2 * ROUNDS))
    expect(minutes).toBeLessThan(yield* count(all, tailName(pairMinutesTable)))
    const ofHours = ({ name }: { readonly name: string }) => name === pairHoursTable.name
    expect(grown.find(ofHours)).toEqual((yield* digestsOf(all)).find(ofHours))

    const cutoff = keptFrom(FEW, world.core.committed.blockTime).minutes
    expect(few.store.keptFrom.minutes).toBe(cutoff)
    const total = { cut: 0, carried: 0 }
    for (const [place, subject] of r.shuffle(yield* subjectsOf(all)).entries()) {
      yield* compareHours(all, few, subject, r)
      if (!isLong && place >= 5) continue
      const { cut, carried } = yield* compareMinutes(all, few, subject, r)
      total.cut += cut
      total.carried += carried
    }
    expect(total.cut).toBeGreaterThan(0)
    expect(total.carried).toBeGreaterThan(0)
  }).pipe(Effect.scoped, Effect.runPromise))
