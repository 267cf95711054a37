/** What windows begin with, from memory where it holds it, from the tables where it does not. */
import { Effect } from "effect"
import type { FoldsView, RowsView } from "../../../engine/query.ts"
import { hourOf } from "../../../projections/markets/hours.ts"
import { recentSince, recentSwaps, type SwapSource } from "../../../projections/tape/swaps.ts"
import { hourSql, hoursHeld } from "./hour-swaps.ts"
import {
  type Edge,
  type Edges,
  edgeIn,
  type PoolSums,
  poolsIn,
  readSwaps,
  type Window
} from "./window-edges.ts"

/** A token's windows, and what is known of them so far. */
export interface HeldEdges {
  readonly token: number
  readonly scale: number
  readonly windows: ReadonlyArray<Window>
  /** of each window; null where it is to be read */
  readonly edges: Array<Edge | null>
  /** of the last window */
  pools: PoolSums | null
}

/** Of a window that begins with a whole hour. */
const NO_SWAPS: SwapSource = { walk: () => true }

/** Where the swaps of an hour are in memory; null where they are not. */
const sourceOf = (view: FoldsView, hour: number): SwapSource | null => {
  const held = view.kept(hoursHeld).of(hour)
  if (held !== undefined && held !== null) return held
  return recentSince(view) <= hour ? recentSwaps(view) : null
}

const take = (view: FoldsView, found: HeldEdges, place: number, source: SwapSource): void => {
  const { token, scale, windows, edges } = found
  const window = windows[place] as Window
  edges[place] = edgeIn(source, token, view.seq, window, scale)
  if (place === windows.length - 1) found.pools = poolsIn(source, token, view.seq, window)
}

/** As far as memory tells; asked while the folds stand at the commit. */
export const heldEdges = (
  view: FoldsView,
  token: number,
  windows: ReadonlyArray<Window>,
  scale: number
): HeldEdges => {
  const held: HeldEdges = { token, scale, windows, edges: windows.map(() => null), pools: null }
  for (const [place, { from, edge }] of windows.entries()) {
    const source = from < edge ? sourceOf(view, hourOf(from)) : NO_SWAPS
    if (source !== null) take(view, held, place, source)
  }
  return held
}

/** All of it; null where some is to be read. */
export const wholeEdges = ({ edges, pools }: HeldEdges): Edges | null =>
  pools === null || edges.includes(null) ? null : { edges: edges as ReadonlyArray<Edge>, pools }

/** Reads an hour that is over into memory, where it was not read yet. */
const readHour = (view: RowsView, hour: number) => {
  const hours = view.kept(hoursHeld)
  if (hour >= hourOf(view.blockTime) || hours.of(hour) !== undefined) return Effect.void
  return Effect.map(view.columns(hourSql(hour)), columns => {
    hours.keep(hour, columns)
  })
}

/** Reads the rest. */
export const readEdges = (view: RowsView, found: HeldEdges) =>
  Effect.gen(function* () {
    const { token, windows, edges } = found
    for (const [place, window] of windows.entries()) {
      if (edges[place] !== null) continue
      const hour = hourOf(window.from)
      yield* readHour(view, hour)
      // the folds may be ahead by now: of hours that are over they tell the same
      const held = view.kept(hoursHeld).of(hour)
      take(view, found, place, held ?? (yield* readSwaps(view, token, window)))
    }
    return found as Edges
  })
