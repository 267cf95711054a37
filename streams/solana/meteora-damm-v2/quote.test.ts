import { expect, it } from "vitest"
import { dammV2Output } from "./quote.ts"

/** Measured on the program itself (../shared/reference/solana.md, 6). */
const pool = {
  liquidity: 123_456_789_012_345_678n << 48n,
  sqrtPrice: (3n << 64n) / 2n,
  feeRate: 2_500_000n
}

it.each([
  [true, false, [2243n, 2244375n, 174551687n, 11177374384n]],
  [true, true, [2243n, 2244375n, 174551687n, 11177374384n]],
  [false, false, [442n, 443332n, 34480531n, 2212751264n]],
  [false, true, [443n, 443333n, 34480534n, 2212761036n]]
] as const)("pays what the program pays: A to B %s, fee in B %s", (aToB, feeInB, paid) => {
  const sent = [1000n, 1000001n, 77777777n, 5000000000n]
  expect(sent.map(amount => dammV2Output({ ...pool, feeInB }, aToB, amount))).toEqual(paid)
})
