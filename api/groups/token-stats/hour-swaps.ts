/**
 * Swaps of hours that are over, in memory: what the windows of all tokens begin with lies in a few
 * hours of the tape, which no later commit changes.
 */

import { keep } from "../../../engine/memory/kept.ts"
import { columnNames } from "../../../engine/memory/refill.ts"
import type { ResultColumns } from "../../../engine/query.ts"
import { type SwapSource, swapsOf, swapsTable } from "../../../projections/tape/swaps.ts"
import { tapeTable } from "../../../projections/tape/tables.ts"

/** Swaps of an hour, in log order, one more than may be held where there are so many. */
export const hourSql = (hour: number): string =>
  `SELECT ${columnNames(swapsTable)} FROM ${tapeTable.name} WHERE ts >= ${hour} AND ts < ${hour + 3600}
   ORDER BY seq LIMIT ${MOST_OF_HOUR + 1}`

/** An hour with more swaps is not held. */
const MOST_OF_HOUR = 1 << 18
/** Swaps held of all hours, 80 bytes each: the hours that were not asked for the longest go. */
const MOST = 1 << 19

interface HourSwaps extends SwapSource {
  readonly count: number
}

class HeldHours {
  /** by start; null for one with too many swaps */
  private readonly hours = new Map<number, HourSwaps | null>()
  private held = 0

  /** The swaps of an hour; null where they are too many to be held, undefined where not read. */
  of(hour: number): HourSwaps | null | undefined {
    const swaps = this.hours.get(hour)
    if (swaps === undefined) return undefined
    // what is asked for goes last
    this.hours.delete(hour)
    this.hours.set(hour, swaps)
    return swaps
  }

  /** Keeps what `hourSql` found. */
  keep(hour: number, found: ResultColumns): HourSwaps | null {
    const known = this.hours.get(hour)
    if (known !== undefined) return known
    const { count } = found
    const swaps = count > MOST_OF_HOUR ? null : { count, ...swapsOf(found) }
    this.hours.set(hour, swaps)
    this.held += swaps?.count ?? 0
    for (const [oldest, one] of this.hours) {
      if (this.held <= MOST && this.hours.size <= MOST_HOURS) break
      this.hours.delete(oldest)
      this.held -= one?.count ?? 0
    }
    return swaps
  }
}

/** Swaps of the hours in which windows begin. */
export const hoursHeld = keep(() => new HeldHours())

const MOST_HOURS = 48
