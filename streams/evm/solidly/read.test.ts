import { expect, it } from "vitest"
import { readState } from "../../../test/support/read-state.ts"
import type { PoolFacts, StateAnswer, StateCall } from "../../venue.ts"
import { solidlyModel } from "./pool.ts"
import { solidlyStateRead } from "./read.ts"

const POOL = `0x${"bb".repeat(20)}`
const FACTORY = `0x${"fa".repeat(20)}`
const facts: PoolFacts = {
  pool: POOL,
  tokens: ["0x1", "0x2"],
  fee: null,
  tickSpacing: null,
  decimals: [6, 18]
}
const question = { facts, factory: FACTORY, known: solidlyModel.initial(facts), time: 0 }

const answers =
  (stable: bigint, poolFees: StateAnswer, fee: StateAnswer) =>
  (to: string, { abi, args }: StateCall): StateAnswer => {
    if (abi.includes("getReserves")) return [5_000_000n, 7n * 10n ** 18n, 1n]
    if (abi.includes("stable()")) return [stable]
    if (abi.includes("poolFees")) return poolFees
    expect([to, args]).toEqual([FACTORY, [BigInt(POOL), stable]])
    return fee
  }

it("tells reserves, curve, version and fee of a pair of the second generation", async () => {
  const state = await readState(solidlyStateRead, question, answers(0n, [9n], [30n]))
  expect(state).toEqual({
    pool: POOL,
    reserves: [5_000_000n, 7n * 10n ** 18n],
    isStable: false,
    version: 2,
    fee: 3000
  })
  const counted = 1_000_000n - 3000n
  const amountOut = (counted * 7n * 10n ** 18n) / (5_000_000n + counted)
  const quote = state && solidlyModel.quote(state, facts, 0, 1, 1_000_000n)
  expect(quote).toEqual({ ok: true, amountIn: 1_000_000n, amountOut })
})

it("asks no fee of a pair of the first, whose version a swap tells", async () => {
  const state = await readState(solidlyStateRead, question, answers(1n, null, null))
  expect(state).toMatchObject({ isStable: true, version: null, fee: null })
})

it("tells nothing of a pair that names no curve, or a fee that none has", async () => {
  for (const wrong of [answers(2n, [9n], [30n]), answers(1n, [9n], [10_000n])]) {
    expect(await readState(solidlyStateRead, question, wrong)).toBeNull()
  }
})
