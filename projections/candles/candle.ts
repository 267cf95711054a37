/** A candle as answers show it: the fields that all have, and those that are asked for by name. */

import { type CoveredTime, isCovered, type Stretch } from "../../src/domain/covered-time.ts"
import { hashText } from "../../src/math/swap-hash.ts"
import type { Bucket } from "./bucket.ts"
import type { Wallets } from "./distinct-wallets.ts"

/** Prices and volume in what is asked; `t` the bucket's start in Unix seconds, `n` its prints. */
export interface Candle {
  readonly t: number
  readonly o: number
  readonly h: number
  readonly l: number
  readonly c: number
  readonly v: number
  readonly n: number
}

/** Dollars of micro-dollars. */
const dollars = (micro: number): number => micro / 1e6

/**
 * The candles of those buckets that have a price. Dollar prices are multiplied by `factor`; null:
 * they are in quote tokens.
 */
export const candlesOf = (
  buckets: ReadonlyArray<Bucket>,
  factor: number | null = 1
): ReadonlyArray<Candle> => {
  const candles: Array<Candle> = []
  const by = factor ?? 1
  for (const { t, o, h, l, c, volume, n } of buckets) {
    if (o === null || h === null || l === null || c === null) continue
    const v = factor === null ? volume : dollars(volume)
    candles.push({ t, o: o * by, h: h * by, l: l * by, c: c * by, v, n })
  }
  return candles
}

/** What the optional fields of a page are made of. */
export interface Facts {
  readonly buckets: ReadonlyMap<number, Bucket>
  /** null where they were not read */
  readonly wallets: ReadonlyMap<number, Wallets> | null
  readonly hashes: ReadonlyMap<number, Bucket["hash"]> | null
  readonly coverage: CoveredTime
  readonly finalTime: number | null
}

const NONE = { trades: 0, buys: 0, v: 0, bv: 0, outliers: 0 }

/** The sums of a bucket, by the names that answers have. */
export const sumsOf = ({ trades, buys, v, bv, outliers }: typeof NONE) => ({
  trades,
  buys,
  sells: trades - buys,
  buyVol: dollars(bv),
  sellVol: dollars(v - bv),
  filtered: outliers
})

const hashOf = ({ hashes, buckets }: Facts, t: number): string | null => {
  if (hashes === null && buckets.has(t)) return null
  const { hi, lo } = hashes?.get(t) ?? { hi: 0, lo: 0 }
  return hashText(hi, lo)
}

const isFinal = ({ finalTime, coverage }: Facts, time: Stretch): boolean =>
  finalTime !== null && time.to <= finalTime && isCovered(coverage, time)

/** Optional fields of a candle, by name. */
export const CANDLE_FIELDS = [
  "buys",
  "sells",
  "buyVol",
  "sellVol",
  "buyers",
  "sellers",
  "trades",
  "filtered",
  "hash",
  "final",
  "state"
] as const

export type Field = (typeof CANDLE_FIELDS)[number]

export const isOfWallets = (field: Field): boolean => field === "buyers" || field === "sellers"

/** The value of a field of the bucket of a time. */
export const fieldOf = (facts: Facts, field: Field, time: Stretch): unknown => {
  const bucket = facts.buckets.get(time.from)
  switch (field) {
    case "buyers":
    case "sellers":
      // of trades without any known wallet nobody can say how many there were
      return (
        facts.wallets?.get(time.from)?.[field] ??
        (facts.wallets === null || (bucket?.trades ?? 0) > 0 ? null : 0)
      )
    case "hash":
      return hashOf(facts, time.from)
    case "final":
      return isFinal(facts, time)
    case "state":
      return bucket === undefined ? "empty" : bucket.n > 0 ? "traded" : "unpriced"
    default:
      return sumsOf(bucket ?? NONE)[field]
  }
}

/** A candle with whatever was asked for. */
export type RichCandle = Candle & { readonly [field in Field]?: unknown }
