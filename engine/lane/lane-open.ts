/** Opens a lane's tables at a position the log confirms. */

import { Effect, type Scope } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import type { ParentPort } from "../../src/platform/worker.ts"
import type { ReadError } from "../log/log-errors.ts"
import type { Page, Projection } from "../projection.ts"
import { newFoldSet, signatureOf } from "../runner/fold-set.ts"
import { type LaneCore, loadCore } from "../runner/lane-core.ts"
import type { LaneLog } from "../runner/lane-log.ts"
import { openQueries, type Queries } from "../runner/queries.ts"
import { reconcile } from "../runner/reconcile.ts"
import { KEEP_ALL, type Retention } from "../store/retention.ts"
import { type OutdatedTables, openStore, readMeta, writeMeta } from "../store/store.ts"
import { databaseMb, LANE_MEMORY_MB, tailRows } from "./lane-memory.ts"
import type { LaneState, ObserveLane } from "./lane-state.ts"
import type { FromLane, ToLane } from "./messages.ts"

/** How much is folded between two times of upkeep. */
export interface Upkeep {
  /** events between two looks at what can be compacted */
  readonly compactEvery: number
  /** rows that a table's tail has at least when it is compacted */
  readonly compactRows: number
  /** events between two snapshots */
  readonly snapshotEvery: number
  /** how long rows are kept that leave */
  readonly retention: Retention
  /** megabytes that the lane is given (`lane-memory.ts`) */
  readonly memoryMb: number
}

/** Rarely enough that a backfill does not notice, often enough that reads stay short. */
export const upkeepDefaults: Upkeep = {
  compactEvery: 400_000,
  compactRows: 500_000,
  snapshotEvery: 2_000_000,
  retention: KEEP_ALL,
  memoryMb: LANE_MEMORY_MB
}

export interface LaneOptions {
  readonly chain: ChainConfig
  readonly projections: ReadonlyArray<Projection>
  /** what is asked of it beside the projections' own queries */
  readonly pages: ReadonlyArray<Page>
  /** the lane's DuckDB file */
  readonly file: string
  readonly threads: number
  /** starts DuckDB's thread; without it DuckDB runs on the lane's */
  readonly database?: URL | undefined
  readonly upkeep: Upkeep
  readonly log: LaneLog
  readonly port: ParentPort<ToLane, FromLane>
  /** whether the serving thread holds copies of tables, which are to be fed */
  readonly isCopied: boolean
  /** events that are folded again at most while readers wait; `IN_PLACE_EVENTS` by default */
  readonly inPlaceEvents?: number | undefined
  /** first pause before a log or a disk that failed is tried again; `FIRST_PAUSE_MS` by default */
  readonly firstPauseMs?: number | undefined
  /** how long requests wait for tables that are opened again; `REOPENING_MS` by default */
  readonly reopeningMs?: number | undefined
  /** true where no source writes the log; false by default */
  readonly isHistory?: boolean | undefined
  readonly observe?: ObserveLane | undefined
}

export interface OpenLane {
  readonly core: LaneCore
  readonly queries: Queries
  /** where the log began that the tables were first made of; null for new ones */
  readonly firstBlock: number | null
  /** id of the log that their positions are of; null where none is known */
  log: string | null
}

/** Where tables keep the id of the log that they are of. */
const LOG = "log"

/** Notes the id of the log, which confirms the tables. */
export const adoptLog = (
  { log }: LaneOptions,
  open: OpenLane
): Effect.Effect<void, DuckDbError | ReadError> =>
  Effect.gen(function* () {
    const known = log.identity === undefined ? null : yield* log.identity.known
    if (known === null || known === open.log) return
    yield* writeMeta(open.core.store.writer, LOG, known)
    open.log = known
  })

/**
 * Opens a file of the lane; fails with `OutdatedTables` where another engine version made it. Where
 * asked to `agree`, the tables are taken back to where the log confirms them. `readOnly`: nothing
 * is written.
 */
export const openLane = (
  options: LaneOptions,
  path: string,
  state: LaneState,
  agree: boolean,
  readOnly = false
): Effect.Effect<OpenLane, DuckDbError | OutdatedTables | ReadError, Scope.Scope> =>
  Effect.gen(function* () {
    const { chain, projections, log, port } = options
    const send = options.isCopied ? port.post : undefined
    const { retention, memoryMb } = options.upkeep
    const folds = newFoldSet(chain, projections, declared => tailRows(declared, memoryMb))
    const signature = signatureOf(chain, projections)
    const database = { databaseMb: databaseMb(memoryMb) }
    const opening = { ...options, ...database, readOnly, retention, signature }
    const store = yield* openStore(path, folds.tables, opening)
    const read = (from: Parameters<LaneLog["read"]>[0]) => log.read(from, { follow: false })
    const { changed } = state
    const core = yield* loadCore(store, folds, read, log.joined, { send, changed })
    const done = agree ? yield* reconcile(core, log) : null
    if (done !== null) {
      state.warn(done)
      yield* Effect.logWarning(`${chain.key}: ${done}`)
    }
    const queries = yield* openQueries(store, chain, folds, core, options.pages)
    yield* Effect.addFinalizer(() => Effect.sync(() => core.close()))
    const first = yield* readMeta(store.writer, "first_block")
    const known = yield* readMeta(store.writer, LOG)
    return { core, queries, firstBlock: first === null ? null : Number(first), log: known }
  })
