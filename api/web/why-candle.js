// @ts-check
/** Why a candle is as it is: the swaps of its bucket, those that count and those that do not. */

import { caveatsOf } from "./caveats.js"
import { copyButton, element, explorerLink } from "./dom.js"
import { formatClock, formatDateTime, formatInteger, formatPrice, formatUsd } from "./format.js"
import { api } from "./http.js"
import { answerLink, walletAnchor } from "./marks.js"
import { makeTable } from "./rows.js"

/** @typedef {import("./types.d.ts").PanelTools} PanelTools */
/** @typedef {import("./types.d.ts").CandleProof} CandleProof */
/** @typedef {CandleProof["swaps"][number]} Swap */

const SWAPS_PER_PAGE = 100

/** @type {Record<NonNullable<Swap["reason"]>, string>} */
const REASONS = {
  outlier: "no: not believed",
  unpriced: "no: no dollars are known",
  too_little: "no: too little to tell a price"
}

/** @type {(chain: PanelTools["chain"]) => ReadonlyArray<import("./rows.js").Column<Swap>>} */
const columnsOf = chain => [
  {
    name: "Swap",
    cell: ({ ts, tx }) => [
      copyButton({ text: formatClock(ts), value: tx, what: "Transaction" }),
      explorerLink(chain.explorer, "tx", tx)
    ]
  },
  {
    name: "Side",
    cell: ({ side }) => [element("span", { class: side === "buy" ? "up" : "down" }, side)]
  },
  { name: "Price", isNumber: true, cell: row => [formatPrice(row.priceUsd)] },
  { name: "USD", isNumber: true, cell: row => [formatUsd(row.usd)] },
  { name: "Counts", cell: ({ reason }) => [reason === null ? "yes" : REASONS[reason]] },
  { name: "Wallet", cell: ({ wallet }) => [walletAnchor(chain.key, wallet)] }
]

/** @type {(proof: CandleProof) => string[]} */
const wordsOf = ({ candle, trades, filtered, hash, final, from, to }) => [
  `${formatDateTime(from)} to ${formatDateTime(to).slice(11)} UTC, ${final ? "final" : "not final yet"}.`,
  candle === null
    ? "It has no candle: none of its swaps tells a price."
    : `Open ${formatPrice(candle.o)}, high ${formatPrice(candle.h)}, low ${formatPrice(candle.l)}, close ${formatPrice(candle.c)}: the first, highest, lowest and last of ${formatInteger(candle.n)} swaps that count.`,
  `${formatInteger(trades)} swaps in all, ${formatInteger(filtered)} not believed.`,
  ...(hash ? [`Hash of all of them: ${hash}.`] : [])
]

/** @type {(tools: PanelTools) => Promise<Node[]>} */
export const explainCandle = async ({ chain, route, signal }) => {
  const { token, tf, pool, quote, at } = route
  const asked = {
    ...{ chain: chain.key, token, tf, t: at ?? 0, limit: SWAPS_PER_PAGE },
    ...{ pool: pool ?? undefined, quote: quote === "token" ? quote : undefined }
  }
  const { body } = await api.getCandleProof(asked, { signal })
  const table = makeTable({
    name: "Swaps of the candle",
    columns: columnsOf(chain),
    keyOf: ({ tx, logIndex }) => `${tx}:${logIndex}`
  })
  table.show(body.swaps)
  const rest = body.nextAfter === null ? "" : `The first ${SWAPS_PER_PAGE} are here; `
  return [
    ...[...caveatsOf(body), ...wordsOf(body)].map(words => element("p", { class: "note" }, words)),
    ...(quote === "mcap"
      ? [
          element(
            "p",
            { class: "note" },
            "Prices here are in dollars: market cap is the price times the supply."
          )
        ]
      : []),
    table.box,
    element("p", { class: "note" }, rest, answerLink("/v1/candles/proof", asked))
  ]
}
