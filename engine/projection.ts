/**
 * What a projection fulfils: a name, a version, tables, a pure fold over batches, and queries. The
 * engine does everything else: state in memory, commits, rollback, compaction, rebuild, caching.
 *
 * A fold reads events and writes columns of its own tables, nothing else: no clock, no I/O, no
 * other projection's tables. What later projections may read of it is its `out`.
 */
import type { Effect } from "effect"
import type { ChainConfig } from "../src/domain/chain.ts"
import type { DuckDbError, ResultColumns, Row } from "../src/platform/duckdb.ts"
import type { EventBatch } from "../streams/batch/batch.ts"
import type { QueryRefusal, QueryRequest } from "./lane/protocol.ts"
import type { RowBuffer } from "./store/row-buffer.ts"
import type { SlotTable } from "./store/slot-table.ts"
import type { ColumnDefs, TableDef } from "./store/table.ts"

export type { DuckDbError as ReadError, ResultColumns, Row }

/** A run of events of one batch: places `from` to `to` (exclusive), the first of them at `seq`. */
export interface Slice {
  readonly batch: EventBatch
  readonly from: number
  readonly to: number
  readonly seq: number
}

export interface Fold<Out> {
  /** what projections listed later may read */
  readonly out: Out
  readonly apply: (slice: Slice) => void
  /**
   * Takes events of earlier blocks that the log joins here (`EventsJoined`), before those of the
   * segment that says so; all of a slice at the position of the first of these. They are folded
   * while readers see the commit before: what the projection tells of its memory must bear that.
   * Without it the fold has no part in them.
   */
  readonly join?: (slice: Slice) => void
  /** rebuilds what is derived from the slots in memory; after a start or a rollback */
  readonly reloaded?: () => void
  /** what the mirror is to take of waiting versions: those up to `end` that it was not told of */
  readonly mirrored?: (versions: RowBuffer<never>, end: number) => Mirrored | null
  /** the mirror holds nothing: only from now on it is told what is folded */
  readonly unmirrored?: () => void
}

/** A message to a mirror, structured-clonable, with the buffers that go over instead of a copy. */
export interface Mirrored {
  readonly message: unknown
  readonly transfer: ReadonlyArray<ArrayBuffer>
}

/**
 * What the serving thread itself holds of a projection, to answer what most readers ask without a
 * word to the lane. It takes what a transaction writes, which counts from the commit on.
 */
export interface Mirror {
  readonly take: (message: unknown) => void
  readonly committed: () => void
  /** the tables were reloaded or rolled back: what was taken is void */
  readonly forget: () => void
  /** faster ways to answer queries of these names */
  readonly queries: { readonly [name: string]: MemoryQuery }
}

/** Names what a projection gives later ones, with its type; the projection so named makes it. */
export interface OutputKey<Out> {
  readonly name: string
  /** never set: carries the type */
  readonly out?: Out
}

export interface FoldContext {
  readonly chain: ChainConfig
  /** hot state of an own `state` table */
  readonly state: <C extends ColumnDefs>(def: TableDef<C>) => SlotTable<C>
  /** rows going to an own `append` or `index` table */
  readonly rows: <C extends ColumnDefs>(def: TableDef<C>) => RowBuffer<C>
  /** the `out` of a projection listed earlier */
  readonly output: <Out>(key: OutputKey<Out>) => Out
}

/** A read on committed rows; every statement of one query sees the same commit. */
export interface QueryContext {
  readonly chain: ChainConfig
  readonly rows: (sql: string) => Effect.Effect<ReadonlyArray<Row>, DuckDbError>
  /** the same by columns, for results of thousands of rows */
  readonly columns: (sql: string) => Effect.Effect<ResultColumns, DuckDbError>
  /** the commit the rows reflect */
  readonly seq: number
  readonly block: number
  readonly blockTime: number
  /** in-memory facts that only grow (names, decimals, ids) */
  readonly output: <Out>(key: OutputKey<Out>) => Out
}

export type QueryParams = { readonly [name: string]: string | number | boolean | null }

/** Answers a JSON value, or a refusal of the spec's part 7. */
export type Query = (
  context: QueryContext,
  params: QueryParams
) => Effect.Effect<unknown, DuckDbError | Refused>

