/** Hours and days of the chain's time, in Unix seconds. */

export const HOUR = 3600
export const DAY = 86_400

/** Start of the hour of a time. */
export const hourOf = (ts: number): number => ts - (ts % HOUR)
