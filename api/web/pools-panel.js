// @ts-check
/** A token's pools, and a way to the chart of each. */

import { follow } from "./background.js"
import { caveatList, caveatsOf, showCaveats } from "./caveats.js"
import { copyButton, element, explorerLink, showMessage } from "./dom.js"
import { familyOf } from "./family.js"
import {
  cleanLabel,
  formatInteger,
  formatPrice,
  formatUsd,
  shortAddress,
  UNKNOWN
} from "./format.js"
import { poolName } from "./marks.js"
import { showSeq } from "./origin.js"
import { writeRoute } from "./routes.js"
import { makeTable } from "./rows.js"

/** @typedef {import("./types.d.ts").PoolRow} PoolRow */
/** @typedef {import("./types.d.ts").PanelTools} PanelTools */

const EVERY_MS = 15_000

/** @type {(tools: PanelTools) => ReadonlyArray<import("./rows.js").Column<PoolRow>>} */
const columnsOf = ({ chain, route }) => [
  {
    name: "Pool",
    cell: row => {
      const link = element("a", { class: "row-link", title: `Chart of ${row.pool}` }, poolName(row))
      link.href = writeRoute({ ...route, pool: row.pool })
      const suspect = element(
        "span",
        { class: "flag", title: "Its trades look made up: see Why" },
        "suspect"
      )
      const copy = copyButton({ text: shortAddress(row.pool), value: row.pool, what: "Pool" })
      const out = explorerLink(chain.explorer, "address", row.pool)
      return [link, ...(row.suspect ? [" ", suspect] : []), " ", copy, out]
    }
  },
  { name: "Price", isNumber: true, cell: ({ priceUsd }) => [formatPrice(priceUsd)] },
  { name: "Depth", isNumber: true, cell: ({ depthUsd }) => [formatUsd(depthUsd)] },
  { name: "Volume 24 h", isNumber: true, cell: ({ vol24h }) => [formatUsd(vol24h)] },
  { name: "Trades", isNumber: true, cell: ({ txns24h }) => [formatInteger(txns24h)] },
  {
    name: "Fee",
    isNumber: true,
    cell: ({ feePct }) => [feePct === null ? UNKNOWN : `${feePct} %`]
  },
  { name: "Kind", cell: ({ kind }) => [cleanLabel(kind ?? UNKNOWN, 40)] }
]

/** @type {(tools: PanelTools) => void} */
export const open = tools => {
  const { box, chain, route, signal, sign } = tools
  const [caveats, note] = [caveatList(), element("p", { class: "note" })]
  const message = element("div", { class: "message", role: "status" })
  const origin = element("p", { class: "note" })
  const table = makeTable({ name: "Pools", columns: columnsOf(tools), keyOf: ({ pool }) => pool })
  box.replaceChildren(caveats, note, table.box, origin, message)
  showMessage(message, { title: "Loading pools…" })
  follow({
    load: () => familyOf(chain.key).pools(route.token, { signal }),
    everyMs: EVERY_MS,
    ...{ signal, until: sign.answer },
    onAnswer: ({ body, seq }) => {
      showSeq(origin, seq)
      showMessage(message, body.pools.length === 0 ? { title: "No pool is known" } : null)
      showCaveats(caveats, caveatsOf(body))
      const shown = body.pools.length
      note.textContent = `${formatInteger(body.total)} pools${shown < body.total ? `, the first ${shown} are here` : ""}.`
      table.show(body.pools)
    },
    onProblem: problem => showMessage(message, { title: "No pools", text: `${problem.message}.` })
  })
}
