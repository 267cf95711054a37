// @ts-check
/** A token's last minutes, hours and day, exact to the second. */

import { follow } from "./background.js"
import { caveatList, caveatsOf, showCaveats } from "./caveats.js"
import { element, showMessage } from "./dom.js"
import { formatDateTime, formatInteger, formatPrice, formatUsd, UNKNOWN } from "./format.js"
import { api } from "./http.js"
import { changeMark, factList } from "./marks.js"
import { showSeq } from "./origin.js"
import { makeTable } from "./rows.js"

/** @typedef {import("./types.d.ts").TokenStats} TokenStats */
/** @typedef {TokenStats["windows"]["h1"]} Figures */
/** @typedef {{ readonly name: string, readonly figures: Figures }} Window */

const EVERY_MS = 10_000
const NAMES = /** @type {const} */ ([
  ["m5", "5 min"],
  ["h1", "1 h"],
  ["h6", "6 h"],
  ["h24", "24 h"]
])

/** @type {(a: string, b: string) => string} */
const pair = (a, b) => `${a} / ${b}`

/** @type {ReadonlyArray<import("./rows.js").Column<Window>>} */
const COLUMNS = [
  { name: "Window", cell: ({ name }) => [name] },
  { name: "Change", isNumber: true, cell: ({ figures }) => [changeMark(figures.change)] },
  { name: "Trades", isNumber: true, cell: ({ figures }) => [formatInteger(figures.txns)] },
  {
    name: "Bought / sold",
    isNumber: true,
    cell: ({ figures }) => [pair(formatUsd(figures.buyVol), formatUsd(figures.sellVol))]
  },
  { name: "Wallets", isNumber: true, cell: ({ figures }) => [formatInteger(figures.makers)] }
]

/** @type {(moment: { readonly priceUsd: number, readonly ts: number } | null) => string} */
const highWords = moment =>
  moment === null ? UNKNOWN : `$${formatPrice(moment.priceUsd)}, ${formatDateTime(moment.ts)} UTC`

/** @type {(tools: import("./types.d.ts").PanelTools) => void} */
export const open = ({ box, chain, route, signal, sign }) => {
  const [caveats, facts] = [caveatList(), element("div", {})]
  const message = element("div", { class: "message", role: "status" })
  const origin = element("p", { class: "note" })
  const table = makeTable({ name: "Windows", columns: COLUMNS, keyOf: ({ name }) => name })
  box.replaceChildren(caveats, table.box, facts, origin, message)
  showMessage(message, { title: "Loading windows…" })
  follow({
    load: () => api.getTokenStats({ chain: chain.key, address: route.token }, { signal }),
    everyMs: EVERY_MS,
    ...{ signal, until: sign.answer },
    onAnswer: ({ body, seq }) => {
      showSeq(origin, seq)
      showMessage(message, null)
      showCaveats(caveats, caveatsOf(body))
      table.show(NAMES.map(([key, name]) => ({ name, figures: body.windows[key] })))
      const list = factList([
        ["Liquidity", formatUsd(body.liquidityUsd)],
        ["All-time high", highWords(body.ath)],
        ["First trade", `${formatDateTime(body.firstTradeTs)} UTC`],
        ["Trades in all", formatInteger(body.totalTxns)]
      ])
      facts.replaceChildren(list)
    },
    onProblem: problem => showMessage(message, { title: "No windows", text: problem.message })
  })
}
