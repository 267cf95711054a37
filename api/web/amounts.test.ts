import { describe, expect, it } from "vitest"
import { amountText, readAmount, shortAmount, withoutGas } from "./amounts.js"

const read = (text: string, decimals: number | null = 6) => {
  const amount = readAmount(text, decimals)
  return amount.ok ? amount.raw : amount.problem
}

describe("an amount as typed", () => {
  it("is read to the raw unit", () => {
    expect(read("1")).toBe(1_000_000n)
    expect(read(" 1.5 ")).toBe(1_500_000n)
    expect(read(".000001")).toBe(1n)
    expect(read("7.")).toBe(7_000_000n)
    expect(read("1,234,567.25")).toBe(1_234_567_250_000n)
    expect(read("0.1", 18)).toBe(100_000_000_000_000_000n)
    expect(read("1.500000000", 6)).toBe(1_500_000n)
    expect(read("12", 0)).toBe(12n)
  })

  it("is refused in words where it is none", () => {
    const digits = "Write the amount in digits, like 1.5."
    for (const text of ["", ".", "x", "1e3", "-1", "1.2.3", "1,5", "0x10", "١"]) {
      expect(read(text), text).toBe(digits)
    }
    expect(read("0.0")).toBe("The amount must be above zero.")
    expect(read("1.0000001")).toBe("This token has 6 decimals, and no more.")
    expect(read("1", null)).toBe(
      "The decimals of this token are not known, so no amount of it can be read."
    )
    expect(read("9".repeat(72))).toBe("No token has so many units.")
  })
})

describe("an amount as shown", () => {
  it("has every digit in full", () => {
    expect(amountText(1_500_000n, 6)).toBe("1.5")
    expect(amountText(1n, 18)).toBe("0.000000000000000001")
    expect(amountText(12n, 0)).toBe("12")
    expect(amountText(10n ** 24n + 1n, 18)).toBe("1000000.000000000000000001")
  })

  it("is cut, never rounded up, when short", () => {
    expect(shortAmount(1_999_999_999_999n, 6)).toBe("1,999,999.9")
    expect(shortAmount(2_613_412_345_678_901_234_567n, 18)).toBe("2,613.4123")
    expect(shortAmount(1_234_567_890_123n, 18)).toBe("0.0000012345678")
    expect(shortAmount(0n, 6)).toBe("0")
    expect(shortAmount(123_456_789_012n, 0)).toBe("123,456,789,012")
    expect(shortAmount(77n, null)).toBe("77 raw units")
  })
})

describe("all native units but the gas", () => {
  it("keeps a fourth more than the gas costs now, and is never below nothing", () => {
    expect(withoutGas(10n ** 18n, 400_000n, 10n ** 9n)).toBe(999_500_000_000_000_000n)
    expect(withoutGas(7n, 400_000n, 0n)).toBe(7n)
    expect(withoutGas(10n ** 14n, 400_000n, 10n ** 9n)).toBe(0n)
  })
})
