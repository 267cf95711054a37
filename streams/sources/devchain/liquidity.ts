/** Who changes liquidity in a block, and how: V2 shares, V3 positions of all widths, fees. */
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import { liquiditySpender, type Transaction } from "./calls.ts"
import type { Holding, HoldingQuery, Position } from "./chain-reader.ts"
import { fund, isObtainable, type PlanContext } from "./funds.ts"
import {
  addShares,
  collectPosition,
  decreasePosition,
  increasePosition,
  openPosition,
  removeShares
} from "./liquidity-calls.ts"
import type { Pool, Token } from "./market.ts"
import { rangeAround, rawWorth, spotPrice } from "./pool-state.ts"
import type { PoolView } from "./routes.ts"

/** V2 shares are added or, where there are any, removed; a V3 position is what `action` says. */
export type LiquidityDraft =
  | { readonly action: "shares"; readonly wallet: Hex; readonly view: PoolView }
  | { readonly action: "open"; readonly wallet: Hex; readonly view: PoolView }
  | {
      readonly action: "increase"
      readonly wallet: Hex
      readonly view: PoolView
      readonly position: Position
    }
  | {
      readonly action: "withdraw"
      readonly wallet: Hex
      readonly position: Position
      readonly feesOnly: boolean
    }

/** Chance that a block has a change of liquidity; a second one is half as likely. */
const CHANCE = 0.7

/** Share of V2 among the changes. */
const V2_SHARE = 0.4

/** V2 pools a provider returns to, so that it has shares to take out again. */
const V2_HOMES = 2

/**
 * Positions a provider has, open or emptied, before it opens another only now and then. Emptied
 * ones are filled again: the chain's state, which Anvil hashes whole in every block, must not grow.
 */
const POSITIONS_HELD = 6

/** Median change as a share of a pool's depth. */
const MEDIAN_SHARE = 0.003

/** The providers that act in this block. */
export const drawProviders = ({ random, wallets }: PlanContext): ReadonlyArray<Hex> => {
  const count = random.chance(CHANCE) ? (random.chance(CHANCE / 2) ? 2 : 1) : 0
  return random.shuffled(wallets.providers).slice(0, count)
}

const poolOf = (
  views: ReadonlyArray<PoolView>,
  { token0, token1, fee }: Position
): PoolView | undefined =>
  views.find(
    ({ pool }) =>
      pool.kind === "v3" &&
      pool.token0.address === token0 &&
      pool.token1.address === token1 &&
      pool.fee === fee
  )

/** What a provider does, given its V3 positions. */
export const drawLiquidity = (
  { random, market, wallets }: PlanContext,
  views: ReadonlyArray<PoolView>,
  wallet: Hex,
  positions: ReadonlyArray<Position>
): LiquidityDraft => {
  const standing = views.filter(view => market.pools.includes(view.pool))
  if (random.chance(V2_SHARE)) {
    const pools = standing.filter(view => view.pool.kind === "v2")
    const home = wallets.providers.indexOf(wallet) * V2_HOMES + random.between(0, V2_HOMES - 1)
    return { action: "shares", wallet, view: pools[home % pools.length] as PoolView }
  }
  const opens = random.chance(positions.length < POSITIONS_HELD ? 0.4 : 0.01)
  const position = random.pick(positions)
  const view = position === undefined ? undefined : poolOf(standing, position)
  if (opens || position === undefined || view === undefined) {
    const pools = standing.filter(candidate => candidate.pool.kind === "v3")
    return {
      action: "open",
      wallet,
      view: random.weighted(pools, candidate => Math.sqrt(candidate.pool.depthUsd))
    }
  }
  if (position.liquidity === 0n || random.chance(0.3)) {
    return { action: "increase", wallet, view, position }
  }
  return { action: "withdraw", wallet, position, feesOnly: random.chance(0.4) }
}

/** Both tokens as the pool's periphery spends them, and the V2 share token where it matters. */
export const liquidityQueries = (
  { market }: PlanContext,
  draft: LiquidityDraft
): ReadonlyArray<HoldingQuery> => {
  if (draft.action === "withdraw") return []
  const { pool } = draft.view
  const spender = liquiditySpender(market, pool)
  const query = (token: Hex) => ({ token, owner: draft.wallet, spender })
  const both = [query(pool.token0.address), query(pool.token1.address)]
  return draft.action === "shares" ? [...both, query(pool.address)] : both
}

interface Funded {
  readonly amounts: readonly [bigint, bigint]
  readonly steps: ReadonlyArray<Transaction>
}

/** Amounts worth the same on both sides, as far as the wallet has or can obtain them. */
const fundBoth = (
  context: PlanContext,
  wallet: Hex,
  pool: Pool,
  [held0, held1]: ReadonlyArray<Holding>
): Funded | null => {
  if (held0 === undefined || held1 === undefined) return null
  const usd = pool.depthUsd * context.random.logNormal(MEDIAN_SHARE, 0.8)
  const spender = liquiditySpender(context.market, pool)
  const amountOf = (token: Token, held: Holding): bigint => {
    const wanted = rawWorth(token, usd, context.time)
    return isObtainable(token) || held.balance > wanted ? wanted : held.balance / 2n
  }
  const amounts = [amountOf(pool.token0, held0), amountOf(pool.token1, held1)] as const
  if (amounts[0] === 0n || amounts[1] === 0n) return null
  const first = fund(context, wallet, pool.token0, spender, amounts[0], held0)
  const second = fund(context, wallet, pool.token1, spender, amounts[1], held1)
  return first === null || second === null ? null : { amounts, steps: [...first, ...second] }
}

/** The transactions of a draft, given the answers to its queries in their order. */
export const settleLiquidity = (
  context: PlanContext,
  draft: LiquidityDraft,
  held: ReadonlyArray<Holding>
): ReadonlyArray<Transaction> => {
  const { wallet } = draft
  if (draft.action === "withdraw") {
    const take = draft.feesOnly ? collectPosition : decreasePosition
    return [take(context, wallet, draft.position)]
  }
  const { pool, state } = draft.view
  const shares = held[2]
  if (shares !== undefined && shares.balance > 1_000_000n && context.random.chance(0.5)) {
    return removeShares(context, wallet, pool, shares)
  }
  const funded = fundBoth(context, wallet, pool, held)
  const price = spotPrice(pool, state)
  if (funded === null || price === null) return []
  const add =
    draft.action === "shares"
      ? addShares(context, wallet, pool, funded.amounts)
      : draft.action === "increase"
        ? increasePosition(context, wallet, draft.position, funded.amounts)
        : openPosition(context, wallet, pool, drawRange(context, pool, price), funded.amounts)
  return [...funded.steps, add]
}

const drawRange = ({ random }: PlanContext, pool: Pool, price: number) =>
  rangeAround(pool, price, Math.min(random.logNormal(0.08, 0.9), 2))
