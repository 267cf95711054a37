// @ts-check
/** Moving through the chart by keyboard. */

/** @typedef {import("lightweight-charts").IChartApi} IChartApi */

const STEP_BARS = 5
const ZOOM = 1.25

/** @type {(chart: IChartApi, factor: number) => void} the newest bar in view keeps its place */
const zoom = (chart, factor) => {
  const scale = chart.timeScale()
  const range = scale.getVisibleLogicalRange()
  if (range === null) return
  scale.setVisibleLogicalRange({ from: range.to - (range.to - range.from) * factor, to: range.to })
}

/** @type {(chart: IChartApi, bars: number) => void} */
const move = (chart, bars) =>
  chart.timeScale().scrollToPosition(chart.timeScale().scrollPosition() + bars, false)

/**
 * Arrows move, plus and minus zoom, End shows the newest candle, Enter has one explained.
 *
 * @param {HTMLElement} container
 * @param {IChartApi} chart
 * @param {() => void} toNewest
 * @param {() => void} ask
 */
export const handleChartKeys = (container, chart, toNewest, ask) => {
  /** @type {Record<string, () => void>} */
  const actions = {
    ArrowLeft: () => move(chart, -STEP_BARS),
    ArrowRight: () => move(chart, STEP_BARS),
    "+": () => zoom(chart, 1 / ZOOM),
    "=": () => zoom(chart, 1 / ZOOM),
    "-": () => zoom(chart, ZOOM),
    End: toNewest,
    Enter: ask
  }
  container.tabIndex = 0
  container.addEventListener("keydown", event => {
    const action = actions[event.key]
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    action()
  })
}
