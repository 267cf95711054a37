import { expect, it } from "vitest"
import { divDown, mulDown, mulUp } from "../weighted/fixed18.ts"
import { balanceGivenInvariant, invariantOf, outGivenIn, type StableRule } from "./stable.ts"

// KyberNetwork/kyberswap-dex-lib, pkg/liquidity-source/balancer-v2/math/stable_math_test.go.
const six = [
  9999991000000000000000n,
  99999910000000000056n,
  8897791020011100123456n,
  13288977911102200123456n,
  199791011102200123456n,
  1997200112156340123456n
]
const uneven = [
  214321579579179247n,
  42179537589172147219n,
  1520481514459573495n,
  414759131324123123n,
  4219759729147925n,
  5197345436285624443n
]

it("finds the invariants of published balances, in both roundings", () => {
  expect(invariantOf(5000n, six, "up")).toBe(19410511781031881171190n)
  expect(invariantOf(5000n, six, "truncated")).toBe(19410511781031881171187n)
  expect(invariantOf(10000n, uneven, "up")).toBe(10463766246264892100n)
  expect(invariantOf(10000n, uneven, "truncated")).toBe(10463766246264892025n)
})

it("refuses what does not converge or overflows", () => {
  const wild = [
    1243021482015219478129472423914n,
    184305801438975139127489247143n,
    14830215n,
    3018454729758945n,
    3145748925789256143057234n,
    127312951502507043571956954693255219n
  ]
  expect(invariantOf(1500n, wild, "up")).toBe(null)
  expect(invariantOf(1500n, wild, "truncated")).toBe(null)
  expect(invariantOf(1500n, [0n, 0n], "up")).toBe(0n)
  expect(invariantOf(1500n, [0n, 1n], "truncated")).toBe(null)
})

it("finds the balance that fits the others", () => {
  expect(balanceGivenInvariant(5000n, six, 19410511781031881171190n, 2, "up")).toBe(
    8897791020011100123930n
  )
  const small = [
    999990011312354743n,
    999999109147962946n,
    8897200012342134156n,
    139701234531231236n,
    1997110225124214006n,
    1997200114142123456n
  ]
  expect(balanceGivenInvariant(2222n, small, 194123410213511781031n, 4, "up")).toBe(
    82106384280816317076136n
  )
})

/** A swap of the whole pool: fee off, scaled by factors of 18 decimals, and back. */
const swapped = (
  reserves: ReadonlyArray<bigint>,
  factors: ReadonlyArray<bigint>,
  amp: bigint,
  fee: bigint,
  [from, to]: readonly [number, number],
  amount: bigint,
  rule: StableRule
): bigint | null => {
  const balances = reserves.map((reserve, i) => mulDown(reserve, factors[i] as bigint))
  const scaled = mulDown(amount - mulUp(amount, fee), factors[from] as bigint)
  const out = outGivenIn(amp, balances, from, to, scaled, rule)
  return out === null ? null : divDown(out, factors[to] as bigint)
}

const ONE = 10n ** 18n

// The same repository, balancer-v2/stable and composable-stable, pool_simulator_test.go.
it("gives the amounts of published swaps", () => {
  expect(
    swapped(
      [1152882153159026494n, 873225053252443292n],
      [0xffb10f9bcf7d41an, ONE],
      1_000_000n,
      0x16bcc41e90000n,
      [1, 0],
      73183418984294781n,
      "up"
    )
  ).toBe(63551050657042642n)
  expect(
    swapped(
      [6999791779383984752n, 3000000000000000000n],
      [1000052057863883934n, ONE],
      1_500_000n,
      100000000000000n,
      [0, 1],
      999791779383984752n,
      "truncated"
    )
  ).toBe(998507669837625986n)
})

// The same repository, balancer/v3/stable/pool_simulator_test.go: swaps of the wrapped tokens, by
// live balances and rates of Ethereum's block 22817774.
it("gives the amounts of version 3", () => {
  const balances = [694069210892948295209n, 2124492373418339554414n]
  const rates = [1009108897721464489n, 1190879275654308905n]
  const swap = (from: number, to: number, amount: bigint) => {
    const scaled = mulDown(amount, rates[from] as bigint)
    const given = scaled - mulUp(scaled, 20000000000000n)
    const out = outGivenIn(5_000_000n, balances, from, to, given, "v3")
    return divDown(out as bigint, (rates[to] as bigint) + 1n)
  }
  expect(swap(0, 1, 1000000000n)).toBe(847659581n)
  expect(swap(0, 1, 2n * ONE)).toBe(1695317072722991811n)
  expect(swap(1, 0, 1000000000n)).toBe(1179671670n)
  expect(swap(1, 0, 2n * ONE)).toBe(2359339885152387011n)
})
