/** The table of pools, and what later projections and queries read of it. */
import type { OutputKey } from "../../engine/projection.ts"
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import { table } from "../../engine/store/table.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"

export const poolsTable = table({
  name: "pools",
  shape: "state",
  key: ["pool"],
  columns: {
    pool: { type: "u32" },
    /** the address after 12 zero bytes, or a 32-byte pool id */
    id: { type: "bytes32" },
    venue: { type: "text", nullable: true },
    kind: { type: "text", nullable: true },
    factory: { type: "bytes20", nullable: true },
    token0: { type: "u32", nullable: true },
    token1: { type: "u32", nullable: true },
    /** 1e-6 of the input */
    fee: { type: "i32", nullable: true },
    tick_spacing: { type: "i32", nullable: true },
    first_block: { type: "i64" }
  }
})

export interface Pools {
  /** slot of the pool a batch's reference names; creates a bare row where it is new */
  readonly slotOf: (batch: EventBatch, ref: number, block: number) => number
  readonly columns: () => ColumnArrays<(typeof poolsTable)["columns"]>
  readonly count: () => number
  /** address or pool id, `0x` text */
  readonly idText: (pool: number) => string
}

export const pools: OutputKey<Pools> = { name: "pools" }
