// @ts-check
/** The view of a wallet: what it made, what it holds, what it traded. */

import { background, follow } from "./background.js"
import { caveatList, caveatsOf, showCaveats } from "./caveats.js"
import { announce, copyButton, element, explorerLink, setText, showMessage } from "./dom.js"
import { familyOf } from "./family.js"
import {
  formatAmount,
  formatClock,
  formatDateTime,
  formatInteger,
  formatPastDay,
  formatPrice,
  formatUsd,
  shortAddress,
  symbolOf,
  UNKNOWN
} from "./format.js"
import { factList, gainMark, tokenAnchor } from "./marks.js"
import { writeRoute } from "./routes.js"
import { makeTable } from "./rows.js"
import { WALLET_DAYS } from "./state.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Pnl} Pnl */
/** @typedef {import("./types.d.ts").SwapRow} SwapRow */
/** @typedef {import("./types.d.ts").ViewTools} ViewTools */
/** @typedef {Extract<import("./types.d.ts").PageRoute, { view: "wallet" }>} WalletRoute */
/** @typedef {Pnl["positions"][number]} Position */

const EVERY_MS = 15_000

/** @type {(pnl: Pnl) => Array<readonly [string, string | Node]>} */
const factsOf = pnl => [
  ["Realised", gainMark(pnl.realizedPnlUsd)],
  ["Unrealised", gainMark(pnl.unrealizedPnlUsd)],
  ["Holds, of these trades", formatUsd(pnl.heldValueUsd)],
  ["Volume", formatUsd(pnl.volumeUsd)],
  ["Bought", formatUsd(pnl.boughtUsd)],
  ["Sold", formatUsd(pnl.soldUsd)],
  ["Trades", formatInteger(pnl.trades)],
  ["Tokens", formatInteger(pnl.tokens)],
  ["Win rate", `${(pnl.winRate * 100).toFixed(0)} %`]
]

/** @type {(count: number, words: string) => string[]} */
const some = (count, words) => (count > 0 ? [`${formatInteger(count)} ${words}`] : [])

/** What the figures leave out, in words. @type {(pnl: Pnl) => string[]} */
const wordsOf = pnl => [
  ...(pnl.truncated
    ? [`Only the newest trades count, from ${formatDateTime(pnl.since)} UTC on: there are more.`]
    : []),
  ...some(
    pnl.partialTokens,
    "tokens were sold beyond what was bought here: their gain is unknown."
  ),
  ...some(pnl.unpricedTrades, "trades have no believed price and are in no sum of dollars."),
  ...some(pnl.unpricedTokens, "tokens held have no known price and are in no sum of what is held."),
  ...(pnl.likelyBot ? ["It trades as often as a program does."] : [])
]

/** @type {(chain: string) => ReadonlyArray<import("./rows.js").Column<Position>>} */
const positionColumns = chain => [
  {
    name: "Token",
    cell: row => {
      const symbol = symbolOf({ symbol: row.symbol, address: row.token })
      const partial = element(
        "span",
        { class: "flag", title: "Sold more than it bought" },
        "partial"
      )
      return [tokenAnchor(chain, row.token, symbol), ...(row.partial ? [" ", partial] : [])]
    }
  },
  { name: "Realised", isNumber: true, cell: row => [gainMark(row.realizedPnlUsd)] },
  { name: "Unrealised", isNumber: true, cell: row => [gainMark(row.unrealizedPnlUsd)] },
  { name: "Holds", isNumber: true, cell: row => [formatAmount(row.heldAmount)] },
  { name: "Worth", isNumber: true, cell: row => [formatUsd(row.heldValueUsd)] },
  { name: "Bought", isNumber: true, cell: row => [formatUsd(row.boughtUsd)] },
  { name: "Sold", isNumber: true, cell: row => [formatUsd(row.soldUsd)] },
  {
    name: "Buys, sells",
    isNumber: true,
    cell: row => [`${formatInteger(row.buys)}, ${formatInteger(row.sells)}`]
  }
]

/** @type {(ts: number) => string} */
const timeOf = ts => `${formatPastDay(ts, Date.now() / 1000)} ${formatClock(ts)}`.trim()

/** @type {(chain: Chain) => ReadonlyArray<import("./rows.js").Column<SwapRow>>} */
const tradeColumns = chain => [
  {
    name: "Time UTC",
    cell: ({ ts, tx }) => [
      copyButton({ text: timeOf(ts), value: tx, what: "Transaction" }),
      explorerLink(chain.explorer, "tx", tx)
    ]
  },
  {
    name: "Token",
    cell: ({ token, symbol }) => [
      tokenAnchor(chain.key, token, symbolOf({ symbol, address: token }))
    ]
  },
  {
    name: "Side",
    cell: ({ side }) => [element("span", { class: side === "buy" ? "up" : "down" }, side)]
  },
  { name: "Amount", isNumber: true, cell: row => [formatAmount(row.tokenAmt)] },
  { name: "Price", isNumber: true, cell: row => [formatPrice(row.priceUsd)] },
  { name: "USD", isNumber: true, cell: row => [formatUsd(row.usd)] },
  { name: "Venue", cell: ({ dex }) => [dex ?? UNKNOWN] }
]

