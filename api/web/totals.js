// @ts-check
/** The view of a chain's totals: a day in figures and pictures, its venues, its last days. */

import { follow } from "./background.js"
import { caveatList, caveatsOf, showCaveats } from "./caveats.js"
import { element, setText, showMessage } from "./dom.js"
import { ownTotalsOf } from "./family.js"
import { cleanLabel, formatDateTime, formatInteger, formatUsd } from "./format.js"
import { factList } from "./marks.js"
import { barPicture } from "./pictures.js"
import { makeTable } from "./rows.js"
import { ingestCards } from "./solana-ingest.js"
import { loadTotals } from "./totals-read.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Totals} Totals */
/** @typedef {import("./types.d.ts").TotalsBucket} TotalsBucket */
/** @typedef {import("./types.d.ts").ViewTools} ViewTools */
/** @typedef {Totals["venues"][number]} Venue */
/** @typedef {{ readonly value: number | null, readonly title: string }} Bar */

const EVERY_MS = 15_000
const WORDS_MAX = 60

/** @type {(name: string, drawing: Node, words: string) => HTMLElement} */
const figure = (name, drawing, words) =>
  element(
    "figure",
    { class: "figure" },
    element("figcaption", {}, name, " ", element("span", { class: "muted" }, words)),
    drawing
  )

const [HOUR, DAY] = [3600, 86_400]

/**
 * A bucket as a bar: one of which nothing is known is drawn as that, and not as nothing.
 *
 * @type {(totals: Totals, bucket: TotalsBucket, seconds: number) => Bar}
 */
const barOf = ({ unknown }, { from, volUsd, swaps }, seconds) => {
  const isUnknown = unknown.some(each => each.from <= from && each.to >= from + seconds)
  const time = formatDateTime(from).slice(0, seconds === DAY ? 10 : 16)
  if (isUnknown && swaps === 0) return { value: null, title: `${time}: not known` }
  return {
    value: volUsd,
    title: `${time}: ${formatUsd(volUsd)} in ${formatInteger(swaps)} swaps`
  }
}

/** @type {(bars: ReadonlyArray<Bar>) => string} */
const topWords = bars => {
  const known = bars.filter(each => each.value !== null)
  const most = formatUsd(Math.max(0, ...known.map(each => each.value ?? 0)))
  const rest = bars.length - known.length
  return `at most ${most}${rest > 0 ? `, ${rest} of ${bars.length} not known` : ""}`
}

/** @type {(totals: Totals) => HTMLElement[]} */
const picturesOf = totals =>
  /** @type {const} */ ([
    ["Volume by hour", totals.hours, HOUR],
    ["Volume by day", totals.days, DAY]
  ])
    .filter(([, buckets]) => buckets.length > 0)
    .map(([name, buckets, seconds]) => {
      const bars = buckets.map(bucket => barOf(totals, bucket, seconds))
      const words = topWords(bars)
      return figure(name, barPicture(`${name}, ${words}`, bars), words)
    })

/** @type {import("./rows.js").Column<Venue>} */
const TOKENS = { name: "Tokens", isNumber: true, cell: ({ tokens }) => [formatInteger(tokens)] }

/** @type {(chain: Chain, tools: ViewTools) => void} */
const openTotals = (chain, { box, signal }) => {
  const caveats = caveatList()
  const facts = element("div", {})
  const pictures = element("div", { class: "figures" })
  const message = element("div", { class: "message", role: "status" })
  const origin = element("span", { class: "origin" })
  const title = element("h1", {}, `${chain.name}: totals`)
  const own = ownTotalsOf(chain.key)
  const venues = makeTable({
    name: `Venues of ${chain.name}, 24 hours`,
    columns: [
      {
        name: "Venue",
        cell: (/** @type {Venue} */ { dex }) => [cleanLabel(dex ?? "unknown venue", WORDS_MAX)]
      },
      { name: "Volume", isNumber: true, cell: ({ volUsd }) => [formatUsd(volUsd)] },
      { name: "Share", isNumber: true, cell: ({ sharePct }) => [`${sharePct.toFixed(2)} %`] },
      { name: "Trades", isNumber: true, cell: ({ trades }) => [formatInteger(trades)] },
      ...(own === null ? [TOKENS] : [])
    ],
    keyOf: ({ dex }) => dex ?? ""
  })
  const head = element("div", { class: "card-head" }, title, origin)
  box.replaceChildren(
    element("section", { class: "card" }, head, caveats, facts, pictures, message),
    element(
      "section",
      { class: "card" },
      element("div", { class: "card-head" }, element("h2", {}, "Venues, 24 hours")),
      venues.box
    ),
    ...(own === null ? [] : ingestCards(own.solanaStatus, signal))
  )
  showMessage(message, { title: "Loading totals…" })
  follow({
    load: () => loadTotals(chain.key, { signal }),
    everyMs: EVERY_MS,
    signal,
    onAnswer: ({ totals, seq }) => {
      showMessage(message, null)
      showCaveats(caveats, [...caveatsOf(totals), ...totals.words])
      facts.replaceChildren(factList(totals.facts))
      pictures.replaceChildren(...picturesOf(totals))
      venues.show(totals.venues)
      setText(origin, seq === null ? "" : `log seq ${formatInteger(seq)}`)
    },
    onProblem: problem =>
      showMessage(message, {
        title: "No totals",
        text: `${problem.message}. This page keeps trying.`
      })
  })
}

/** @type {(tools: ViewTools) => import("./types.d.ts").View} */
export const open = tools => {
  let isOpen = false
  return ({ route, chain }) => {
    if (isOpen || route.view !== "totals" || chain === null) return
    isOpen = true
    openTotals(chain, tools)
  }
}
