/** What a lane sends to the copies of its tables on other threads. */
import { keptFrom } from "../store/retention.ts"
import type { SlotTable } from "../store/slot-table.ts"
import type { Commit } from "../store/store.ts"
import type { LaneCore } from "./lane-core.ts"

/** Versions that are sent at once: the thread that takes them in has readers to serve. */
const SENT_ROWS = 512

/** Sends versions that were not sent yet to copies of the table: when many wait (or `all`). */
export const sendVersions = ({ send, folds }: LaneCore, table: SlotTable<never>, all: boolean) => {
  const { versions } = table
  const wait = all ? 1 : SENT_ROWS
  while (send !== null && versions.count - versions.sent >= wait) {
    const end = Math.min(versions.count, versions.sent + SENT_ROWS)
    const changes = folds.feed.changes(table, end)
    versions.sent = end
    if (changes !== null) send({ type: "replica-rows", rows: changes.rows }, changes.transfer)
  }
}

/** Copies of the tables forget everything and begin with what the folds hold now. */
export const sendAnew = ({ send, folds }: LaneCore): void => {
  if (send === null) return
  send({ type: "replica-forget" }, [])
  for (const { rows, transfer } of folds.feed.reset()) {
    send({ type: "replica-rows", rows }, transfer)
  }
}

/** From now on copies of the tables are fed, beginning with what the folds hold. */
export const beginSending = (core: LaneCore): void => {
  core.sendingBegan()
  sendAnew(core)
}

/** From now on rows that copies were sent count, as of a position. */
export const sendPosition = (core: LaneCore, { seq, block, blockTime }: Commit): void => {
  const kept = keptFrom(core.store.retention, blockTime)
  core.send?.({ type: "replica-position", at: { seq, block, blockTime, keptFrom: kept } }, [])
}
