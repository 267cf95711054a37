// @ts-check
/** Why a token or one of its markets bears a flag: rule, figures, wallets, prints. */

import { copyButton, element, explorerLink } from "./dom.js"
import { cleanLabel, formatDateTime, formatInteger, formatUsd, shortAddress } from "./format.js"
import { api } from "./http.js"
import { answerLink, walletAnchor } from "./marks.js"
import { makeTable } from "./rows.js"

/** @typedef {import("./types.d.ts").PanelTools} PanelTools */
/** @typedef {import("./types.d.ts").FlagExplanation} FlagExplanation */
/** @typedef {FlagExplanation["flags"][number]} Flag */
/** @typedef {Exclude<Flag, { flag: "impostor" }>} WashFlag */
/** @typedef {WashFlag["wallets"][number]} Wallet */
/** @typedef {WashFlag["prints"]["newest"][number]} Print */
/** @typedef {PanelTools["chain"]} Chain */

/** Rows of each list that are shown; the API's answer has them all. */
const ROWS_MAX = 20

/** @type {(words: string) => HTMLElement} */
const line = words => element("p", { class: "note" }, words)

/** @type {(flag: WashFlag, chain: Chain) => Node[]} */
const washParts = (flag, chain) => {
  const { figures, thresholds, window, wallets, prints } = flag
  const who = makeTable({
    name: "Wallets behind the flag",
    columns: [
      {
        name: "Wallet",
        cell: (/** @type {Wallet} */ { wallet }) => [walletAnchor(chain.key, wallet)]
      },
      { name: "Trades", isNumber: true, cell: ({ trades }) => [formatInteger(trades)] },
      { name: "USD", isNumber: true, cell: ({ usd }) => [formatUsd(usd)] }
    ],
    keyOf: ({ wallet }) => wallet
  })
  who.show(wallets.slice(0, ROWS_MAX))
  const events = makeTable({
    name: "Events behind the flag",
    columns: [
      { name: "Log seq", cell: (/** @type {Print} */ { seq }) => [formatInteger(seq)] },
      {
        name: "Time UTC",
        cell: ({ ts, tx }) => [
          copyButton({ text: formatDateTime(ts), value: tx, what: "Transaction" }),
          explorerLink(chain.explorer, "tx", tx)
        ]
      },
      { name: "Wallet", cell: ({ wallet }) => [walletAnchor(chain.key, wallet)] },
      { name: "USD", isNumber: true, cell: ({ usd }) => [formatUsd(usd)] }
    ],
    keyOf: ({ seq, tx, logIndex }) => `${seq}:${tx}:${logIndex}`
  })
  events.show(prints.newest.slice(0, ROWS_MAX))
  const of =
    flag.flag === "suspect"
      ? `The pool ${shortAddress(flag.pool)} is suspect. `
      : "It is flagged wash. "
  return [
    line(`${of}${flag.rule.text}`),
    line(
      `From ${formatDateTime(window.from)} to ${formatDateTime(window.to)} UTC: ${formatInteger(figures.trades)} trades (at least ${formatInteger(thresholds.minTrades)}) of ${formatInteger(figures.wallets)} wallets for ${formatUsd(figures.usd)} (at least ${formatUsd(thresholds.minUsd)}); ${figures.tradesPerWallet.toFixed(1)} trades a wallet (at least ${thresholds.minTradesPerWallet}), ${formatUsd(figures.usdPerWallet)} a wallet (at least ${formatUsd(thresholds.minUsdPerWallet)}).`
    ),
    who.box,
    line(`${formatInteger(prints.count)} prints were counted; the newest:`),
    events.box
  ]
}

/** @type {(flag: Flag, chain: Chain) => Node[]} */
const partsOf = (flag, chain) => {
  if (flag.flag !== "impostor") return washParts(flag, chain)
  const protects = flag.protects.map(
    ({ symbol, address }) => `${symbol} (${address ?? "the native unit"})`
  )
  const symbol = cleanLabel(flag.symbol, 32)
  return [
    line(`It is flagged impostor. ${flag.rule.text}`),
    line(
      `Its symbol ${symbol} reads as ${cleanLabel(flag.readsAs, 32)}, as does that of ${protects.join(", ")}.`
    )
  ]
}

/** @type {(tools: PanelTools) => Promise<Node[]>} */
export const explainFlags = async ({ chain, route, signal }) => {
  const asked = { chain: chain.key, token: route.token }
  const { body } = await api.explainFlags(asked, { signal })
  const none = line("Neither the token nor a market of it bears a flag.")
  const origin = `By rules ${body.rules}, of log seq ${formatInteger(body.asOf)}. `
  return [
    ...(body.flags.length === 0 ? [none] : body.flags.flatMap(flag => partsOf(flag, chain))),
    element("p", { class: "note" }, origin, answerLink("/v1/flags/explain", asked))
  ]
}
