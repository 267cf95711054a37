/**
 * The tables of coverage: each statement of the log about itself as a row, in log order, and the
 * times of its blocks.
 */
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

/** Quarantined logs of each minute of block time, by the slot of their reason. */
export const quarantineMinutesTable = table({
  name: "quarantine_minutes",
  shape: "state",
  key: ["slot", "t"],
  columns: {
    /** that of the reason in `quarantine` */
    slot: { type: "u32" },
    t: { type: "u32" },
    logs: { type: "i64" }
  }
})

/** The newest quarantined logs, as many as the status shows. */
export const quarantinedLogsTable = table({
  name: "quarantined_logs",
  shape: "state",
  key: ["slot"],
  columns: {
    /** the log's number, modulo the number of slots */
    slot: { type: "u32" },
    block: { type: "i64" },
    ts: { type: "u32" },
    /** null of a log of the block alone */
    tx: { type: "text", nullable: true },
    /** who logged it; of Solana the program */
    account: { type: "text" },
    reason: { type: "text" }
  }
})

export const gapsTable = table({
  name: "gaps",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    /** 1 for `GapFound`, 0 for `GapFilled` */
    open: { type: "u8" },
    from_block: { type: "i64" },
    to_block: { type: "i64" },
    reason: { type: "text", nullable: true },
    /** the block in which it was said */
    at_block: { type: "i64" }
  },
  replica: { columns: ["open", "from_block", "to_block"] }
})

/** Which blocks of the log stand in each minute: tells the time of a block, and of none a guess. */
export const minuteBlocksTable = table({
  name: "minute_blocks",
  shape: "state",
  key: ["slot", "t"],
  columns: {
    /** always 0 */
    slot: { type: "u32" },
    t: { type: "u32" },
    first_block: { type: "i64" },
    first_ts: { type: "u32" },
    last_block: { type: "i64" },
    last_ts: { type: "u32" }
  }
})

/** The first block of the log, and what its blocks have shown of the chain's hashes: one row. */
export const logStartTable = table({
  name: "log_start",
  shape: "state",
  key: ["slot"],
  columns: {
    /** always 0 */
    slot: { type: "u32" },
    block: { type: "i64" },
    ts: { type: "u32" },
    /** 1 once some block's header gave its hash, and once its receipts gave their root in it */
    headers_fit: { type: "u8" },
    receipts_fit: { type: "u8" }
  },
  replica: { columns: ["block", "ts"] }
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
    /** what lies before the blocks; null for a pin, `unpinned` for a pin that was taken back */
    reach: { type: "text", nullable: true },
    /** the block in which it was said */
    at_block: { type: "i64" },
    /** the lowest grade of the blocks; null for a pin, and where the log does not say */
    grade: { type: "text", nullable: true }
  }
})

/** Events that the log joined from its side log. */
export const joinsTable = table({
  name: "joins",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    /** seq in the side log of the last event that was joined */
    last_seq: { type: "i64" },
    /** the block in which it was said */
    at_block: { type: "i64" }
  }
})
