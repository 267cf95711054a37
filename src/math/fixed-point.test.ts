import { expect, it } from "vitest"
import { random } from "../../test/support/seed.ts"
import { divRoundingUp, MAX_UINT256, mulDiv, mulDivRoundingUp, sqrt } from "./fixed-point.ts"

it("keeps full precision in products beyond 256 bits", () => {
  expect(mulDiv(MAX_UINT256, MAX_UINT256, MAX_UINT256)).toBe(MAX_UINT256)
  expect(mulDiv(1n << 128n, (50n << 128n) / 100n, (150n << 128n) / 100n)).toBe((1n << 128n) / 3n)
  expect(mulDiv(1n << 128n, 1000n << 128n, 3000n << 128n)).toBe((1n << 128n) / 3n)
})

it("rounds up only where something is left", () => {
  expect(mulDivRoundingUp(10n, 10n, 20n)).toBe(5n)
  expect(mulDivRoundingUp(10n, 10n, 30n)).toBe(4n)
  expect(mulDivRoundingUp(0n, 7n, 3n)).toBe(0n)
  expect(divRoundingUp(1n, MAX_UINT256)).toBe(1n)
})

it("takes integer square roots of any size", () => {
  expect([0n, 1n, 2n, 3n, 4n, 15n, 16n, 17n].map(sqrt)).toEqual([0n, 1n, 1n, 1n, 2n, 3n, 4n, 4n])
  const { bits } = random("sqrt")
  for (let i = 0; i < 300; i++) {
    const value = bits(1 + i * 2)
    const root = sqrt(value)
    expect(root * root <= value && (root + 1n) * (root + 1n) > value).toBe(true)
  }
})
