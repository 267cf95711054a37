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

/** The last words of a wallet by which it is told from others: 20 bytes, all of an EVM address. */
const WORDS = 5

/** Who traded in prints, by place: sides, and wallets, zeros where nobody knows. */
export interface Traders {
  readonly ts: Float64Array
  /** 1 where the wallet bought */
  readonly buy: Float64Array
  readonly wallets: Uint32Array
  /** words of a wallet: those before the last five are passed over */
  readonly stride: number
  /** of each print: where its wallet stands */
  readonly places: ArrayLike<number>
}

/** Where the words of the wallet at a place begin. */
const wordsAt = (stride: number, place: number): number => (place + 1) * stride - WORDS

const isKnown = (wallets: Uint32Array, from: number): boolean => {
  for (let k = from; k < from + WORDS; k++) if (wallets[k] !== 0) return true
  return false
}

/** The prints whose wallet is known, by the start of their bucket. */
const grouped = ({ ts, wallets, stride, places }: Traders, frame: AnyFrame) => {
  const byStart = new Map<number, Array<number>>()
  let [openStart, open]: [number, Array<number>] = [Number.NaN, []]
  for (let print = 0; print < ts.length; print++) {
    if (!isKnown(wallets, wordsAt(stride, places[print] as number))) continue
    const t = bucketStart(frame, ts[print] as number)
    if (t !== openStart) {
      ;[openStart, open] = [t, byStart.get(t) ?? []]
      byStart.set(t, open)
    }
    open.push(print)
  }
  return byStart
}

/** The wallets of some prints; `index` is empty, half of it free at least. */
const countBucket = (
  { buy, wallets, stride, places }: Traders,
  prints: ReadonlyArray<number>,
  index: Int32Array
): Wallets => {
  const mask = index.length - 1
  let buyers = 0
  let sellers = 0
  for (const print of prints) {
    const side = buy[print] as number
    const mine = wordsAt(stride, places[print] as number)
    // addresses are hashes themselves: two of their words tell most of them apart
    let hash = Math.imul((side + 1) ^ (wallets[mine] as number), 0x9e3779b1)
    hash = Math.imul(hash ^ (wallets[mine + 4] as number), 0x85ebca6b)
    let i = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35) >>> 9
    // open addressing: prints plus one
    for (i &= mask; index[i] !== 0; i = (i + 1) & mask) {
      const other = (index[i] as number) - 1
      const its = wordsAt(stride, places[other] as number)
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
  const byStart = new Map<number, Wallets>()
  let memory = new Int32Array(0)
  for (const [t, prints] of grouped(traders, frame)) {
    const size = 2 ** Math.ceil(Math.log2(prints.length * 2))
    if (memory.length < size) memory = new Int32Array(size)
    byStart.set(t, countBucket(traders, prints, memory.subarray(0, size).fill(0)))
  }
  return byStart
}

/** Who traded in prints that a statement on `WALLET_COLUMNS` has found. */
export const tradersFound = ({ count, numbers, words }: ResultColumns): Traders => {
  const [high, low] = [words("wallet_hi"), numbers("wallet_lo")]
  const wallets = new Uint32Array(count * WORDS)
  for (let row = 0; row < count; row++) {
    for (let k = 0; k < 4; k++) wallets[row * WORDS + k] = high[row * 4 + k] as number
    wallets[row * WORDS + 4] = low[row] as number
  }
  const places = new Uint32Array(count).map((_, row) => row)
  return { ts: numbers("ts"), buy: numbers("buy"), wallets, stride: WORDS, places }
}
