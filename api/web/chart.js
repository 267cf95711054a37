// @ts-check
/** The candle chart: a view of a list of candles, drawn by the vendored chart library. */

import { CandlestickSeries, createChart, HistogramSeries } from "/vendor/lightweight-charts.mjs"
import { handleChartKeys } from "./chart-keys.js"
import { showLegend } from "./chart-legend.js"
import {
  BAR_SPACING,
  candleColours,
  chartColours,
  chartOptions,
  drawnFactor,
  priceFormat,
  RIGHT_OFFSET,
  readPalette,
  SCALE_WIDTH,
  volumeOptions
} from "./chart-style.js"
import { formatDateTime, formatPrice, priceDecimals } from "./format.js"
import { secondsOf } from "./state.js"

/** @typedef {import("./types.d.ts").Candle} Candle */
/** @typedef {import("lightweight-charts").UTCTimestamp} UTCTimestamp */
/**
 * @typedef {object} Options
 * @property {HTMLElement} container
 * @property {HTMLElement} legend
 * @property {() => void} onNeedOlder the view nears the oldest candle
 * @property {(t: number) => void} onAsk the candle of this bucket is to be explained
 */

/** A market too young to fill the view is drawn from the left edge on, with room to grow. */
const ROOM_MIN = 30
const ROOM_SHARE = 1.4
/** Older candles are asked for when fewer than these are left of the view. */
const MARGIN_LEFT = 30
/** The volume's share of the height, and the air above its bars. */
const VOLUME_SHARE = 0.22
const VOLUME_MARGINS = { top: 0.25, bottom: 0 }

/** @type {(t: number) => UTCTimestamp} */
const timeOf = t => /** @type {UTCTimestamp} */ (t)

export class ChartView {
  #options
  #chart
  #candleSeries
  #volumeSeries
  #palette = readPalette()
  /** @type {ReadonlyArray<Candle>} */
  #candles = []
  #decimals = 2
  /** what prices are multiplied by to be drawn */
  #factor = 1
  #label = ""
  #unit = ""
  /** candles of a young market that fit before the view has to follow the newest */
  #room = 0
  #isDescribing = false
  /** @type {number | null} bucket under the crosshair */
  #pointed = null

