/** What the log says of itself, as tables: each thing said is a row, in the order of the log. */
import { table } from "../../engine/store/table.ts"

export const eventCountsTable = table({
  name: "event_counts",
  shape: "state",
  key: ["kind"],
  columns: { kind: { type: "u32" }, events: { type: "i64" } }
})

export const quarantineTable = table({
  name: "quarantine",
  shape: "state",
  key: ["slot"],
  columns: { slot: { type: "u32" }, reason: { type: "text" }, logs: { type: "i64" } }
})

export const gapsTable = table({
  name: "gaps",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    /** 1 found, 0 filled */
    open: { type: "u8" },
    from_block: { type: "i64" },
    to_block: { type: "i64" },
    reason: { type: "text", nullable: true },
    /** the block in which it was said */
    at_block: { type: "i64" }
  }
})

export const pinsTable = table({
  name: "pins",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    token: { type: "text" },
    from_block: { type: "i64" },
    to_block: { type: "i64" },
    /**
     * what lies before the blocks; null where it is said that the token is pinned, `unpinned` that
     * it is not any more
     */
    reach: { type: "text", nullable: true },
    /** the block in which it was said */
    at_block: { type: "i64" }
  }
})

/** What the log joined of its side log. */
export const joinsTable = table({
  name: "joins",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    /** seq of the last event, in the side log */
    last_seq: { type: "i64" },
    /** the block in which it was said */
    at_block: { type: "i64" }
  }
})
