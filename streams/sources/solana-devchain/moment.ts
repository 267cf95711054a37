/** When wallets of the simulated chain plan what they do, and what they plan. */
import type { Address, Instruction } from "@solana/kit"
import { Effect } from "effect"
import { fairPrice } from "../devchain/fair-price.ts"
import type { Random } from "../devchain/random.ts"
import { tokenAccountOf, USDC, WSOL } from "./addresses.ts"
import type { Bank } from "./bank.ts"
import type { Genesis, User } from "./genesis.ts"
import { openTokenAccount } from "./launch-instructions.ts"
import type { Market } from "./market.ts"
import { exists, poolReserves } from "./states.ts"

const SOL_USD = 150
/** Bands of fair prices around their levels. */
const CALM = 0.03
const WILD = 0.25

/** Dollars of a token's unit, by mint, as a function of Unix seconds. */
export type FairPrices = ReadonlyMap<Address, (timeSeconds: number) => number>

/** When it is planned, and of what. */
export interface Moment {
  readonly bank: Bank
  readonly genesis: Genesis
  readonly market: Market
  readonly prices: FairPrices
  /** slots since the first */
  readonly age: number
  readonly timeSeconds: number
}

/** A transaction that a wallet sends. */
export interface Planned {
  readonly user: User
  readonly instructions: ReadonlyArray<Instruction>
}

/** What a wallet does; null where it cannot. */
export type Plan = (moment: Moment, user: User, random: Random) => Effect.Effect<Planned | null>

/** Fair prices of pooled tokens: what their first pools begin with, moving in a band. */
export const fairPricesOf = ({ seed, pools }: Genesis, bank: Bank): FairPrices => {
  const prices = new Map<Address, (timeSeconds: number) => number>([
    [USDC, () => 1e-6],
    [WSOL, fairPrice(seed, "SOL", SOL_USD / 1e9, CALM)]
  ])
  for (const pool of pools) {
    const [quote, token] = pool.mints
    if (prices.has(token) || quote !== WSOL) continue
    const [sol, units] = poolReserves(bank, pool)
    const level = (Number(sol) / Number(units)) * (SOL_USD / 1e9)
    prices.set(token, fairPrice(seed, token, level, WILD))
  }
  return prices
}

/** A wallet's account for a mint, and what opens it where it is not there yet. */
export const accountFor = (
  bank: Bank,
  { signer }: User,
  token: { readonly mint: Address; readonly program: Address }
) =>
  Effect.map(tokenAccountOf(signer.address, token.mint, token.program), account => ({
    account,
    opening: exists(bank, account) ? [] : [openTokenAccount(signer, account, token)]
  }))
