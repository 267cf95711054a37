// @ts-check
/** How much of the last days was measured, and how much of that went well. Pure. */

import { formatDuration } from "./format.js"

/** @typedef {NonNullable<import("./types.d.ts").Status["uptime"]>} Uptime */
/**
 * @typedef {object} Stretch seconds of a UTC day: what was measured counts, the rest is said
 * @property {number} day its start, Unix seconds
 * @property {number} ok
 * @property {number} bad
 * @property {number} unmeasured
 */

const DAY = 86_400

/**
 * The last days, oldest first, the present one as far as it went.
 *
 * @param {Uptime} uptime
 * @param {number} now Unix seconds
 * @param {number} count days
 * @param {string | null} chain its key; null: the service
 * @returns {Stretch[]}
 */
export const stretchesOf = ({ days }, now, count, chain) => {
  const today = Math.floor(now / DAY) * DAY
  return Array.from({ length: count }, (_, at) => {
    const day = today - (count - 1 - at) * DAY
    const length = Math.min(DAY, now - day)
    const told = days.find(each => each.day === day)
    const own = chain === null ? told : told?.chains.find(each => each.chain === chain)
    const measured = Math.min(own?.measuredS ?? 0, length)
    const ok = Math.min(own?.okS ?? 0, measured)
    return { day, ok, bad: measured - ok, unmeasured: length - measured }
  })
}

/** @type {(stretches: ReadonlyArray<Omit<Stretch, "day">>) => string} */
export const uptimeWords = stretches => {
  const sum = (/** @type {"ok" | "bad" | "unmeasured"} */ part) =>
    stretches.reduce((all, each) => all + each[part], 0)
  const [ok, bad, unmeasured] = [sum("ok"), sum("bad"), sum("unmeasured")]
  const measured = ok + bad
  if (measured === 0) return "not measured"
  // rounded down: a hundred percent is said of a hundred percent alone
  const share = (Math.floor((ok / measured) * 10_000) / 100).toFixed(2)
  const rest = unmeasured > 0 ? `, ${formatDuration(unmeasured)} not measured` : ""
  return `up ${share} % of ${formatDuration(measured)} measured${rest}`
}
