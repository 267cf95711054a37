/**
 * Distinct wallets that bought and sold, by bucket: each print is looked at once. A bucket at a
 * time, so that what is looked up lies near.
 */
import type { ResultColumns } from "../../engine/projection.ts"
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
  readonly ts: ArrayLike<number>
  /** 1 where the wallet bought */
  readonly buy: Uint8Array
  readonly wallets: Uint32Array
  /** of each print: where its wallet stands */
  readonly places: Uint32Array
}

const hashOf = ({ buy, wallets, places }: Traders, print: number): number => {
  const at = (places[print] as number) * WORDS
  let hash = (buy[print] as number) + 1
  // addresses are hashes themselves: two of their words tell most of them apart
  hash = Math.imul(hash ^ (wallets[at] as number), 0x9e3779b1)
  hash = Math.imul(hash ^ (wallets[at + 4] as number), 0x85ebca6b)
  hash ^= hash >>> 15
  return Math.imul(hash, 0xc2b2ae35) >>> 9
}

const isSame = ({ buy, wallets, places }: Traders, one: number, other: number): boolean => {
  if (buy[one] !== buy[other]) return false
  const [a, b] = [(places[one] as number) * WORDS, (places[other] as number) * WORDS]
  for (let k = 0; k < WORDS; k++) if (wallets[a + k] !== wallets[b + k]) return false
  return true
}

/** The prints by time, and the bucket of each. In loops: `from` takes a hundred times as long. */
const grouped = (ts: ArrayLike<number>, frame: AnyFrame) => {
  const starts = new Float64Array(ts.length)
  const prints = new Uint32Array(ts.length)
  let isSorted = true
  for (let print = 0; print < prints.length; print++) {
    const start = bucketStart(frame, ts[print] as number)
    starts[print] = start
    prints[print] = print
    if (print > 0 && start < (starts[print - 1] as number)) isSorted = false
  }
  if (!isSorted) prints.sort((a, b) => (starts[a] as number) - (starts[b] as number))
  return { starts, prints }
}

/** Of prints whose wallet is known, by the start of their bucket. */
export const countWallets = (traders: Traders, frame: AnyFrame): ReadonlyMap<number, Wallets> => {
  const { starts, prints } = grouped(traders.ts, frame)
  const count = prints.length
  const found = new Map<number, Wallets>()
  // open addressing, half of it free at least: prints plus one
  let index = new Int32Array(0)
  for (let from = 0, to = 0; from < count; from = to) {
    const start = starts[prints[from] as number] as number
    while (to < count && starts[prints[to] as number] === start) to++
    const size = 2 ** Math.ceil(Math.log2((to - from) * 2))
    if (index.length < size) index = new Int32Array(size)
    else index.fill(0, 0, size)
    let [buyers, sellers] = [0, 0]
    for (let at = from; at < to; at++) {
      const print = prints[at] as number
      let i = hashOf(traders, print) & (size - 1)
      while (index[i] !== 0 && !isSame(traders, (index[i] as number) - 1, print)) {
        i = (i + 1) & (size - 1)
      }
      if (index[i] !== 0) continue
      index[i] = print + 1
      if (traders.buy[print] === 1) buyers++
      else sellers++
    }
    found.set(start, { buyers, sellers })
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
  return countWallets({ ts: numbers("ts"), buy, wallets, places }, frame)
}
