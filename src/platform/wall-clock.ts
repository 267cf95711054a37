/** This machine's clock, for code that checks outside facts and runs in no effect. */

/** Returns by how many seconds a time (Unix seconds) is ahead of the clock; negative if past. */
const secondsAhead = (time: number): number => time - Date.now() / 1000

/** Seconds that a block's time may be ahead of this machine's clock, which may be wrong too. */
const MOST_AHEAD = 900

/**
 * Returns true where a block's time (Unix seconds) is more than 900 s ahead of the clock. No chain
 * makes such a block, and no true block could follow it in the log.
 */
export const isYetToCome = (time: number): boolean => secondsAhead(time) > MOST_AHEAD
