import { expect, it } from "vitest"
import { random } from "../../test/support/seed.ts"
import { type CubicSide, cubicAmountOut } from "./cubic-pair.ts"

const UNIT = 10n ** 18n
const side = (reserve: bigint, one = UNIT): CubicSide => ({ reserve, one })

it("answers what the contract answers", () => {
  // Velodrome pools in the tests of KyberNetwork/kyberswap-dex-lib (ae6a99aa), fee taken off.
  const pair = [side(165363502891169888414n), side(70707320014274856246n)] as const
  const counted = 7070085324939016n - 3535042662469n
  expect(cubicAmountOut("velodrome", pair, 1, counted)).toBe(8040168956751976n)
  const dollars = [side(2052127179n, 10n ** 6n), side(1705017421n, 10n ** 6n)] as const
  expect(cubicAmountOut("base-v1", dollars, 1, 36283954n - 18141n)).toBe(36307464n)
  expect(cubicAmountOut("velodrome", dollars, 1, 36283954n - 18141n)).toBe(36307464n)
})

it("is nearly one to one in balance, and never lowers the invariant", () => {
  const balanced = [side(10n ** 24n), side(10n ** 24n)] as const
  expect(cubicAmountOut("velodrome", balanced, 0, UNIT)).toBe(999_999_999_999_999_999n)
  const { bits, integer, pick } = random("cubic-pair")
  const k = (x: bigint, y: bigint) => (((x * y) / UNIT) * ((x * x) / UNIT + (y * y) / UNIT)) / UNIT
  let solved = 0
  for (let i = 0; i < 500; i++) {
    const x = bits(integer(50, 90)) + UNIT
    const y = (x * BigInt(integer(5, 2000))) / 100n
    const amountIn = bits(integer(20, 90))
    const out = cubicAmountOut(pick(["base-v1", "velodrome"]), [side(x), side(y)], 0, amountIn)
    if (typeof out !== "bigint") continue
    solved++
    expect(out < y && k(x + amountIn, y - out) >= k(x, y)).toBe(true)
    // nor leaves more than some units to the pool
    expect(k(x + amountIn, y - out - 10n) < k(x, y) || out + 10n >= y).toBe(true)
  }
  expect(solved).toBeGreaterThan(400)
})

it("tells an overflow from an iteration without an end", () => {
  const vast = [side(10n ** 30n), side(10n ** 30n)] as const
  expect(cubicAmountOut("velodrome", vast, 0, 1n)).toBe("overflow")
  expect(cubicAmountOut("velodrome", [side(1n), side(1n)], 0, 0n)).toBe("no-solution")
})
