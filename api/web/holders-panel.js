// @ts-check
/** Who holds a token, and whether that is the whole truth. */

import { follow } from "./background.js"
import { caveatList, caveatsOf, showCaveats } from "./caveats.js"
import { element, showMessage } from "./dom.js"
import { familyOf } from "./family.js"
import { formatAmount, formatInteger, UNKNOWN } from "./format.js"
import { factList, walletAnchor } from "./marks.js"
import { showSeq } from "./origin.js"
import { makeTable } from "./rows.js"

/** @typedef {import("./types.d.ts").Holders} Holders */
/** @typedef {Holders["top"][number]} Holder */

const EVERY_MS = 5_000

/** @type {(share: number | null) => string} */
const percent = share => (share === null ? UNKNOWN : `${share.toFixed(2)} %`)

/** @type {(chain: string) => ReadonlyArray<import("./rows.js").Column<Holder>>} */
const columnsOf = chain => [
  { name: "Holder", cell: ({ holder }) => [walletAnchor(chain, holder)] },
  { name: "Kind", cell: ({ kind }) => [kind] },
  { name: "Amount", isNumber: true, cell: ({ amount }) => [formatAmount(amount)] },
  { name: "Share", isNumber: true, cell: ({ sharePct }) => [percent(sharePct)] }
]

/** Whether holders are about to come, or there is a reason why there are none. */
/** @type {(code: string) => string} */
const titleOf = code => (code === "HOLDERS_PENDING" ? "Gathering holders…" : "No holders to show")

/** @type {(holders: Holders) => string[]} */
const auditWords = ({ audit, unaudited, coverage }) => [
  ...(audit && audit.differing > 0
    ? [`${audit.differing} of ${audit.sampled} balances that were compared differ on chain.`]
    : []),
  ...(unaudited === null ? [] : [`Not compared with the contract: ${unaudited}`]),
  ...(coverage.problem === null ? [] : [coverage.problem])
]

/** @type {(tools: import("./types.d.ts").PanelTools) => void} */
export const open = ({ box, chain, route, signal, sign }) => {
  const [caveats, facts] = [caveatList(), element("div", {})]
  const message = element("div", { class: "message", role: "status" })
  const origin = element("p", { class: "note" })
  const table = makeTable({
    name: "Largest holders",
    columns: columnsOf(chain.key),
    keyOf: ({ holder }) => holder
  })
  box.replaceChildren(caveats, facts, table.box, origin, message)
  showMessage(message, { title: "Loading holders…" })
  follow({
    load: () => familyOf(chain.key).holders(route.token, { signal }),
    everyMs: EVERY_MS,
    ...{ signal, until: sign.answer },
    onAnswer: ({ body, seq }) => {
      showSeq(origin, seq)
      showMessage(message, null)
      showCaveats(caveats, [...caveatsOf(body), ...auditWords(body)])
      const list = factList([
        ["Holders", formatInteger(body.holders)],
        ["Held by wallets", percent(body.heldByWalletsPct)],
        ["Largest 10 wallets", percent(body.walletConcentration.top10)],
        ["The whole truth", body.complete ? "yes" : "no: see above"]
      ])
      facts.replaceChildren(list)
      table.show(body.top)
    },
    onProblem: problem =>
      showMessage(message, { title: titleOf(problem.code), text: `${problem.message}.` })
  })
}
