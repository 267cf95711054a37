/** A lane in memory on a random market of few wallets, with questions and plain SQL beside them. */
import { Effect } from "effect"
import { allPages } from "../../api/queries.ts"
import type { RowsView } from "../../engine/query.ts"
import { foldsContextAt } from "../../engine/runner/contexts.ts"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { openQueries } from "../../engine/runner/queries.ts"
import { mergedNow } from "../../engine/store/merged.ts"
import { KEEP_ALL, type Retention } from "../../engine/store/retention.ts"
import { openStore } from "../../engine/store/store.ts"
import { allProjections } from "../../projections/all.ts"
import type { Event } from "../../streams/event.ts"
import { testChain } from "./chain-config.ts"
import { marketBlock, newMarket } from "./market.ts"
import { MemoryLog } from "./memory-log.ts"
import { type Random, random } from "./seed.ts"

/** Few wallets and many swaps: some markets are washed by the published rules. */
export const openMarketWorld = (name: string, retention: Retention = KEEP_ALL) =>
  Effect.gen(function* () {
    const r = random(name)
    const [usd, native] = testChain.anchors
    const market = newMarket(name, usd?.address ?? "", native?.address ?? "", 3, 2)
    const log = new MemoryLog()
    const known = new Set<string>()
    const folds = newFoldSet(testChain, allProjections)
    const store = yield* openStore(":memory:", folds.tables, { threads: 1, retention })
    const core = yield* loadCore(store, folds, log.read)
    const queries = yield* openQueries(store, testChain, folds, core, allPages)
    let block = 0
    const events = (branch: string, step: number, swaps: number): ReadonlyArray<Event> => {
      block += step
      return marketBlock(name, market, branch, block, null, swaps, known)
    }
    return { r, log, core, folds, queries, events }
  })

export type MarketWorld = Effect.Success<ReturnType<typeof openMarketWorld>>

/** A query's answer. */
export const ask = ({ queries }: MarketWorld, name: string, params = {}) =>
  Effect.map(queries.answer({ name, params }), answer => {
    if (!answer.ok) throw new Error(answer.refusal.message)
    return JSON.parse(new TextDecoder().decode(answer.body))
  })

/** What a query is handed as of the newest commit. */
export const contextOf = ({ core, queries }: MarketWorld): RowsView => {
  const { folds, committed, store } = core
  const lane = { chain: testChain, folds, retention: store.retention }
  const { columns } = store.writer
  const merged = mergedNow(store)
  return { ...foldsContextAt(lane, committed), merged, rows: queries.rows, columns }
}

/** Rows of plain SQL, numbers as such. */
export const rows = ({ queries }: MarketWorld, sql: string) =>
  Effect.map(queries.rows(sql), list =>
    list.map(
      row =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            typeof value === "bigint" ? Number(value) : value
          ])
        ) as Record<string, number>
    )
  )

/** The newest version of each key. */
export const newest = (table: string, key: string) =>
  `(SELECT * FROM (SELECT * FROM ${table} UNION ALL SELECT * FROM ${table}_tail)
    QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1)`

/** Takes the log a few segments back and on from there on another branch. */
export const fork = ({ log, core, events, r }: MarketWorld, branch: string) => {
  const to = log.segments[r.integer(Math.max(0, log.segments.length - 6), log.segments.length - 2)]
  const last = log.segments.at(-1)?.header
  if (to === undefined || last === undefined) return Effect.void
  const next = events(branch, 1, 3)
  const rollback = {
    kind: "Rollback",
    block: next[0]?.block,
    tx: null,
    logIndex: 0,
    toSeq: to.header.lastSeq,
    toBlock: to.header.lastBlock,
    toHash: to.header.lastBlockHash,
    fromBlock: last.lastBlock,
    reason: "reorg"
  } as Event
  return applySegment(core, log.append([rollback, ...next]))
}

/** Some blocks seconds, hours or days apart, now and then without swaps, and a fork at times. */
export const advance = (world: MarketWorld, round: number, swapsOf: (r: Random) => number) =>
  Effect.gen(function* () {
    const { r, log, core } = world
    for (let i = 0; i < 4; i++) {
      // a block takes seven seconds
      const step = r.pick([1, 30, 300, 700, 700, 15_000])
      yield* applySegment(core, log.append(world.events("main", step, swapsOf(r))))
      if (r.boolean(0.5)) yield* commitPending(core)
    }
    yield* commitPending(core)
    if (round % 5 === 4) yield* fork(world, `fork ${round}`)
    if (round % 3 !== 2) return
    const sealed = world.events("main", r.pick([600, 9000, 20_000]), 0)
    yield* applySegment(core, log.append(sealed))
    yield* commitPending(core)
  })
