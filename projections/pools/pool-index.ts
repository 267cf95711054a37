/** The pools of each token, and how many there are by kind and venue, kept up as pools are made. */

import { Links } from "../../engine/memory/links.ts"
import { roomFor } from "../../engine/memory/room.ts"
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { kindNamed, shapeOfKind } from "../../streams/pool-venue.ts"
import type { PoolShape } from "../../streams/venue.ts"
import { type poolsTable, type TokenPools, tokenColumns } from "./output.ts"

type Columns = ColumnArrays<(typeof poolsTable)["columns"]>

/** The slots of the table. */
interface HeldPools {
  readonly count: number
  readonly columns: Columns
}

/** Shapes that are told apart, all others go into the count of their venue alone. */
type Shape = Exclude<PoolShape, "bins" | "other">

const shapeOf = (kind: string): Shape | undefined => {
  const shape = shapeOfKind(kind)
  return shape === "bins" || shape === "other" ? undefined : shape
}

const WORD = 2 ** 32

/** What a token has at a venue. */
interface AtVenue {
  readonly venue: string
  count: number
  /** the place of the token in its pool and the pool, of the first of them in this order */
  first: number
}

export class PoolIndex {
  /** venues of the chain's list whose pools are quoted */
  private readonly listed: ReadonlySet<string>
  private readonly pools: HeldPools
  private readonly links = new Links()
  private shapes = new Map<Shape, Uint32Array>()
  private readonly venues: Array<Array<AtVenue> | undefined> = []
  /** pools below are taken in */
  private taken = 0
  private isStale = false
  /** how often all was forgotten */
  private age = 0

  constructor(chain: ChainConfig, pools: HeldPools) {
    this.pools = pools
    // pools of Solana are decoded and not quoted: no kind has them that quotes
    const isQuoted = (kind: string): boolean => {
      const known = kindNamed(kind)
      return known !== undefined && known.neverQuotes === undefined
    }
    this.listed = new Set(chain.venues.flatMap(({ id, kind }) => (isQuoted(kind) ? [id] : [])))
  }

  /** Something was told anew of a pool. */
  changed(pool: number): void {
    if (pool < this.taken) this.isStale = true
  }

  clear(): void {
    this.age++
    this.links.clear()
    this.shapes = new Map()
    this.venues.length = 0
    this.taken = 0
    this.isStale = false
  }

  private update(): void {
    if (this.isStale) this.clear()
    const { count, columns } = this.pools
    for (; this.taken < count; this.taken++) this.take(columns, this.taken)
  }

  private take(columns: Columns, pool: number): void {
    const shape = shapeOf(columns.kind[pool] ?? "")
    const venue = columns.venue[pool] ?? "unknown"
    for (let place = 0; place < tokenColumns.length; place++) {
      const token = columns[tokenColumns[place] as "token0"][pool] as number
      if (token === NONE) continue
      this.links.add(token, pool)
      if (shape !== undefined) this.countShape(token, shape)
      this.countVenue(token, venue, place * WORD + pool)
    }
  }

  private countShape(token: number, shape: Shape): void {
    const counts = roomFor(this.shapes.get(shape) ?? new Uint32Array(1024), token)
    counts[token] = (counts[token] as number) + 1
    this.shapes.set(shape, counts)
  }

  private countVenue(token: number, venue: string, at: number): void {
    while (this.venues.length <= token) this.venues.push(undefined)
    const list = this.venues[token]
    const known = list?.find(one => one.venue === venue)
    if (known !== undefined) {
      known.count++
      if (at < known.first) known.first = at
    } else if (list !== undefined) list.push({ venue, count: 1, first: at })
    else this.venues[token] = [{ venue, count: 1, first: at }]
  }

  /** Pools of which a token is one, in slot order. */
  of(token: number): Uint32Array {
    this.update()
    return this.links.of(token)
  }

  /** A number that is another one once `counts` of a token may be others. */
  stampOf(token: number): number {
    this.update()
    return this.age * WORD + this.links.sizeOf(token)
  }

  /** What `TokenPools` says of a token. */
  counts(token: number): TokenPools {
    this.update()
    const countOf = (shape: Shape): number => this.shapes.get(shape)?.[token] ?? 0
    const list = (this.venues[token] ?? []).toSorted((a, b) => a.first - b.first)
    const byDex: { [venue: string]: number } = {}
    let routable = false
    for (const { venue, count } of list) {
      byDex[venue] = count
      routable ||= this.listed.has(venue)
    }
    return { pools: { v2: countOf("v2"), v3: countOf("v3"), v4: countOf("v4"), byDex }, routable }
  }
}
