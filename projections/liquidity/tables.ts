/** The tables of liquidity, and what queries read of it. */
import type { OutputKey } from "../../engine/query.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { table } from "../../engine/store/table.ts"
import type { ByteTable } from "../../streams/batch/id-table.ts"

/**
 * What a change does, by the number that rows hold: add at the end. A rebalance puts one token in
 * and takes the other out: its amounts and dollars have signs, and are in both sums.
 */
export const CHANGES = ["add", "remove", "collect", "rebalance"] as const
export type Change = (typeof CHANGES)[number]

export const liquidityEventsTable = table({
  name: "liquidity_events",
  shape: "append",
  key: [],
  leaves: { by: "ts", after: "raw" },
  columns: {
    block: { type: "i64" },
    /** Unix seconds */
    ts: { type: "u32" },
    log_index: { type: "u32" },
    tx: { type: "tx" },
    pool: { type: "u32" },
    /** place in `CHANGES` */
    change: { type: "u8" },
    /** null where the event names none */
    owner: { type: "account", nullable: true },
    /** ticks of the range; null where it is none */
    tick_lower: { type: "i32", nullable: true },
    tick_upper: { type: "i32", nullable: true },
    /** the pool's own unit, without sign; null where the event does not tell it */
    liquidity: { type: "f64", nullable: true },
    token0: { type: "u32", nullable: true },
    token1: { type: "u32", nullable: true },
    /** whole tokens, with a sign of a rebalance alone; null where none are told, or no decimals */
    amount0: { type: "f64", nullable: true },
    amount1: { type: "f64", nullable: true },
    /** micro-dollars of that moment, signed as the amounts; null where a price was unknown */
    usd: { type: "i64", nullable: true }
  }
})

export const lpPositionsTable = table({
  name: "lp_positions",
  shape: "state",
  key: ["position"],
  columns: {
    position: { type: "u32" },
    /** null where the slot is free */
    pool: { type: "u32", nullable: true },
    owner: { type: "account", nullable: true },
    /** as the venue names it; null where no event tells it */
    named: { type: "account", nullable: true },
    tick_lower: { type: "i32", nullable: true },
    tick_upper: { type: "i32", nullable: true },
    adds: { type: "u32" },
    removes: { type: "u32" },
    collects: { type: "u32" },
    /** changes of which no dollars are known, and of which no amounts are: in no such sum */
    unpriced: { type: "u32" },
    untold: { type: "u32" },
    /** whole tokens of the pool's first two, summed in the order of the log */
    added0: { type: "f64" },
    added1: { type: "f64" },
    removed0: { type: "f64" },
    removed1: { type: "f64" },
    collected0: { type: "f64" },
    collected1: { type: "f64" },
    /** micro-dollars, each change at the prices of its moment */
    added_usd: { type: "i64" },
    removed_usd: { type: "i64" },
    collected_usd: { type: "i64" },
    /** the pool's own unit: added less removed; null while no event told it */
    liquidity: { type: "f64", nullable: true },
    /** Unix seconds of the first change, of the newest */
    first_ts: { type: "u32" },
    last_ts: { type: "u32" }
  }
})

export type Positions = SlotTable<(typeof lpPositionsTable)["columns"]>

/** The positions of a pool and of an owner, by their slots. */
export interface PositionLists {
  /** every owner of a position, and some who had one; nobody is the one of zero bytes */
  readonly owners: ByteTable
  /** the number in `owners`, by slot; free slots have that of whom they had */
  readonly ownerOf: Uint32Array
  /** slots of a pool's positions, ascending */
  readonly ofPool: (pool: number) => ReadonlyArray<number>
  /** slots of an owner's positions, ascending */
  readonly ofOwner: (owner: number) => ReadonlyArray<number>
}

export interface Liquidity {
  /** free slots have no pool */
  readonly positions: Positions
  /** which of them a pool and a wallet have */
  readonly lists: PositionLists
  /** true once as many are kept as may be: for new ones those longest unchanged are let go */
  readonly isFull: () => boolean
}

export const liquidityOutput: OutputKey<Liquidity> = { name: "liquidity" }
