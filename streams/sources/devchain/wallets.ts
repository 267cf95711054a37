/** Who is who: the unlocked accounts, and the traders that come as the chain grows. */
import { keccak256, stringToHex } from "viem"
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import { addressOfKey } from "../../../src/platform/secp256k1.ts"

const PROVIDERS = 6
const MAKERS = 4
/** More than the swaps of a block, each of which is another trader's. */
const REGULARS = 46

/** Those that act by themselves. */
const ACTORS = 1 + PROVIDERS + MAKERS + REGULARS

/** How many accounts Anvil makes, the visitor's last: each costs its start a millisecond. */
export const ACCOUNTS = ACTORS + 1

/** The account of whoever tries the chain by hand, of all accounts: nothing else sends from it. */
export const visitorOf = <A>(accounts: ReadonlyArray<A>): A => accounts[ACTORS] as A

export interface Wallets {
  /** deploys, provides the first liquidity, and is the bridge that mints bridged tokens */
  readonly treasury: Hex
  /** add and remove liquidity */
  readonly providers: ReadonlyArray<Hex>
  /** close price gaps, out of inventories that last */
  readonly makers: ReadonlyArray<Hex>
  /** whoever tries the chain by hand: sends nothing by itself */
  readonly visitor: Hex
  /** trade from the first block on, in all pools */
  readonly regulars: ReadonlyArray<Hex>
  /** the trader of a number from 0: the regulars first, then others without end */
  readonly trader: (index: number) => Hex
  /** the private key of a trader whom Anvil does not know; undefined for its own accounts */
  readonly keyOf: (wallet: Hex) => Hex | undefined
}

export const assignWallets = (accounts: ReadonlyArray<Hex>): Wallets => {
  const regulars = accounts.slice(1 + PROVIDERS + MAKERS, ACTORS)
  const later = new Map<number, Hex>()
  const keys = new Map<Hex, Hex>()
  const trader = (index: number): Hex => {
    const wallet = regulars[index] ?? later.get(index)
    if (wallet !== undefined) return wallet
    const key = keccak256(stringToHex(`devchain trader ${index}`))
    const made = addressOfKey(key)
    later.set(index, made)
    keys.set(made, key)
    return made
  }
  return {
    treasury: accounts[0] as Hex,
    providers: accounts.slice(1, 1 + PROVIDERS),
    makers: accounts.slice(1 + PROVIDERS, 1 + PROVIDERS + MAKERS),
    visitor: visitorOf(accounts),
    regulars,
    trader,
    keyOf: wallet => keys.get(wallet)
  }
}

const DAY_BLOCKS = 86_400

/**
 * Swaps of a trader in a pool in a day. A hundred would be wash trading to the rules, and routes
 * through other pools and arbitrage add to it. Fewer would cost more: each trader's balances and
 * approvals stay in the chain's state, all of which Anvil hashes in every block.
 */
const SWAPS_A_DAY = 30

/**
 * Returns how many traders a pool has that sees so many swaps a block. They come one by one in the
 * chain's first day, so the first blocks need no funding of thousands; then there are enough.
 */
export const tradersOf = (swapsPerBlock: number, blockNumber: number): number =>
  REGULARS + Math.floor((swapsPerBlock * Math.min(blockNumber, DAY_BLOCKS)) / SWAPS_A_DAY)
