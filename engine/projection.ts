/**
 * What a projection fulfils: a name, a version, tables, a pure fold over batches, and queries. The
 * engine does everything else: state in memory, commits, rollback, compaction, rebuild, caching.
 *
 * A fold reads events and writes columns of its own tables, nothing else: no clock, no I/O, no
 * other projection's tables. What later projections may read of it is its `out`.
 */
import type { Effect } from "effect"
import type { ChainConfig } from "../src/domain/chain.ts"
import type { EventBatch } from "../streams/batch/batch.ts"
import type { Tail } from "./memory/tail.ts"
import type { AnyQuery, FoldsContext, OutputKey, QueryContext, ReadError, Row } from "./query.ts"
import type { RowBuffer } from "./store/row-buffer.ts"
import type { SlotTable } from "./store/slot-table.ts"
import type { ColumnDefs, TableDef } from "./store/table.ts"

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
}

export interface FoldContext {
  readonly chain: ChainConfig
  /** hot state of an own `state` table */
  readonly state: <C extends ColumnDefs>(def: TableDef<C>) => SlotTable<C>
  /** rows going to an own `append` or `index` table */
  readonly rows: <C extends ColumnDefs>(def: TableDef<C>) => RowBuffer<C>
  /** the newest rows that went to an own table: those that its `tail` wants, in memory */
  readonly tail: <C extends ColumnDefs>(rows: RowBuffer<C>) => Tail<C>
  /** the `out` of a projection listed earlier */
  readonly output: <Out>(key: OutputKey<Out>) => Out
}

/** In place of a position: frames of the present state, for channels that tell the newest. */
export const PRESENT = -1

/** A live frame of a key, as readers get it. */
export interface Frame {
  readonly key: string
  readonly seq: number
  readonly body: string
}

/** Which frames are wanted of a channel. */
export interface FramesAsked {
  /** what changed after this position counts; `PRESENT` for what there is now */
  readonly since: number
  readonly keys: ReadonlySet<string>
  /**
   * Frames wanted at most; there may be more, never fewer while there are more, and never only some
   * of a position's.
   */
  readonly limit: number
  /**
   * Whether they are for one who stood at `since` when a rollback went back further, and knows it.
   * A channel whose readers want the present gives all of it then.
   */
  readonly isUndone: boolean
}

/** What both kinds of live channels have. */
interface NamedFrames {
  readonly channel: string
  /** Returns what a frame names of the topic of a key. */
  readonly named: (key: string) => { readonly [word: string]: string | number }
}

/** Makes frames of rows for some keys. */
export interface RowWatch {
  /** the condition that the rows of these keys meet, and no others */
  readonly where: string
  /** Makes the frames of rows, which may be of other keys too. */
  readonly framesOf: (rows: ReadonlyArray<Row>) => ReadonlyArray<Frame>
}

/** A live channel whose frames are rows of an `append` table with a tail. */
export interface RowFrames extends NamedFrames {
  readonly table: TableDef
  /** Returns what makes the frames of keys; null where nothing is known of any. */
  readonly watch: (context: FoldsContext, keys: ReadonlySet<string>) => RowWatch | null
}

/** A live channel whose frames tell what became of rows that change. */
export interface ReadFrames extends NamedFrames {
  /** Makes frames; those of one key in the order of positions. */
  readonly frames: (
    context: QueryContext,
    asked: FramesAsked
  ) => Effect.Effect<ReadonlyArray<Frame>, ReadError>
  /** `since`, or the oldest later position from which a key's past can be had; else any can */
  readonly oldest?: (
    context: QueryContext,
    since: number,
    key: string
  ) => Effect.Effect<number, ReadError>
}

/** Makes the live frames of a channel. */
export type FrameMaker = RowFrames | ReadFrames

/** What may be asked of a lane, and the projections that it reads. */
export interface Page {
  readonly name: string
  /** the projections whose output or tables are read */
  readonly uses: ReadonlyArray<OutputKey<unknown>>
  readonly queries: ReadonlyArray<AnyQuery>
  readonly frames?: FrameMaker
}

/** A projection is read by its own queries, too; its fold reads what these `uses` name. */
export interface Projection<Out = unknown> extends OutputKey<Out>, Page {
  /** raise when the fold or a table changes: the tables are rebuilt from the log */
  readonly version: number
  readonly tables: ReadonlyArray<TableDef>
  readonly create: (context: FoldContext) => Fold<Out>
}

/** Infers `Out`. */
export const projection = <Out>(value: Projection<Out>): Projection<Out> => value
