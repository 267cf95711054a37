/** The table of pools, and what later projections and queries read of it. */
import type { OutputKey } from "../../engine/query.ts"
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import { table } from "../../engine/store/table.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"

export const poolsTable = table({
  name: "pools",
  shape: "state",
  key: ["pool"],
  columns: {
    pool: { type: "u32" },
    /** its account, or an id that is none */
    id: { type: "bytes32" },
    venue: { type: "text", nullable: true },
    kind: { type: "text", nullable: true },
    factory: { type: "account", nullable: true },
    token0: { type: "u32", nullable: true },
    token1: { type: "u32", nullable: true },
    /** of pools with more than two */
    token2: { type: "u32", nullable: true },
    token3: { type: "u32", nullable: true },
    token4: { type: "u32", nullable: true },
    token5: { type: "u32", nullable: true },
    token6: { type: "u32", nullable: true },
    token7: { type: "u32", nullable: true },
    /** 1e-6 of the input */
    fee: { type: "i32", nullable: true },
    /** how far its bins are apart, basis points, and the first block that tells it */
    bin_step: { type: "i32", nullable: true },
    bin_step_block: { type: "i64", nullable: true },
    /** 1 where nobody but a factory that the chain's list does not have told of the pool */
    is_claim: { type: "u8" }
  }
})

/** Columns of a pool's tokens by place. */
export const tokenColumns = [
  "token0",
  "token1",
  "token2",
  "token3",
  "token4",
  "token5",
  "token6",
  "token7"
] as const

/** A token's pools of all kinds, by shape and by venue. */
export interface TokenPools {
  readonly pools: {
    readonly v2: number
    readonly v3: number
    readonly v4: number
    readonly byDex: { readonly [venue: string]: number }
  }
  /** whether one of a listed venue is among them whose kind is quoted */
  readonly routable: boolean
}

export interface Pools {
  /** slot of the pool a batch's reference names, -1 where it is unknown */
  readonly find: (batch: EventBatch, ref: number) => number
  /** slot of the pool with an address or pool id, -1 where none is known */
  readonly withId: (id: Uint8Array) => number
  readonly columns: () => ColumnArrays<(typeof poolsTable)["columns"]>
  readonly count: () => number
  /** id of the token at a place of the pool's list, `NONE` where there is none known */
  readonly tokenAt: (pool: number, place: number) => number
  /** address or pool id as text */
  readonly idText: (pool: number) => string
  /** pools of which a token is one, in slot order */
  readonly ofToken: (token: number) => Uint32Array
  readonly countsOf: (token: number) => TokenPools
  /** a number that is another one once `countsOf` a token may be others */
  readonly stampOf: (token: number) => number
}

export const pools: OutputKey<Pools> = { name: "pools" }