/** What a query that reads memory alone may use: all of it as of one commit. */
export type MemoryContext = Omit<QueryContext, "rows" | "columns" | "output">

/**
 * Answers a query of the same name from memory, as of the newest commit, with the very value that
 * the query on rows would give; undefined where memory does not hold all of it.
 */
export type MemoryQuery = (context: MemoryContext, params: QueryParams) => unknown

/**
 * The same on the lane's thread, from what the fold holds in memory; the fold may be ahead of the
 * commit that `context` tells of, and is not asked while a rollback is under way.
 */
export type Recall = (
  context: Omit<QueryContext, "rows" | "columns">,
  params: QueryParams
) => unknown

/** What a query on the folds' memory comes to: a value, or what is to be read beside it. */
export type Settled =
  | { readonly value: unknown }
  /** a value as JSON, where most of it was made before; in memory of its own, which goes over */
  | { readonly json: Uint8Array }
  | { readonly refused: QueryRefusal }
  | { readonly read: (context: QueryContext) => Effect.Effect<unknown, DuckDbError | Refused> }

/**
 * Answers from what the folds hold in memory. It is asked only while that is what is committed; a
 * reader that comes while more is folded waits for the next commit. What it gives to `read` reads
 * rows of the same commit.
 */
export type SettledQuery = (
  context: Omit<QueryContext, "rows" | "columns">,
  params: QueryParams
) => Settled

/** A query's refusal as a failure. */
export class Refused {
  readonly _tag = "Refused"
  readonly refusal: QueryRefusal

  constructor(refusal: QueryRefusal) {
    this.refusal = refusal
  }
}

/** In place of a position: frames of the present state, for channels that tell the newest. */
export const PRESENT = -1

/** A live frame of a key, as readers get it. */
export interface Frame {
  readonly key: string
  readonly seq: number
  readonly body: string
}

/** Turns what a commit changed into live frames. `wanted` tells which keys have subscribers. */
export interface FrameMaker {
  readonly channel: string
  /** called once per committed slice that is live; of one key in the order of positions */
  readonly frames: (
    context: QueryContext,
    /** a position, or `PRESENT` */
    since: number,
    wanted: ReadonlySet<string>,
    /**
     * Frames wanted at most; a maker may answer more, never fewer while there are more, and never
     * only some of a position's.
     */
    limit: number
  ) => Effect.Effect<ReadonlyArray<Frame>, DuckDbError>
  /**
   * The same from what the folds hold in memory, of events that are folded and not yet committed;
   * null where that does not hold all of it.
   */
  readonly early?: (
    context: Omit<QueryContext, "rows" | "columns">,
    since: number,
    wanted: ReadonlySet<string>
  ) => ReadonlyArray<Frame> | null
  /**
   * For a channel whose readers want the present: all of it, to one who knows what a rollback has
   * undone and stood at `since` before it. Without it he gets what changed after `since`.
   */
  readonly afterUndo?: (
    context: QueryContext,
    since: number,
    wanted: ReadonlySet<string>
  ) => Effect.Effect<ReadonlyArray<Frame>, DuckDbError>
  /** `since`, or the oldest later position from which a key's past can be had; else any can */
  readonly oldest?: (
    context: QueryContext,
    since: number,
    key: string
  ) => Effect.Effect<number, DuckDbError>
}

export interface Projection<Out = unknown> extends OutputKey<Out> {
  /** raise when the fold or a table changes: the tables are rebuilt from the log */
  readonly version: number
  readonly tables: ReadonlyArray<TableDef>
  readonly create: (context: FoldContext) => Fold<Out>
  readonly queries: { readonly [name: string]: Query }
  /** queries on memory; no other query has their names */
  readonly settled?: { readonly [name: string]: SettledQuery }
  /** faster ways to answer queries of these names */
  readonly recalls?: { readonly [name: string]: Recall }
  /**
   * Questions that a lane asks itself once it has caught up, and after a rollback, so that no
   * reader is the first: what they keep is known then, their code and files are warm.
   */
  readonly rehearsed?: (
    context: Omit<QueryContext, "rows" | "columns">
  ) => ReadonlyArray<QueryRequest>
  /** an empty mirror */
  readonly mirror?: () => Mirror
  readonly frames?: FrameMaker
}

/** Infers `Out`. */
export const projection = <Out>(value: Projection<Out>): Projection<Out> => value
