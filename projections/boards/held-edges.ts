/** What windows begin with, from memory where it holds it, from the tables where it does not. */
import { Effect } from "effect"
import type { FoldsContext, QueryContext } from "../../engine/query.ts"
import { hourOf } from "../markets/hours.ts"
import { tapeOutput } from "../tape/output.ts"
import type { SwapSource } from "../tape/swap-links.ts"
import { boardsOutput } from "./board-memory.ts"
import { edgeIn, poolsIn } from "./edge-walk.ts"
import { hourSql } from "./hour-swaps.ts"
import { type Edge, type Edges, edgesOf, type PoolSums, type Window } from "./window-edges.ts"

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

const NOTHING: Edge = {
  trades: 0,
  buys: 0,
  bought: 0,
  sold: 0,
  before: null,
  high: null,
  low: null
}

/** Where the swaps of an hour are in memory; null where they are not. */
const sourceOf = (context: FoldsContext, hour: number): SwapSource | null => {
  const held = context.output(boardsOutput).hoursHeld.of(hour)
  if (held !== undefined && held !== null) return held
  const { recent } = context.output(tapeOutput)
  return recent.wholeSince <= hour ? recent : null
}

const take = (context: FoldsContext, found: HeldEdges, place: number): void => {
  const { token, scale, windows, edges } = found
  const window = windows[place] as Window
  const isLast = place === windows.length - 1
  if (window.from >= window.edge) {
    edges[place] = NOTHING
    if (isLast) found.pools = new Map()
    return
  }
  const source = sourceOf(context, hourOf(window.from))
  if (source === null) return
  edges[place] = edgeIn(source, token, context.seq, window, scale)
  if (isLast) found.pools = poolsIn(source, token, context.seq, window)
}

/** As far as memory tells; asked while the folds stand at the commit. */
export const heldEdges = (
  context: FoldsContext,
  token: number,
  windows: ReadonlyArray<Window>,
  scale: number
): HeldEdges => {
  const found: HeldEdges = { token, scale, windows, edges: windows.map(() => null), pools: null }
  for (let place = 0; place < windows.length; place++) take(context, found, place)
  return found
}

/** All of it; null where some is to be read. */
export const wholeEdges = ({ edges, pools }: HeldEdges): Edges | null =>
  pools === null || edges.includes(null) ? null : { edges: edges as ReadonlyArray<Edge>, pools }

/** Reads an hour that is over into memory, where it was not read yet. */
const readHour = (context: QueryContext, hour: number) => {
  const { hoursHeld } = context.output(boardsOutput)
  if (hour >= hourOf(context.blockTime) || hoursHeld.of(hour) !== undefined) return Effect.void
  return Effect.map(context.columns(hourSql(hour)), found => {
    hoursHeld.keep(hour, found)
  })
}

/** Reads the rest; `perDay` are the token's prints of a day. */
export const readEdges = (context: QueryContext, found: HeldEdges, perDay: number) =>
  Effect.gen(function* () {
    const { token, scale, windows, edges } = found
    for (const [place, window] of windows.entries()) {
      if (edges[place] !== null) continue
      const hour = hourOf(window.from)
      yield* readHour(context, hour)
      const held = context.output(boardsOutput).hoursHeld.of(hour)
      // the folds may be ahead by now: of hours that are over they tell the same
      if (held !== undefined && held !== null) take(context, found, place)
    }
    const whole = wholeEdges(found)
    if (whole !== null) return whole
    const missing = windows.filter((_, place) => edges[place] === null)
    // pools are told of the last of the windows
    const asked = found.pools === null ? [...new Set([...missing, windows.at(-1)])] : missing
    const read = yield* edgesOf(context, token, asked as ReadonlyArray<Window>, scale, perDay)
    return {
      edges: windows.map((window, place) => edges[place] ?? read.edges[asked.indexOf(window)]),
      pools: found.pools ?? read.pools
    } as Edges
  })
