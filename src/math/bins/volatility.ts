/**
 * The volatility that a Liquidity Book pair's variable fee follows: how many bins the price moved
 * from a reference that is renewed after a pause, and how much of earlier movement is still
 * remembered. PairParameterHelper of traderjoe-xyz/joe-v2 (v2.1, v2.2).
 */
import { BASIS_POINTS } from "./bin-swap.ts"

/** Fee parameters of a pair, as `StaticFeeParametersSet` tells them. Periods in seconds. */
export interface StaticFees {
  readonly baseFactor: number
  readonly filterPeriod: number
  readonly decayPeriod: number
  /** of the accumulator that stays as reference, in basis points */
  readonly reductionFactor: number
  readonly variableFeeControl: number
  /** in basis points of the fee */
  readonly protocolShare: number
  readonly maxVolatilityAccumulator: number
}

/** Null is what is not known. */
export interface Volatility {
  readonly idReference: number | null
  readonly reference: number | null
  readonly accumulator: number | null
  /** Unix seconds of the last update */
  readonly time: number | null
}

/** What is left of an accumulator after a pause shorter than the decay period. */
export const reducedVolatility = (accumulator: number, { reductionFactor }: StaticFees): number =>
  Math.floor((accumulator * reductionFactor) / BASIS_POINTS)

/** The references as a swap or deposit at `time` begins with; `activeId` is the bin before it. */
export const referencesAt = (
  volatility: Volatility,
  fees: StaticFees,
  activeId: number | null,
  time: number
): Volatility => {
  const pause = volatility.time === null ? null : time - volatility.time
  if (pause === null) return { ...volatility, idReference: null, reference: null, time }
  if (pause < fees.filterPeriod) return { ...volatility, time }
  const { accumulator } = volatility
  const reference =
    pause >= fees.decayPeriod
      ? 0
      : accumulator === null
        ? null
        : reducedVolatility(accumulator, fees)
  return { idReference: activeId, reference, accumulator, time }
}

/** The accumulator in bin `id`; null while a reference is unknown. */
export const accumulatorAt = (
  { idReference, reference }: Volatility,
  { maxVolatilityAccumulator }: StaticFees,
  id: number
): number | null =>
  idReference === null || reference === null
    ? null
    : Math.min(maxVolatilityAccumulator, reference + Math.abs(id - idReference) * BASIS_POINTS)
