/** The tables of launches, and the output that queries read. */
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
    /**
     * sender of the transaction; null where the log does not name it, or where it sent for others
     */
    wallet: { type: "account", nullable: true },
    /**
     * the contract that the sender called; null for contracts through which everybody makes pools
     */
    contract: { type: "account", nullable: true },
    /** row of `launchers`: the contract, else the wallet; null where the log names neither */
    launcher: { type: "u32", nullable: true },
    /** 1 while only a factory that the registry does not list has logged the pool */
    is_claim: { type: "u8" }
  }
})

/** Tokens of made pools, and of pools at listed venues that are older than the log. */
export const launchesTable = table({
  name: "launches",
  shape: "state",
  key: ["launch"],
  columns: {
    launch: { type: "u32" },
    token: { type: "u32" },
    /** the token's place in the first pool's list of tokens */
    place: { type: "u8" },
    /** the making of the token's first pool; null where it had a pool before the log */
    first: { type: "u32", nullable: true },
    /** the making of the token's first pool at a listed venue; null while it has none */
    listed: { type: "u32", nullable: true }
  }
})

export const launchersTable = table({
  name: "launchers",
  shape: "state",
  key: ["launcher"],
  columns: {
    launcher: { type: "u32" },
    address: { type: "account" },
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
