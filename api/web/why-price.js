// @ts-check
/** Why a token costs what it costs: pools and their parts, the way to a dollar, the recipe. */

import { copyButton, element, explorerLink } from "./dom.js"
import {
  cleanLabel,
  formatDateTime,
  formatInteger,
  formatPrice,
  formatUsd,
  shortAddress,
  UNKNOWN
} from "./format.js"
import { api } from "./http.js"
import { answerLink, tokenAnchor } from "./marks.js"
import { makeTable } from "./rows.js"

/** @typedef {import("./types.d.ts").PanelTools} PanelTools */
/** @typedef {import("./types.d.ts").PriceExplained} PriceExplained */
/** @typedef {PriceExplained["pools"][number]} Pool */

/** Why a pool has no part in the price. @type {Record<NonNullable<Pool["reason"]>, string>} */
const REASONS = {
  "no-price": "tells no price",
  thin: "too little in it",
  "one-sided": "all on one side",
  new: "too young",
  unlisted: "listed pools come first",
  silent: "silent for a day",
  far: "far from the others",
  "by-rule": "the dollar is $1 by rule"
}

/** @type {(chain: PanelTools["chain"]) => ReadonlyArray<import("./rows.js").Column<Pool>>} */
const columnsOf = chain => [
  {
    name: "Pool",
    cell: ({ pool, dex }) => [
      copyButton({ text: shortAddress(pool), value: pool, what: "Pool" }),
      explorerLink(chain.explorer, "address", pool),
      ` ${cleanLabel(dex ?? "unknown venue", 40)}`
    ]
  },
  { name: "Says", isNumber: true, cell: row => [formatPrice(row.priceUsd)] },
  { name: "Depth", isNumber: true, cell: row => [formatUsd(row.depthUsd)] },
  { name: "Part", isNumber: true, cell: row => [`${(row.weight * 100).toFixed(2)} %`] },
  { name: "Why not", cell: ({ reason }) => [reason === null ? "" : REASONS[reason]] },
  { name: "State of", isNumber: true, cell: ({ ts }) => [formatDateTime(ts)] }
]

/** @type {(told: PriceExplained, chain: string) => HTMLElement} */
const pathPart = ({ path }, chain) => {
  const steps = path.flatMap(({ token, priceUsd }, at) => [
    ...(at === 0 ? [] : [" → "]),
    token === null ? "a dollar" : tokenAnchor(chain, token, shortAddress(token)),
    ` $${formatPrice(priceUsd)}`
  ])
  return element("p", { class: "note" }, "Its way to a dollar: ", ...steps)
}

/** @type {(told: PriceExplained) => string[]} */
const wordsOf = told => [
  told.priceUsd === null
    ? "No pool may set a price, so it is unknown."
    : `$${formatPrice(told.priceUsd)}, of ${formatInteger(told.pools.filter(each => each.weight > 0).length)} of ${formatInteger(told.poolsTotal)} pools, each by its depth.`,
  ...(told.pendingUsd === null
    ? []
    : [
        `A price of $${formatPrice(told.pendingUsd)} is far from the one before, and waits until it lasts.`
      ]),
  ...(told.dollars === null ? [] : [`Dollars: ${cleanLabel(told.dollars.because, 400)}.`])
]

/** @type {(tools: PanelTools) => Promise<Node[]>} */
export const explainPrice = async ({ chain, route, signal }) => {
  const asked = { chain: chain.key, token: route.token }
  const { body } = await api.explainPrice(asked, { signal })
  const table = makeTable({
    name: "Pools behind the price",
    columns: columnsOf(chain),
    keyOf: ({ pool }) => pool
  })
  table.show(body.pools)
  const steps = body.recipe.steps.map(step => element("li", {}, step))
  const recipe = element(
    "details",
    {},
    element("summary", {}, `The recipe, version ${body.recipe.version}`),
    element("ol", {}, ...steps)
  )
  const origin = `Of log seq ${formatInteger(body.seq)}, block ${formatInteger(body.block)}. `
  return [
    ...wordsOf(body).map(words => element("p", { class: "note" }, words)),
    ...(body.path.length > 0 ? [pathPart(body, chain.key)] : []),
    ...(body.pools.length > 0 ? [table.box] : []),
    recipe,
    element("p", { class: "note" }, origin, answerLink("/v1/prices/explain", asked)),
    ...(body.priceUsd === null
      ? [
          element(
            "p",
            { class: "note" },
            `Last accepted print: ${formatPrice(body.prints.acceptedUsd) || UNKNOWN}.`
          )
        ]
      : [])
  ]
}
