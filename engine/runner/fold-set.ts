/** The folds of a lane's projections with their tables, built in order of declaration. */
import { createHash } from "node:crypto"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { idsOf, TX_BYTES } from "../../src/domain/ids.ts"
import { type Keep, Kept } from "../memory/kept.ts"
import { Tail } from "../memory/tail.ts"
import type { Fold, FoldContext, Projection, Slice } from "../projection.ts"
import type { OutputKey } from "../query.ts"
import { ReplicaFeed } from "../replica/feed.ts"
import { RowBuffer } from "../store/row-buffer.ts"
import { SlotTable } from "../store/slot-table.ts"
import type { ColumnDefs, TableDef } from "../store/table.ts"

export interface FoldSet {
  readonly projections: ReadonlyArray<Projection>
  readonly tables: ReadonlyArray<TableDef>
  /** all state tables, in order of declaration */
  readonly states: ReadonlyArray<SlotTable<never>>
  /** all append buffers */
  readonly rows: ReadonlyArray<RowBuffer<never>>
  /** the newest rows of all append buffers that keep them in memory */
  readonly tails: ReadonlyArray<Tail<never>>
  readonly tailOf: (def: TableDef) => Tail<never>
  readonly output: <Out>(key: OutputKey<Out>) => Out
  /** what queries keep until the folds are loaded again */
  readonly kept: <A>(key: Keep<A>) => A
  /** where facts last changed that pages of earlier rows are made with; 0 where they never did */
  readonly factsSeq: number
  readonly apply: (slice: Slice) => void
  /** what the log joins, for those that take it */
  readonly join: (slice: Slice) => void
  readonly reloaded: () => void
  /** what copies of tables on other threads are sent */
  readonly feed: ReplicaFeed
}

/** Short digest of what folds may read of a chain: other facts give other tables. */
const digestOf = (chain: ChainConfig): string => {
  const { native, nativeToken, anchors, venues, ingestFloorUsd } = chain
  const { routers, settlements, entryPoints } = chain
  const facts = [native, nativeToken, anchors, venues, ingestFloorUsd ?? null]
  const text = JSON.stringify([...facts, routers, settlements ?? null, entryPoints ?? null])
  return createHash("sha256").update(text).digest("hex").slice(0, 8)
}

/**
 * How tables are stored and merged: 1 could lose rows of large tables, 3 has raw rows behind views,
 * 4 remembers how far rollbacks took rows back, 5 has rows of any class behind views, 6 stores
 * nothing for the length of ids that a chain does not have.
 */
const STORE_VERSION = 6

/**
 * Name and version of every projection, the store's, and the facts about the chain: tables made
 * under another signature are rebuilt.
 */
export const signatureOf = (chain: ChainConfig, projections: ReadonlyArray<Projection>): string =>
  [
    ...projections.map(item => `${item.name}@${item.version}`),
    `store@${STORE_VERSION}`,
    `facts@${digestOf(chain)}`
  ].join(",")

/** Throws where two projections give something the same name. */
const mustDiffer = (
  what: string,
  projections: ReadonlyArray<Projection>,
  namesOf: (projection: Projection) => ReadonlyArray<string>
): void => {
  const owners = new Map<string, string>()
  for (const item of projections) {
    for (const name of namesOf(item)) {
      const other = owners.get(name)
      if (other !== undefined) {
        throw new Error(`${what} ${name} is declared by ${other} and by ${item.name}`)
      }
      owners.set(name, item.name)
    }
  }
}

/** An append buffer, and the newest rows of it in memory. */
interface BufferWithTail {
  readonly buffer: RowBuffer<never>
  readonly tail: Tail<never>
}

const tailOf = (tails: ReadonlyArray<BufferWithTail>, def: TableDef): Tail<never> => {
  const kept = tails.find(({ tail }) => tail.def.name === def.name)
  if (kept === undefined) throw new Error(`no rows of ${def.name} are kept in memory`)
  return kept.tail
}

