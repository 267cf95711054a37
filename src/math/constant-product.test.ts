import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { random } from "../../test/support/seed.ts"
import { describeWithSharedData, sharedData } from "../../test/support/shared-data.ts"
import { amountInFor, amountOutOf, smallestAmountInFor } from "./constant-product.ts"

it("answers what the contracts answer", () => {
  // UniswapV2Library and Pair examples: 1 token into 5 / 10 gives 1662497915624478906 at 0.3 %.
  const unit = 10n ** 18n
  expect(amountOutOf(unit, 5n * unit, 10n * unit, 3000n)).toBe(1662497915624478906n)
  expect(amountOutOf(unit, 10n * unit, 5n * unit, 3000n)).toBe(453305446940074565n)
  expect(amountOutOf(2n, 100n, 100n, 3000n)).toBe(1n)
  expect(amountInFor(1n, 100n, 100n, 3000n)).toBe(2n)
  expect(amountInFor(100n, 100n, 100n, 3000n)).toBeNull()
  expect(smallestAmountInFor(101n, 100n, 100n, 3000n)).toBeNull()
})

it("never breaks the product, and asks for no unit more than needed", () => {
  const { bits, integer, pick } = random("constant-product")
  for (let i = 0; i < 2000; i++) {
    const reserveIn = bits(integer(1, 112)) + 1n
    const reserveOut = bits(integer(1, 112)) + 1n
    const fee = BigInt(pick([0, 500, 2000, 2500, 3000, 10_000, 999_999]))
    const amountIn = bits(integer(1, 112))
    const out = amountOutOf(amountIn, reserveIn, reserveOut, fee)
    const kept = (input: bigint, output: bigint): boolean =>
      (reserveIn * 1_000_000n + input * (1_000_000n - fee)) * (reserveOut - output) >=
      reserveIn * reserveOut * 1_000_000n
    expect(out < reserveOut && kept(amountIn, out)).toBe(true)
    expect(kept(amountIn, out + 1n) && out + 1n < reserveOut).toBe(false)
    if (out === 0n) continue
    const least = smallestAmountInFor(out, reserveIn, reserveOut, fee) as bigint
    expect(least <= amountIn && kept(least, out) && !kept(least - 1n, out)).toBe(true)
    const library = amountInFor(out, reserveIn, reserveOut, fee) as bigint
    expect(library === least || library === least + 1n).toBe(true)
  }
})

interface Published {
  readonly cases: ReadonlyArray<{
    reserves: [string, string]
    fee: string
    feePrecision: string
    tokenIn: 0 | 1
    amountIn: string
    amountOut: string
  }>
}
interface Computed {
  readonly v2: ReadonlyArray<{
    reserveIn: string
    reserveOut: string
    fee: number
    amountIn: string
    amountOut: string
  }>
}

const files = ["routing/uniswap-v2.json", "routing/computed-swaps.json"]

describeWithSharedData("constant-product vectors", files, () => {
  const read = (path: string) => JSON.parse(readFileSync(join(sharedData, path), "utf8"))

  it("reproduces the published outputs", () => {
    const { cases } = read("routing/uniswap-v2.json") as Published
    for (const c of cases) {
      const fee = (BigInt(c.fee) * 1_000_000n) / BigInt(c.feePrecision)
      const reserveIn = BigInt(c.reserves[c.tokenIn])
      const reserveOut = BigInt(c.reserves[1 - c.tokenIn] as string)
      expect(amountOutOf(BigInt(c.amountIn), reserveIn, reserveOut, fee)).toBe(BigInt(c.amountOut))
    }
    expect(cases.length).toBe(2)
  })

  it("reproduces the computed outputs", () => {
    const { v2 } = read("routing/computed-swaps.json") as Computed
    for (const c of v2) {
      const [x, y] = [BigInt(c.reserveIn), BigInt(c.reserveOut)]
      expect(amountOutOf(BigInt(c.amountIn), x, y, BigInt(c.fee))).toBe(BigInt(c.amountOut))
    }
    expect(v2.length).toBe(6)
  })
})
