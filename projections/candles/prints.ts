/** Prints of a series by columns, from memory or as they were read, and the buckets they make. */
import type { FoldsView, ResultColumns } from "../../engine/query.ts"
import { swapped } from "../../engine/store/big-endian.ts"
import { wordsOf } from "../../engine/store/column-set.ts"
import type { Stretch } from "../../src/domain/covered-time.ts"
import { ID_BYTES } from "../../src/domain/ids.ts"
import { tapeOutput } from "../tape/output.ts"
import { recentSwaps, type SwapColumns } from "../tape/swaps.ts"
import { tokens } from "../tokens/output.ts"
import { type Buckets, PrintBucket } from "./bucket.ts"
import { type Draw, type Traders, WORDS } from "./distinct-wallets.ts"

/** Prints in the order of the log, by place. */
export interface Prints {
  readonly ts: Float64Array
  /** 1 where the trader bought */
  readonly buy: Float64Array
  /** the first bit: not believed */
  readonly flags: Float64Array
  /** micro-dollars */
  readonly usd: Float64Array
  /** dollars a whole token; NaN where there are none */
  readonly dollars: Float64Array
  /** of a pair whose ratios are asked: quote tokens a base token, and quote tokens */
  readonly ratio: { readonly price: Float64Array; readonly volume: Float64Array } | null
}

export const PRINT_COLUMNS = "ts, seq, buy, usd, flags, dollars, price, volume"

/** Prints that a statement on `PRINT_COLUMNS` has found. */
export const printsFound = ({ numbers }: ResultColumns, hasRatio: boolean): Prints => ({
  ...{ ts: numbers("ts"), buy: numbers("buy"), flags: numbers("flags"), usd: numbers("usd") },
  dollars: numbers("dollars"),
  ratio: hasRatio ? { price: numbers("price"), volume: numbers("volume") } : null
})

type Side = 0 | 1

/** What memory has of a series in a window; the tables have more where some came before. */
export interface Held<A> {
  readonly newest: A
  /** all from this position on is in memory; 0 where nothing is missing before */
  readonly since: number
}

/** Where prints stand in memory, in the order of the log, and which side of their swap each is. */
interface Places {
  readonly c: ReturnType<typeof recentColumns>
  readonly places: Uint32Array
  readonly sides: Uint8Array
}

const recentColumns = (view: FoldsView) => view.output(tapeOutput).recent.columns

/** Dollars a whole token of a print; NaN where there are none. */
const dollarsOf = (c: SwapColumns, at: number, side: Side, scale: number): number => {
  if (Number.isNaN(c.usd[at])) return Number.NaN
  const told = (side === 0 ? c.price0[at] : c.price1[at]) as number
  const isRaw = (((c.unscaled[at] as number) >> side) & 1) === 1
  const amount = (side === 0 ? c.amount0[at] : c.amount1[at]) as number
  return isRaw ? told / (amount / scale) : told
}

/** Swaps that memory is walked at most: of more the database reads as many in less time. */
export const MOST_WALKED = 1 << 14

/** A token in memory, of whose newest swaps so many are looked at. */
export interface Walk {
  readonly token: number
  readonly most: number
}

/** The newest prints of a token in a window, from memory. */
const recentPlaces = (
  view: FoldsView,
  { token, most }: Walk,
  { from, to }: Stretch
): Held<Places> => {
  const found: Array<number> = []
  const { recent } = view.output(tapeOutput)
  let since = recent.oldestSeq ?? view.seq + 1
  let left = most
  // what memory still holds and the tables hide
  const first = Math.max(from, view.keptFrom.raw)
  const whole = recentSwaps(view).walk(token, view.seq, (c, at) => {
    const ts = c.ts[at] as number
    if (ts < first) return false
    if (ts < to) found.push(at)
    if (--left === 0) since = recent.seqs[at] as number
    return left > 0
  })
  const c = recentColumns(view)
  const places = new Uint32Array(found.length * 2)
  const sides = new Uint8Array(places.length)
  let count = 0
  for (let i = found.length - 1; i >= 0; i--) {
    const at = found[i] as number
    // of a swap of a token for itself the first side comes first
    for (const side of [0, 1] as const) {
      if ((side === 0 ? c.token0 : c.token1)[at] !== token) continue
      places[count] = at
      sides[count++] = side
    }
  }
  const newest = { c, places: places.subarray(0, count), sides: sides.subarray(0, count) }
  return { newest, since: whole && left > 0 ? 0 : since }
}

