// @ts-check
/** The candle chart: a view of a list of candles, drawn by the vendored chart library. */

import {
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  HistogramSeries
} from "/vendor/lightweight-charts.mjs"
import { handleChartKeys } from "./chart-keys.js"
import { showLegend } from "./chart-legend.js"
import { formatClock, formatDateTime, formatPrice, formatUsd, priceDecimals } from "./format.js"
import { secondsOf } from "./state.js"

/** @typedef {import("./types.d.ts").Candle} Candle */
/** @typedef {import("lightweight-charts").UTCTimestamp} UTCTimestamp */

const BAR_SPACING = 9
const RIGHT_OFFSET = 5
/** A younger market is drawn from the left edge on, until it has this many candles. */
const YOUNG = 60
/** Older candles are asked for when fewer than these are left of the view. */
const MARGIN_LEFT = 30
/** The library's ticks need a step it can count: finer prices than this share one. */
const DECIMALS_MAX = 22
const VOLUME_SHARE = 0.22

/** @type {(name: string) => string} */
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const palette = () => ({
  text: colour("--muted"),
  line: colour("--line"),
  grid: colour("--line-soft"),
  ground: colour("--card"),
  up: colour("--up"),
  down: colour("--down"),
  upSoft: colour("--up-soft"),
  downSoft: colour("--down-soft")
})

/** @type {(t: number) => UTCTimestamp} */
const timeOf = t => /** @type {UTCTimestamp} */ (t)

/** @type {(colours: ReturnType<typeof palette>) => object} */
const chartColours = ({ text, line, grid, ground }) => ({
  layout: {
    background: { type: ColorType.Solid, color: ground },
    textColor: text,
    panes: { separatorColor: line, separatorHoverColor: grid }
  },
  grid: { vertLines: { color: grid }, horzLines: { color: grid } },
  rightPriceScale: { borderColor: line },
  timeScale: { borderColor: line }
})

/** @type {(colours: ReturnType<typeof palette>) => object} */
const candleColours = ({ up, down }) => ({
  upColor: up,
  downColor: down,
  wickUpColor: up,
  wickDownColor: down,
  borderVisible: false
})

/** @type {(container: HTMLElement) => import("lightweight-charts").IChartApi} */
const createFrame = container =>
  createChart(container, {
    autoSize: true,
    // The page credits the library below the chart; its logo would need inline styles.
    layout: { attributionLogo: false, fontFamily: getComputedStyle(document.body).fontFamily },
    crosshair: { mode: CrosshairMode.Normal },
    rightPriceScale: { minimumWidth: 76 },
    timeScale: { barSpacing: BAR_SPACING, rightOffset: RIGHT_OFFSET, secondsVisible: false },
    localization: {
      locale: "en-GB",
      timeFormatter: (/** @type {number} */ time) => `${formatDateTime(time)} UTC`
    }
  })

/**
 * @param {object} options
 * @param {HTMLElement} options.container
 * @param {HTMLElement} options.legend
 * @param {() => void} options.onNeedOlder the view nears the oldest candle
 */
export const createChartView = ({ container, legend, onNeedOlder }) => {
  const chart = createFrame(container)
  const candleSeries = chart.addSeries(CandlestickSeries, {})
  const volumeSeries = chart.addSeries(
    HistogramSeries,
    {
      priceFormat: { type: "custom", formatter: formatUsd, minMove: 0.000001 },
      lastValueVisible: false,
      priceLineVisible: false
    },
    1
  )
  volumeSeries.priceScale().applyOptions({ scaleMargins: { top: 0.25, bottom: 0 } })
  chart.panes()[0]?.setStretchFactor(1 - VOLUME_SHARE)
  chart.panes()[1]?.setStretchFactor(VOLUME_SHARE)

  let colours = palette()
  /** @type {ReadonlyArray<Candle>} */
  let candles = []
  let decimals = 2
  let name = ""
  /** @type {number | null} bucket under the crosshair */
  let pointed = null

  /** @type {(candle: Candle) => object} */
  const bar = ({ t, o, h, l, c }) => ({ time: timeOf(t), open: o, high: h, low: l, close: c })
  /** @type {(candle: Candle) => object} */
  const volumeBar = ({ t, o, c, v }) => ({
    time: timeOf(t),
    value: v,
    color: c >= o ? colours.upSoft : colours.downSoft
  })

  const applyPrecision = () => {
    const wanted = Math.min(DECIMALS_MAX, priceDecimals(candles.at(-1)?.c ?? null))
    if (wanted === decimals) return
    decimals = wanted
    candleSeries.applyOptions({
      priceFormat: {
        type: "custom",
        formatter: (/** @type {number} */ price) => formatPrice(price, decimals),
        minMove: 10 ** -decimals,
        base: 10 ** decimals
      }
    })
  }

  const describe = () => {
    const last = candles.at(-1)
    const shown = candles.find(each => each.t === pointed) ?? last
    showLegend(legend, shown, decimals)
    container.dataset["candles"] = String(candles.length)
    container.dataset["oldest"] = String(candles[0]?.t ?? "")
    container.dataset["newest"] = JSON.stringify(last ?? null)
    const close =
      last && `, newest closes at ${formatPrice(last.c)} dollars (${formatClock(last.t)} UTC)`
    container.setAttribute("aria-label", `${name} candles${close ?? ""}`)
  }

  /** A market without a screenful of candles grows from the left; others follow the newest. */
  const follow = () =>
    chart.timeScale().applyOptions({ shiftVisibleRangeOnNewBar: candles.length >= YOUNG })

  const draw = () => {
    candleSeries.setData(/** @type {any} */ (candles.map(bar)))
    volumeSeries.setData(/** @type {any} */ (candles.map(volumeBar)))
  }

  const paint = () => {
    colours = palette()
    chart.applyOptions(chartColours(colours))
    candleSeries.applyOptions(candleColours(colours))
    draw()
  }

  const toNewest = () => {
    const scale = chart.timeScale()
    if (candles.length < YOUNG) scale.setVisibleLogicalRange({ from: -1, to: YOUNG + RIGHT_OFFSET })
    else scale.resetTimeScale()
  }

  chart.subscribeCrosshairMove(({ time }) => {
    pointed = typeof time === "number" ? time : null
    describe()
  })
  chart.timeScale().subscribeVisibleLogicalRangeChange(range => {
    if (range !== null && candles.length > 0 && range.from < MARGIN_LEFT) onNeedOlder()
  })
  matchMedia("(prefers-color-scheme: light)").addEventListener("change", paint)
  handleChartKeys(container, chart, toNewest)
  paint()

  return {
    /** Empties the chart for another market or interval. @param {string} label @param {string} tf */
    clear: (label, tf) => {
      name = label
      candles = []
      draw()
      describe()
      chart.timeScale().applyOptions({ timeVisible: secondsOf(tf) < 86_400 })
    },
    /** Draws the whole list, keeping what is in view. @param {ReadonlyArray<Candle>} list */
    reset: list => {
      const first = candles.length === 0
      candles = list
      applyPrecision()
      follow()
      draw()
      if (first) toNewest()
      describe()
    },
    /** Redraws one bucket of the list given before. @param {Candle} candle */
    update: candle => {
      const isLast = candle.t >= (candles.at(-1)?.t ?? 0)
      applyPrecision()
      follow()
      candleSeries.update(/** @type {any} */ (bar(candle)), !isLast)
      volumeSeries.update(/** @type {any} */ (volumeBar(candle)), !isLast)
      describe()
    },
    decimals: () => decimals
  }
}

/** @typedef {ReturnType<typeof createChartView>} ChartView */
