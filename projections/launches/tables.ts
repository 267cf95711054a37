/** The tables of launches, and what queries read of them. */
import type { OutputKey } from "../../engine/query.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { table } from "../../engine/store/table.ts"

/** Pools whose making the log shows. */
export const makingsTable = table({
  name: "makings",
  shape: "state",
  key: ["making"],
  columns: {
    making: { type: "u32" },
    pool: { type: "u32" },
    block: { type: "i64" },
    /** Unix seconds of the block */
    ts: { type: "u32" },
    log_index: { type: "u32" },
    /** sender of its transaction; null where the log does not tell it, or it sent for others */
    wallet: { type: "bytes20", nullable: true },
    /** the contract that the sender called, where it is none that anybody makes pools through */
    contract: { type: "bytes20", nullable: true },
    /** who made it: the contract, else the wallet; null where the log tells neither */
    launcher: { type: "u32", nullable: true },
    /** 1 where nobody but a factory that the chain's list does not have told of the pool */
    is_claim: { type: "u8" }
  }
})

/** Tokens of such pools, and of pools that were there before. */
export const launchesTable = table({
  name: "launches",
  shape: "state",
  key: ["launch"],
  columns: {
    launch: { type: "u32" },
    token: { type: "u32" },
    /** its place in the first pool's list */
    place: { type: "u8" },
    /** the making of its first pool; null where it had one before the log */
    first: { type: "u32", nullable: true },
    /** the making of its first pool at a listed venue */
    listed: { type: "u32", nullable: true }
  }
})

export const launchersTable = table({
  name: "launchers",
  shape: "state",
  key: ["launcher"],
  columns: {
    launcher: { type: "u32" },
    address: { type: "bytes20" },
    /** 1 for a contract, 0 for a wallet */
    is_contract: { type: "u8" }
  }
})

export interface Launches {
  readonly makings: SlotTable<(typeof makingsTable)["columns"]>
  readonly launches: SlotTable<(typeof launchesTable)["columns"]>
  readonly launchers: SlotTable<(typeof launchersTable)["columns"]>
}

export const launchesOutput: OutputKey<Launches> = { name: "launches" }
