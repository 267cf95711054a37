/** What is found of a token by trying its transfers on a node (`checks/`). */
import type { Effect } from "effect"
import type { TransferTaxes } from "./transfer-taxes.ts"

export type TokenCheck =
  | { readonly state: "moves"; readonly taxes: TransferTaxes }
  /** `on`: whether a buyer does not get it, or cannot sell it */
  | { readonly state: "refuses"; readonly on: "buy" | "sell"; readonly reason: string }
  | { readonly state: "unknown"; readonly reason: string }

export interface TokenChecks {
  readonly router: `0x${string}`
  /** how a token moves beside a pool that holds it; waits for it a moment at most */
  readonly check: (token: string, pool: string) => Effect.Effect<TokenCheck>
}
