/** How a token's price changed: one definition for every window that is told of. */

import { DAY, HOUR } from "./hours.ts"

/** The rule, published with the others. */
export const changeRule = {
  version: 3,
  id: "change",
  text: "the price of the newest print that counts (no outlier) against that of the newest one before the window; of a token without one against the first of all, which lies in the window. `changeSince` is the window's first second, or the time of that first print. Prints are compared with prints, never with what a pool would say now (`priceUsd`); without a print that counts it is null, while the token has no price (`priceUsd`), and where the newest one is more than a day older than the window: what the price did since nobody has told. A dollar that costs $1 by rule has not changed"
} as const

/** Prices of a token's prints that count. */
export interface Seen {
  /** the newest one, and the hour in which it was, Unix seconds */
  readonly last: number
  readonly lastHour: number
  /** the first of all, and its time */
  readonly first: number
  readonly firstTs: number
}

export interface Change {
  readonly pct: number
  /** Unix seconds from when it counts */
  readonly since: number
}

/**
 * The change of a token's newest price.
 *
 * @param seen null while no print of the token counts
 * @param from first second of the window
 * @param before newest price before that; not above 0 where there is none
 */
export const changeFrom = (seen: Seen | null, from: number, before: number): Change | null => {
  if (seen === null || seen.lastHour + HOUR <= from - DAY) return null
  const isOlder = before > 0
  return {
    pct: (seen.last / (isOlder ? before : seen.first) - 1) * 100,
    since: isOlder ? from : seen.firstTs
  }
}
