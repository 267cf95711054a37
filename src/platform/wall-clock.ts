/** This machine's clock, for who reads what others tell outside of any effect. */

/** Seconds by which a time, Unix seconds, is yet to come; negative where it is past. */
export const secondsAhead = (time: number): number => time - Date.now() / 1000
