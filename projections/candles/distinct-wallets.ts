/**
 * Distinct wallets that bought and sold, by bucket: each print is looked at once. A bucket at a
 * time, so that what is looked up lies near.
 */
import type { ResultColumns } from "../../engine/query.ts"
import { type AnyFrame, bucketStart } from "./time-frame.ts"

/** What is read of prints. */
export const WALLET_COLUMNS = "ts, buy, wallet_hi, wallet_lo"

export interface Wallets {
  readonly buyers: number
  readonly sellers: number
}

/** Words of a wallet, which is 20 bytes. */
const WORDS = 5

/** Who traded in prints, by place: sides, and wallets of five words, in any order of theirs. */
export interface Traders {
  readonly ts: Uint32Array
  /** 1 where the wallet bought */
  readonly buy: Uint8Array
  readonly wallets: Uint32Array
  /** of each print: where its wallet stands */
  readonly places: Uint32Array
}

/** The prints by bucket, and where each bucket's begin, with the end last. */
const grouped = (ts: Traders["ts"], frame: AnyFrame) => {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let print = 0; print < ts.length; print++) {
    const time = ts[print] as number
    if (time < first) first = time
    if (time > last) last = time
  }
  const origin = bucketStart(frame, first)
  const { seconds } = frame
  const buckets = new Uint32Array(ts.length)
  const ends = new Uint32Array(Math.floor((last - origin) / seconds) + 2)
  for (let print = 0; print < ts.length; print++) {
    const bucket = (((ts[print] as number) - origin) / seconds) >>> 0
    buckets[print] = bucket
    ends[bucket + 1] = (ends[bucket + 1] as number) + 1
  }
  for (let i = 1; i < ends.length; i++) ends[i] = (ends[i] as number) + (ends[i - 1] as number)
  const starts = ends.slice()
  const prints = new Uint32Array(ts.length)
  for (let print = 0; print < ts.length; print++) {
    const at = ends[buckets[print] as number] as number
    prints[at] = print
    ends[buckets[print] as number] = at + 1
  }
  return { origin, starts, prints }
}

/** The prints of a bucket, `from` to `to` of a list; `index` is empty, half of it free at least. */
const countBucket = (
  { buy, wallets, places }: Traders,
  prints: Uint32Array,
  from: number,
  to: number,
  index: Int32Array
): Wallets => {
  const mask = index.length - 1
  let buyers = 0
  let sellers = 0
  for (let at = from; at < to; at++) {
    const print = prints[at] as number
    const side = buy[print] as number
    const mine = (places[print] as number) * WORDS
    // addresses are hashes themselves: two of their words tell most of them apart
    let hash = Math.imul((side + 1) ^ (wallets[mine] as number), 0x9e3779b1)
    hash = Math.imul(hash ^ (wallets[mine + 4] as number), 0x85ebca6b)
    let i = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35) >>> 9
    // open addressing: prints plus one
    for (i &= mask; index[i] !== 0; i = (i + 1) & mask) {
      const other = (index[i] as number) - 1
      const its = (places[other] as number) * WORDS
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

/** Of prints whose wallet is known, by the start of their bucket. */
export const countWallets = (traders: Traders, frame: AnyFrame): ReadonlyMap<number, Wallets> => {
  const found = new Map<number, Wallets>()
  if (traders.ts.length === 0) return found
  const { origin, starts, prints } = grouped(traders.ts, frame)
  let memory = new Int32Array(0)
  for (let bucket = 0; bucket + 1 < starts.length; bucket++) {
    const [from, to] = [starts[bucket] as number, starts[bucket + 1] as number]
    if (from === to) continue
    const size = 2 ** Math.ceil(Math.log2((to - from) * 2))
    if (memory.length < size) memory = new Int32Array(size)
    const index = memory.subarray(0, size).fill(0)
    found.set(origin + bucket * frame.seconds, countBucket(traders, prints, from, to, index))
  }
  return found
}

/** The same of rows of `WALLET_COLUMNS`. */
export const distinctWallets = (
  { count, numbers, words }: ResultColumns,
  frame: AnyFrame
): ReadonlyMap<number, Wallets> => {
  const [high, low] = [words("wallet_hi"), numbers("wallet_lo")]
  const wallets = new Uint32Array(count * WORDS)
  for (let row = 0; row < count; row++) {
    for (let k = 0; k < 4; k++) wallets[row * WORDS + k] = high[row * 4 + k] as number
    wallets[row * WORDS + 4] = low[row] as number
  }
  const places = new Uint32Array(count)
  for (let row = 0; row < count; row++) places[row] = row
  const buy = new Uint8Array(numbers("buy"))
  return countWallets({ ts: new Uint32Array(numbers("ts")), buy, wallets, places }, frame)
}
