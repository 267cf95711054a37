// @ts-check
/** The line above the chart: the values of the candle pointed at, else of the newest. */

import { element } from "./dom.js"
import { formatInteger, formatPercent, formatPrice, formatUsd } from "./format.js"

/** @typedef {import("./types.d.ts").Candle} Candle */

/** @type {(name: string, value: string, tone?: string) => HTMLElement} */
const entry = (name, value, tone = "") =>
  element("span", {}, `${name} `, element("b", { class: tone }, value))

/**
 * @param {HTMLElement} box
 * @param {Candle | undefined} candle
 * @param {number} decimals
 */
export const showLegend = (box, candle, decimals) => {
  if (candle === undefined) {
    box.replaceChildren()
    return
  }
  const { o, h, l, c, v, n } = candle
  const tone = c >= o ? "up" : "down"
  box.replaceChildren(
    entry("O", formatPrice(o, decimals), tone),
    entry("H", formatPrice(h, decimals), tone),
    entry("L", formatPrice(l, decimals), tone),
    entry("C", formatPrice(c, decimals), tone),
    entry("", formatPercent(o === 0 ? null : (c / o - 1) * 100), tone),
    entry("Vol", formatUsd(v)),
    entry("Trades", formatInteger(n))
  )
}
