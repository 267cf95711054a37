import { expect, it } from "vitest"
import { type CpmmPool, cpmmOutput } from "./quote.ts"

/** Measured on the program itself (../shared/reference/solana.md, 6). */
const token0 = 123_456_789_012_345n - 11_111n - 3_333n
const token1 = 9_876_543_210_987n - 22_222n - 4_444n
const plain = { feeRate: 2_500n, feeOfInput: null, feeOfOutput: null }
const forward: CpmmPool = { ...plain, in: token0, out: token1 }
const backward: CpmmPool = { ...plain, in: token1, out: token0 }
const fee = { basisPoints: 300n, most: 1_000_000n }

it.each<readonly [string, CpmmPool, ReadonlyArray<bigint>]>([
  ["0 to 1", forward, [3n, 79n, 79799n, 6206662n, 398983884n]],
  ["1 to 0", backward, [487n, 12462n, 12468748n, 969784025n, 62312282863n]],
  [
    "0 to 1 with a transfer fee",
    { ...forward, feeOfInput: fee },
    [2n, 77n, 77405n, 6126862n, 398904090n]
  ],
  [
    "1 to 0 with a transfer fee",
    { ...backward, feeOfOutput: fee },
    [472n, 12088n, 12094685n, 968784025n, 62311282863n]
  ]
])("pays what the program pays from token %s", (_, pool, paid) => {
  const sent = [40n, 1000n, 1000001n, 77777777n, 5000000000n]
  expect(sent.map(amount => cpmmOutput(pool, amount))).toEqual(paid)
})
