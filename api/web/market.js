// @ts-check
/** The market on show: its candles, trades and price, fed to the views. */

import { createCandleFeed } from "./candle-feed.js"
import { announce, byId, setText, showMessage } from "./dom.js"
import { formatInteger } from "./format.js"
import { symbolOf } from "./market-header.js"
import { TIMEFRAMES } from "./state.js"
import { createTradeFeed } from "./trade-feed.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Token} Token */
/** @typedef {import("./http.js").Problem} Problem */

/** @type {(box: HTMLElement, seq: number | null) => void} provenance of what is shown */
const showSeq = (box, seq) => {
  setText(box, seq === null ? "" : `log seq ${formatInteger(seq)}`)
  if (seq !== null) box.dataset["seq"] = String(seq)
}

/** What the reader can do about a problem. @type {(problem: Problem) => string} */
const adviceOf = problem => {
  if (problem.code === "UNREACHABLE") return "Check that the server runs (npm start)."
  if (problem.status === 404) return "Pick another token, or wait for its first trade."
  if (problem.status === 429) return "Too many requests from this address; waiting for the limit."
  if (problem.status === 503) return "The chain's data is not ready; see its lane's state."
  return ""
}

/**
 * @param {HTMLElement} box
 * @param {string} title
 * @param {Problem | null} problem
 * @param {() => void} retry
 */
const showProblem = (box, title, problem, retry) => {
  if (problem === null) {
    showMessage(box, null)
    return
  }
  const text = `${problem.message}. ${adviceOf(problem)} This page keeps trying.`
  showMessage(box, { title, text, action: { label: "Try now", run: retry } })
}

/**
 * @param {object} views
 * @param {import("./live.js").Live} views.live
 * @param {import("./chart.js").ChartView} views.chart
 * @param {ReturnType<typeof import("./trades.js").createTapeView>} views.tape
 * @param {ReturnType<typeof import("./market-header.js").createMarketHeader>} views.header
 */
export const createMarket = ({ live, chart, tape, header }) => {
  const chartMessage = byId("chart-message", HTMLElement)
  const tapeMessage = byId("tape-message", HTMLElement)
  const older = byId("older", HTMLButtonElement)
  /** @type {{ chain: Chain, token: Token, tf: string } | null} */
  let shown = null
  /** @type {ReturnType<typeof createCandleFeed> | null} */
  let candleFeed = null
  /** @type {ReturnType<typeof createTradeFeed> | null} */
  let tradeFeed = null
  let stopPrices = () => {}

  /** @type {(chain: Chain, token: Token, tf: string) => void} */
  const openCandles = (chain, token, tf) => {
    candleFeed?.close()
    const interval = TIMEFRAMES.find(each => each.tf === tf)?.name ?? tf
    chart.clear(`${symbolOf(token)} ${interval}`, tf)
    showMessage(chartMessage, { title: "Loading candles…" })
    candleFeed = createCandleFeed({
      live,
      chain,
      token: token.address,
      tf,
      onReset: candles => {
        chart.reset(candles)
        const none = {
          title: "No candles yet",
          text: "No priced trade of this token is known here. The first one will appear by itself."
        }
        showMessage(chartMessage, candles.length === 0 ? none : null)
        header.close(candles.at(-1)?.c)
      },
      onCandle: candle => {
        showMessage(chartMessage, null)
        chart.update(candle)
        header.close(candle.c)
      },
      onSeq: seq => showSeq(byId("chart-origin", HTMLElement), seq),
      onProblem: problem =>
        showProblem(chartMessage, "No candles", problem, () => openCandles(chain, token, tf))
    })
  }

  /** @type {(chain: Chain, token: Token) => void} */
  const openTrades = (chain, token) => {
    tradeFeed?.close()
    tape.clear()
    older.hidden = true
    showMessage(tapeMessage, { title: "Loading trades…" })
    tradeFeed = createTradeFeed({
      live,
      chain,
      token: token.address,
      onChange: ({ prints, seq, more }) => {
        tape.show(prints)
        older.hidden = !more
        showSeq(byId("tape-origin", HTMLElement), seq)
        const none = { title: "No trades yet", text: "New trades appear here by themselves." }
        showMessage(tapeMessage, prints.length === 0 ? none : null)
      },
      onProblem: problem =>
        showProblem(tapeMessage, "No trades", problem, () => openTrades(chain, token))
    })
  }

  /** @type {(chain: Chain, token: Token) => void} */
  const openPrices = (chain, token) => {
    stopPrices()
    header.open(chain, token)
    const topic = /** @type {const} */ ({
      channel: "prices",
      chain: chain.id,
      token: token.address
    })
    stopPrices = live.subscribe(topic, null, {
      frame: frame => {
        if (frame.type === "price") header.quote(frame.priceUsd ?? null)
      },
      tooOld: () => {}
    })
  }

  older.addEventListener("click", async () => {
    older.disabled = true
    await tradeFeed?.loadOlder().catch(problem => announce(`No older trades: ${problem.message}`))
    older.disabled = false
  })

  return {
    /** @param {Chain} chain @param {Token} token @param {string} tf */
    open: (chain, token, tf) => {
      const isSame = shown?.chain.id === chain.id && shown.token.address === token.address
      const wasTf = shown?.tf
      shown = { chain, token, tf }
      if (!isSame) {
        openPrices(chain, token)
        openTrades(chain, token)
      }
      if (!isSame || wasTf !== tf) openCandles(chain, token, tf)
    },
    /** Shows that there is nothing to show, and why. @param {string} title @param {string} text */
    empty: (title, text) => {
      candleFeed?.close()
      tradeFeed?.close()
      stopPrices()
      shown = null
      chart.clear("No", "1m")
      tape.clear()
      showMessage(chartMessage, { title, text })
      showMessage(tapeMessage, { title: "No trades" })
    },
    loadOlderCandles: () => {
      candleFeed?.loadOlder().catch(problem => announce(`No older candles: ${problem.message}`))
    }
  }
}
