/**
 * What boards and pages keep between questions: orders that were served, indices of the folds'
 * memory that are kept up as it grows, and what follows from a commit and is asked for often.
 */
import type { FoldsContext, OutputKey } from "../../engine/query.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { MarketFold } from "../markets/fold.ts"
import { DAY } from "../markets/hours.ts"
import { markets } from "../markets/output.ts"
import { type Window, windowAt } from "../markets/window.ts"
import { KeptDescending } from "./descending.ts"
import { HourSlots } from "./hour-slots.ts"
import { HeldHours } from "./hour-swaps.ts"
import { KeptOrders } from "./kept-orders.ts"
import { Links } from "./links.ts"
import { NameText } from "./name-text.ts"
import { PoolIndex } from "./pool-index.ts"
import { RowTexts } from "./row-texts.ts"

/** What is made of a commit once, of the newest one that somebody asked at. */
class PerCommit<A> {
  private made: { readonly seq: number; readonly value: A } | null = null

  of(seq: number, make: () => A): A {
    if (this.made?.seq !== seq) this.made = { seq, value: make() }
    return this.made.value
  }

  /** What was made of a commit; undefined where nothing was. */
  known(seq: number): A | undefined {
    return this.made?.seq === seq ? this.made.value : undefined
  }

  clear(): void {
    this.made = null
  }
}

/** Orders kept to be sorted again, some 20 bytes a token or pool each. */
const MOST_SORTED = 24

export class BoardMemory {
  readonly orders = new KeptOrders()
  readonly pools: PoolIndex
  /** swaps of the hours in which windows begin */
  readonly hoursHeld = new HeldHours()
  readonly rows = new RowTexts()
  /** how people read the symbols and names of all tokens */
  readonly texts = { symbols: new NameText(), names: new NameText() }
  private readonly sorted = new Map<string, KeptDescending>()
  private readonly perCommit = new Map<string, PerCommit<unknown>>()
  private readonly links = new Links()
  private linked = 0
  private readonly hours = new HourSlots()

  constructor(chain: ChainConfig) {
    this.pools = new PoolIndex(chain)
  }

  /** The markets of a token, ascending. */
  marketsOf({ index }: MarketFold, token: number): Uint32Array {
    const { columns, count } = index.markets
    for (; this.linked < count; this.linked++) {
      for (const of of [columns.token0[this.linked], columns.token1[this.linked]]) {
        if (of !== undefined && of !== NONE) this.links.add(of, this.linked)
      }
    }
    return this.links.of(token)
  }

  /** The slot of a token's hour, -1 where it has none. */
  hourOf(fold: MarketFold, token: number, hour: number): number {
    this.hours.forget(fold.hour - DAY)
    return this.hours.find(fold.tokenHours, token, hour)
  }

  /** The order of a name, of which few keys change from one commit to the next. */
  sortedAs(name: string): KeptDescending {
    const known = this.sorted.get(name) ?? new KeptDescending()
    // the one that was not asked for the longest goes first
    this.sorted.delete(name)
    this.sorted.set(name, known)
    for (const oldest of this.sorted.keys()) {
      if (this.sorted.size <= MOST_SORTED) break
      this.sorted.delete(oldest)
    }
    return known
  }

  /** What follows from the commit at a position, under a name; made once. */
  once<A>(name: string, seq: number, make: () => A): A {
    const known = this.perCommit.get(name) ?? new PerCommit()
    this.perCommit.set(name, known)
    return known.of(seq, make) as A
  }

  /** What was made under a name of the commit at a position; undefined where nothing was. */
  known<A>(name: string, seq: number): A | undefined {
    return this.perCommit.get(name)?.known(seq) as A | undefined
  }

  /** What the folds hold may be another: nothing is known any more. */
  clear(): void {
    this.orders.clear()
    this.pools.clear()
    this.sorted.clear()
    this.perCommit.clear()
    this.links.clear()
    this.linked = 0
    this.hours.clear()
    this.hoursHeld.clear()
    this.rows.clear()
    this.texts.symbols.clear()
    this.texts.names.clear()
  }
}

export const boardsOutput: OutputKey<BoardMemory> = { name: "boards" }

/** The window of the present commit. */
export const windowOf = (context: FoldsContext): Window =>
  context
    .output(boardsOutput)
    .once("window", context.seq, () => windowAt(context.output(markets), context.blockTime))
