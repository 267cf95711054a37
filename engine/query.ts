/**
 * Queries as values: a name, typed parameters and how they are answered. Whoever asks imports the
 * query itself; its name is what goes between the threads.
 */
import type { Effect } from "effect"
import type { ChainConfig } from "../src/domain/chain.ts"
import type { DuckDbError, ResultColumns, Row } from "../src/platform/duckdb.ts"
import { type Keep, keep } from "./memory/kept.ts"
import { Newest } from "./memory/newest.ts"
import type { RowRing } from "./memory/row-ring.ts"
import type { QueryParams, QueryRefusal, QueryRequest } from "./question.ts"
import type { ColumnArrays } from "./store/column-set.ts"
import type { KeptFrom } from "./store/retention.ts"
import type { ColumnDefs, TableDef } from "./store/table.ts"

export type { DuckDbError as ReadError, QueryParams, QueryRequest, ResultColumns, Row }

/** Names what a projection gives later ones, with its type; the projection so named makes it. */
export interface OutputKey<Out> {
  readonly name: string
  /** never set: carries the type */
  readonly out?: Out
}

/** What a query that reads memory alone may use: all of it as of one position. */
export interface MemoryView {
  readonly chain: ChainConfig
  /** the position that the answer reflects */
  readonly seq: number
  readonly block: number
  readonly blockTime: number
  /** from when on rows are kept that leave (`leaves` of a table) */
  readonly keptFrom: KeptFrom
}

/** What a query on the lane's thread may use: also what the folds hold. */
export interface FoldsView extends MemoryView {
  /** what a projection holds in memory, where the folds stand */
  readonly output: <Out>(key: OutputKey<Out>) => Out
  /** an object that lives until the folds are loaded again, by a start or a rollback */
  readonly kept: <A>(key: Keep<A>) => A
}

/**
 * A read on committed rows; every statement of one query sees the same commit. The folds may be
 * further: of their outputs it reads facts that never change, or whose change the fold tells
 * (`factsChanged`): names, decimals, venues. What else memory tells is looked at by a
 * `memoryQuery` before it reads.
 */
export interface RowsView extends FoldsView {
  /** the position up to which the base of an index has all rows (`versions`) */
  readonly merged: (table: TableDef) => number
  readonly rows: (sql: string) => Effect.Effect<ReadonlyArray<Row>, DuckDbError>
  /** what a statement finds, by columns: for thousands of rows */
  readonly columns: (sql: string) => Effect.Effect<ResultColumns, DuckDbError>
}

/** What follows from the folds at a position: made where it is asked for, once a position. */
export const once = <A>(make: (view: FoldsView) => A): ((view: FoldsView) => A) => {
  const key = keep(() => new Newest<A>())
  return view => view.kept(key).at(view.seq, () => make(view))
}

/** A query's refusal as a failure. */
export class Refused {
  readonly _tag = "Refused"
  readonly refusal: QueryRefusal

  constructor(refusal: QueryRefusal) {
    this.refusal = refusal
  }
}

/** An answer from committed rows: a JSON value, or a refusal of the spec's part 7. */
export type RowsAnswer<P> = (
  view: RowsView,
  params: P
) => Effect.Effect<unknown, DuckDbError | Refused>

/** The rest of an answer, from rows. */
export type ReadRest = (view: RowsView) => Effect.Effect<unknown, DuckDbError | Refused>

/** What a query on the folds' memory comes to: a value, or what is to be read beside it. */
export type Settled =
  | { readonly value: unknown }
  /** a value as JSON, where most of it was made before; in memory of its own, which goes over */
  | { readonly json: Uint8Array }
  | { readonly refused: QueryRefusal }
  /** rows of the position where memory was looked at, and of no other */
  | { readonly read: ReadRest }
  /**
   * rows up to a position, which no later event changes: those after it are in memory. The tables
   * may be further, so `read` names the position in its conditions. `facts: "newest"` is for what
   * takes minutes: it bears facts that were learned since, where others are asked for again.
   */
  | { readonly past: { readonly upTo: number; readonly read: ReadRest; readonly facts?: "newest" } }
  /** what is asked for is between two states: it is asked for again once more is folded */
  | { readonly later: true }

/**
 * Answers from what the folds hold in memory. It is asked only while they stand at the position
 * that `view` names. What it gives to `read` reads rows of the same position.
 */
export type MemoryAnswer<P> = (view: FoldsView, params: P) => Settled

/** What copies of tables hold as of a commit (`replica` of a table). */
export interface ReplicaView extends MemoryView {
  /** slots of a table without buckets */
  readonly count: (def: TableDef) => number
  /** the values of one of its copied columns, by slot */
  readonly column: <C extends ColumnDefs, K extends keyof C & string>(
    def: TableDef<C>,
    name: K
  ) => ColumnArrays<C>[K]
  /** the slot whose column of bytes holds a value; -1 for none */
  readonly slotOf: (def: TableDef, column: string, value: Uint8Array) => number
  /** the newest rows of a slot of a table with buckets; undefined where none is held */
  readonly series: (def: TableDef, slot: number) => RowRing | undefined
}

/**
 * Answers from copies of tables, with the very value that the query on rows gives; undefined where
 * they do not hold all that it needs.
 */
export type ReplicaAnswer<P> = (view: ReplicaView, params: P) => unknown

/** A question to a lane. */
export type Query<P> = { readonly name: string; readonly replica?: ReplicaAnswer<P> } & (
  | { readonly on: "rows"; readonly answer: RowsAnswer<P> }
  | { readonly on: "memory"; readonly answer: MemoryAnswer<P> }
)

/** A query whose parameters are not known here, as in a list of all. */
export type AnyQuery = Query<never>

/** A query on committed rows, and on copies of tables where `replica` answers it from them. */
export const rowsQuery = <P extends QueryParams>(
  name: string,
  answer: RowsAnswer<P>,
  replica?: ReplicaAnswer<P>
): Query<P> => ({ name, on: "rows", answer, ...(replica === undefined ? {} : { replica }) })

/** A query on what the folds hold in memory. */
export const memoryQuery = <P extends QueryParams>(
  name: string,
  answer: MemoryAnswer<P>
): Query<P> => ({ name, on: "memory", answer })

/** The message that asks a query; `patienceSeconds` of one that takes longer than pages do. */
export const ask = <P extends QueryParams>(
  { name }: Query<P>,
  params: P,
  patienceSeconds?: number
): QueryRequest => ({
  name,
  params,
  ...(patienceSeconds === undefined ? {} : { patienceSeconds })
})
