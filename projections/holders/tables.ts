/** Tables of the holder ledger, and what queries read of it. */
import type { OutputKey } from "../../engine/query.ts"
import { table } from "../../engine/store/table.ts"
import type { HolderLedger } from "./ledger.ts"

/**
 * Sums of a token's transfers. What the columns `<name>_over` and `<name>` hold is a signed integer
 * (`wide-integer.ts`).
 */
export const holderTokensTable = table({
  name: "holder_tokens",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    address: { type: "bytes20" },
    /** transfers */
    logs: { type: "i64" },
    /** minted less burnt: from the zero address to anybody, less from others to it */
    made_over: { type: "i32" },
    made: { type: "bytes32" },
    /** blocks in which that changed, and the newest of them */
    changes: { type: "i64" },
    changed_block: { type: "i64" },
    /** from others to the zero address, but for what was unwrapped */
    burned_over: { type: "i32" },
    burned: { type: "bytes32" },
    /** from the zero address to itself, as the first liquidity of Uniswap V2's pairs */
    kept_over: { type: "i32" },
    kept: { type: "bytes32" },
    /** raw units when it was last read, since the token is in the ledger */
    supply: { type: "bytes32" },
    has_supply: { type: "u8" },
    /** what explained that supply then: see `supply.ts` */
    fits: { type: "u8" },
    /** the audit that counts (`audits.ts`): its block, block time in seconds, and addresses */
    audit_block: { type: "i64" },
    audit_time: { type: "i64" },
    audit_sampled: { type: "u32" },
    audit_differing: { type: "u32" }
  }
})

/** What `made` was before the newest blocks that changed it, the last 256 bits: a ring a token. */
export const holderSumsTable = table({
  name: "holder_sums",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    made: { type: "bytes32" }
  }
})

/** One row for each address that ever had or lacked some of a token. */
export const holderBalancesTable = table({
  name: "holder_balances",
  shape: "state",
  key: ["entry"],
  columns: {
    entry: { type: "u32" },
    /** slot of the token */
    token: { type: "u32" },
    holder: { type: "bytes20" },
    /** what came less what went, a signed integer (`wide-integer.ts`) */
    over: { type: "i32" },
    balance: { type: "bytes32" }
  }
})

/** What the log says of which transfers it holds, in the order in which it says so. */
export const holderMarksTable = table({
  name: "holder_marks",
  shape: "state",
  key: ["mark"],
  columns: {
    mark: { type: "u32" },
    /** slot of the token */
    token: { type: "u32" },
    from_block: { type: "i64" },
    to_block: { type: "i64" },
    /** what lies before the blocks; null where it is said that the token is pinned */
    reach: { type: "text", nullable: true },
    /** the block in which it was said */
    at_block: { type: "i64" },
    /** how the least known of the blocks is; null where the log does not tell */
    grade: { type: "text", nullable: true }
  }
})

export type TokenColumns = (typeof holderTokensTable)["columns"]
export type MadeColumns = (typeof holderSumsTable)["columns"]
export type BalanceColumns = (typeof holderBalancesTable)["columns"]
export type MarkColumns = (typeof holderMarksTable)["columns"]

export const holders: OutputKey<HolderLedger> = { name: "holders" }
