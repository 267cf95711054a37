// @ts-check
/** The tape: a table of prints, newest first, changed once a frame however many prints arrive. */

import { copyButton, element } from "./dom.js"
import {
  cleanLabel,
  formatAmount,
  formatClock,
  formatInteger,
  formatPrice,
  formatUsd,
  shortAddress,
  UNKNOWN
} from "./format.js"

/** @typedef {import("./types.d.ts").Print} Print */
/** @typedef {{ row: HTMLTableRowElement, undone: boolean }} Shown */

/** @type {(print: Print) => string} a trade undone and included again has two rows */
const rowKey = ({ key, seq }) => `${key}@${seq ?? ""}`

/** @type {(print: Print) => string} */
const detailOf = ({ trade, seq }) =>
  [
    `${trade.side} on ${cleanLabel(trade.dex, 40)}`,
    trade.pool && `pool ${trade.pool}`,
    trade.block !== undefined && `block ${formatInteger(trade.block)}`,
    seq !== null && `log seq ${formatInteger(seq)}`
  ]
    .filter(Boolean)
    .join("\n")

/** @type {(print: Print, decimals: number) => HTMLElement} */
const priceCell = ({ trade }, decimals) =>
  element(
    "td",
    { class: `number ${trade.side === "buy" ? "up" : "down"}` },
    element("span", { class: "hidden" }, `${trade.side} at `),
    element("span", { "aria-hidden": "true", class: "side" }, trade.side === "buy" ? "▲" : "▼"),
    formatPrice(trade.priceUsd, decimals)
  )

/** @type {(wallet: string | null) => Node} */
const walletOf = wallet =>
  wallet === null
    ? element("span", { class: "muted", title: "A router, or not attributed" }, UNKNOWN)
    : copyButton({ text: shortAddress(wallet), value: wallet, what: "Wallet" })

/** @type {(print: Print, decimals: number) => HTMLTableRowElement} */
const rowOf = (print, decimals) => {
  const { trade } = print
  return element(
    "tr",
    { title: detailOf(print), "data-key": print.key },
    element(
      "td",
      {},
      copyButton({ text: formatClock(trade.ts), value: trade.tx, what: "Transaction" })
    ),
    priceCell(print, decimals),
    element("td", { class: "number" }, formatAmount(trade.tokenAmt)),
    element("td", { class: "number" }, formatUsd(trade.usd)),
    element("td", { class: "number" }, walletOf(trade.wallet))
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

/**
 * @param {object} options
 * @param {HTMLElement} options.body the table's body
 * @param {() => number} options.decimals of the market's price
 */
export const createTapeView = ({ body, decimals }) => {
  /** @type {Map<string, Shown>} */
  let shown = new Map()
  /** @type {ReadonlyArray<Print>} */
  let prints = []
  let scheduled = false
  let isFirst = true

  /** @type {(print: Print) => Shown} */
  const show = print => {
    const known = shown.get(rowKey(print))
    if (known !== undefined) return known
    const row = rowOf(print, decimals())
    if (!isFirst && print.seq !== null) row.classList.add(`fresh-${print.trade.side}`)
    return { row, undone: false }
  }

  const render = () => {
    scheduled = false
    /** @type {Map<string, Shown>} */
    const next = new Map()
    /** @type {ChildNode | null} */
    let place = body.firstChild
    for (const print of prints) {
      const each = show(print)
      markUndone(each, print)
      next.set(rowKey(print), each)
      if (each.row === place) place = place.nextSibling
      else body.insertBefore(each.row, place)
    }
    for (const [key, { row }] of shown) if (!next.has(key)) row.remove()
    shown = next
    if (prints.length > 0) isFirst = false
  }

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    // A hidden page gets no animation frames, but its tape must not fall behind either.
    if (document.hidden) setTimeout(render, 1000)
    else requestAnimationFrame(render)
  }

  return {
    /** Empties the tape for another market. */
    clear: () => {
      prints = []
      isFirst = true
      render()
    },
    /** @param {ReadonlyArray<Print>} list newest first */
    show: list => {
      prints = list
      schedule()
    }
  }
}
