// @ts-check
/**
 * The lanes: state, position, lag and source of each chain, read every second: who trusts a green
 * badge learns of trouble within five, and the server itself takes up to four to be sure of it.
 */

import { pause } from "../../client/retry.js"
import { isSolana } from "./addresses.js"
import { element, setText, showMessage } from "./dom.js"
import { cleanLabel, formatDuration, formatInteger, UNKNOWN } from "./format.js"
import { loadStatus } from "./http.js"

/** @typedef {import("./types.d.ts").LaneStatus} LaneStatus */
/** @typedef {import("./types.d.ts").PageState} PageState */
/** @typedef {import("./types.d.ts").Status} Status */
/** @typedef {import("../../client/retry.js").Problem} Problem */

const EVERY_MS = 1000
/** How long a line about a lane may be. */
const NOTE_LENGTH = 500

/** What a simulated chain is, by its key. @type {(chain: string) => string} */
export const simulatedWords = chain =>
  `devchain: simulated chain, ${isSolana(chain) ? "our programs" : "real contracts"}`

/**
 * The lane of the chain on show.
 *
 * @type {(state: Pick<PageState, "status" | "chain">) => LaneStatus | undefined}
 */
export const laneOf = ({ status, chain }) => status?.lanes.find(each => each.chain === chain?.key)

/** @type {(lane: LaneStatus) => boolean} its log has no source: nothing of it is of today */
export const isHistory = lane => lane.state === "history"

/**
 * How far a lane is behind: its newest block's age by the server's clock, and the blocks that its
 * source knows of and it has not taken in.
 *
 * @param {LaneStatus} lane
 * @returns {string}
 */
export const lagOf = ({ source, lag }) => {
  if (source?.state === "ended") return "ended"
  const blocks = lag.blocks ?? 0
  const age = formatDuration(lag.seconds)
  return blocks > 1 ? `${age}, ${formatInteger(blocks)} blocks` : age
}

/**
 * What is not as it should be, one line each.
 *
 * @param {LaneStatus} lane
 * @returns {string[]}
 */
export const notesOf = lane => {
  const { problem, source, gaps = [], quarantined = [], warnings = [] } = lane
  const refused = quarantined.reduce((sum, each) => sum + each.count, 0)
  const missing = gaps.reduce((sum, gap) => sum + gap.toBlock - gap.fromBlock + 1, 0)
  // the lane's own words tell what its source says already
  const isTold = problem?.includes(source?.problem ?? "") === true
  return [
    problem,
    !isTold && source?.problem && `source: ${source.problem}`,
    missing > 0 && `${formatInteger(missing)} blocks are missing in ${gaps.length} gaps`,
    refused > 0 && `${formatInteger(refused)} logs could not be decoded and are set aside`,
    ...warnings
  ]
    .filter(note => typeof note === "string" && note !== "")
    .map(note => cleanLabel(String(note), NOTE_LENGTH))
}

/** @type {(lane: LaneStatus) => string} */
const seqOf = ({ seq, logSeq }) =>
  logSeq > seq ? `${formatInteger(seq)} of ${formatInteger(logSeq)}` : formatInteger(seq)

/** @type {(lane: LaneStatus) => HTMLElement} */
const rowOf = lane => {
  const source = lane.source
  const sourceText = source === null ? UNKNOWN : `${source.kind}, ${source.state}`
  return element(
    "tr",
    { "data-lane": lane.chain },
    element("th", { scope: "row" }, lane.name),
    element(
      "td",
      { "data-state": lane.state },
      element(
        "span",
        { class: "lane-state" },
        element("span", { class: "dot", "aria-hidden": "true" }),
        lane.state
      )
    ),
    element("td", { class: "number" }, formatInteger(lane.block)),
    element("td", { class: "number" }, seqOf(lane)),
    element("td", { class: "number" }, lagOf(lane)),
    element("td", { title: cleanLabel(source?.description, NOTE_LENGTH) }, sourceText)
  )
}

/** @type {(note: string) => HTMLElement} */
const noteRow = note => element("tr", {}, element("td", { class: "lane-note", colspan: "6" }, note))

/**
 * Reads the status for as long as the page lives.
 *
 * @param {object} options
 * @param {HTMLElement} options.body
 * @param {HTMLElement} options.age
 * @param {HTMLElement} options.message
 * @param {(status: Status) => void} options.onStatus
 */
export const createStatusPanel = ({ body, age, message, onStatus }) => {
  const { signal } = new AbortController()
  /** @type {number | null} */
  let heardAt = null
  let chosen = ""
  /** @type {ReadonlyArray<LaneStatus>} */
  let lanes = []

  const render = () => {
    const rows = lanes.flatMap(lane => {
      const row = rowOf(lane)
      row.classList.toggle("lane-chosen", lane.chain === chosen)
      return [row, ...notesOf(lane).map(noteRow)]
    })
    body.replaceChildren(...rows)
  }

  /** @type {(problem: Problem) => void} */
  const fail = problem => {
    const since =
      heardAt === null ? "" : `last heard ${formatDuration((Date.now() - heardAt) / 1000)} ago`
    setText(age, since)
    body.classList.add("stale")
    showMessage(message, {
      title: "No status",
      text: `${problem.message}. Check that the server runs (npm start); this page keeps trying.`
    })
  }

  const readOnce = async () => {
    const status = await loadStatus(signal)
    lanes = status.lanes
    heardAt = Date.now()
    setText(age, "every second")
    body.classList.remove("stale")
    const none = {
      title: "No lanes",
      text: "Set RPC_<chain id>, or leave all unset for the devchain."
    }
    showMessage(message, lanes.length === 0 ? none : null)
    render()
    onStatus(status)
  }

  const poll = async () => {
    for (;;) {
      await readOnce().catch(fail)
      await pause(EVERY_MS, signal)
    }
  }

  poll()
  return {
    /** Marks the chain on show. @param {string} key */
    choose: key => {
      chosen = key
      render()
    }
  }
}
