// @ts-check
/** The market's name, price and last day. */

import { summarizeDay } from "./candle-list.js"
import { byId, copyButton, setText } from "./dom.js"
import {
  cleanLabel,
  formatClock,
  formatInteger,
  formatPercent,
  formatPrice,
  formatUsd,
  shortAddress
} from "./format.js"
import { loadCandles } from "./http.js"
import { background, pause, untilDone } from "./retry.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Token} Token */

const EVERY_MS = 30_000
/** Two days of quarter hours: the last one, and the one its change is measured from. */
const QUARTERS = 192

/** @type {(token: Token) => string} */
export const symbolOf = token => cleanLabel(token.symbol, 24) || shortAddress(token.address)

/** @type {(price: number | null, changePct: number | null) => void} */
const showPrice = (price, changePct) => {
  setText(byId("price", HTMLElement), price === null ? "—" : `$${formatPrice(price)}`)
  const change = byId("change", HTMLElement)
  change.hidden = changePct === null
  setText(change, `${formatPercent(changePct)} 24h`)
  change.classList.toggle("up", (changePct ?? 0) > 0)
  change.classList.toggle("down", (changePct ?? 0) < 0)
}

/** @type {(day: ReturnType<typeof summarizeDay> | null) => void} */
const showDay = day => {
  setText(byId("high", HTMLElement), formatPrice(day?.high))
  setText(byId("low", HTMLElement), formatPrice(day?.low))
  setText(byId("volume", HTMLElement), formatUsd(day?.volumeUsd))
  setText(byId("trades", HTMLElement), formatInteger(day?.trades))
  // A market known for less than a day must not pass its sums off as a day's.
  const since = day?.since ?? null
  setText(byId("window-name", HTMLElement), since === null ? "Last" : "Since")
  setText(byId("window", HTMLElement), since === null ? "24 h" : formatClock(since).slice(0, 5))
}

/** @type {(token: Token) => void} */
const showName = token => {
  const symbol = symbolOf(token)
  setText(byId("symbol", HTMLElement), symbol)
  const name = cleanLabel(token.name, 48)
  setText(byId("full-name", HTMLElement), name === symbol ? "" : name)
  const text = shortAddress(token.address)
  const button = copyButton({ text, value: token.address, what: "Address" })
  button.id = "address"
  byId("address", HTMLElement).replaceWith(button)
}

/** Shows one market at a time. */
export const createMarketHeader = () => {
  let ending = new AbortController()
  /** @type {Token | null} */
  let token = null
  /** @type {number | null} */
  let price = null
  /** @type {number | null} */
  let closeBefore = null
  let isQuoted = false

  const show = () => {
    const measured =
      price !== null && closeBefore !== null && closeBefore > 0
        ? (price / closeBefore - 1) * 100
        : null
    showPrice(price, measured ?? token?.change24hPct ?? null)
    if (token === null) return
    document.title = `${price === null ? "" : `$${formatPrice(price)} `}${symbolOf(token)} · swaptape`
  }

  /** @type {(chain: Chain, address: string, signal: AbortSignal) => Promise<void>} */
  const followDay = async (chain, address, signal) => {
    const wanted = { chain, token: address, tf: "15m", limit: QUARTERS }
    for (;;) {
      const page = await untilDone(
        () => loadCandles(wanted, signal),
        signal,
        () => {}
      )
      const day = summarizeDay(page.candles, page.to)
      closeBefore = day.closeBefore
      showDay(day)
      show()
      await pause(EVERY_MS, signal)
    }
  }

  return {
    /** @param {Chain} chain @param {Token} chosen */
    open: (chain, chosen) => {
      ending.abort()
      ending = new AbortController()
      token = chosen
      price = chosen.priceUsd
      closeBefore = null
      isQuoted = chosen.priceUsd !== null
      showName(chosen)
      showDay(null)
      show()
      const { signal } = ending
      background(() => followDay(chain, chosen.address, signal), signal)
    },
    /** What the token list says now. @param {Token} listed */
    refresh: listed => {
      token = listed
      showName(listed)
      show()
    },
    /** The price of the `prices` channel. @param {number | null} value */
    quote: value => {
      isQuoted = value !== null
      price = value
      show()
    },
    /** A candle's close: the price as long as none is quoted. @param {number | undefined} close */
    close: close => {
      if (isQuoted || close === undefined) return
      price = close
      show()
    }
  }
}