/** @type {(route: WalletRoute) => HTMLElement} */
const dayLinks = route => {
  const links = WALLET_DAYS.choices.map(days => {
    const link = element("a", { class: "tab" }, days === 1 ? "1 day" : `${days} days`)
    link.href = writeRoute({ ...route, days })
    if (days === route.days) link.setAttribute("aria-current", "page")
    return link
  })
  return element("nav", { class: "tabs", "aria-label": "Days" }, ...links)
}

/** @type {(name: string, ...parts: Node[]) => HTMLElement} */
const card = (name, ...parts) => {
  const head = element("div", { class: "card-head" }, element("h2", {}, name))
  return element("section", { class: "card", "aria-label": name }, head, ...parts)
}

/**
 * The newest trades, and older ones on demand.
 *
 * @type {(chain: Chain, wallet: string, tools: ViewTools) => Node[]}
 */
const tradesPart = (chain, wallet, { signal }) => {
  const table = makeTable({
    name: "Trades of the wallet",
    columns: tradeColumns(chain),
    keyOf: ({ tx, logIndex, token }) => `${tx}:${logIndex}:${token}`
  })
  const message = element("div", { class: "message", role: "status" })
  const older = element("button", { type: "button", class: "quiet" }, "Load older trades")
  older.hidden = true
  /** @type {ReadonlyArray<SwapRow>} */
  let rows = []
  /** @type {string | null} */
  let next = null
  /** @type {(before: string | undefined) => Promise<void>} */
  const load = async before => {
    const { body } = await familyOf(chain.key).walletTrades(wallet, before, { signal })
    rows = [...rows, ...body.trades]
    next = body.nextBefore
    table.show(rows)
    older.hidden = next === null
    const none = { title: "No trades", text: "The index knows no trade of this wallet." }
    showMessage(message, rows.length === 0 ? none : null)
  }
  const failed = (/** @type {Error} */ cause) => {
    if (!signal.aborted) announce(`No trades: ${cause.message}`)
  }
  older.addEventListener("click", () => load(next ?? undefined).catch(failed))
  background(() => load(undefined).catch(failed), signal)
  return [table.box, message, older]
}

/** @type {(chain: Chain, route: WalletRoute, tools: ViewTools) => void} */
const openWallet = (chain, route, tools) => {
  const { box, signal } = tools
  const { wallet, days } = route
  const origin = element("span", { class: "origin" })
  const title = element(
    "h1",
    {},
    "Wallet ",
    copyButton({ text: shortAddress(wallet), value: wallet, what: "Address" })
  )
  title.append(explorerLink(chain.explorer, "address", wallet))
  const [caveats, facts] = [caveatList(), element("div", {})]
  const message = element("div", { class: "message", role: "status" })
  const note = element(
    "p",
    { class: "note" },
    "Profit and loss at average cost, of trades within these days alone: transfers are not seen."
  )
  const positions = makeTable({
    name: "Positions",
    columns: positionColumns(chain.key),
    keyOf: ({ token }) => token
  })
  const head = element("div", { class: "card-head" }, title, origin)
  box.replaceChildren(
    element("section", { class: "card" }, head, dayLinks(route), caveats, facts, note, message),
    card("Positions", positions.box),
    card("Trades", ...tradesPart(chain, wallet, tools))
  )
  showMessage(message, { title: "Loading the wallet…" })
  follow({
    load: () => familyOf(chain.key).wallet(wallet, days, { signal }),
    everyMs: EVERY_MS,
    signal,
    onAnswer: ({ body, seq }) => {
      showMessage(message, body.trades === 0 ? { title: "It traded nothing in these days" } : null)
      showCaveats(caveats, [...caveatsOf(body), ...wordsOf(body)])
      facts.replaceChildren(factList(factsOf(body)))
      positions.show(body.positions)
      setText(origin, seq === null ? "" : `log seq ${formatInteger(seq)}`)
    },
    onProblem: problem =>
      showMessage(message, {
        title: "No wallet",
        text: `${problem.message}. This page keeps trying.`
      })
  })
}

/** @type {(tools: ViewTools) => import("./types.d.ts").View} */
export const open = tools => {
  let isOpen = false
  return ({ route, chain }) => {
    if (isOpen || route.view !== "wallet" || chain === null) return
    isOpen = true
    openWallet(chain, route, tools)
  }
}
