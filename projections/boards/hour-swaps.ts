/**
 * Swaps of hours that are over, in memory: what the windows of all tokens begin with lies in a few
 * hours of the tape, which no later commit changes.
 */
import type { ResultColumns } from "../../engine/query.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import {
  ids,
  type LookAtSwap,
  NO_MORE,
  type SwapColumns,
  type SwapSource
} from "../tape/swap-links.ts"

const COLUMNS = `seq, ts, pool, token0, token1, amount0, amount1, bought0, usd, price0, price1,
  unscaled, flags`

/** Swaps of an hour, in log order, one more than may be held where there are so many. */
export const hourSql = (hour: number): string =>
  `SELECT ${COLUMNS} FROM tape WHERE ts >= ${hour} AND ts < ${hour + 3600}
   ORDER BY seq LIMIT ${MOST_OF_HOUR + 1}`

/** An hour with more swaps is not held. */
const MOST_OF_HOUR = 1 << 17
/** Swaps held of all hours, 80 bytes each: the hours that were not asked for the longest go. */
const MOST = 1 << 18

class HourSwaps implements SwapSource {
  readonly count: number
  private readonly columns: SwapColumns
  private readonly newest = new Map<number, number>()
  private readonly before0: Int32Array
  private readonly before1: Int32Array

  constructor({ count, numbers }: ResultColumns) {
    this.count = count
    this.columns = {
      seq: numbers("seq"),
      ts: new Uint32Array(numbers("ts")),
      pool: new Uint32Array(numbers("pool")),
      token0: ids(numbers("token0")),
      token1: ids(numbers("token1")),
      amount0: numbers("amount0"),
      amount1: numbers("amount1"),
      bought0: new Uint8Array(numbers("bought0")),
      usd: numbers("usd"),
      price0: numbers("price0"),
      price1: numbers("price1"),
      unscaled: new Uint8Array(numbers("unscaled")),
      flags: new Uint8Array(numbers("flags"))
    }
    this.before0 = new Int32Array(count)
    this.before1 = new Int32Array(count)
    const { token0, token1 } = this.columns
    for (let at = 0; at < count; at++) {
      this.before0[at] = this.link(token0[at] as number, at)
      this.before1[at] = this.link(token1[at] as number, at)
    }
  }

  private link(token: number, at: number): number {
    if (token === NONE) return NO_MORE
    const before = this.newest.get(token) ?? NO_MORE
    this.newest.set(token, at)
    return before
  }

  walk(token: number, seq: number, look: LookAtSwap): boolean {
    const { columns, before0, before1 } = this
    const { token0, seq: seqs } = columns
    let at = this.newest.get(token) ?? NO_MORE
    while (at !== NO_MORE) {
      if ((seqs[at] as number) <= seq && !look(columns, at)) break
      at = (token0[at] === token ? before0[at] : before1[at]) as number
    }
    return true
  }
}

export class HeldHours {
  /** by start; null for one with too many swaps */
  private readonly hours = new Map<number, HourSwaps | null>()
  private held = 0

  /** The swaps of an hour; null where they are too many to be held, undefined where not read. */
  of(hour: number): HourSwaps | null | undefined {
    const found = this.hours.get(hour)
    if (found === undefined) return undefined
    // what is asked for goes last
    this.hours.delete(hour)
    this.hours.set(hour, found)
    return found
  }

  /** Keeps what `hourSql` found. */
  keep(hour: number, found: ResultColumns): HourSwaps | null {
    const known = this.hours.get(hour)
    if (known !== undefined) return known
    const swaps = found.count > MOST_OF_HOUR ? null : new HourSwaps(found)
    this.hours.set(hour, swaps)
    this.held += swaps?.count ?? 0
    for (const [oldest, one] of this.hours) {
      if (this.held <= MOST && this.hours.size <= MOST_HOURS) break
      this.hours.delete(oldest)
      this.held -= one?.count ?? 0
    }
    return swaps
  }

  clear(): void {
    this.hours.clear()
    this.held = 0
  }
}

const MOST_HOURS = 48
