/**
 * Copies of chosen tables on the serving thread. The lane sends them the rows of its commits, and
 * some queries are answered from them without a message to the lane.
 */
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { Projection } from "../projection.ts"
import type { ReplicaAnswer, ReplicaView } from "../query.ts"
import type { QueryAnswer, QueryRequest } from "../question.ts"
import type { TableDef } from "../store/table.ts"
import { type ChangedRows, copiedColumns, giveBack } from "./changed-rows.ts"
import type { CopiedPosition, ToReplica } from "./messages.ts"
import { RowsCopy } from "./rows-copy.ts"
import { SeriesCopy } from "./series-copy.ts"

const encoder = new TextEncoder()

/** The copy of one table. */
interface Copy {
  readonly rows: RowsCopy | null
  readonly series: SeriesCopy | null
  /** takes rows; `isEmpty` while no query is answered from the copy yet */
  readonly take: (rows: ChangedRows, isEmpty: boolean) => void
}

const seriesCopy = (def: TableDef, maxRows: number): Copy => {
  const { width } = copiedColumns(def)
  const series = new SeriesCopy(width - 2, maxRows)
  return {
    rows: null,
    series,
    take: ({ count, numbers }) => {
      for (let row = 0, at = 0; row < count; row++, at += width) {
        series.take(numbers[at] as number, numbers[at + 1] === 1, numbers, at + 2)
      }
      giveBack(numbers)
    }
  }
}

const copyOf = (def: TableDef): Copy => {
  if (def.replica?.rows !== undefined) return seriesCopy(def, def.replica.rows)
  const rows = new RowsCopy(copiedColumns(def))
  return { rows, series: null, take: (changed, isEmpty) => rows.take(changed, isEmpty) }
}

export class Replica {
  private readonly chain: ChainConfig
  private readonly copies: ReadonlyMap<string, Copy>
  private readonly queries: ReadonlyMap<string, ReplicaAnswer<never>>
  /** newest position that the copies hold; null before the first */
  private at: CopiedPosition | null = null

  constructor(chain: ChainConfig, projections: ReadonlyArray<Projection>) {
    this.chain = chain
    const tables = projections.flatMap(one => one.tables.filter(def => def.replica !== undefined))
    this.copies = new Map(tables.map(def => [def.name, copyOf(def)]))
    this.queries = new Map(
      projections.flatMap(({ queries }) =>
        queries.flatMap(({ name, replica }) => (replica === undefined ? [] : [[name, replica]]))
      )
    )
  }

  receive(message: ToReplica): void {
    switch (message.type) {
      case "replica-rows":
        this.copies.get(message.rows.table)?.take(message.rows, this.at === null)
        return
      case "replica-position":
        this.at = message.at
        for (const { rows, series } of this.copies.values()) {
          rows?.commit()
          series?.commit()
        }
        return
      case "replica-forget":
        this.forget()
    }
  }

  /** Forgets everything: the lane's worker is gone, or its tables were replaced. */
  forget(): void {
    this.at = null
    for (const { rows, series } of this.copies.values()) {
      rows?.forget()
      series?.forget()
    }
  }

  private readonly copy = ({ name }: TableDef): Copy => {
    const copy = this.copies.get(name)
    if (copy === undefined) throw new Error(`no copy is held of ${name}`)
    return copy
  }

  private readonly rowsOf = (def: TableDef): RowsCopy => {
    const { rows } = this.copy(def)
    if (rows === null) throw new Error(`of ${def.name} the newest rows of a slot are held`)
    return rows
  }

  /** Returns the answer as of the newest position; null where the lane must be asked. */
  answer({ name, params }: QueryRequest): QueryAnswer | null {
    const { at, chain, rowsOf } = this
    const query = this.queries.get(name)
    if (at === null || query === undefined) return null
    const view: ReplicaView = {
      ...{ chain, ...at },
      count: def => rowsOf(def).count,
      column: (def, column) => rowsOf(def).column(column) as never,
      slotOf: (def, column, value) => rowsOf(def).slotOf(column, value),
      series: (def, slot) => this.copy(def).series?.of(slot)
    }
    const value = query(view, params as never)
    if (value === undefined) return null
    return { ok: true, seq: at.seq, body: encoder.encode(JSON.stringify(value)) }
  }
}
