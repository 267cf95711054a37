// @ts-check
/** The view of the engine's state: each lane with what is wrong in words, and how it was. */

import { element, showMessage } from "./dom.js"
import { cleanLabel, formatDateTime, formatDuration, formatInteger, UNKNOWN } from "./format.js"
import { factList, wordList } from "./marks.js"
import { uptimePicture } from "./pictures.js"
import { lagOf, notesOf } from "./status.js"
import { stretchesOf, uptimeWords } from "./uptime.js"

/** @typedef {import("./types.d.ts").LaneStatus} LaneStatus */
/** @typedef {import("./types.d.ts").Status} Status */
/** @typedef {import("./types.d.ts").ViewTools} ViewTools */

const WORDS_MAX = 300
/** Gaps told one by one; the rest is counted. */
const GAPS_MAX = 5
const WEEK_DAYS = 7

/** How far what a lane tells can be trusted, in words. */
const ASSURANCE = {
  proven: "every block is proven",
  compared: "some blocks are told by two endpoints, none by one alone",
  word: "some blocks are one endpoint's word"
}

/** @type {(lane: LaneStatus) => string[]} */
const gapWords = ({ gaps }) => {
  const told = gaps
    .slice(0, GAPS_MAX)
    .map(({ fromBlock, toBlock, reason }) =>
      cleanLabel(`blocks ${fromBlock} to ${toBlock}: ${reason}`, WORDS_MAX)
    )
  const more = gaps.length - told.length
  return more > 0 ? [...told, `and ${formatInteger(more)} further gaps`] : told
}

/** @type {(status: Status, chain: string | null, name: string) => HTMLElement} */
const uptimePart = ({ uptime, updatedAt }, chain, name) => {
  if (uptime === null) {
    return element("p", { class: "note" }, "Uptime: not measured. The prober does not run.")
  }
  const now = Math.floor(updatedAt / 1000)
  const rows = [
    { title: "Today (UTC)", count: 1 },
    { title: `${WEEK_DAYS} days`, count: WEEK_DAYS }
  ].map(({ title, count }) => {
    const stretches = stretchesOf(uptime, now, count, chain)
    const words = uptimeWords(stretches)
    const shown = stretches.map(each => ({
      ...each,
      title: `${formatDateTime(each.day).slice(0, 10)}: ${uptimeWords([each])}`
    }))
    return element(
      "div",
      { class: "uptime", "data-days": String(count) },
      element("span", { class: "muted" }, title),
      uptimePicture(`${name}, ${title.toLowerCase()}: ${words}`, shown),
      element("span", {}, words)
    )
  })
  return element("div", { class: "uptimes" }, ...rows)
}

/**
 * How a source's swaps agree with what vaults gained and lost, where it compares them.
 *
 * @type {(source: LaneStatus["source"]) => Array<readonly [string, string]>}
 */
const vaultFacts = source => {
  if (!source?.decode) return []
  const [swaps, ok, bad] = /** @type {const} */ (["swaps", "ok", "bad"]).map(name =>
    formatInteger(source.decode?.venues.reduce((sum, venue) => sum + venue[name], 0))
  )
  return [["Vault check", `${ok} of ${swaps} swaps agree, ${bad} do not`]]
}

/** @type {(status: Status, lane: LaneStatus) => HTMLElement} */
const lanePart = (status, lane) => {
  const { source } = lane
  const state = element(
    "span",
    { class: "lane-state", "data-state": lane.state },
    element("span", { class: "dot", "aria-hidden": "true" }),
    lane.ok ? lane.state : `${lane.state}: not well`
  )
  const sourceWords = source === null ? UNKNOWN : `${source.kind}, ${source.state}`
  const facts = factList([
    ["Newest block", formatInteger(lane.block)],
    ["Of", lane.blockTime === null ? UNKNOWN : `${formatDateTime(lane.blockTime)} UTC`],
    ["Lag", lagOf(lane)],
    ["Stale after", formatDuration(lane.lag.staleAfterSeconds)],
    ["Log seq", formatInteger(lane.seq)],
    ["Source", sourceWords],
    ...vaultFacts(source)
  ])
  const sure = lane.assurance === null ? "not known yet" : ASSURANCE[lane.assurance]
  const trust = element("p", { class: "note" }, `Trust: ${sure}.`)
  return element(
    "section",
    { class: "card", "data-lane": lane.chain, "aria-label": `Lane of ${lane.name}` },
    element("div", { class: "card-head" }, element("h2", {}, lane.name), state),
    facts,
    trust,
    wordList("Problems", notesOf(lane), "None is known."),
    wordList("Gaps", gapWords(lane), "No block is known to be missing."),
    uptimePart(status, lane.chain, lane.name)
  )
}

/** @type {(status: Status) => HTMLElement[]} */
const streamsPart = ({ streams }) => {
  const problems = streams.flatMap(({ problem }) => (problem === null ? [] : [problem]))
  return problems.length === 0 ? [] : [wordList("Problems", problems, "None is known.")]
}

/** @type {(tools: ViewTools) => import("./types.d.ts").View} */
export const open = ({ box }) => {
  const message = element("div", { class: "message", role: "status" })
  const lanes = element("div", { class: "stack" })
  const service = element("section", { class: "card", "aria-label": "The service" })
  box.replaceChildren(service, lanes, message)
  showMessage(message, { title: "No status yet", text: "It is asked for every second." })
  /** what is drawn: nothing is drawn anew for nothing */
  let drawn = ""
  return ({ status }) => {
    if (status === null) return
    const { updatedAt: _, uptimeSeconds: __, ...rest } = status
    const text = JSON.stringify(rest)
    if (text === drawn) return
    drawn = text
    showMessage(message, status.lanes.length === 0 ? { title: "There are no lanes" } : null)
    service.replaceChildren(
      element("div", { class: "card-head" }, element("h1", {}, "Status")),
      factList([
        ["Engine", status.engine],
        ["Running since", `${formatDateTime(status.startedAt)} UTC`],
        ["Lanes", `${status.lanes.filter(({ ok }) => ok).length} of ${status.lanes.length} well`]
      ]),
      ...streamsPart(status),
      uptimePart(status, null, "The service")
    )
    lanes.replaceChildren(...status.lanes.map(lane => lanePart(status, lane)))
  }
}
