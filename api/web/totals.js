// @ts-check
/** The view of a chain's totals: a day in figures and pictures, its venues, its last days. */

import { follow } from "./background.js"
import { caveatList, caveatsOf, showCaveats } from "./caveats.js"
import { element, setText, showMessage } from "./dom.js"
import { familyOf } from "./family.js"
import { cleanLabel, formatDateTime, formatInteger, formatUsd } from "./format.js"
import { factList } from "./marks.js"
import { barPicture } from "./pictures.js"
import { makeTable } from "./rows.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Overview} Overview */
/** @typedef {import("./types.d.ts").ViewTools} ViewTools */
/** @typedef {Overview["venues24h"][number]} Venue */
/** @typedef {{ readonly volUsd: number, readonly swaps: number }} Bucket */
/** @typedef {{ readonly value: number | null, readonly title: string }} Bar */

const EVERY_MS = 15_000
const WORDS_MAX = 60

/** @type {(overview: Overview) => Array<readonly [string, string]>} */
const factsOf = overview => {
  const { last24h } = overview
  const wallets = "wallets" in overview ? overview.wallets : null
  return [
    ["Volume 24 h", formatUsd(last24h.volUsd)],
    ["Swaps", formatInteger(last24h.swaps)],
    ["Tokens", formatInteger(last24h.tokens)],
    ["Venues", formatInteger(last24h.venues)],
    ...(wallets === null
      ? []
      : /** @type {const} */ ([
          ["Wallets today", formatInteger(wallets.today)],
          ["Wallets yesterday", formatInteger(wallets.yesterday)]
        ]))
  ]
}

/** @type {(overview: Overview) => string[]} */
const wordsOf = ({ last24h: { excluded }, coverage }) => [
  ...(coverage.stale
    ? [`Stale: the newest block is of ${formatDateTime(coverage.recentAt)} UTC.`]
    : []),
  ...(excluded.swaps > 0
    ? [
        `${formatUsd(excluded.volUsd)} in ${formatInteger(excluded.swaps)} swaps of ${formatInteger(excluded.markets)} markets look like wash trading and are in no sum here.`
      ]
    : [])
]

/** @type {(name: string, drawing: Node, words: string) => HTMLElement} */
const figure = (name, drawing, words) =>
  element(
    "figure",
    { class: "figure" },
    element("figcaption", {}, name, " ", element("span", { class: "muted" }, words)),
    drawing
  )

const [HOUR, DAY] = [3600, 86_400]
const DAYS = 14

/**
 * A bucket as a bar: one of which nothing is known is drawn as that, and not as nothing.
 *
 * @type {(overview: Overview, from: number, seconds: number, told: Bucket | undefined) => Bar}
 */
const barOf = ({ unknown }, from, seconds, told) => {
  const isUnknown = unknown.some(each => each.from <= from && each.to >= from + seconds)
  const time = formatDateTime(from).slice(0, seconds === DAY ? 10 : 16)
  if (isUnknown && !told?.swaps) return { value: null, title: `${time}: not known` }
  const { volUsd, swaps } = told ?? { volUsd: 0, swaps: 0 }
  return {
    value: volUsd,
    title: `${time}: ${formatUsd(volUsd)} in ${formatInteger(swaps)} swaps`
  }
}

/** @type {(overview: Overview) => HTMLElement[]} */
const picturesOf = overview => {
  const hours = overview.hourly24.map(told => barOf(overview, told.hour, HOUR, told))
  const today = Math.floor(overview.coverage.recentAt / DAY) * DAY
  const days = Array.from({ length: DAYS }, (_, at) => {
    const day = today - (DAYS - 1 - at) * DAY
    return barOf(
      overview,
      day,
      DAY,
      overview.daily.find(each => each.day === day)
    )
  })
  const top = (/** @type {ReadonlyArray<Bar>} */ of) => {
    const known = of.filter(each => each.value !== null)
    const most = formatUsd(Math.max(0, ...known.map(each => each.value ?? 0)))
    const rest = of.length - known.length
    return `at most ${most}${rest > 0 ? `, ${rest} of ${of.length} not known` : ""}`
  }
  return [
    figure("Volume by hour", barPicture(`Volume by hour, ${top(hours)}`, hours), top(hours)),
    figure("Volume by day", barPicture(`Volume by day, ${top(days)}`, days), top(days))
  ]
}

/** @type {(chain: Chain, tools: ViewTools) => void} */
const openTotals = (chain, { box, signal }) => {
  const caveats = caveatList()
  const facts = element("div", {})
  const pictures = element("div", { class: "figures" })
  const message = element("div", { class: "message", role: "status" })
  const origin = element("span", { class: "origin" })
  const title = element("h1", {}, `${chain.name}: totals`)
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
      { name: "Tokens", isNumber: true, cell: ({ tokens }) => [formatInteger(tokens)] }
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
    )
  )
  showMessage(message, { title: "Loading totals…" })
  follow({
    load: () => familyOf(chain.key).overview({ signal }),
    everyMs: EVERY_MS,
    signal,
    onAnswer: ({ body, seq }) => {
      showMessage(message, null)
      showCaveats(caveats, [...caveatsOf(body), ...wordsOf(body)])
      facts.replaceChildren(factList(factsOf(body)))
      pictures.replaceChildren(...picturesOf(body))
      venues.show(body.venues24h)
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
