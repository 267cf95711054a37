// @ts-check
/** The badge of the live connection: an open one is worth what the lane behind it is. */

import { cleanLabel, formatDuration } from "./format.js"

/** @typedef {import("./types.d.ts").LaneStatus} LaneStatus */
/** @typedef {import("../../client/live.d.ts").ConnectionState} ConnectionState */

const TEXTS = {
  connecting: "Connecting",
  waiting: "Reconnecting"
}
/** How long the reason may be. */
const REASON_LENGTH = 200

/**
 * What the badge shows: a state for its colour, a text, and a title that says more.
 *
 * @param {ConnectionState} connection
 * @param {Pick<LaneStatus, "ok" | "state" | "problem"> | undefined} lane
 * @returns {{ state: string, text: string, title: string }}
 */
export const badgeOf = (connection, lane) => {
  const { kind } = connection
  if (kind === "open" && lane !== undefined && !lane.ok) {
    const title = cleanLabel(lane.problem ?? "the chain's lane is not live", REASON_LENGTH)
    return { state: "stalled", text: "Not live", title }
  }
  // a connection to a history brings nothing new
  const open = lane?.state === "history" ? "Connected" : "Live"
  const text = kind === "open" ? open : TEXTS[kind]
  const title =
    kind === "waiting"
      ? `${connection.reason}; next try in ${formatDuration(connection.delayMs / 1000)}, or click`
      : "Live connection: click to connect anew"
  return { state: kind, text, title }
}
