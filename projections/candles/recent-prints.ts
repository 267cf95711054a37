/** Buckets below a minute from the prints in memory, where it holds all of the window. */
import type { FoldsContext } from "../../engine/query.ts"
import { wordsOf } from "../../engine/store/column-set.ts"
import { WholeSum } from "../../src/math/whole-sum.ts"
import { tapeOutput } from "../tape/output.ts"
import { recentSince, recentSwaps, type SwapColumns } from "../tape/swaps.ts"
import { tokens } from "../tokens/output.ts"
import type { Bucket } from "./buckets.ts"
import type { Stretch } from "./coverage.ts"
import { countWallets, type Wallets } from "./distinct-wallets.ts"
import { type AnyFrame, bucketStart } from "./time-frame.ts"

/** A bucket as it is folded, from its newest print back. */
class Folding {
  readonly t: number
  private o: number | null = null
  private h: number | null = null
  private l: number | null = null
  private c: number | null = null
  private n = 0
  private trades = 0
  private buys = 0
  private outliers = 0
  private readonly volume = new WholeSum()
  private readonly bought = new WholeSum()

  constructor(t: number) {
    this.t = t
  }

  /** A print; `price` is null where none counts, as its dollars do not then. */
  take(buy: boolean, isOutlier: boolean, micro: number, price: number | null): void {
    this.trades++
    if (buy) this.buys++
    if (isOutlier) this.outliers++
    if (price === null) return
    this.n++
    this.volume.add(micro)
    if (buy) this.bought.add(micro)
    this.c ??= price
    this.o = price
    this.h = Math.max(this.h ?? price, price)
    this.l = Math.min(this.l ?? price, price)
  }

  get value(): Bucket {
    const { t, o, h, l, c, n, trades, buys, outliers } = this
    const volume = this.volume.value
    const sums = { volume, n, v: volume, bv: this.bought.value, trades, buys, outliers }
    return { t, o, h, l, c, ...sums, hash: null }
  }
}

/** Dollars a whole token of a print; null where there are none. */
const dollarsOf = (c: SwapColumns, at: number, side: 0 | 1, scale: number): number | null => {
  if (Number.isNaN(c.usd[at])) return null
  const told = (side === 0 ? c.price0[at] : c.price1[at]) as number
  const isRaw = (((c.unscaled[at] as number) >> side) & 1) === 1
  const amount = (side === 0 ? c.amount0[at] : c.amount1[at]) as number
  const price = isRaw ? told / (amount / scale) : told
  return price > 0 && price < Number.POSITIVE_INFINITY ? price : null
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
  const found: Array<Folding> = []
  let open: Folding | null = null
  const take = (c: SwapColumns, at: number, side: 0 | 1, bucket: Folding): void => {
    const isOutlier = (((c.flags[at] as number) >> side) & 1) === 1
    const price = raw || !isOutlier ? dollarsOf(c, at, side, scale) : null
    bucket.take((c.bought0[at] === 1) === (side === 0), isOutlier, c.usd[at] as number, price)
  }
  const whole = recentSwaps(context).walk(token, context.seq, (c, at) => {
    const ts = c.ts[at] as number
    if (ts >= to) return true
    if (ts < from) return false
    const t = bucketStart(frame, ts)
    if (open === null || open.t !== t) {
      open = new Folding(t)
      found.push(open)
    }
    // of a swap of a token for itself the first side comes first, and this goes back
    if (c.token1[at] === token) take(c, at, 1, open)
    if (c.token0[at] === token) take(c, at, 0, open)
    return true
  })
  return whole ? found.reverse().map(({ value }) => value) : null
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
