// @ts-check
/** How the chart looks: the page's colours and the library's options. */

import { ColorType, CrosshairMode } from "/vendor/lightweight-charts.mjs"
import { formatTicks } from "./chart-ticks.js"
import { formatDateTime, formatPrice, formatUsd } from "./format.js"

/** Pixels from candle to candle. */
export const BAR_SPACING = 9
/** Empty bars right of the newest candle. */
export const RIGHT_OFFSET = 5
/** Pixels at least, so that the plot does not change its width with the price's digits. */
export const SCALE_WIDTH = 76

/** @type {(name: string) => string} */
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** The page's colours as they are now: they follow the reader's preference. */
export const readPalette = () => ({
  text: colour("--muted"),
  line: colour("--line"),
  grid: colour("--line-soft"),
  ground: colour("--card"),
  up: colour("--up"),
  down: colour("--down"),
  upSoft: colour("--up-volume"),
  downSoft: colour("--down-volume")
})

/** @typedef {ReturnType<typeof readPalette>} Palette */

/** @typedef {import("lightweight-charts").ChartOptions} ChartOptions */
/** @typedef {import("lightweight-charts").DeepPartial<ChartOptions>} SomeOptions */

/** @type {(palette: Palette) => SomeOptions} */
export const chartColours = ({ text, line, grid, ground }) => ({
  layout: {
    background: { type: ColorType.Solid, color: ground },
    textColor: text,
    panes: { separatorColor: line, separatorHoverColor: grid }
  },
  grid: { vertLines: { color: grid }, horzLines: { color: grid } },
  rightPriceScale: { borderColor: line },
  timeScale: { borderColor: line }
})

/** @type {(palette: Palette) => import("lightweight-charts").CandlestickSeriesPartialOptions} */
export const candleColours = ({ up, down }) => ({
  upColor: up,
  downColor: down,
  wickUpColor: up,
  wickDownColor: down,
  borderVisible: false
})

/** @type {() => SomeOptions} */
export const chartOptions = () => ({
  autoSize: true,
  // The page credits the library below the chart; its logo would need inline styles.
  layout: { attributionLogo: false, fontFamily: getComputedStyle(document.body).fontFamily },
  crosshair: { mode: CrosshairMode.Normal },
  rightPriceScale: { minimumWidth: SCALE_WIDTH },
  timeScale: { barSpacing: BAR_SPACING, rightOffset: RIGHT_OFFSET, secondsVisible: false },
  localization: {
    locale: "en-GB",
    timeFormatter: (/** @type {number} */ time) => `${formatDateTime(time)} UTC`
  }
})

/** @type {import("lightweight-charts").HistogramSeriesPartialOptions} */
export const volumeOptions = {
  priceFormat: { type: "custom", formatter: formatUsd, minMove: 0.000001 },
  lastValueVisible: false,
  priceLineVisible: false
}

/** Decimals that the library tells steps apart by; it takes finer ones for the same. */
const STEP_DECIMALS = 10
/** Digits before the point that it draws. */
const WHOLE_DIGITS = 13

/**
 * What prices are multiplied by to be drawn, so that the library counts in numbers of usual size.
 *
 * @type {(decimals: number, highest: number) => number} a power of ten
 */
export const drawnFactor = (decimals, highest) => {
  const room = highest > 0 ? WHOLE_DIGITS - Math.ceil(Math.log10(highest)) : 0
  return 10 ** Math.min(Math.max(0, decimals - STEP_DECIMALS), room)
}

/** @type {(decimals: number, factor: number) => import("lightweight-charts").PriceFormatCustom} */
export const priceFormat = (decimals, factor) => {
  const steps = Math.min(decimals, STEP_DECIMALS)
  return {
    type: "custom",
    formatter: (/** @type {number} */ drawn) => formatPrice(drawn / factor, decimals),
    tickmarksFormatter: (/** @type {ReadonlyArray<number>} */ drawn) =>
      formatTicks(drawn.map(each => each / factor)),
    minMove: 10 ** -steps,
    base: 10 ** steps
  }
}
