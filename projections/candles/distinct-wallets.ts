/** Distinct wallets that bought and sold, by bucket: each print is looked at once, none sorted. */
import type { ResultColumns } from "../../engine/projection.ts"
import { type AnyFrame, bucketStart } from "./time-frame.ts"

/** Words of a row's key: the bucket with the side in its lowest bit, and the wallet's five. */
const WORDS = 6

/** What is read of prints. */
export const WALLET_COLUMNS = "ts, buy, wallet_hi, wallet_lo"

export interface Wallets {
  buyers: number
  sellers: number
}

/** Keys by row; buckets are counted from `origin`, so that they fit. */
const keysOf = (
  { count, numbers, words }: ResultColumns,
  frame: AnyFrame,
  origin: number
): Int32Array => {
  const [ts, buy, low, high] = [
    numbers("ts"),
    numbers("buy"),
    numbers("wallet_lo"),
    words("wallet_hi")
  ]
  const keys = new Int32Array(count * WORDS)
  for (let row = 0; row < count; row++) {
    const at = row * WORDS
    const place = (bucketStart(frame, ts[row] as number) - origin) / frame.seconds
    keys[at] = place * 2 + (buy[row] as number)
    keys[at + 1] = low[row] as number
    for (let k = 0; k < 4; k++) keys[at + 2 + k] = high[row * 4 + k] as number
  }
  return keys
}

const hashOf = (keys: Int32Array, at: number): number => {
  let hash = 0
  for (let k = 0; k < WORDS; k++) hash = Math.imul(hash ^ (keys[at + k] as number), 0x9e3779b1)
  hash ^= hash >>> 15
  return Math.imul(hash, 0x85ebca6b) >>> 7
}

const isSame = (keys: Int32Array, a: number, b: number): boolean => {
  for (let k = 0; k < WORDS; k++) if (keys[a + k] !== keys[b + k]) return false
  return true
}

/** Of prints whose wallet is known, by the start of their bucket. */
export const distinctWallets = (
  prints: ResultColumns,
  frame: AnyFrame
): ReadonlyMap<number, Wallets> => {
  const [first = 0] = prints.numbers("ts")
  const origin = bucketStart(frame, first)
  const keys = keysOf(prints, frame, origin)
  // open addressing, half of it free at least: places of keys plus one
  const mask = 2 ** Math.ceil(Math.log2(Math.max(2, prints.count * 2))) - 1
  const index = new Int32Array(mask + 1)
  const found = new Map<number, Wallets>()
  let [place, wallets]: [number | null, Wallets] = [null, { buyers: 0, sellers: 0 }]
  for (let at = 0; at < keys.length; at += WORDS) {
    let i = hashOf(keys, at) & mask
    while (index[i] !== 0 && !isSame(keys, (index[i] as number) - 1, at)) i = (i + 1) & mask
    if (index[i] !== 0) continue
    index[i] = at + 1
    const key = keys[at] as number
    if (place !== key >> 1) {
      place = key >> 1
      const t = place * frame.seconds + origin
      wallets = found.get(t) ?? { buyers: 0, sellers: 0 }
      found.set(t, wallets)
    }
    if ((key & 1) === 1) wallets.buyers++
    else wallets.sellers++
  }
  return found
}