/** A table as a lane of a chain has it: it stores no more of ids than the chain's have. */
const tableOn = (chain: ChainConfig): (<C extends ColumnDefs>(def: TableDef<C>) => TableDef<C>) =>
  idsOf(chain).txBytes < TX_BYTES ? def => ({ ...def, shortIds: true }) : def => def

/** What the folds of a lane are given tables by, and where the tables go. */
interface Making {
  readonly chain: ChainConfig
  readonly states: Map<string, SlotTable<never>>
  readonly rows: Map<string, RowBuffer<never>>
  readonly tails: Array<BufferWithTail>
  readonly tailRows: (declared: number) => number
  readonly factsChanged: () => void
}

const tablesOf = ({
  chain,
  states,
  rows,
  tails,
  tailRows,
  factsChanged
}: Making): Omit<FoldContext, "output"> => ({
  chain,
  state: <C extends ColumnDefs>(def: TableDef<C>): SlotTable<C> => {
    const made = new SlotTable(tableOn(chain)(def))
    states.set(def.name, made as unknown as SlotTable<never>)
    return made
  },
  rows: <C extends ColumnDefs>(def: TableDef<C>): RowBuffer<C> => {
    const made = new RowBuffer(tableOn(chain)(def))
    rows.set(def.name, made as unknown as RowBuffer<never>)
    return made
  },
  tail: <C extends ColumnDefs>(buffer: RowBuffer<C>): Tail<C> => {
    const { def } = buffer
    if (def.tail === undefined) throw new Error(`no rows of ${def.name} are kept in memory`)
    const tail = new Tail(def, tailRows(def.tail.rows), def.tail.keys)
    tails.push({ buffer, tail } as unknown as BufferWithTail)
    return tail
  },
  factsChanged
})

/**
 * Builds all folds with empty state.
 *
 * @param tailRows how many of a table's newest rows are kept, for those that the table declares
 */
export const newFoldSet = (
  chain: ChainConfig,
  projections: ReadonlyArray<Projection>,
  tailRows = (declared: number): number => declared
): FoldSet => {
  mustDiffer("table", projections, item => item.tables.map(({ name }) => name))
  mustDiffer("query", projections, item => item.queries.map(({ name }) => name))
  const states = new Map<string, SlotTable<never>>()
  const rows = new Map<string, RowBuffer<never>>()
  const tails: Array<BufferWithTail> = []
  const folds = new Map<string, Fold<unknown>>()
  const output = <Out>(key: OutputKey<Out>): Out => {
    const fold = folds.get(key.name)
    if (fold === undefined) throw new Error(`${key.name} must be listed before its readers`)
    return fold.out as Out
  }
  let factsSeq = 0
  let folding = 0
  const factsChanged = (): void => {
    factsSeq = Math.max(factsSeq, folding)
  }
  const context = tablesOf({ chain, states, rows, tails, tailRows, factsChanged })
  for (const item of projections) {
    const used = new Set(item.uses.map(({ name }) => name))
    const outputOf = <Out>(key: OutputKey<Out>): Out => {
      if (!used.has(key.name))
        throw new Error(`${item.name} does not declare that it uses ${key.name}`)
      return output(key)
    }
    folds.set(item.name, item.create({ ...context, output: outputOf }))
  }
  const all = [...folds.values()]
  const kept = new Kept()
  return {
    projections,
    tables: projections.flatMap(item => item.tables).map(tableOn(chain)),
    states: [...states.values()],
    rows: [...rows.values()],
    tails: tails.map(({ tail }) => tail),
    tailOf: def => tailOf(tails, def),
    output,
    kept: kept.of,
    get factsSeq() {
      return factsSeq
    },
    apply: slice => {
      folding = slice.seq
      const before = tails.map(({ buffer }) => buffer.count)
      for (const fold of all) fold.apply(slice)
      for (const [place, { buffer, tail }] of tails.entries()) tail.take(buffer, before[place])
    },
    join: slice => {
      folding = slice.seq
      for (const fold of all) fold.join?.(slice)
    },
    reloaded: () => {
      kept.clear()
      for (const { tail } of tails) tail.clear()
      for (const fold of all) fold.reloaded?.()
    },
    feed: new ReplicaFeed([...states.values()])
  }
}