const valuesAt = (values: ArrayLike<number>, places: Uint32Array): Float64Array => {
  const picked = new Float64Array(places.length)
  for (let i = 0; i < places.length; i++) picked[i] = values[places[i] as number] as number
  return picked
}

/** 1 where the trader of a print bought its token. */
const buysAt = ({ c, places, sides }: Places): Float64Array => {
  const buy = valuesAt(c.bought0, places)
  for (let i = 0; i < buy.length; i++) if (sides[i] === 1) buy[i] = 1 - (buy[i] as number)
  return buy
}

/** The newest prints of a token in a window. */
export const recentPrints = (view: FoldsView, walk: Walk, time: Stretch): Held<Prints> => {
  const { newest, since } = recentPlaces(view, walk, time)
  const { c, places, sides } = newest
  const scale = view.output(tokens).scale(walk.token)
  const flags = valuesAt(c.flags, places)
  const dollars = new Float64Array(places.length)
  for (let i = 0; i < places.length; i++) {
    const side = sides[i] as Side
    flags[i] = (flags[i] as number) >> side
    dollars[i] = dollarsOf(c, places[i] as number, side, scale)
  }
  const [ts, usd] = [valuesAt(c.ts, places), valuesAt(c.usd, places)]
  return { newest: { ts, buy: buysAt(newest), flags, usd, dollars, ratio: null }, since }
}

/** Words of an id. */
const ID_WORDS = ID_BYTES / 4

/** Who traded in them, of the wallets that are drawn. */
export const recentTraders = (
  view: FoldsView,
  walk: Walk,
  time: Stretch,
  { has, isByLast }: Draw
): Held<Traders> => {
  const { newest, since } = recentPlaces(view, walk, time)
  const { c, places } = newest
  const ids = wordsOf(c.wallet)
  const buys = buysAt(newest)
  const [ts, buy] = [new Float64Array(places.length), new Float64Array(places.length)]
  const wallets = new Uint32Array(places.length * WORDS)
  let count = 0
  for (let i = 0; i < places.length; i++) {
    const end = ((places[i] as number) + 1) * ID_WORDS
    const last = swapped(ids[end - 1] as number) >>> 0
    if (!has(last)) continue
    const from = count * WORDS
    let known = last
    // numbers of the database begin with their last word, bytes with their first
    for (let k = 0; k < WORDS - 1; k++) {
      const word = ids[end - 2 - k] as number
      known |= word
      wallets[from + k] = isByLast ? 0 : swapped(word)
    }
    wallets[from + WORDS - 1] = last
    if (known === 0) continue
    ts[count] = c.ts[places[i] as number] as number
    buy[count++] = buys[i] as number
  }
  const drawn = { ts: ts.subarray(0, count), buy: buy.subarray(0, count) }
  return { newest: { ...drawn, wallets: wallets.subarray(0, count * WORDS) }, since }
}

/**
 * Adds the prints before `end` to buckets. What is not believed has a price where `raw` asks for
 * it.
 */
export const addPrints = (
  buckets: Buckets,
  { ts, buy, flags, usd, dollars, ratio }: Prints,
  raw: boolean,
  end = ts.length
): void => {
  const print = new PrintBucket()
  for (let row = 0; row < end; row++) {
    const isOutlier = (flags[row] as number) & 1
    const isBelieved = raw || isOutlier === 0
    print.setSide(buy[row] as number, isOutlier)
    print.setDollars(isBelieved ? (dollars[row] as number) : Number.NaN, usd[row] as number)
    if (ratio !== null) {
      const price = isBelieved ? (ratio.price[row] as number) : Number.NaN
      print.setRatio(price, ratio.volume[row] as number)
    }
    buckets.add(ts[row] as number, print, 0)
  }
}
