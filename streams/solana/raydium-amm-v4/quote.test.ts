import { expect, it } from "vitest"
import { ammV4Input, ammV4Output } from "./quote.ts"

/** Measured on the program itself: vaults less what is owed (../shared/reference/solana.md, 6). */
const coin = 123_456_789_012_345n - 1_234_567n
const pc = 9_876_543_210_987n - 7_654_321n
const coinToPc = { in: coin, out: pc }
const pcToCoin = { in: pc, out: coin }

const AMOUNTS = [1n, 39n, 199n, 200n, 201n, 399n, 400n, 1000n, 1000001n, 77777777n, 5000000000n]

it("pays what the program pays", () => {
  expect(AMOUNTS.map(amount => ammV4Output(coinToPc, amount))).toEqual([
    null,
    3n,
    15n,
    15n,
    15n,
    31n,
    31n,
    79n,
    79799n,
    6206657n,
    398983579n
  ])
  expect(AMOUNTS.map(amount => ammV4Output(pcToCoin, amount))).toEqual([
    12n,
    487n,
    2487n,
    2487n,
    2500n,
    4975n,
    4987n,
    12462n,
    12468758n,
    969784765n,
    62312330347n
  ])
})

it("takes what the program takes for an amount that is wanted", () => {
  const wanted = [1n, 39n, 1000n, 1000001n, 77777777n, 5000000000n]
  expect(wanted.map(amount => ammV4Input(coinToPc, amount))).toEqual([
    14n,
    490n,
    12533n,
    12531353n,
    974667273n,
    62688425006n
  ])
  const others = [39n, 199n, 201n, 1000n, 1000001n, 77777777n, 5000000000n]
  expect(others.map(amount => ammV4Input(pcToCoin, amount))).toEqual([
    5n,
    17n,
    18n,
    81n,
    80202n,
    6237817n,
    401018446n
  ])
  expect(ammV4Input(coinToPc, pc)).toBe(null)
})
