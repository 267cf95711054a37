/** Whether this is `npm run test:long`. */
export const isLong = process.env["SWAPTAPE_LONG"] === "1"

/**
 * How often what is drawn by chance is drawn, and how much must at least come of it: all of the
 * count in the long run, a quarter in `npm test`.
 */
export const rounds = (count: number): number => (isLong ? count : Math.ceil(count / 4))
