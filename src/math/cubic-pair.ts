/**
 * The stable curve of Solidly and its forks: `x^3 y + y^3 x` of amounts scaled to 18 decimals must
 * not fall. The contracts find the new balance by Newton's iteration in integers; both iterations
 * in use are reproduced step by step, because where they stop decides the last units.
 *
 * - `base-v1`: BaseV1-core.sol of Solidly, Velodrome v1 and Thena: stops at a step of at most one.
 * - `velodrome`: Pool.sol of Aerodrome and Velodrome v2: goes on to the smallest balance that keeps
 *   the invariant, and asks the pool's own `_k` (which scales by decimals again) for the next one.
 */
import { MAX_UINT256 } from "./fixed-point.ts"

export type CubicIteration = "base-v1" | "velodrome"

const UNIT = 10n ** 18n
const ROUNDS = 255

/** One token's reserve in raw units and one whole token of it, `10^decimals`. */
export interface CubicSide {
  readonly reserve: bigint
  readonly one: bigint
}

/** Why the contract reverts: a product beyond 256 bits, or an iteration without an end. */
export type CubicFailure = "overflow" | "no-solution"

/** Products are unbounded here; the bits of all of them are gathered to see what would overflow. */
interface Seen {
  bits: bigint
}

const times = (seen: Seen, a: bigint, b: bigint): bigint => {
  const product = a * b
  seen.bits |= product
  return product
}

const product18 = (seen: Seen, a: bigint, b: bigint): bigint => times(seen, a, b) / UNIT

/** `x^3 y + y^3 x` of scaled amounts as `(xy)(x^2 + y^2)`. */
const invariant = (seen: Seen, x: bigint, y: bigint): bigint =>
  product18(seen, product18(seen, x, y), product18(seen, x, x) + product18(seen, y, y))

const scaled = (seen: Seen, amount: bigint, one: bigint): bigint => times(seen, amount, UNIT) / one

/** The invariant of raw reserves, `_k` of the pools. */
const poolInvariant = (seen: Seen, x: bigint, oneX: bigint, y: bigint, oneY: bigint): bigint =>
  invariant(seen, scaled(seen, x, oneX), scaled(seen, y, oneY))

/** The first pools' `_f`: the same sum by cubes, which rounds otherwise. */
const sumOfCubes = (seen: Seen, x: bigint, y: bigint): bigint => {
  const y3 = times(seen, product18(seen, y, y), y) / UNIT
  const x3 = times(seen, product18(seen, x, x), x) / UNIT
  return product18(seen, x, y3) + product18(seen, x3, y)
}

/** The derivative by `y`. */
const slope = (seen: Seen, x: bigint, y: bigint): bigint =>
  product18(seen, 3n * x, product18(seen, y, y)) + product18(seen, product18(seen, x, x), x)

const solidlyBalance = (seen: Seen, x: bigint, target: bigint, start: bigint): bigint | null => {
  let y = start
  for (let round = 0; round < ROUNDS; round++) {
    const k = sumOfCubes(seen, x, y)
    const gap = k < target ? target - k : k - target
    const by = slope(seen, x, y)
    if (by === 0n) return null
    const step = times(seen, gap, UNIT) / by
    y = k < target ? y + step : y - step
    if (y < 0n) return null
    if (step <= 1n) return y
  }
  return y
}

const velodromeBalance = (
  seen: Seen,
  x: bigint,
  target: bigint,
  start: bigint,
  again: (x: bigint, y: bigint) => bigint
): bigint | null => {
  let y = start
  for (let round = 0; round < ROUNDS; round++) {
    const k = invariant(seen, x, y)
    const gap = k < target ? target - k : k - target
    const by = slope(seen, x, y)
    if (by === 0n) return null
    const step = times(seen, gap, UNIT) / by
    if (step === 0n) {
      if (k === target) return y
      if (k < target) {
        if (again(x, y + 1n) > target) return y + 1n
      } else if (y === 0n) return null
      else if (invariant(seen, x, y - 1n) < target) return y
    }
    const moved = step === 0n ? 1n : step
    y = k < target ? y + moved : y - moved
    if (y < 0n) return null
  }
  return null
}

/**
 * What the pool's `getAmountOut` answers for an input without its fee, in raw units, `before` being
 * its token 0 and 1; or why it, or the swap it is meant for, reverts. Amounts and reserves are not
 * negative. A swap that would lower the invariant by rounding counts as `no-solution`.
 */
export const cubicAmountOut = (
  iteration: CubicIteration,
  before: readonly [CubicSide, CubicSide],
  tokenIn: 0 | 1,
  amountIn: bigint
): bigint | CubicFailure => {
  const [side0, side1] = before
  const into = before[tokenIn]
  const from = tokenIn === 0 ? side1 : side0
  const seen: Seen = { bits: 0n }
  const k = poolInvariant(seen, side0.reserve, side0.one, side1.reserve, side1.one)
  const start = scaled(seen, from.reserve, from.one)
  const x = scaled(seen, amountIn, into.one) + scaled(seen, into.reserve, into.one)
  const again = (a: bigint, b: bigint) => poolInvariant(seen, a, side0.one, b, side1.one)
  const y =
    iteration === "base-v1"
      ? solidlyBalance(seen, x, k, start)
      : velodromeBalance(seen, x, k, start, again)
  if (seen.bits > MAX_UINT256) return "overflow"
  if (y === null || y > start) return "no-solution"
  const amountOut = ((start - y) * from.one) / UNIT
  if (amountOut >= from.reserve) return "no-solution"
  const after = poolInvariant(
    seen,
    into.reserve + amountIn,
    into.one,
    from.reserve - amountOut,
    from.one
  )
  if (seen.bits > MAX_UINT256) return "overflow"
  return after < k ? "no-solution" : amountOut
}
