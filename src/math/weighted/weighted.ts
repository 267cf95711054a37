/**
 * The curve of weighted pools, product of balance^weight constant, in Balancer's own integer
 * arithmetic (balancer-v2-monorepo, `WeightedMath.sol` and `FixedPoint.sol`; version 3 has the
 * same).
 */
import { complement, divDown, divUp, mulDown, mulUp, ONE } from "./fixed18.ts"
import { pow } from "./log-exp.ts"

/** No swap may bring more than this part of the balance. */
const MAX_IN_RATIO = 3n * 10n ** 17n
/** 1e-14 of the power is its possible error. */
const POWER_ERROR = 10_000n

/** How powers of exactly 1, 2 and 4 are taken: by logarithms, as at first, or multiplied. */
export type PowerRule = "logarithm" | "multiply"

/** x^y, not below the true value; 18 decimals. Null where the contract refuses. */
const powUp = (x: bigint, y: bigint, rule: PowerRule): bigint | null => {
  if (rule === "multiply") {
    if (y === ONE) return x
    if (y === 2n * ONE) return mulUp(x, x)
    if (y === 4n * ONE) {
      const square = mulUp(x, x)
      return mulUp(square, square)
    }
  }
  const raw = pow(x, y)
  return raw === null ? null : raw + mulUp(raw, POWER_ERROR) + 1n
}

export interface WeightedSide {
  /** scaled to 18 decimals */
  readonly balance: bigint
  /** 18 decimals, above zero */
  readonly weight: bigint
}

/**
 * What `amountIn`, its fee already taken off, buys; amounts scaled to 18 decimals. `max-in`: more
 * than 30 % of the balance. Null where the contract refuses otherwise.
 */
export const outGivenIn = (
  from: WeightedSide,
  to: WeightedSide,
  amountIn: bigint,
  rule: PowerRule
): bigint | "max-in" | null => {
  if (amountIn > mulDown(from.balance, MAX_IN_RATIO)) return "max-in"
  if (from.balance === 0n) return null
  const base = divUp(from.balance, from.balance + amountIn)
  const power = powUp(base, divDown(from.weight, to.weight), rule)
  return power === null ? null : mulDown(to.balance, complement(power))
}
