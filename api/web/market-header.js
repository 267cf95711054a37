// @ts-check
/** The market's name, price and last day. */

import { pause, untilDone } from "../../client/retry.js"
import { background } from "./background.js"
import { summarizeDay } from "./candle-list.js"
import { byId, copyButton, explorerLink, setText } from "./dom.js"
import {
  cleanLabel,
  formatInteger,
  formatPercent,
  formatPrice,
  formatSince,
  formatUsd,
  shortAddress,
  symbolOf
} from "./format.js"
import { loadCandles, loadDayTrades } from "./http.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Token} Token */

const EVERY_MS = 30_000
/** Two days of quarter hours: the last one, and the one its change is measured from. */
const QUARTERS = 192
/** Seconds of the shortest window that is called a day: boards count whole hours. */
const LEAST_DAY = 23 * 3600

/** @type {(price: number | null, changePct: number | null, span: string) => void} */
const showPrice = (price, changePct, span) => {
  setText(byId("price", HTMLElement), price === null ? "—" : `$${formatPrice(price)}`)
  const change = byId("change", HTMLElement)
  change.hidden = changePct === null
  setText(change, `${formatPercent(changePct)} ${span}`)
  change.classList.toggle("up", (changePct ?? 0) > 0)
  change.classList.toggle("down", (changePct ?? 0) < 0)
}

/**
 * What the change that a list tells of a token is measured over.
 *
 * @type {(since: number | null) => string}
 */
const spanOf = since =>
  since === null || Date.now() / 1000 - since >= LEAST_DAY
    ? "24h"
    : `since ${formatSince(since, Date.now() / 1000)}`

/** @type {(day: ReturnType<typeof summarizeDay> | null) => void} */
const showDay = day => {
  setText(byId("high", HTMLElement), formatPrice(day?.high))
  setText(byId("low", HTMLElement), formatPrice(day?.low))
  setText(byId("volume", HTMLElement), formatUsd(day?.volumeUsd))
  setText(byId("trades", HTMLElement), formatInteger(day?.trades))
  // A market known for less than a day must not pass its sums off as a day's.
  const since = day?.since ?? null
  setText(byId("window-name", HTMLElement), since === null ? "Last" : "Since")
  setText(
    byId("window", HTMLElement),
    since === null ? "24 h" : formatSince(since, Date.now() / 1000)
  )
}

/** @type {(token: Token) => void} */
const showName = token => {
  const symbol = symbolOf(token)
  setText(byId("symbol", HTMLElement), symbol)
  const name = cleanLabel(token.name, 48)
  setText(byId("full-name", HTMLElement), name === symbol ? "" : name)
  const text = shortAddress(token.address)
  const shown = byId("address", HTMLElement)
  // Not replaced for nothing: it may have the focus.
  if (shown.dataset["copy"] === token.address) return
  const button = copyButton({ text, value: token.address, what: "Address" })
  button.id = "address"
  shown.replaceWith(button)
}

/** Shows one market at a time. */
export class MarketHeader {
  #ending = new AbortController()
  /** @type {Token | null} */
  #token = null
  /** @type {number | null} */
  #quoted = null
  /** @type {number | null} */
  #lastClose = null
  /** @type {number | null} */
  #closeBefore = null

  /** @param {Chain} chain @param {Token} token */
  open(chain, token) {
    this.#ending.abort(new Error("another market is shown"))
    this.#ending = new AbortController()
    this.#token = token
    this.#quoted = token.priceUsd
    this.#lastClose = null
    this.#closeBefore = null
    showName(token)
    const out = explorerLink(chain.explorer, "address", token.address)
    byId("address-out", HTMLElement).replaceChildren(out)
    showDay(null)
    this.#show()
    const { signal } = this.#ending
    background(() => this.#followDay(chain, token.address, signal), signal)
  }

  /** Follows its market no longer. */
  close() {
    this.#ending.abort(new Error("the market is closed"))
    this.#token = null
  }

  /** What the token list says now. @param {Token} token */
  refresh(token) {
    this.#token = token
    showName(token)
    this.#show()
  }

  /** The price of the `prices` channel. @param {number | null} price */
  quote(price) {
    this.#quoted = price
    this.#show()
  }

  /**
   * The newest candle's close, which the day's change is measured to. A token whose present price
   * nobody knows has none here, whatever it traded at last.
   *
   * @param {number | undefined} price
   */
  closed(price) {
    if (price !== undefined) this.#lastClose = price
  }

  #show() {
    const [token, before] = [this.#token, this.#closeBefore]
    const price = this.#quoted
    // a candle's close is a trade's price, which the present price of a pool is not
    const close = this.#lastClose
    const isMeasured = close !== null && before !== null && before > 0
    if (price === null) showPrice(null, null, "")
    else if (isMeasured) showPrice(price, (close / before - 1) * 100, "24h")
    else showPrice(price, token?.change24hPct ?? null, spanOf(token?.changeSince ?? null))
    if (token === null) return
    const shown = price === null ? "" : `$${formatPrice(price)} `
    document.title = `${shown}${symbolOf(token)} · swaptape`
  }

  /** @param {Chain} chain @param {string} address @param {AbortSignal} signal */
  async #followDay(chain, address, signal) {
    const wanted = /** @type {const} */ ({ chain, token: address, tf: "15m", limit: QUARTERS })
    for (;;) {
      const page = await untilDone(() => loadCandles(wanted, signal), { signal })
      const day = summarizeDay(page.candles, page.to)
      // candles leave out trades whose price is not believed; without the count theirs is shown
      const trades = await loadDayTrades(chain, address, signal).catch(() => null)
      if (signal.aborted) return
      this.#closeBefore = day.closeBefore
      showDay(trades === null ? day : { ...day, trades })
      this.#show()
      await pause(EVERY_MS, signal)
    }
  }
}
