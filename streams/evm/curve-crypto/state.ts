/** What is known of a crypto pool, and the pool of the maths that follows from it. */
import type { CryptoPool } from "../../../src/math/crypto-swap/exchange.ts"
import type { TripleState } from "./triple.ts"

export type Pair = readonly [bigint, bigint]

/** A or gamma: it moves in a straight line between two times. */
export interface Ramp {
  readonly initial: bigint
  readonly future: bigint
}

export interface CurveCryptoState {
  readonly pool: string
  /** `10^(18 - decimals)` of both coins; null where one is unknown, or there are more coins */
  readonly precisions: Pair | null
  /** raw units; null where not known to the unit */
  readonly balances: Pair | null
  /** coins of one log, into a pool whose balances are unknown */
  readonly deposit: { readonly place: string; readonly amounts: Pair } | null
  /** null after an event that does not tell it, until the next deposit */
  readonly d: bigint | null
  /** value of a pool token, 18 decimals: no swap may lower it */
  readonly virtualPrice: bigint | null
  /** of the pool token */
  readonly supply: bigint | null
  readonly priceScale: bigint | null
  readonly a: Ramp | null
  readonly gamma: Ramp | null
  /** Unix seconds of the ramp; zero where nothing was ramped */
  readonly from: bigint
  readonly to: bigint
  readonly midFee: bigint | null
  readonly outFee: bigint | null
  readonly feeGamma: bigint | null
  /** of three coins, as it was read; null where it was not, or moved since */
  readonly triple: TripleState | null
  /** Unix seconds of the newest event or block that was folded */
  readonly time: number
}

/** The value at a time; the times are those of the whole ramp. */
export const rampedAt = (
  { initial, future }: Ramp,
  from: bigint,
  to: bigint,
  time: bigint
): bigint => {
  if (time >= to || to <= from) return future
  const passed = time > from ? time - from : 0n
  return (initial * (to - from - passed) + future * passed) / (to - from)
}

/** True while A and gamma move: then D is computed anew before anything. */
export const isRamping = ({ to }: CurveCryptoState, time: number): boolean => to > BigInt(time)

/** The pool of the maths but for D; null while something of it is unknown. */
export const poolOf = (
  state: CurveCryptoState,
  balances: Pair | null,
  time: number
): Omit<CryptoPool, "d"> | null => {
  const { precisions, priceScale, a, gamma, from, to, midFee, outFee, feeGamma } = state
  if (precisions === null || balances === null || priceScale === null) return null
  if (a === null || gamma === null || priceScale === 0n) return null
  if (midFee === null || outFee === null || feeGamma === null) return null
  const now = BigInt(time)
  return {
    curve: { ann: rampedAt(a, from, to, now), gamma: rampedAt(gamma, from, to, now) },
    fees: { mid: midFee, out: outFee, gamma: feeGamma },
    balances,
    precisions,
    priceScale
  }
}
