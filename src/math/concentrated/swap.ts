/**
 * A whole swap through concentrated liquidity, as the pool contract runs it: step by step to the
 * end of the tick-bitmap word or the next initialised tick, taking on and leaving liquidity on
 * the way (Uniswap v3 Core whitepaper, section 6.3.1). Shared by every venue kind of this shape.
 */
import { MAX_INT256, MAX_UINT128 } from "../fixed-point.ts"
import { stepExactIn, stepExactOut } from "./swap-step.ts"
import type { TickMap } from "./tick-map.ts"
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  sqrtRatioAtTick,
  tickAtSqrtRatio
} from "./tick-math.ts"

/** In what the contracts of this shape differ. */
export interface SwapRules {
  /** true where a step also ends with its tick-bitmap word, not at initialised ticks alone */
  readonly byWord: boolean
  /** true where a fee of all of the input is possible; it buys nothing */
  readonly fullFee: boolean
}

export const uniswapV3Rules: SwapRules = { byWord: true, fullFee: false }
export const uniswapV4Rules: SwapRules = { byWord: true, fullFee: true }
/** Algebra Integral keeps its initialised ticks in a list and goes from one to the next. */
export const integralRules: SwapRules = { byWord: false, fullFee: false }

/** What the pool contract knows when a swap begins. */
export interface ConcentratedPool {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  /** liquidity in range */
  readonly liquidity: bigint
  readonly ticks: TickMap
  /** millionths of the input, below 1e6, or 1e6 for an exact input where the rules have it */
  readonly feePips: bigint
  /** Uniswap V3's where absent */
  readonly rules?: SwapRules
}

export interface SwapOrder {
  /** true where token 0 is sold */
  readonly zeroForOne: boolean
  /** true: `amount` is sold; false: `amount` is bought */
  readonly exactIn: boolean
  /** raw units, zero or more */
  readonly amount: bigint
  /** the price not to pass, Q64.96; the end of the price range where absent */
  readonly sqrtPriceLimitX96?: bigint
}

export type SwapOutcome =
  | {
      readonly ok: true
      /** what the pool received, fee included, and what it paid; raw units */
      readonly amountIn: bigint
      readonly amountOut: bigint
      /** the pool's state afterwards */
      readonly sqrtPriceX96: bigint
      readonly tick: number
      readonly liquidity: bigint
      /** initialised ticks that the price went over */
      readonly crossed: number
    }
  | {
      readonly ok: false
      /** `price-limit`: the limit is on the wrong side or out of range; `too-large`: a number
       *  leaves its type; `inconsistent`: the ticks do not add up to the pool's liquidity;
       *  `unknown-ticks`: the swap leaves the window of ticks that are known */
      readonly reason: "price-limit" | "too-large" | "inconsistent" | "unknown-ticks"
    }

const defaultLimit = (zeroForOne: boolean): bigint =>
  zeroForOne ? MIN_SQRT_RATIO + 1n : MAX_SQRT_RATIO - 1n

const limitIsValid = (limit: bigint, sqrtPrice: bigint, zeroForOne: boolean): boolean =>
  zeroForOne
    ? limit < sqrtPrice && limit > MIN_SQRT_RATIO
    : limit > sqrtPrice && limit < MAX_SQRT_RATIO

/**
 * Where the next step aims. Words without liquidity move nothing, so they are passed at once. Null
 * where a tick that is not known may come first.
 */
const nextTick = (
  ticks: TickMap,
  tick: number,
  wordwise: boolean,
  down: boolean
): number | null => {
  if (!ticks.knowsNext(tick, down)) return null
  const next = wordwise ? ticks.nextWithinWord(tick, down) : ticks.nextInitialized(tick, down)
  if (next === undefined && ticks.window !== null) return null
  return Math.max(MIN_TICK, Math.min(MAX_TICK, next ?? (down ? MIN_TICK : MAX_TICK)))
}

/** Runs a swap. The pool's tick belongs to its price, which lies within the price range. */
export const swap = (pool: ConcentratedPool, order: SwapOrder): SwapOutcome => {
  const { ticks, feePips, rules = uniswapV3Rules } = pool
  const { zeroForOne, exactIn, amount } = order
  const limit = order.sqrtPriceLimitX96 ?? defaultLimit(zeroForOne)
  if (amount > MAX_INT256) return { ok: false, reason: "too-large" }
  if (!limitIsValid(limit, pool.sqrtPriceX96, zeroForOne))
    return { ok: false, reason: "price-limit" }
  let { sqrtPriceX96, tick, liquidity } = pool
  let remaining = amount
  let amountIn = 0n
  let amountOut = 0n
  let crossed = 0
  while (remaining > 0n && sqrtPriceX96 !== limit) {
    const next = nextTick(ticks, tick, rules.byWord && liquidity !== 0n, zeroForOne)
    if (next === null) return { ok: false, reason: "unknown-ticks" }
    const sqrtNext = sqrtRatioAtTick(next)
    const target = (zeroForOne ? sqrtNext < limit : sqrtNext > limit) ? limit : sqrtNext
    const step = (exactIn ? stepExactIn : stepExactOut)(
      sqrtPriceX96,
      target,
      liquidity,
      remaining,
      feePips
    )
    if (step === null) return { ok: false, reason: "too-large" }
    amountIn += step.amountIn + step.fee
    amountOut += step.amountOut
    remaining -= exactIn ? step.amountIn + step.fee : step.amountOut
    if (step.sqrtPrice === sqrtNext) {
      const entry = ticks.get(next)
      if (entry !== undefined) {
        crossed++
        liquidity += zeroForOne ? -entry.net : entry.net
      }
      if (liquidity < 0n || liquidity > MAX_UINT128) return { ok: false, reason: "inconsistent" }
      tick = zeroForOne ? next - 1 : next
    } else if (step.sqrtPrice !== sqrtPriceX96) tick = tickAtSqrtRatio(step.sqrtPrice)
    sqrtPriceX96 = step.sqrtPrice
  }
  return { ok: true, amountIn, amountOut, sqrtPriceX96, tick, liquidity, crossed }
}
