/**
 * Distinct wallets that bought and sold, by bucket: each print is looked at once. A bucket at a
 * time, so that what is looked up lies near.
 */
import type { ResultColumns } from "../../engine/query.ts"
import { type AnyFrame, bucketStart } from "./time-frame.ts"

export interface Wallets {
  readonly buyers: number
  readonly sellers: number
}

/** The wallets that are counted. */
export interface Draw {
  /** what is read of prints */
  readonly columns: string
  /** the condition on prints of such wallets */
  readonly where: string
  /** whether a wallet is one of them, by its last word */
  readonly has: (last: number) => boolean
  /** whether wallets are told from others by their last word alone */
  readonly isByLast: boolean
}

const ALL: Draw = {
  columns: "ts, buy, wallet_hi, wallet_lo",
  where: "wallet_lo IS NOT NULL",
  has: () => true,
  isByLast: false
}

/**
 * One wallet in so many, by its last word: addresses are hashes, or keys, so this is as good as by
 * lot. Nor is more of them read, which would take twice the time: of a million wallets that are
 * drawn the last word tells all but some hundred from each other.
 */
export const drawOf = (every: number): Draw =>
  every === 1
    ? ALL
    : {
        columns: "ts, buy, wallet_lo",
        where: `wallet_lo % ${every} = 0`,
        has: last => last % every === 0,
        isByLast: true
      }

/** Words of a wallet by which it is told from others: 20 bytes, all of an EVM address. */
export const WORDS = 5

/** Who traded in prints that name a wallet, by place. */
export interface Traders {
  readonly ts: Float64Array
  /** 1 where the wallet bought */
  readonly buy: Float64Array
  /** of each wallet the words before the last, from the end on, and the last word */
  readonly wallets: Uint32Array
}

/** Prints by bucket. */
interface Grouped {
  readonly starts: ReadonlyArray<number>
  /** places of prints, those of one bucket after those of another */
  readonly places: Uint32Array
  /** by bucket: where its places end */
  readonly ends: ReadonlyArray<number>
}

const grouped = ({ ts }: Traders, frame: AnyFrame): Grouped => {
  const bucketOf = new Uint32Array(ts.length)
  const numbers = new Map<number, number>()
  const counts: Array<number> = []
  let [openStart, open] = [Number.NaN, 0]
  for (let print = 0; print < ts.length; print++) {
    const t = bucketStart(frame, ts[print] as number)
    if (t !== openStart) {
      ;[openStart, open] = [t, numbers.get(t) ?? numbers.size]
      if (open === numbers.size) counts.push(0)
      numbers.set(t, open)
    }
    bucketOf[print] = open
    counts[open] = (counts[open] as number) + 1
  }
  let end = 0
  const ends = counts.map(count => {
    end += count
    return end
  })
  const places = new Uint32Array(ts.length)
  const free = [...ends]
  for (let print = ts.length - 1; print >= 0; print--) {
    const bucket = bucketOf[print] as number
    const place = (free[bucket] as number) - 1
    free[bucket] = place
    places[place] = print
  }
  return { starts: [...numbers.keys()], places, ends }
}

/** The wallets of some prints; `index` is empty, half of it free at least. */
const countBucket = (
  { buy, wallets }: Traders,
  prints: Uint32Array,
  index: Int32Array
): Wallets => {
  const mask = index.length - 1
  let buyers = 0
  let sellers = 0
  for (const print of prints) {
    const side = buy[print] as number
    const mine = print * WORDS
    // addresses are hashes themselves: two of their words tell most of them apart
    let hash = Math.imul((side + 1) ^ (wallets[mine] as number), 0x9e3779b1)
    hash = Math.imul(hash ^ (wallets[mine + 4] as number), 0x85ebca6b)
    let i = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35) >>> 9
    // open addressing: prints plus one
    for (i &= mask; index[i] !== 0; i = (i + 1) & mask) {
      const other = (index[i] as number) - 1
      const its = other * WORDS
      if (
        wallets[its] === wallets[mine] &&
        buy[other] === side &&
        wallets[its + 1] === wallets[mine + 1] &&
        wallets[its + 2] === wallets[mine + 2] &&
        wallets[its + 3] === wallets[mine + 3] &&
        wallets[its + 4] === wallets[mine + 4]
      ) {
        break
      }
    }
    if (index[i] !== 0) continue
    index[i] = print + 1
    buyers += side
    sellers += 1 - side
  }
  return { buyers, sellers }
}

/** Distinct wallets by the start of their bucket; of one that names none nothing. */
export const countWallets = (traders: Traders, frame: AnyFrame): ReadonlyMap<number, Wallets> => {
  const { starts, places, ends } = grouped(traders, frame)
  let memory = new Int32Array(0)
  let from = 0
  const counted = starts.map((t, bucket): [number, Wallets] => {
    const prints = places.subarray(from, ends[bucket])
    from = ends[bucket] as number
    const size = 2 ** Math.ceil(Math.log2(prints.length * 2))
    if (memory.length < size) memory = new Int32Array(size)
    return [t, countBucket(traders, prints, memory.subarray(0, size).fill(0))]
  })
  return new Map(counted)
}

/** Who traded in the prints that a statement on the columns of a draw has found. */
export const tradersFound = (
  { count, numbers, words }: ResultColumns,
  { isByLast }: Draw
): Traders => {
  const high = isByLast ? null : words("wallet_hi")
  const low = numbers("wallet_lo")
  const wallets = new Uint32Array(count * WORDS)
  for (let row = 0; row < count; row++) {
    if (high !== null) {
      for (let k = 0; k < 4; k++) wallets[row * WORDS + k] = high[row * 4 + k] as number
    }
    wallets[row * WORDS + 4] = low[row] as number
  }
  return { ts: numbers("ts"), buy: numbers("buy"), wallets }
}

/** Those of the one, then those of the other. */
export const joined = (one: Traders, other: Traders): Traders => {
  if (one.ts.length === 0) return other
  const both = <A extends Float64Array | Uint32Array>(made: A, first: A, second: A): A => {
    made.set(first)
    made.set(second, first.length)
    return made
  }
  const count = one.ts.length + other.ts.length
  return {
    ts: both(new Float64Array(count), one.ts, other.ts),
    buy: both(new Float64Array(count), one.buy, other.buy),
    wallets: both(new Uint32Array(count * WORDS), one.wallets, other.wallets)
  }
}
