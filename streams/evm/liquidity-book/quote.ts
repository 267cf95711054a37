/**
 * Quotes of a Liquidity Book pair: LBPair.getSwapOut of traderjoe-xyz/joe-v2 (v2.1, v2.2), bin by
 * bin. The fee is that of the time of the newest event or block that was folded.
 */
import { binPrice } from "../../../src/math/bins/bin-price.ts"
import { type BinAmounts, binAmounts, binFee } from "../../../src/math/bins/bin-swap.ts"
import {
  accumulatorAt,
  referencesAt,
  type StaticFees,
  type Volatility
} from "../../../src/math/bins/volatility.ts"
import { MAX_UINT128 } from "../../../src/math/fixed-point.ts"
import { type PoolModel, type Quote, type Refusal, refused } from "../../venue.ts"
import { type Bin, type LiquidityBookState, wholeFees } from "./state.ts"

interface Walk {
  readonly fees: StaticFees
  readonly binStep: number
  readonly volatility: Volatility
  readonly forY: boolean
}

/** One bin's part; null where the contract reverts, or a reference is unknown. */
const binPart = (
  { fees, binStep, volatility, forY }: Walk,
  bin: Bin,
  amountLeft: bigint
): BinAmounts | "unknown-state" | "too-large" => {
  const isFlat = fees.variableFeeControl === 0
  const accumulator = isFlat ? 0 : accumulatorAt(volatility, fees, bin.id)
  if (accumulator === null) return "unknown-state"
  const price = binPrice(bin.id, binStep)
  const fee = binFee(fees, accumulator, binStep)
  if (price === null || fee === null) return "too-large"
  return binAmounts(forY ? bin.y : bin.x, price, fee, forY, amountLeft) ?? "too-large"
}

/** A sale's quote, and how many bins it goes over. */
interface Walked {
  readonly quote: Quote
  readonly crossed: number
}

const none = (reason: Refusal): Walked => ({ quote: refused(reason), crossed: 0 })

const walk = (how: Walk, bins: ReadonlyArray<Bin>, amountIn: bigint): Walked => {
  let [left, amountOut, met] = [amountIn, 0n, 0]
  for (const bin of bins) {
    const part = binPart(how, bin, left)
    if (typeof part === "string") return none(part)
    met++
    left -= part.amountIn
    amountOut += part.amountOut
    if (left === 0n) break
  }
  return { quote: { ok: true, amountIn: amountIn - left, amountOut }, crossed: met - 1 }
}

/** Bins with something to buy, from the active one on. */
const pathOf = (bins: ReadonlyArray<Bin>, activeId: number, forY: boolean): ReadonlyArray<Bin> =>
  forY
    ? bins.filter(bin => bin.id <= activeId && bin.y > 0n).reverse()
    : bins.filter(bin => bin.id >= activeId && bin.x > 0n)

/** A sale through the pair. X is token 0. */
const walked = (
  state: LiquidityBookState,
  tokenIn: number,
  tokenOut: number,
  amountIn: bigint
): Walked => {
  const { bins, binStep, activeId } = state
  const fees = wholeFees(state.fees)
  if (tokenIn + tokenOut !== 1 || (tokenIn !== 0 && tokenIn !== 1)) return none("unknown-state")
  if (bins === null || binStep === null || activeId === null || fees === null || state.hasHooks) {
    return none("unknown-state")
  }
  const forY = tokenIn === 0
  const held = bins.reduce((sum, { x, y }) => sum + (forY ? x : y), 0n)
  if (held + amountIn > MAX_UINT128) return none("too-large")
  const path = pathOf(bins, activeId, forY)
  if (path.length === 0) return none("no-liquidity")
  const volatility = referencesAt(state.volatility, fees, activeId, state.time)
  return walk({ fees, binStep, volatility, forY }, path, amountIn)
}

/** See `PoolModel.quote`. */
export const quote: PoolModel<LiquidityBookState>["quote"] = (
  state,
  _facts,
  tokenIn,
  tokenOut,
  amountIn
) => walked(state, tokenIn, tokenOut, amountIn).quote

/** See `PoolModel.crossed`. */
export const crossed: NonNullable<PoolModel<LiquidityBookState>["crossed"]> = (
  state,
  _facts,
  tokenIn,
  tokenOut,
  amountIn
) => walked(state, tokenIn, tokenOut, amountIn).crossed
