/** This machine's clock, for who reads what others tell outside of any effect. */

/** Seconds by which a time, Unix seconds, is yet to come; negative where it is past. */
const secondsAhead = (time: number): number => time - Date.now() / 1000

/** Seconds by which a block's time may be ahead of this machine's clock, itself perhaps wrong. */
const MOST_AHEAD = 900

/**
 * Whether a block's time, Unix seconds, is yet to come: no chain makes such a block, and no true
 * one could follow it in the log.
 */
export const isYetToCome = (time: number): boolean => secondsAhead(time) > MOST_AHEAD
