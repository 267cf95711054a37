/** What has to happen before a wallet can spend a token: bridging in, wrapping, approving. */
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import { approve, burn, deposit, mint, type Transaction } from "./calls.ts"
import type { Holding } from "./chain-reader.ts"
import type { Launches } from "./launches.ts"
import type { Market, Token } from "./market.ts"
import { worthUsd } from "./pool-state.ts"
import type { Random } from "./random.ts"
import type { Wallets } from "./wallets.ts"

/** Everything a plan for one block may look at, besides the chain. */
export interface PlanContext {
  readonly market: Market
  readonly launches: Launches
  readonly wallets: Wallets
  readonly random: Random
  /** of the block to be mined, whose time is in Unix seconds */
  readonly number: number
  readonly time: number
  readonly deadline: bigint
}

/** Dollars in one token above which a trader sends half back over the bridge. */
const RICH_USD = 400_000

/** Can be had in any amount: bridged tokens by minting, the wrapped native one by wrapping. */
export const isObtainable = (token: Token): boolean => token.bridged || token.contract === "weth9"

/**
 * The transactions that let `wallet` spend `amount` through `spender`, in order; `null` where it
 * holds too little of a token it cannot obtain. Obtains more than needed, as people do.
 */
export const fund = (
  context: PlanContext,
  wallet: Hex,
  token: Token,
  spender: Hex,
  amount: bigint,
  held: Holding
): ReadonlyArray<Transaction> | null => {
  const steps: Array<Transaction> = []
  if (held.balance < amount) {
    if (!isObtainable(token)) return null
    const more = amount * BigInt(context.random.between(2, 8))
    steps.push(
      token.bridged
        ? mint(context.wallets.treasury, token.address, wallet, more)
        : deposit(wallet, token.address, more)
    )
  }
  if (held.allowance < amount) steps.push(approve(wallet, token.address, spender))
  return steps
}

/** Sends half of a large holding of a bridged token back, so that supplies stay in bounds. */
export const bridgeBack = (
  context: PlanContext,
  wallet: Hex,
  token: Token,
  held: Holding
): ReadonlyArray<Transaction> =>
  token.bridged && worthUsd(token, held.balance, context.time) > RICH_USD
    ? [burn(wallet, token.address, held.balance / 2n)]
    : []
