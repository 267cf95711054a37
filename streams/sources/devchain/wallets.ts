/** Who is who among the unlocked accounts. */
import type { Hex } from "../../../src/platform/anvil-rpc.ts"

const PROVIDERS = 6
const MAKERS = 4
const TRADERS = 46

/** How many accounts Anvil must unlock. */
export const ACCOUNTS = 1 + PROVIDERS + MAKERS + TRADERS

export interface Wallets {
  /** deploys, provides the first liquidity, and is the bridge that mints bridged tokens */
  readonly treasury: Hex
  /** add and remove liquidity */
  readonly providers: ReadonlyArray<Hex>
  /** close price gaps, out of inventories that last */
  readonly makers: ReadonlyArray<Hex>
  readonly traders: ReadonlyArray<Hex>
}

export const assignWallets = (accounts: ReadonlyArray<Hex>): Wallets => ({
  treasury: accounts[0] as Hex,
  providers: accounts.slice(1, 1 + PROVIDERS),
  makers: accounts.slice(1 + PROVIDERS, 1 + PROVIDERS + MAKERS),
  traders: accounts.slice(1 + PROVIDERS + MAKERS, ACCOUNTS)
})
