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

/** Who traded in prints: sides and the five words of a wallet. */
interface Traders {
  readonly buy: Float64Array
  readonly high: Uint32Array
  readonly low: Float64Array
}

const hashOf = ({ buy, high, low }: Traders, row: number): number => {
  const side = buy[row] as number
  let hash = Math.imul((low[row] as number) ^ (side + 1), 0x9e3779b1)
  hash = Math.imul(hash ^ (high[row * 4] as number), 0x85ebca6b)
  hash ^= hash >>> 15
  return Math.imul(hash, 0xc2b2ae35) >>> 9
}

const isSame = ({ buy, high, low }: Traders, a: number, b: number): boolean =>
  low[a] === low[b] &&
  buy[a] === buy[b] &&
  high[a * 4] === high[b * 4] &&
  high[a * 4 + 1] === high[b * 4 + 1] &&
  high[a * 4 + 2] === high[b * 4 + 2] &&
  high[a * 4 + 3] === high[b * 4 + 3]

/** The rows by time, and where those of a new bucket begin, with the end last. */
const grouped = (times: Float64Array, frame: AnyFrame) => {
  const starts = times.map(ts => bucketStart(frame, ts))
  const rows = Uint32Array.from(times, (_, row) => row)
  if (starts.some((start, row) => start < (starts[row - 1] ?? start))) {
    rows.sort((a, b) => (starts[a] as number) - (starts[b] as number))
  }
  return { starts, rows }
}

/** Of prints whose wallet is known, by the start of their bucket. */
export const distinctWallets = (
  { count, numbers, words }: ResultColumns,
  frame: AnyFrame
): ReadonlyMap<number, Wallets> => {
  const traders = { buy: numbers("buy"), high: words("wallet_hi"), low: numbers("wallet_lo") }
  const { starts, rows } = grouped(numbers("ts"), frame)
  const found = new Map<number, Wallets>()
  // open addressing, half of it free at least: places of rows plus one
  let index = new Int32Array(0)
  for (let from = 0, to = 0; from < count; from = to) {
    const start = starts[rows[from] as number] as number
    while (to < count && starts[rows[to] as number] === start) to++
    const size = 2 ** Math.ceil(Math.log2((to - from) * 2))
    if (index.length < size) index = new Int32Array(size)
    else index.fill(0, 0, size)
    let [buyers, sellers] = [0, 0]
    for (let at = from; at < to; at++) {
      const row = rows[at] as number
      let i = hashOf(traders, row) & (size - 1)
      while (index[i] !== 0 && !isSame(traders, (index[i] as number) - 1, row)) {
        i = (i + 1) & (size - 1)
      }
      if (index[i] !== 0) continue
      index[i] = row + 1
      if (traders.buy[row] === 1) buyers++
      else sellers++
    }
    found.set(start, { buyers, sellers })
  }
  return found
}
