/**
 * An exact-input swap through the ticks of a Maverick V2 pool, all amounts scaled to 18 decimals
 * (the pool's `SwapMath`, as the integrations that reproduce its quoter have it: paraswap-dex-lib,
 * `maverick-swap-math.ts`; kyberswap-dex-lib, `maverick/v2`).
 */
import { mulDivRoundingUp } from "../fixed-point.ts"
import { divUp, mulDown, ONE } from "../weighted/fixed18.ts"
import { sqrtPriceOf, type Tick, tickLiquidity, tickSqrtPrice } from "./tick.ts"

export interface MaverickPool {
  readonly tickSpacing: number
  readonly activeTick: number
  /** every tick with reserves */
  readonly ticks: ReadonlyMap<number, Tick>
  /** 18 decimals, below one, of token A or B coming in */
  readonly feeAIn: bigint
  readonly feeBIn: bigint
  /** of the fee, in thousandths */
  readonly protocolFee: bigint
}

export interface MaverickSwap {
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** where the price stands, and the ticks, after it */
  readonly activeTick: number
  readonly ticks: ReadonlyMap<number, Tick>
}

const ONE_SQUARED = ONE * ONE

interface TickSwap {
  readonly amountIn: bigint
  /** what of it stays in the tick, the protocol's part of the fee taken off */
  readonly kept: bigint
  readonly amountOut: bigint
  readonly rest: bigint
}

/** Input, fee not counted, that takes all of `output` out; null where no input does. */
const inputToDrain = (
  liquidity: bigint,
  output: bigint,
  sqrtPrice: bigint,
  tokenAIn: boolean
): bigint | null => {
  const part = liquidity === 0n ? 0n : divUp(output, liquidity)
  if (tokenAIn) {
    const below = ONE_SQUARED / sqrtPrice - part
    return below <= 0n ? null : mulDivRoundingUp(output, sqrtPrice, below)
  }
  const below = sqrtPrice - part
  const square = below <= 0n ? 0n : mulDown(sqrtPrice, below)
  return square === 0n ? null : divUp(output, square)
}

/** What of `binIn` the tick pays, up to all it has. */
const outputFor = (
  binIn: bigint,
  liquidity: bigint,
  sqrtPrice: bigint,
  tokenAIn: boolean,
  held: bigint
): bigint => {
  const part = divUp(binIn, liquidity + 1n)
  const out = tokenAIn
    ? (binIn * (ONE_SQUARED / sqrtPrice)) / (part + sqrtPrice)
    : (binIn * sqrtPrice) / (part + (ONE_SQUARED - 1n) / sqrtPrice + 1n)
  return out < held ? out : held
}

/** A swap within one tick; null where the contract refuses. */
const swapInTick = (
  pool: MaverickPool,
  tick: Tick,
  [lower, upper]: readonly [bigint, bigint],
  tokenAIn: boolean,
  offered: bigint
): TickSwap | null => {
  const liquidity = tickLiquidity(tick, lower, upper)
  const sqrtPrice = sqrtPriceOf(tick, lower, upper, liquidity)
  const held = tokenAIn ? tick.reserveB : tick.reserveA
  const fee = tokenAIn ? pool.feeAIn : pool.feeBIn
  const drain = inputToDrain(liquidity, held, sqrtPrice, tokenAIn)
  if (drain === null) return null
  const afterFee = mulDown(offered, ONE - fee)
  const isPartial = afterFee < drain
  const binIn = isPartial ? afterFee : drain
  const feeAmount = isPartial ? offered - afterFee : mulDivRoundingUp(drain, fee, ONE - fee)
  const amountIn = isPartial ? offered : drain + feeAmount
  const rest = amountIn < offered ? offered - amountIn : 0n
  const protocol = mulDivRoundingUp(feeAmount, pool.protocolFee, 1000n)
  return {
    amountIn,
    kept: amountIn > protocol ? amountIn - protocol : 0n,
    amountOut: rest > 0n ? held : outputFor(binIn, liquidity, sqrtPrice, tokenAIn, held),
    rest
  }
}

/** Ticks with reserves from the active one on, in the order the swap meets them. */
const ticksAhead = ({ ticks, activeTick }: MaverickPool, tokenAIn: boolean): Array<number> =>
  [...ticks.keys()]
    .filter(tick => (tokenAIn ? tick >= activeTick : tick <= activeTick))
    .sort((a, b) => (tokenAIn ? a - b : b - a))

const holdsAny = ({ reserveA, reserveB }: Tick): boolean => reserveA > 0n || reserveB > 0n

/**
 * Runs a swap until the input is used or the ticks end: then `amountIn` is less than offered. Null
 * where the contract refuses.
 */
export const swapExactIn = (
  pool: MaverickPool,
  tokenAIn: boolean,
  amount: bigint
): MaverickSwap | null => {
  const ticks = new Map(pool.ticks)
  let { activeTick } = pool
  let rest = amount
  let [amountIn, amountOut] = [0n, 0n]
  for (const at of ticksAhead(pool, tokenAIn)) {
    if (rest === 0n) break
    const tick = ticks.get(at) as Tick
    const lower = tickSqrtPrice(pool.tickSpacing, at)
    const upper = tickSqrtPrice(pool.tickSpacing, at + 1)
    if (!holdsAny(tick)) continue
    if (lower === null || upper === null || lower >= upper) return null
    const swap = swapInTick(pool, tick, [lower, upper], tokenAIn, rest)
    if (swap === null) return null
    const { kept } = swap
    rest = swap.rest
    amountIn += swap.amountIn
    amountOut += swap.amountOut
    const { reserveA, reserveB } = tick
    ticks.set(
      at,
      tokenAIn
        ? { reserveA: reserveA + kept, reserveB: rest > 0n ? 0n : reserveB - swap.amountOut }
        : { reserveA: rest > 0n ? 0n : reserveA - swap.amountOut, reserveB: reserveB + kept }
    )
    activeTick = at
  }
  return { amountIn, amountOut, activeTick, ticks }
}
