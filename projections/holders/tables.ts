/** The tables of the holder ledger, and the key of its output. */
import type { OutputKey } from "../../engine/query.ts"
import { table } from "../../engine/store/table.ts"
import type { HolderLedger } from "./ledger.ts"

/**
 * Sums of a token's transfers in raw units. Two columns `<name>_over` and `<name>` hold one signed
 * integer (`engine/store/wide-integer.ts`).
 */
export const holderTokensTable = table({
  name: "holder_tokens",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    address: { type: "account" },
    /** number of transfers */
    logs: { type: "i64" },
    /** minted less burnt: sent from the zero address to anybody, less sent by others to it */
    made_over: { type: "i32" },
    made: { type: "bytes32" },
    /** number of blocks in which `made` changed, and the newest of them */
    changes: { type: "i64" },
    changed_block: { type: "i64" },
    /** sent by others to the zero address, without unwraps of the native unit */
    burned_over: { type: "i32" },
    burned: { type: "bytes32" },
    /** sent from the zero address to itself, as the first liquidity of Uniswap V2's pairs */
    kept_over: { type: "i32" },
    kept: { type: "bytes32" },
    /** the supply when it was last read, since the token is in the ledger */
    supply: { type: "bytes32" },
    has_supply: { type: "u8" },
    /** bits of what explained that supply: see `supply.ts` */
    fits: { type: "u8" },
    /** the audit that counts (`audits.ts`): its block, block time in seconds, and addresses */
    audit_block: { type: "i64" },
    audit_time: { type: "i64" },
    audit_sampled: { type: "u32" },
    audit_differing: { type: "u32" }
  }
})

/**
 * Former values of `made` before the newest blocks that changed it (256 bits): a ring per token.
 */
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
    holder: { type: "account" },
    /** received less sent, a signed integer in two columns (`engine/store/wide-integer.ts`) */
    over: { type: "i32" },
    balance: { type: "bytes32" }
  }
})

export type TokenColumns = (typeof holderTokensTable)["columns"]
export type MadeColumns = (typeof holderSumsTable)["columns"]
export type BalanceColumns = (typeof holderBalancesTable)["columns"]

export const holders: OutputKey<HolderLedger> = { name: "holders" }
