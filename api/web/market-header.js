// @ts-check
/** The market's name, price and last day. */

import { pause } from "../../client/retry.js"
import { background } from "./background.js"
import { byId, copyButton, explorerLink, setText } from "./dom.js"
import { secondOf } from "./family.js"
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
import { loadTokenStats } from "./http.js"
import { showSeq } from "./origin.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Token} Token */
/** @typedef {import("./types.d.ts").TokenStats} TokenStats */
/** @typedef {import("./sign.js").Sign} Sign */

/** Without a new price, as a day goes on by itself. */
const EVERY_MS = 30_000
/** Prices may come with each block. */
const LEAST_MS = 2000
const DAY = 86_400
/** Seconds of the shortest window that is called a day: boards count whole hours. */
const LEAST_DAY = 23 * 3600

/**
 * A price and how it changed, told by one answer, which is of a moment.
 *
 * @typedef {object} Priced
 * @property {number | null} priceUsd
 * @property {number | null} changePct
 * @property {number | null} changeSince Unix seconds
 * @property {number} at the same
 */

/** @type {(token: Token) => Priced} */
const listed = ({ priceUsd, change24hPct, changeSince }) => {
  return { priceUsd, changePct: change24hPct, changeSince, at: Date.now() / 1000 }
}

/** @type {(stats: TokenStats, at: number) => Priced} */
const measured = ({ priceUsd, windows: { h24 } }, at) => {
  return { priceUsd, changePct: h24.change, changeSince: h24.changeSince, at }
}

/** A price that nobody knows has not changed. @type {(priced: Priced) => void} */
const showPrice = ({ priceUsd, changePct, changeSince, at }) => {
  setText(byId("price", HTMLElement), priceUsd === null ? "—" : `$${formatPrice(priceUsd)}`)
  const change = byId("change", HTMLElement)
  const isDay = changeSince === null || at - changeSince >= LEAST_DAY
  const span = isDay ? "24h" : `since ${formatSince(changeSince, Date.now() / 1000)}`
  change.hidden = priceUsd === null || changePct === null
  setText(change, change.hidden ? "" : `${formatPercent(changePct)} ${span}`)
  change.classList.toggle("up", (changePct ?? 0) > 0)
  change.classList.toggle("down", (changePct ?? 0) < 0)
}

/** @type {(stats: TokenStats | null, at: number) => void} */
const showDay = (stats, at) => {
  const day = stats?.windows.h24
  setText(byId("high", HTMLElement), formatPrice(stats?.range24h?.high))
  setText(byId("low", HTMLElement), formatPrice(stats?.range24h?.low))
  setText(byId("volume", HTMLElement), formatUsd(day && day.buyVol + day.sellVol))
  setText(byId("trades", HTMLElement), formatInteger(day?.txns))
  // A market known for less than a day must not pass its sums off as a day's.
  const first = stats?.firstTradeTs ?? 0
  const isYoung = stats !== null && first > at - DAY
  setText(byId("window-name", HTMLElement), isYoung ? "Since" : "Last")
  setText(byId("window", HTMLElement), isYoung ? formatSince(first, Date.now() / 1000) : "24 h")
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

/** Shows one market at a time: figures that stand side by side are of one answer. */
export class MarketHeader {
  #ending = new AbortController()
  /** @type {Token | null} */
  #token = null
  /** null until they are read @type {{ stats: TokenStats, at: number } | null} */
  #read = null

  /** @param {Chain} chain @param {Token} token @param {Sign} sign that its price may be another */
  open(chain, token, sign) {
    this.#ending.abort(new Error("another market is shown"))
    this.#ending = new AbortController()
    this.#token = token
    this.#read = null
    showName(token)
    const out = explorerLink(chain.explorer, "address", token.address)
    byId("address-out", HTMLElement).replaceChildren(out)
    showDay(null, 0)
    showSeq(byId("market-origin", HTMLElement), null)
    this.#show()
    const { signal } = this.#ending
    background(() => this.#follow(chain, token.address, sign, signal), signal)
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

  #show() {
    const [token, read] = [this.#token, this.#read]
    if (token === null) return
    const priced = read === null ? listed(token) : measured(read.stats, read.at)
    showPrice(priced)
    const { priceUsd } = priced
    const shown = priceUsd === null ? "" : `$${formatPrice(priceUsd)} `
    document.title = `${shown}${symbolOf(token)} · swaptape`
  }

  /** @type {(chain: Chain, address: string, sign: Sign, signal: AbortSignal) => Promise<void>} */
  async #follow(chain, address, sign, signal) {
    const load = () => loadTokenStats(chain, address, signal)
    for (;;) {
      const { count } = sign
      const { body, seq } = await sign.answer(load, { signal })
      if (signal.aborted) return
      const at = secondOf(chain.key, body.updatedAt)
      this.#read = { stats: body, at }
      showDay(body, at)
      showSeq(byId("market-origin", HTMLElement), seq)
      this.#show()
      await pause(LEAST_MS, signal)
      await sign.after(count, signal, EVERY_MS - LEAST_MS)
    }
  }
}
