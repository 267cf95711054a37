/** Buckets below a minute from the prints in memory, where it holds all of the window. */
import type { FoldsContext } from "../../engine/query.ts"
import { wordsOf } from "../../engine/store/column-set.ts"
import { tapeOutput } from "../tape/output.ts"
import { recentSince, recentSwaps, type SwapColumns } from "../tape/swaps.ts"
import { tokens } from "../tokens/output.ts"
import type { Stretch } from "./coverage.ts"
import { countWallets, type Wallets } from "./distinct-wallets.ts"
import { type Bucket, BucketFold, type Print } from "./fold.ts"
import type { AnyFrame } from "./time-frame.ts"

/** Dollars a whole token of a print; NaN where there are none. */
const dollarsOf = (c: SwapColumns, at: number, side: 0 | 1, scale: number): number => {
  if (Number.isNaN(c.usd[at])) return Number.NaN
  const told = (side === 0 ? c.price0[at] : c.price1[at]) as number
  const isRaw = (((c.unscaled[at] as number) >> side) & 1) === 1
  const amount = (side === 0 ? c.amount0[at] : c.amount1[at]) as number
  const price = isRaw ? told / (amount / scale) : told
  return price > 0 && price < Number.POSITIVE_INFINITY ? price : Number.NaN
}

/** The buckets of a window with prints of a token, oldest first; null where some are not here. */
export const recentBuckets = (
  context: FoldsContext,
  token: number,
  frame: AnyFrame,
  { from, to }: Stretch,
  raw: boolean
): ReadonlyArray<Bucket> | null => {
  // whoever asks for more than is held is not told after a walk through all of it
  if (recentSince(context) > from) return null
  const scale = context.output(tokens).scale(token)
  const places: Array<number> = []
  const whole = recentSwaps(context).walk(token, context.seq, (c, at) => {
    const ts = c.ts[at] as number
    if (ts >= from && ts < to) places.push(at)
    return ts >= from
  })
  if (!whole) return null
  const { columns: c } = context.output(tapeOutput).recent
  const fold = new BucketFold(frame, true)
  for (const at of places.reverse()) {
    // of a swap of a token for itself the first side comes first
    if (c.token0[at] === token) fold.print(printOf(c, at, 0, scale, raw))
    if (c.token1[at] === token) fold.print(printOf(c, at, 1, scale, raw))
  }
  return fold.buckets
}

/** A swap as one of its sides sees it, in dollars. */
const printOf = (c: SwapColumns, at: number, side: 0 | 1, scale: number, raw: boolean): Print => {
  const isOutlier = (((c.flags[at] as number) >> side) & 1) === 1
  const price = raw || !isOutlier ? dollarsOf(c, at, side, scale) : Number.NaN
  const micro = Number.isNaN(price) ? Number.NaN : (c.usd[at] as number)
  const isBuy = (c.bought0[at] === 1) === (side === 0)
  return { ts: c.ts[at] as number, isBuy, isOutlier, micro, price, volume: micro }
}

/** Words of a wallet. */
const WORDS = 5

const isKnown = (wallets: Uint32Array, at: number): boolean => {
  for (let k = at * WORDS; k < (at + 1) * WORDS; k++) if (wallets[k] !== 0) return true
  return false
}

/** Distinct wallets of a window, by bucket; null where some prints are not here. */
export const recentWallets = (
  context: FoldsContext,
  token: number,
  frame: AnyFrame,
  { from, to }: Stretch
): ReadonlyMap<number, Wallets> | null => {
  if (recentSince(context) > from) return null
  const { recent } = context.output(tapeOutput)
  const wallets = wordsOf(recent.columns.wallet)
  const most = recent.held.count
  const ts = new Uint32Array(most * 2)
  const buy = new Uint8Array(most * 2)
  const places = new Uint32Array(most * 2)
  // from the newest back, so that they stand by time
  let first = most * 2
  const take = (time: number, bought: boolean, at: number): void => {
    first--
    ts[first] = time
    buy[first] = bought ? 1 : 0
    places[first] = at
  }
  const whole = recentSwaps(context).walk(token, context.seq, (c, at) => {
    const time = c.ts[at] as number
    if (time >= to) return true
    if (time < from) return false
    if (!isKnown(wallets, at)) return true
    if (c.token0[at] === token) take(time, c.bought0[at] === 1, at)
    if (c.token1[at] === token) take(time, c.bought0[at] === 0, at)
    return true
  })
  if (!whole) return null
  const [times, sides, found] = [ts.subarray(first), buy.subarray(first), places.subarray(first)]
  return countWallets({ ts: times, buy: sides, wallets, places: found }, frame)
}
