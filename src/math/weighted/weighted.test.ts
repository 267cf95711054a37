import { expect, it } from "vitest"
import { exp, lnNearOne, pow } from "./log-exp.ts"
import { outGivenIn } from "./weighted.ts"

const E18 = 10n ** 18n

// KyberNetwork/kyberswap-dex-lib, pkg/liquidity-source/balancer-v2/math/log_exp_math_test.go.
it("takes powers, logarithms and exponentials as the contract does", () => {
  expect(pow(999955774281269788n, 4n * E18)).toBe(999823108860218333n)
  expect(pow(877904152923774542n, E18 / 4n)).toBe(967969728761424232n)
  expect(exp(-176906786864581n)).toBe(999823108860218333n)
  expect(lnNearOne(999955774281269788n)).toBe(-44226696716145462061506341909418n)
})

it("refuses powers that leave the contract's domain", () => {
  expect(pow(2n ** 255n, E18)).toBe(null)
  expect(pow(2n * E18, 2n ** 254n / 10n ** 20n)).toBe(null)
  expect(pow(10n * E18, 60n * E18)).toBe(null)
  expect(pow(1n, 2n * E18)).toBe(null)
  expect(pow(0n, E18)).toBe(0n)
  expect(pow(0n, 0n)).toBe(E18)
})

it("is near the true powers wherever it cannot be compared", () => {
  const near = (value: bigint | null, exact: bigint) => {
    const off = (value as bigint) - exact
    expect((off < 0n ? -off : off) * 10n ** 15n <= exact).toBe(true)
  }
  expect(exp(0n)).toBe(E18)
  near(exp(E18), 2718281828459045235n)
  near(exp(100n * E18), 26881171418161354484126255515800135873611118_773741922415191608n)
  near(pow(2n * E18, 10n * E18), 1024n * E18)
  near(pow(4n * 10n ** 46n, E18 / 2n), 2n * 10n ** 32n)
  near(pow(E18 + E18 / 20n, 2n * E18), 1102500000000000000n)
})

// The same repository, math/weighted_math_test.go.
it("gives the amounts of published swaps", () => {
  const swap = (
    balanceIn: bigint,
    weightIn: bigint,
    balanceOut: bigint,
    weightOut: bigint,
    amount: bigint
  ) =>
    outGivenIn(
      { balance: balanceIn, weight: weightIn },
      { balance: balanceOut, weight: weightOut },
      amount,
      "multiply"
    )
  expect(
    swap(2133741937219414819371293n, 10n, 548471973423647283412313n, 20n, 21481937129313123729n)
  ).toBe(2760912942840907991n)
  expect(
    swap(92174932794319461529478329n, 15n, 2914754379179427149231562n, 5n, 14957430248210n)
  ).toBe(1389798609308n)
  expect(
    swap(
      92174932794319461529478329n,
      15n,
      2914754379179427149231562n,
      5n,
      92174932794319461529478329n
    )
  ).toBe("max-in")
})
