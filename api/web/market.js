// @ts-check
/** The market on show: its candles, trades and price, fed to the views. */

import { CandleFeed } from "./candle-feed.js"
import { announce, byId, showMessage } from "./dom.js"
import { symbolOf } from "./format.js"
import { showSeq } from "./origin.js"
import { TIMEFRAMES } from "./state.js"
import { TradeFeed } from "./trade-feed.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Token} Token */
/** @typedef {import("./types.d.ts").Print} Print */
/** @typedef {import("./types.d.ts").Timeframe} Timeframe */
/** @typedef {import("../../client/retry.js").Problem} Problem */
/** @typedef {import("./types.d.ts").CandleUnit} CandleUnit */
/** @typedef {import("./types.d.ts").TradeFilter} TradeFilter */
/** @typedef {{ tf: Timeframe } & CandleUnit & TradeFilter} Choice what is shown of a market */
/** @typedef {{ chain: Chain, token: Token, choice: Choice }} Shown */
/**
 * @typedef {object} Views
 * @property {import("../../client/live.js").LiveSocket} live
 * @property {import("./chart.js").ChartView} chart
 * @property {import("./trades.js").TapeView} tape
 * @property {import("./market-header.js").MarketHeader} header
 * @property {import("./sign.js").Sign} sign told when a price of the market comes
 * @property {(prints: ReadonlyArray<Print>) => void} onPrints told what the tape shows
 */

const NO_CANDLES = {
  title: "No candles yet",
  text: "No priced trade of this token is known here. The first one will appear by itself."
}
const NO_SUCH_TRADES = { title: "No such trades", text: "No trade is as the filter asks." }
const NO_TRADES = { title: "No trades yet", text: "New trades appear here by themselves." }

/** What candles count in. */
const UNIT_WORDS = { usd: "dollars", mcap: "dollars of market cap", token: "quote tokens" }

const NOT_THERE = "Its first trade will be shown when it comes."

/** What the reader can do about a problem. @type {(problem: Problem) => string} */
const adviceOf = problem => {
  if (problem.code === "UNREACHABLE") return "Check that the server runs (npm start)."
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
  const next = problem.status === 404 ? NOT_THERE : `${adviceOf(problem)} This page keeps trying.`
  const text = `${problem.message}. ${next}`
  showMessage(box, { title, text, action: { label: "Try now", run: retry } })
}

export class MarketView {
  #views
  #chartMessage = byId("chart-message", HTMLElement)
  #chartOrigin = byId("chart-origin", HTMLElement)
  #tapeMessage = byId("tape-message", HTMLElement)
  #tapeOrigin = byId("tape-origin", HTMLElement)
  #older = byId("older", HTMLButtonElement)
  /** @type {Shown | null} */
  #shown = null
  /** @type {CandleFeed | null} */
  #candles = null
  /** @type {TradeFeed | null} */
  #trades = null
  #stopPrices = () => {}

  /** @param {Views} views */
  constructor(views) {
    this.#views = views
    this.#older.addEventListener("click", () => this.#loadOlderTrades())
  }

  /** @param {Chain} chain @param {Token} token @param {Choice} choice */
  open(chain, token, choice) {
    const before = this.#shown
    const isSame = before?.chain.id === chain.id && before.token.address === token.address
    const shown = { chain, token, choice }
    this.#shown = shown
    /** @type {(...names: ReadonlyArray<keyof Choice>) => boolean} */
    const isKept = (...names) =>
      isSame && names.every(name => before?.choice[name] === choice[name])
    if (!isSame) this.#openPrices(chain, token)
    if (!isKept("side", "wallet", "minUsd")) this.#openTrades(shown)
    if (!isKept("tf", "quote", "pool")) this.#openCandles(shown)
  }

  /** Lets go of all that it follows. */
  close() {
    this.#candles?.close()
    this.#trades?.close()
    this.#stopPrices()
    this.#stopPrices = () => {}
    this.#views.header.close()
    this.#shown = null
  }

  /** Shows that there is nothing to show, and why. @param {string} title @param {string} text */
  empty(title, text) {
    this.close()
    this.#views.chart.clear("No", "1m", UNIT_WORDS.usd)
    this.#views.tape.clear()
    this.#older.hidden = true
    showMessage(this.#chartMessage, { title, text })
    showMessage(this.#tapeMessage, { title: "No trades" })
  }

  loadOlderCandles() {
    this.#candles?.loadOlder().catch(problem => announce(`No older candles: ${problem.message}`))
  }

  async #loadOlderTrades() {
    this.#older.disabled = true
    const failed = (/** @type {Error} */ cause) => announce(`No older trades: ${cause.message}`)
    await this.#trades?.loadOlder().catch(failed)
    this.#older.disabled = false
  }

  /** @param {Chain} chain @param {Token} token */
  #openPrices(chain, token) {
    const { live, header, sign } = this.#views
    this.#stopPrices()
    header.open(chain, token, sign)
    const topic = /** @type {const} */ ({
      channel: "prices",
      chain: chain.id,
      token: token.address
    })
    const follow = () => {
      this.#stopPrices = live.subscribe(topic, {
        frame: frame => {
          if (frame.type === "price") sign.tell()
        },
        restart: follow
      })
    }
    follow()
  }

  /** @param {Shown} shown */
  #openTrades(shown) {
    const { chain, token, choice } = shown
    const { live, tape, onPrints, sign } = this.#views
    const message = this.#tapeMessage
    this.#trades?.close()
    tape.clear(chain)
    this.#older.hidden = true
    showMessage(message, { title: "Loading trades…" })
    this.#trades = new TradeFeed({
      ...{ live, chain, sign },
      token: token.address,
      filter: choice,
      onChange: ({ prints, seq, more }) => {
        tape.show(prints)
        onPrints(prints)
        this.#older.hidden = !more
        showSeq(this.#tapeOrigin, seq)
        const isAll = choice.side === null && choice.wallet === null && choice.minUsd === null
        showMessage(message, prints.length > 0 ? null : isAll ? NO_TRADES : NO_SUCH_TRADES)
      },
      onProblem: problem =>
        showProblem(message, "No trades", problem, () => this.#openTrades(shown))
    })
  }

  /** @param {Shown} shown */
  #openCandles(shown) {
    const { chain, token, choice } = shown
    const { tf, quote, pool } = choice
    const { live, chart, sign } = this.#views
    const message = this.#chartMessage
    this.#candles?.close()
    const interval = TIMEFRAMES.find(each => each.tf === tf)?.name ?? tf
    chart.clear(`${symbolOf(token)} ${interval}`, tf, UNIT_WORDS[quote])
    showMessage(message, { title: "Loading candles…" })
    showSeq(this.#chartOrigin, null)
    this.#candles = new CandleFeed({
      ...{ live, chain, sign },
      token: token.address,
      tf,
      unit: { quote, pool },
      onReset: candles => {
        chart.reset(candles)
        showMessage(message, candles.length === 0 ? NO_CANDLES : null)
      },
      onCandle: (candle, candles) => {
        showMessage(message, null)
        chart.update(candle, candles)
      },
      onSeq: seq => showSeq(this.#chartOrigin, seq),
      onProblem: problem =>
        showProblem(message, "No candles", problem, () => this.#openCandles(shown))
    })
  }
}
