/** Words for upkeep of the tables that failed without harm, as where there is no room for it. */
import { dirname } from "node:path"
import { Effect } from "effect"
import { wantOfRoom } from "../../src/platform/room.ts"
import type { LaneOptions } from "./lane-open.ts"
import type { LaneState } from "./lane-state.ts"

const UNKEPT = {
  unmerged: "tables stay unmerged, so answers slow down",
  "no snapshot": "there is no new snapshot of the tables, so broken ones would take long to mend"
}

export type Unkept = keyof typeof UNKEPT

/** Returns what users are warned of until a later try succeeds. */
export const unkeptWarning = (what: Unkept, message: string, file: string): string => {
  const why = wantOfRoom(message, dirname(file)) ?? message
  return `${UNKEPT[what]}: ${why}; it is tried again by itself`
}

/** Says what upkeep could not do. The lane goes on: its tables are as they were. */
export const notKept = (
  { chain: { key }, file }: Pick<LaneOptions, "chain" | "file">,
  state: LaneState,
  what: Unkept,
  { message }: { readonly message: string }
) => {
  const text = unkeptWarning(what, message, file)
  state.warn(text, what)
  return Effect.logWarning(`${key}: ${text} (${message.split("\n")[0]})`)
}
