import { describe, expect, it } from "vitest"
import { formatTicks } from "./chart-ticks.js"
import {
  cleanLabel,
  formatAmount,
  formatClock,
  formatDateTime,
  formatDuration,
  formatInteger,
  formatPastDay,
  formatPercent,
  formatPrice,
  formatRule,
  formatSince,
  formatUsd,
  priceDecimals,
  shortAddress
} from "./format.js"

describe("formatPrice", () => {
  it.each([
    [0, "0"],
    [12345.678, "12,345.68"],
    [1234567.891, "1,234,567.89"],
    [999.999, "1,000.00"],
    [123.456, "123.46"],
    [1.23456, "1.2346"],
    [1, "1.0000"],
    [0.99999, "1"],
    [0.5, "0.5"],
    [0.0123456, "0.01235"],
    [0.0000123, "0.0000123"],
    [0.000000123, "0.000000123"],
    [0.0000000123, "0.0₇123"],
    [1.23456e-18, "0.0₁₇1235"],
    [-0.0000123, "-0.0000123"],
    [2e15, "2.00e+15"]
  ])("writes %d as %s", (price, text) => expect(formatPrice(price)).toBe(text))

  it.each([
    [0.5, 4, "0.5000"],
    [0.0000123, 8, "0.00001230"],
    [1.23e-9, 12, "0.0₈1230"],
    [1234.5, 2, "1,234.50"],
    // of a market whose newest price is far lower
    [1234.5, 23, "1,234.500"],
    [0.5, 23, "0.50000"]
  ])("keeps the decimals asked for: %d with %d", (price, decimals, text) =>
    expect(formatPrice(price, decimals)).toBe(text)
  )

  it.each([
    [
      [3012, 3012.5, 3013],
      ["3,012.0", "3,012.5", "3,013.0"]
    ],
    [
      [1e6, 1.25e6, 1.5e6],
      ["1,000,000", "1,250,000", "1,500,000"]
    ],
    [
      [0.1, 0.1 + 0.2, 0.5],
      ["0.1", "0.3", "0.5"]
    ],
    [
      [-0.25, 1e-17, 0.25],
      ["-0.25", "0", "0.25"]
    ],
    [
      [5e-8, 1e-7, 1.5e-7],
      ["0.00000005", "0.00000010", "0.00000015"]
    ],
    [
      [5e-9, 1e-8, 1.5e-8],
      ["0.0₇05", "0.0₇10", "0.0₇15"]
    ],
    [
      [9.98e-21, 1e-20, 1.002e-20],
      ["0.0₁₉0998", "0.0₁₉1000", "0.0₁₉1002"]
    ],
    [
      [2.84e18, 2.88e18, 2.92e18],
      ["2.84e+18", "2.88e+18", "2.92e+18"]
    ],
    [[0.0123456], ["0.01235"]],
    [[], []]
  ])("tells the marks of a scale apart, in one notation: %j", (prices, texts) =>
    expect(formatTicks(prices)).toEqual(texts)
  )

  it("never shows a price as zero for want of decimals", () =>
    expect(formatPrice(0.0000123, 2)).toBe("0.0000123"))

  it.each([[null], [undefined], [Number.NaN], [Number.POSITIVE_INFINITY]])(
    "writes %s as unknown",
    value => {
      expect(formatPrice(value)).toBe("—")
      expect(formatUsd(value)).toBe("—")
      expect(formatAmount(value)).toBe("—")
      expect(formatPercent(value)).toBe("—")
      expect(formatInteger(value)).toBe("—")
      expect(formatDuration(value)).toBe("—")
      expect(formatClock(value)).toBe("—")
      expect(formatDateTime(value)).toBe("—")
    }
  )
})

describe("priceDecimals", () => {
  it.each([
    [null, 2],
    [0, 2],
    [43210, 2],
    [123, 2],
    [12, 3],
    [1, 4],
    [0.5, 4],
    [0.05, 5],
    [0.0000123, 8],
    [1e-300, 100]
  ])("of %s is %d", (price, decimals) => expect(priceDecimals(price)).toBe(decimals))
})

