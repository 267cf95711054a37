import type { ChainConfig } from "../src/domain/chain.ts"
import type { EventBatch } from "../streams/batch/batch.ts"
import type { FrameMaker } from "./frames.ts"
import type { Tail } from "./memory/tail.ts"
import type { AnyQuery, OutputKey } from "./query.ts"
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
  /**
   * Says that the slice which is being folded changes what pages of earlier rows are made with (the
   * decimals of a token that has traded): no page of an earlier position may be made any more.
   */
  readonly factsChanged: () => void
  /** the `out` of a projection listed earlier */
  readonly output: <Out>(key: OutputKey<Out>) => Out
}

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
