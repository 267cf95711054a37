/** What is known of a StableSwap pool, and the pool of the maths that follows from it. */
import { type StablePool, stableExchange } from "../../../src/math/stable-swap/exchange.ts"
import type { Amplification, StableRule } from "../../../src/math/stable-swap/invariant.ts"

/** Amplification in the contract's own precision; it moves in a straight line between two times. */
export interface Ramp {
  readonly initial: bigint
  readonly future: bigint
  /** Unix seconds; both zero where nothing was ramped */
  readonly from: bigint
  readonly to: bigint
}

/** Coins of one deposit into an empty (or unknown) pool, as far as its log told them. */
export interface Deposit {
  readonly place: string
  readonly amounts: ReadonlyArray<bigint>
}

export interface CurveStableState {
  readonly pool: string
  /** `10^(36 - decimals)` of each coin; null where one is unknown */
  readonly rates: ReadonlyArray<bigint> | null
  /** raw units without what is set aside; null where not known to the unit */
  readonly balances: ReadonlyArray<bigint> | null
  readonly deposit: Deposit | null
  /** of the pool token */
  readonly supply: bigint | null
  /** pool tokens of a withdrawal whose coin follows */
  readonly burned: bigint | null
  readonly ramp: Ramp | null
  /** 100, or 1 in the first pools */
  readonly precision: bigint | null
  /** in 1e-10 */
  readonly fee: bigint | null
  readonly adminFee: bigint | null
  readonly offpegMultiplier: bigint
  /** the orders of division that fit everything seen so far */
  readonly rules: ReadonlyArray<StableRule>
  /** Unix seconds of the newest event or block that was folded */
  readonly time: number
}

/** Amplification at a time; null where it is unknown. */
const amplificationAt = (
  { ramp, precision }: CurveStableState,
  time: number
): Amplification | null => {
  if (ramp === null || precision === null) return null
  const { initial, future, from, to } = ramp
  const now = BigInt(time)
  if (now >= to || to <= from) return { amp: future, precision }
  const passed = now > from ? now - from : 0n
  const amp =
    future > initial
      ? initial + ((future - initial) * passed) / (to - from)
      : initial - ((initial - future) * passed) / (to - from)
  return { amp, precision }
}

/** The pool with these balances by each rule that may be its own; empty where it is unknown. */
export const poolsOf = (
  state: CurveStableState,
  balances: ReadonlyArray<bigint>,
  time: number
): ReadonlyArray<StablePool> => {
  const { rates, fee, adminFee, offpegMultiplier, rules } = state
  const amplification = amplificationAt(state, time)
  if (rates === null || fee === null || adminFee === null || amplification === null) return []
  return rules.map(rule => ({
    rule,
    balances,
    rates,
    amplification,
    fee,
    adminFee,
    offpegMultiplier
  }))
}

/** The one value that all give; null where they differ or there is none. */
export const agreed = <A>(values: ReadonlyArray<A>, same: (a: A, b: A) => boolean): A | null => {
  const [first] = values
  return first !== undefined && values.every(value => same(first, value)) ? first : null
}

/** The outcome of a swap by each rule. */
export const exchanges = (
  pools: ReadonlyArray<StablePool>,
  sold: number,
  bought: number,
  amountIn: bigint
) => pools.map(pool => ({ rule: pool.rule, out: stableExchange(pool, sold, bought, amountIn) }))
