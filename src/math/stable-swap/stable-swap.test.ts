import { expect, it } from "vitest"
import { random } from "../../../test/support/seed.ts"
import { type StablePool, stableExchange, stableWithdrawOne } from "./exchange.ts"
import { stableBalance, stableInvariant, stableRules } from "./invariant.ts"

const UNIT = 10n ** 18n
const amplification = { amp: 20_000n, precision: 100n }

it("is the sum of equal balances, and zero without any", () => {
  for (const rule of stableRules) {
    expect(stableInvariant(rule, [UNIT, UNIT, UNIT], amplification)).toBe(3n * UNIT)
    expect(stableInvariant(rule, [0n, 0n], amplification)).toBe(0n)
  }
  expect(stableInvariant("plain", [0n, UNIT], amplification)).toBeNull()
  expect(stableInvariant("plain", [UNIT, UNIT], { amp: 50n, precision: 100n })).toBeNull()
  expect(stableInvariant("plain", [10n ** 60n, 10n ** 60n], amplification)).toBeNull()
})

it("solves for the balance it was computed from", () => {
  const { bits, integer, pick } = random("stable-swap")
  for (let i = 0; i < 300; i++) {
    const n = integer(2, 5)
    const whole = bits(integer(60, 90)) + UNIT
    const xp = Array.from({ length: n }, () => (whole * BigInt(integer(10, 400))) / 100n)
    const amp = { amp: BigInt(integer(10, 2000)) * 100n, precision: 100n }
    const d = stableInvariant(pick(stableRules), xp, amp) as bigint
    const place = integer(0, n - 1)
    const y = stableBalance(xp, place, d, amp) as bigint
    const off = y - (xp[place] as bigint)
    expect(off > -50n && off < 50n).toBe(true)
  }
})

it("withdraws in one coin for less than its share, with the fee between the two", () => {
  const pool: StablePool = {
    rule: "plain",
    balances: [1000n * UNIT, 1000n * UNIT],
    rates: [UNIT, UNIT],
    amplification,
    fee: 4_000_000n,
    adminFee: 5_000_000_000n,
    offpegMultiplier: 0n
  }
  const out = stableWithdrawOne(pool, 0, 100n * UNIT, 2000n * UNIT)
  if (out === null) throw new Error("no output")
  const free = stableWithdrawOne({ ...pool, fee: 0n }, 0, 100n * UNIT, 2000n * UNIT)
  const fee = (free?.amountOut as bigint) - out.amountOut
  // half of the fee of 0.02 % on half of the amount, and half of it set aside
  expect(Number(fee) / 1e18).toBeCloseTo(0.02, 3)
  expect(Number(out.setAside) / Number(fee)).toBeCloseTo(0.5, 6)
  expect(stableWithdrawOne(pool, 0, 3000n * UNIT, 2000n * UNIT)).toBeNull()
})

it("raises the fee off the peg", () => {
  const pool: StablePool = {
    rule: "late",
    balances: [100n * UNIT, 900n * UNIT],
    rates: [UNIT, UNIT],
    amplification,
    fee: 4_000_000n,
    adminFee: 0n,
    offpegMultiplier: 2n * 10n ** 10n
  }
  const off = stableExchange(pool, 1, 0, UNIT)?.amountOut as bigint
  const flat = stableExchange({ ...pool, offpegMultiplier: 0n }, 1, 0, UNIT)?.amountOut as bigint
  const free = stableExchange({ ...pool, fee: 0n }, 1, 0, UNIT)?.amountOut as bigint
  const ratio = Number(free - off) / Number(free - flat)
  expect(ratio > 1.4 && ratio < 2).toBe(true)
})