  /** @param {Options} options */
  constructor(options) {
    this.#options = options
    this.#chart = createChart(options.container, chartOptions())
    this.#candleSeries = this.#chart.addSeries(CandlestickSeries, {
      priceFormat: priceFormat(this.#decimals, this.#factor)
    })
    this.#volumeSeries = this.#chart.addSeries(HistogramSeries, volumeOptions, 1)
    this.#volumeSeries.priceScale().applyOptions({ scaleMargins: VOLUME_MARGINS })
    const [pricePane, volumePane] = this.#chart.panes()
    pricePane?.setStretchFactor(1 - VOLUME_SHARE)
    volumePane?.setStretchFactor(VOLUME_SHARE)
    this.#listen()
    this.#paint()
  }

  /**
   * Empties the chart for another market or interval.
   *
   * @param {string} label
   * @param {string} tf
   * @param {string} unit what its prices are in, in words
   */
  clear(label, tf, unit) {
    this.#label = label
    this.#unit = unit
    this.#candles = []
    this.#draw()
    this.#describe()
    this.#chart.timeScale().applyOptions({ timeVisible: secondsOf(tf) < 86_400 })
  }

  /** Draws the whole list, keeping what is in view. @param {ReadonlyArray<Candle>} candles */
  reset(candles) {
    const isFirst = this.#candles.length === 0
    this.#candles = candles
    this.#fit()
    this.#draw()
    if (isFirst) this.#toNewest()
    this.#describe()
  }

  /**
   * Redraws one bucket of the list.
   *
   * @param {Candle} candle
   * @param {ReadonlyArray<Candle>} candles
   */
  update(candle, candles) {
    const isLate = candle.t < (candles.at(-1)?.t ?? 0)
    const isFirst = this.#candles.length === 0
    this.#candles = candles
    if (this.#fit()) this.#draw()
    this.#candleSeries.update(this.#candleBar(candle), isLate)
    this.#volumeSeries.update(this.#volumeBar(candle), isLate)
    if (isFirst) this.#toNewest()
    this.#describeSoon()
  }

  #listen() {
    const { container, onNeedOlder } = this.#options
    this.#chart.subscribeCrosshairMove(({ time }) => {
      this.#pointed = typeof time === "number" ? time : null
      this.#describeSoon()
    })
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange(range => {
      if (range !== null && this.#candles.length > 0 && range.from < MARGIN_LEFT) onNeedOlder()
    })
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => this.#paint())
    this.#chart.subscribeClick(() => this.#ask())
    handleChartKeys(
      container,
      this.#chart,
      () => this.#toNewest(),
      () => this.#ask()
    )
  }

  /** Has the candle that is pointed at explained, else the newest. */
  #ask() {
    const shown = this.#candles.find(each => each.t === this.#pointed) ?? this.#candles.at(-1)
    if (shown !== undefined) this.#options.onAsk(shown.t)
  }

  /** @type {(candle: Candle) => import("lightweight-charts").CandlestickData<UTCTimestamp>} */
  #candleBar({ t, o, h, l, c }) {
    const by = this.#factor
    return { time: timeOf(t), open: o * by, high: h * by, low: l * by, close: c * by }
  }

  /** @param {Candle} candle */
  #volumeBar({ t, o, c, v }) {
    const { upSoft, downSoft } = this.#palette
    return { time: timeOf(t), value: v, color: c >= o ? upSoft : downSoft }
  }

  /**
   * Precision by the newest price; the view stays where it is while there is room.
   *
   * @returns {boolean} whether prices are drawn by another factor from now on
   */
  #fit() {
    const follow = { shiftVisibleRangeOnNewBar: this.#candles.length >= this.#room }
    this.#chart.timeScale().applyOptions(follow)
    const wanted = priceDecimals(this.#candles.at(-1)?.c ?? null)
    const highest = this.#candles.reduce((most, { h }) => Math.max(most, h), 0)
    const factor = drawnFactor(wanted, highest)
    const isOther = factor !== this.#factor
    if (!isOther && wanted === this.#decimals) return false
    this.#decimals = wanted
    this.#factor = factor
    this.#candleSeries.applyOptions({ priceFormat: priceFormat(wanted, factor) })
    return isOther
  }

  #draw() {
    this.#candleSeries.setData(this.#candles.map(candle => this.#candleBar(candle)))
    this.#volumeSeries.setData(this.#candles.map(candle => this.#volumeBar(candle)))
  }

  #paint() {
    this.#palette = readPalette()
    this.#chart.applyOptions(chartColours(this.#palette))
    this.#candleSeries.applyOptions(candleColours(this.#palette))
    this.#draw()
  }

  #toNewest() {
    const scale = this.#chart.timeScale()
    const count = this.#candles.length
    const width = this.#options.container.clientWidth - SCALE_WIDTH
    const fitting = Math.floor(width / BAR_SPACING) - RIGHT_OFFSET
    const wanted = Math.max(ROOM_MIN, Math.ceil(count * ROOM_SHARE))
    this.#room = count < fitting ? Math.min(wanted, fitting) : 0
    if (this.#room === 0) scale.resetTimeScale()
    else scale.setVisibleLogicalRange({ from: -1, to: this.#room + RIGHT_OFFSET })
    this.#fit()
  }

  /** Once a frame, however many candles change in it. */
  #describeSoon() {
    if (this.#isDescribing) return
    this.#isDescribing = true
    requestAnimationFrame(() => {
      this.#isDescribing = false
      this.#describe()
    })
  }

  /** Legend and label: what the picture says, in words. */
  #describe() {
    const { container, legend } = this.#options
    const last = this.#candles.at(-1)
    const pointed = this.#pointed
    const shown = pointed === null ? last : this.#candles.find(each => each.t === pointed)
    showLegend(legend, shown ?? last, this.#decimals)
    container.dataset["candles"] = String(this.#candles.length)
    container.dataset["oldest"] = String(this.#candles[0]?.t ?? "")
    container.dataset["newest"] = JSON.stringify(last ?? null)
    const price = last && `, newest closes at ${formatPrice(last.c)} ${this.#unit}`
    const time = last && ` (${formatDateTime(last.t)} UTC)`
    container.setAttribute("aria-label", `${this.#label} candles${price ?? ""}${time ?? ""}`)
  }
}
