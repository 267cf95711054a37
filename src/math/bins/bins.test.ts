import { expect, it } from "vitest"
import { random } from "../../../test/support/seed.ts"
import { binPrice, CENTRE_BIN } from "./bin-price.ts"
import { binAmounts, binFee } from "./bin-swap.ts"

const SCALE = 1n << 128n

it("prices bins by powers of the step, near to the real ones", () => {
  expect(binPrice(CENTRE_BIN, 25)).toBe(SCALE)
  // 1.0001 and its inverse, each truncated
  const step = SCALE + SCALE / 10_000n
  expect(binPrice(CENTRE_BIN - 1, 1)).toBe((2n ** 256n - 1n) / step)
  expect(binPrice(CENTRE_BIN + 1, 1)).toBe((2n ** 256n - 1n) / ((2n ** 256n - 1n) / step))
  const { integer } = random("bin-price")
  for (let i = 0; i < 300; i++) {
    const [by, step] = [integer(-2000, 2000), integer(1, 100)]
    const price = Number(binPrice(CENTRE_BIN + by, step) as bigint) / Number(SCALE)
    expect(Math.abs(price / (1 + step / 10_000) ** by - 1)).toBeLessThan(1e-9)
  }
  expect(binPrice(0, 1)).toBeNull()
  expect(binPrice(CENTRE_BIN + 2 ** 20, 100)).toBeNull()
})

it("adds the fee of volatility, and refuses more than a tenth", () => {
  const fees = { baseFactor: 8000, variableFeeControl: 7500 }
  expect(binFee(fees, 0, 100)).toBe(8_000_000_000_000_000n)
  expect(binFee(fees, 150_000, 100)).toBe(8_000_000_000_000_000n + 16_875_000_000_000_000n)
  expect(binFee({ baseFactor: 65_535, variableFeeControl: 0 }, 0, 200)).toBeNull()
})

it("gives a bin's whole reserve for its price and fee, and less for less", () => {
  const price = binPrice(CENTRE_BIN + 10, 25) as bigint
  const whole = binAmounts(10n ** 18n, price, 10n ** 15n, true, 10n ** 30n)
  expect(whole).toMatchObject({ amountOut: 10n ** 18n })
  const all = whole?.amountIn as bigint
  expect(binAmounts(10n ** 18n, price, 10n ** 15n, true, all)).toEqual(whole)
  const less = binAmounts(10n ** 18n, price, 10n ** 15n, true, all / 2n)
  expect(less?.amountIn).toBe(all / 2n)
  expect((less?.amountOut as bigint) * 2n <= 10n ** 18n).toBe(true)
  expect(binAmounts(2n ** 127n, 1n, 0n, true, 1n)).toBeNull()
})
