/** Prints of a token from the newest swaps, which memory holds. */
import type { FoldsContext } from "../../engine/query.ts"
import { wordsOf } from "../../engine/store/column-set.ts"
import type { Stretch } from "../coverage/covered-time.ts"
import { tapeOutput } from "../tape/output.ts"
import { recentSince, recentSwaps, type SwapColumns } from "../tape/swaps.ts"
import { tokens } from "../tokens/output.ts"
import type { Prints } from "./prints.ts"

type Side = 0 | 1

/** Dollars a whole token of a print; NaN where there are none. */
const dollarsOf = (c: SwapColumns, at: number, side: Side, scale: number): number => {
  if (Number.isNaN(c.usd[at])) return Number.NaN
  const told = (side === 0 ? c.price0[at] : c.price1[at]) as number
  const isRaw = (((c.unscaled[at] as number) >> side) & 1) === 1
  const amount = (side === 0 ? c.amount0[at] : c.amount1[at]) as number
  return isRaw ? told / (amount / scale) : told
}

/** The prints of a window, in the order of the log; null where some are not in memory. */
export const recentPrints = (
  context: FoldsContext,
  token: number,
  { from, to }: Stretch
): Prints | null => {
  // whoever asks for more than is held is not told after a walk through all of it
  if (recentSince(context) > from) return null
  const scale = context.output(tokens).scale(token)
  const found: Array<number> = []
  const whole = recentSwaps(context).walk(token, context.seq, (c, at) => {
    const ts = c.ts[at] as number
    if (ts >= from && ts < to) found.push(at)
    return ts >= from
  })
  if (!whole) return null
  const { columns: c } = context.output(tapeOutput).recent
  const places: Array<number> = []
  const sides: Array<Side> = []
  for (const at of found.reverse()) {
    // of a swap of a token for itself the first side comes first
    for (const side of [0, 1] as const) {
      if ((side === 0 ? c.token0 : c.token1)[at] !== token) continue
      places.push(at)
      sides.push(side)
    }
  }
  const column = (value: (at: number, side: Side) => number) =>
    Float64Array.from(places, (at, i) => value(at, sides[i] as Side))
  const ts = column(at => c.ts[at] as number)
  const buy = column((at, side) => ((c.bought0[at] === 1) === (side === 0) ? 1 : 0))
  return {
    ...{ ts, buy, flags: column((at, side) => (c.flags[at] as number) >> side) },
    usd: column(at => c.usd[at] as number),
    dollars: column((at, side) => dollarsOf(c, at, side, scale)),
    ratio: null,
    traders: { ts, buy, wallets: wordsOf(c.wallet), places }
  }
}