describe("formatUsd", () => {
  it.each([
    [0, "$0"],
    [0.0000001, "<$0.000001"],
    [0.0042, "$0.0042"],
    [0.01, "$0.01"],
    [12.3, "$12.30"],
    [999.4, "$999.40"],
    [999.99, "$1.00K"],
    [4560, "$4.56K"],
    [99_960, "$100K"],
    [999_999, "$1.00M"],
    [7_890_000, "$7.89M"],
    [1.5e9, "$1.50B"],
    [-2500, "-$2.50K"],
    [3e18, "$3.00e+18"]
  ])("writes %d as %s", (value, text) => expect(formatUsd(value)).toBe(text))
})

describe("other numbers", () => {
  it.each([
    [0, "0"],
    [0.0042, "0.0042"],
    [12.345, "12.35"],
    [4560, "4.56K"],
    [-4560, "-4.56K"]
  ])("amount %d is %s", (value, text) => expect(formatAmount(value)).toBe(text))

  it.each([
    [0, "0.00%"],
    [0.001, "0.00%"],
    [-0.001, "0.00%"],
    [1.234, "+1.23%"],
    [-0.4, "-0.40%"],
    [12345, "+12.3K%"]
  ])("percent %d is %s", (value, text) => expect(formatPercent(value)).toBe(text))

  it("groups thousands of integers", () => {
    expect(formatInteger(0)).toBe("0")
    expect(formatInteger(1_234_567)).toBe("1,234,567")
  })

  it.each([
    [-3, "0.0 s"],
    [0.83, "0.8 s"],
    [45, "45 s"],
    [125, "2 min"],
    [7200, "2 h"],
    [432_000, "5 d"]
  ])("%d seconds last %s", (value, text) => expect(formatDuration(value)).toBe(text))

  it("writes times in UTC", () => {
    expect(formatClock(1_792_159_439)).toBe("14:03:59")
    expect(formatDateTime(1_792_159_439)).toBe("2026-10-16 14:03")
    expect(formatClock(1e300)).toBe("—")
  })

  it("names the day of what is not of today, by UTC", () => {
    const now = 1_792_159_439
    expect(formatPastDay(now - 14 * 3600 - 3 * 60 - 59, now)).toBe("")
    expect(formatPastDay(now - 14 * 3600 - 3 * 60 - 60, now)).toBe("2026-10-15")
    expect(formatPastDay(1_704_499_199, now)).toBe("2024-01-05")
    expect(formatPastDay(null, now)).toBe("")
  })

  it("tells a rule with its figures", () => {
    const text = "minDepthUsd behind it (`/v1/prices/explain`), and at least minTrades prints"
    expect(
      formatRule({ version: 1, id: "graduated", text, minTrades: 10, minDepthUsd: 1000 })
    ).toBe("$1.00K behind it (/v1/prices/explain), and at least 10 prints")
  })

  it("in little room are the minute, also of the 24 hours before today, else the day", () => {
    const now = 1_792_159_439
    expect(formatDateTime(now)).toBe("2026-10-16 14:03")
    expect(formatSince(now - 60, now)).toBe("14:02")
    expect(formatSince(now - 15 * 3600, now)).toBe("10-15 23:03")
    expect(formatSince(now - 24 * 3600, now)).toBe("10-15 14:03")
    expect(formatSince(now - 24 * 3600 - 1, now)).toBe("2026-10-15")
    expect(formatSince(null, now)).toBe("—")
  })
})

describe("labels", () => {
  it("shortens addresses and leaves short text whole", () => {
    expect(shortAddress("0x3600000000000000000000000000000000000abc")).toBe("0x3600…0abc")
    expect(shortAddress("0x36")).toBe("0x36")
  })

  it("drops what could disguise a label and keeps what is visible", () => {
    expect(cleanLabel("\u202eCDSU\u0000\u200b", 16)).toBe("CDSU")
    expect(cleanLabel("  two\n\nlines ", 16)).toBe("two lines")
    expect(cleanLabel("a   b", 16)).toBe("a b")
    expect(cleanLabel("<img src=x>", 16)).toBe("<img src=x>")
    expect(cleanLabel("🦄".repeat(20), 4)).toBe("🦄🦄🦄…")
    expect(cleanLabel(null, 4)).toBe("")
  })
})
