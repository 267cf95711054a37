/** A trader launches a token: creates it, and opens its pool in the same block. */
import { encodeFunctionData } from "viem"
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import { launcherAbi } from "./abi.ts"
import { approve, GAS, liquiditySpender, type Transaction } from "./calls.ts"
import type { Holding, HoldingQuery } from "./chain-reader.ts"
import { fund, type PlanContext } from "./funds.ts"
import { createPool } from "./genesis.ts"
import { type Launch, POOLED_PERCENT } from "./launches.ts"
import type { Token } from "./market.ts"
import { rawWorth } from "./pool-state.ts"

export interface LaunchDraft {
  readonly wallet: Hex
  readonly launch: Launch
}

const quoteOf = ({ pool, token }: Launch): Token =>
  pool.token0 === token ? pool.token1 : pool.token0

/** The quote asset as the pool's periphery spends it. */
export const launchQuery = (context: PlanContext, draft: LaunchDraft): HoldingQuery => ({
  token: quoteOf(draft.launch).address,
  owner: draft.wallet,
  spender: liquiditySpender(context.market, draft.launch.pool)
})

export const settleLaunch = (
  context: PlanContext,
  draft: LaunchDraft,
  [heldQuote]: ReadonlyArray<Holding>
): ReadonlyArray<Transaction> => {
  const { wallet, launch } = draft
  const { market, time } = context
  const { token, pool } = launch
  const quote = quoteOf(launch)
  const spender = liquiditySpender(market, pool)
  const quoted = rawWorth(quote, pool.depthUsd / 2, time)
  const pooled = (launch.supply * POOLED_PERCENT) / 100n
  if (heldQuote === undefined) return []
  const steps = fund(context, wallet, quote, spender, quoted, heldQuote)
  if (steps === null) return []
  const create: Transaction = {
    from: wallet,
    to: market.network.contracts.launcher,
    gas: GAS.launch,
    data: encodeFunctionData({
      abi: launcherAbi,
      functionName: "launch",
      args: [token.name, token.symbol, token.decimals, launch.supply]
    })
  }
  return [
    create,
    ...steps,
    approve(wallet, token.address, spender),
    createPool(
      market,
      wallet,
      pool,
      pool.token0 === token ? [pooled, quoted] : [quoted, pooled],
      time
    )
  ]
}
