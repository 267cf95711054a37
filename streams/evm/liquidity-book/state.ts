/** What is known of a Liquidity Book pair. */
import type { StaticFees, Volatility } from "../../../src/math/bins/volatility.ts"

/** Reserves of one bin in raw units, without the protocol's fees; never both zero. */
export interface Bin {
  readonly id: number
  readonly x: bigint
  readonly y: bigint
}

export interface LiquidityBookState {
  readonly pool: string
  /** by id; null where the pair was not seen from its creation on, or a bin went below zero */
  readonly bins: ReadonlyArray<Bin> | null
  readonly binStep: number | null
  /** null until a swap, a fee or a deposit of both tokens tells it */
  readonly activeId: number | null
  readonly fees: Partial<StaticFees>
  readonly volatility: Volatility
  readonly hasHooks: boolean
  /** Unix seconds of the newest event or block that was folded */
  readonly time: number
}

const staticNames: ReadonlySet<string> = new Set<keyof StaticFees>([
  "baseFactor",
  "filterPeriod",
  "decayPeriod",
  "reductionFactor",
  "variableFeeControl",
  "protocolShare",
  "maxVolatilityAccumulator"
])

export const isStaticFee = (name: string): boolean => staticNames.has(name)

/** All static parameters, or null while one is unknown. */
export const wholeFees = (fees: Partial<StaticFees>): StaticFees | null =>
  Object.keys(fees).length === staticNames.size ? (fees as StaticFees) : null
