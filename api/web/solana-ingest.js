// @ts-check
/** How Solana is read: its pace, its swaps beside the vaults, and whether a gate lets it pass. */

import { follow } from "./background.js"
import { element, showMessage } from "./dom.js"
import {
  cleanLabel,
  formatDateTime,
  formatDuration,
  formatInteger,
  formatUsd,
  UNKNOWN
} from "./format.js"
import { factList, wordList } from "./marks.js"
import { makeTable } from "./rows.js"

/** @typedef {import("./types.d.ts").SolanaStatus} SolanaStatus */
/** @typedef {SolanaStatus["decode"][string] & { readonly name: string }} VenueCheck */

const EVERY_MS = 15_000
const WORDS_MAX = 300

/** @type {(seconds: number | null) => string} */
const age = seconds => (seconds === null ? UNKNOWN : formatDuration(seconds))

/** @type {(status: SolanaStatus) => Array<readonly [string, string]>} */
const factsOf = status => [
  ["State", status.ok ? "well" : "not well"],
  ["Newest slot", formatInteger(status.cursor)],
  ["Behind", `${formatInteger(status.lagSlots)} slots, ${age(status.blockAgeS)}`],
  ["Slots a minute", formatInteger(status.slotsPerMin)],
  ["Swaps a minute", formatInteger(status.swapsPerMin)],
  ["SOL", formatUsd(status.solUsd)],
  ["First slot", formatInteger(status.genesisSlot)],
  ["Read again up to slot", formatInteger(status.auditCursor)],
  ["Blocks, swaps", `${formatInteger(status.totals.slots)}, ${formatInteger(status.totals.swaps)}`],
  ["Blocks taken back", formatInteger(status.totals.orphaned)],
  ["Gaps filled late", formatInteger(status.totals.late)]
]

/** @type {(gate: SolanaStatus["gate"]) => Array<readonly [string, string]>} */
const gateFacts = ({ pass, at, liveHours, missing24h, hourCheck }) => [
  ["Gate", pass ? "passes" : "does not pass"],
  ["Looked at", at === null ? UNKNOWN : `${formatDateTime(at)} UTC`],
  ["Whole hours", formatInteger(liveHours)],
  ["Blocks missing, 24 h", formatInteger(missing24h)],
  [
    "Hour recounted",
    hourCheck === null
      ? "the newest is not whole"
      : `${formatDateTime(hourCheck.hour)} UTC: ${formatInteger(hourCheck.hourlyDiff)} markets and ${formatInteger(hourCheck.candleDiff)} candles differ`
  ]
]

/** Venues by their number, with the names that the answer gives the numbers. */
/** @type {(status: SolanaStatus) => VenueCheck[]} */
const checksOf = ({ decode, venues }) => {
  const names = new Map([...venues.matchAll(/(\d+) ([^,]+)/g)].map(([, at, name]) => [at, name]))
  return Object.entries(decode).map(([number, counters]) => ({
    ...counters,
    name: cleanLabel(names.get(number) ?? `venue ${number}`, WORDS_MAX)
  }))
}

/** @typedef {import("./rows.js").Column<VenueCheck>} Column */

/** @type {(name: string, key: Exclude<keyof VenueCheck, "name">) => Column} */
const counter = (name, key) => ({
  name,
  isNumber: true,
  cell: row => [formatInteger(row[key])]
})

/** @type {ReadonlyArray<import("./rows.js").Column<VenueCheck>>} */
const COLUMNS = [
  { name: "Venue", cell: ({ name }) => [name] },
  counter("Swaps", "swaps"),
  counter("Agree", "ok"),
  counter("Do not", "bad"),
  counter("Not shown", "unchecked"),
  counter("Events", "events"),
  counter("Of no swap", "noParent"),
  counter("Others", "otherEvents")
]

/**
 * Cards that follow the status for as long as the signal lets them.
 *
 * @param {typeof import("./http.js").api.solanaStatus} load
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
export const ingestCards = (load, signal) => {
  const [facts, gate] = [element("div", {}), element("div", {})]
  const message = element("div", { class: "message", role: "status" })
  const notCovered = element("p", { class: "note" })
  const checks = makeTable({
    name: "Swaps beside the vaults, by venue",
    columns: COLUMNS,
    keyOf: ({ name }) => name
  })
  /** @type {(name: string, ...parts: Node[]) => HTMLElement} */
  const card = (name, ...parts) => {
    const head = element("div", { class: "card-head" }, element("h2", {}, name))
    return element("section", { class: "card", "aria-label": name }, head, ...parts)
  }
  showMessage(message, { title: "Loading how it is read…" })
  follow({
    load: () => load({}, { signal }),
    everyMs: EVERY_MS,
    signal,
    onAnswer: ({ body }) => {
      showMessage(message, null)
      const problem = body.problem === null ? [] : [cleanLabel(body.problem, WORDS_MAX)]
      facts.replaceChildren(
        factList(factsOf(body)),
        ...(problem.length === 0 ? [] : [wordList("Problems", problem, "")])
      )
      const reasons = body.gate.reasons.map(reason => cleanLabel(reason, WORDS_MAX))
      gate.replaceChildren(
        factList(gateFacts(body.gate)),
        wordList("Why it does not pass", reasons, "Nothing speaks against it.")
      )
      checks.show(checksOf(body))
      notCovered.textContent = `Not read: ${cleanLabel(body.notCovered, WORDS_MAX).replaceAll("`", "")}.`
    },
    onProblem: problem =>
      showMessage(message, {
        title: "Nothing is told of how it is read",
        text: `${problem.message}. This page keeps trying.`
      })
  })
  return [
    card("How it is read", facts, notCovered, message),
    card("Gate", gate),
    card("Vault check", checks.box)
  ]
}
