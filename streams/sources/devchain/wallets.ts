/** Who is who among the unlocked accounts. */
import type { Hex } from "../../../src/platform/anvil-rpc.ts"

const PROVIDERS = 6
const TRADERS = 50

/** How many accounts Anvil must unlock. */
export const ACCOUNTS = 1 + PROVIDERS + TRADERS

export interface Wallets {
  /** deploys, provides the first liquidity, and is the bridge that mints bridged tokens */
  readonly treasury: Hex
  /** add and remove liquidity */
  readonly providers: ReadonlyArray<Hex>
  readonly traders: ReadonlyArray<Hex>
}

export const assignWallets = (accounts: ReadonlyArray<Hex>): Wallets => ({
  treasury: accounts[0] as Hex,
  providers: accounts.slice(1, 1 + PROVIDERS),
  traders: accounts.slice(1 + PROVIDERS, ACCOUNTS)
})
