/** What the kinds of V3-shaped pools tell the laws alike: pools of chance and their swaps. */
import { amount0Between, amount1Between } from "../../src/math/concentrated/sqrt-price.ts"
import { sqrtRatioAtTick } from "../../src/math/concentrated/tick-math.ts"
import type { Event } from "../event.ts"
import { address, amount } from "../law-meanings.ts"
import {
  type Chance,
  type EventArgs,
  type EventMeaning,
  eventOf,
  type LawPool,
  type LawSwap
} from "../venue-laws.ts"
import { rangePoolModel, simulate } from "./range-pool.ts"

const POOL = `0x${"bb".repeat(20)}`
const TOKENS = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const

const received = (value: unknown): bigint => (amount(value) > 0n ? amount(value) : 0n)
const paid = (value: unknown): bigint => (amount(value) < 0n ? -amount(value) : 0n)

export const swapMeaning = (args: EventArgs, pool: string, venueKind: string): EventMeaning => ({
  kind: "SwapExecuted",
  pool,
  venueKind,
  sender: address(args["sender"]),
  recipient: address(args["recipient"]),
  amount0In: received(args["amount0"]),
  amount0Out: paid(args["amount0"]),
  amount1In: received(args["amount1"]),
  amount1Out: paid(args["amount1"]),
  sqrtPriceX96: amount(args["sqrtPriceX96"]),
  liquidity: amount(args["liquidity"]),
  tick: Number(args["tick"]),
  fee: null,
  token0: null,
  token1: null,
  index0: null,
  index1: null
})

const minted = (
  sqrtPrice: bigint,
  tickLower: number,
  tickUpper: number,
  liquidity: bigint
): Event => {
  const [low, high] = [sqrtRatioAtTick(tickLower), sqrtRatioAtTick(tickUpper)]
  const at = sqrtPrice < low ? low : sqrtPrice > high ? high : sqrtPrice
  return eventOf({
    kind: "LiquidityChanged",
    pool: POOL,
    venueKind: "uniswap-v3",
    owner: POOL,
    sender: POOL,
    tickLower,
    tickUpper,
    liquidity,
    amount0: amount0Between(at, high, liquidity, true),
    amount1: amount1Between(low, at, liquidity, true)
  })
}

const TIERS = [
  [100, 1],
  [500, 10],
  [3000, 60],
  [10_000, 200]
] as const

/** A price within +-150,000 ticks and up to eight positions around it, the first one wide. */
export const pool = (chance: Chance): LawPool => {
  const [fee, tickSpacing] = TIERS[chance.integer(0, 3)] as (typeof TIERS)[number]
  const tick = chance.integer(-150_000, 150_000)
  const low = sqrtRatioAtTick(tick)
  const sqrtPriceX96 = low + (chance.bits(160) % (sqrtRatioAtTick(tick + 1) - low))
  const spaced = (value: number): number => Math.floor(value / tickSpacing) * tickSpacing
  const wide = spaced(tick - 20_000)
  const mints = [minted(sqrtPriceX96, wide, wide + spaced(40_000), chance.bits(60) + 1_000_000n)]
  for (let i = chance.integer(0, 7); i > 0; i--) {
    const from = spaced(tick + chance.integer(-8000, 4000))
    const to = from + tickSpacing * chance.integer(1, 40)
    mints.push(minted(sqrtPriceX96, from, to, chance.bits(chance.integer(20, 90)) + 1n))
  }
  return {
    facts: { pool: POOL, tokens: TOKENS, fee, tickSpacing, decimals: [18, 18] },
    history: [eventOf({ kind: "PoolInitialized", pool: POOL, sqrtPriceX96, tick }), ...mints]
  }
}

export const holdings = ({ history }: LawPool): readonly [bigint, bigint] => {
  const sum: [bigint, bigint] = [0n, 0n]
  for (const event of history) {
    if (event.kind !== "LiquidityChanged") continue
    sum[0] += event.amount0
    sum[1] += event.amount1
  }
  return sum
}

/** UniswapV3Pool logs Swap with the state it leaves. */
export const swapEvents =
  (venueKind: string) =>
  ({ facts, history }: LawPool, swap: LawSwap): ReadonlyArray<Event> => {
    const zeroForOne = swap.tokenIn === 0
    const state = history.reduce(rangePoolModel.fold, rangePoolModel.initial(facts))
    const outcome = simulate(state, facts.fee, { zeroForOne, exactIn: true, amount: swap.amountIn })
    if (outcome === null || !outcome.ok) return []
    const args = {
      sender: POOL,
      recipient: POOL,
      amount0: zeroForOne ? outcome.amountIn : -outcome.amountOut,
      amount1: zeroForOne ? -outcome.amountOut : outcome.amountIn,
      sqrtPriceX96: outcome.sqrtPriceX96,
      liquidity: outcome.liquidity,
      tick: outcome.tick
    }
    return [eventOf(swapMeaning(args, POOL, venueKind))]
  }
