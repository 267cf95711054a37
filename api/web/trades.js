// @ts-check
/** The tape: a table of prints, newest first, changed once a frame however many prints arrive. */

import { copyButton, element, explorerLink } from "./dom.js"
import {
  cleanLabel,
  formatAmount,
  formatClock,
  formatInteger,
  formatPastDay,
  formatPrice,
  formatUsd,
  priceDecimals,
  UNKNOWN
} from "./format.js"
import { walletAnchor } from "./marks.js"

/** @typedef {import("./types.d.ts").Print} Print */
/** @typedef {{ row: HTMLTableRowElement, undone: boolean }} Shown */
/** @typedef {Pick<import("./types.d.ts").Chain, "key" | "explorer">} Place */

/** @type {Place} */
const NOWHERE = { key: "", explorer: null }

const HIDDEN_MS = 1000

/** @type {(print: Print) => string} a trade undone and included again has two rows */
const rowKey = ({ key, seq }) => `${key}@${seq ?? ""}`

/** @type {(print: Print) => string} */
const detailOf = ({ trade, seq }) =>
  [
    `${trade.side} on ${cleanLabel(trade.dex ?? "an unknown venue", 40)}`,
    `pool ${trade.pool}`,
    `block ${formatInteger(trade.block)}`,
    ...(seq === null ? [] : [`log seq ${formatInteger(seq)}`])
  ].join("\n")

/** @type {(print: Print, decimals: number) => HTMLElement} */
const priceCell = ({ trade }, decimals) =>
  element(
    "td",
    { class: `number ${trade.side === "buy" ? "up" : "down"}` },
    element("span", { class: "hidden" }, `${trade.side} at `),
    element("span", { "aria-hidden": "true", class: "side" }, trade.side === "buy" ? "▲" : "▼"),
    formatPrice(trade.priceUsd, decimals)
  )

/** @type {(wallet: string | null, chain: Place) => ReadonlyArray<Node>} */
const walletOf = (wallet, { key, explorer }) =>
  wallet === null
    ? [element("span", { class: "muted", title: "A router, or not attributed" }, UNKNOWN)]
    : [walletAnchor(key, wallet), explorerLink(explorer, "address", wallet)]

/**
 * Its day stands over the clock where that is not today.
 *
 * @type {(print: Print, explorer: string | null) => ReadonlyArray<Node>}
 */
const timeOf = ({ trade: { ts, tx } }, explorer) => {
  const day = formatPastDay(ts, Date.now() / 1000)
  const clock = copyButton({ text: formatClock(ts), value: tx, what: "Transaction" })
  const link = explorerLink(explorer, "tx", tx)
  return day === "" ? [clock, link] : [element("span", { class: "day" }, `${day} `), clock, link]
}

/** @type {(print: Print, decimals: number, chain: Place) => HTMLTableRowElement} */
const rowOf = (print, decimals, chain) => {
  const { trade } = print
  return element(
    "tr",
    { title: detailOf(print), "data-key": print.key },
    element("td", {}, ...timeOf(print, chain.explorer)),
    priceCell(print, decimals),
    element("td", { class: "number" }, formatAmount(trade.tokenAmt)),
    element("td", { class: "number" }, formatUsd(trade.usd)),
    element("td", { class: "number" }, ...walletOf(trade.wallet, chain))
  )
}

/** @type {(shown: Shown, print: Print) => void} */
const markUndone = (shown, print) => {
  if (!print.undone || shown.undone) return
  shown.undone = true
  shown.row.classList.add("undone")
  shown.row.title = `Undone by a chain reorganisation\n${shown.row.title}`
  shown.row.cells[0]?.append(element("span", { class: "hidden" }, " undone by a reorganisation"))
}

/** @type {(shown: Shown) => void} */
const markMine = ({ row }) => {
  if (row.classList.contains("mine")) return
  row.classList.add("mine")
  row.title = `Sent from here\n${row.title}`
  row.cells[0]?.append(element("span", { class: "hidden" }, " sent from here"))
}

export class TapeView {
  #body
  /** transactions sent from this page @type {Set<string>} */
  #mine = new Set()
  /** of the market's price, so that the column lines up */
  #decimals = 2
  /** the market's chain @type {Place} */
  #chain = NOWHERE
  /** @type {Map<string, Shown>} */
  #shown = new Map()
  /** @type {ReadonlyArray<Print>} */
  #prints = []
  #isScheduled = false
  /** the first prints of a market are not news */
  #isFirst = true

  /** @param {HTMLElement} body the table's body */
  constructor(body) {
    this.#body = body
  }

  /** Empties the tape for another market. @param {Place} chain its chain */
  clear(chain = NOWHERE) {
    this.#chain = chain
    this.#prints = []
    this.#render()
    this.#isFirst = true
  }

  /** Marks the prints of a transaction. @param {string} tx */
  mark(tx) {
    this.#mine.add(tx)
    this.show(this.#prints)
  }

  /** @param {ReadonlyArray<Print>} prints newest first */
  show(prints) {
    this.#prints = prints
    if (this.#isScheduled) return
    this.#isScheduled = true
    // A hidden page gets no animation frames, but its tape must not fall behind either.
    if (document.hidden) setTimeout(() => this.#render(), HIDDEN_MS)
    else requestAnimationFrame(() => this.#render())
  }

  #render() {
    this.#isScheduled = false
    const priced = this.#prints.find(each => each.trade.priceUsd !== null)
    this.#decimals = priceDecimals(priced?.trade.priceUsd ?? null)
    /** @type {Map<string, Shown>} */
    const next = new Map()
    for (const print of this.#prints) next.set(rowKey(print), this.#rowFor(print))
    for (const [key, { row }] of this.#shown) if (!next.has(key)) row.remove()
    let place = this.#body.firstChild
    for (const { row } of next.values()) {
      if (row === place) place = place.nextSibling
      else this.#body.insertBefore(row, place)
    }
    this.#shown = next
    this.#isFirst &&= this.#prints.length === 0
  }

  /** @param {Print} print @returns {Shown} */
  #rowFor(print) {
    const known = this.#shown.get(rowKey(print))
    const shown = known ?? { row: rowOf(print, this.#decimals, this.#chain), undone: false }
    if (known === undefined && !this.#isFirst && print.seq !== null) {
      shown.row.classList.add(`fresh-${print.trade.side}`)
    }
    if (this.#mine.has(print.trade.tx)) markMine(shown)
    markUndone(shown, print)
    return shown
  }
}
