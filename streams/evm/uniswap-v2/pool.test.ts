import { expect, it } from "vitest"
import type { Event } from "../../event.ts"
import type { PoolFacts } from "../../venue.ts"
import { eventOf } from "../../venue-laws.ts"
import { pairModel, quoteExactOutput } from "./pool.ts"

const POOL = `0x${"aa".repeat(20)}`
const facts: PoolFacts = {
  pool: POOL,
  tokens: ["0x1", "0x2"],
  fee: 3000,
  tickSpacing: null,
  decimals: [18, 18]
}
const UNIT = 10n ** 18n

const synced = (reserve0: bigint, reserve1: bigint, pool = POOL): Event =>
  eventOf({ kind: "ReservesSynced", pool, reserve0, reserve1 })

const created = (source: string): Event =>
  eventOf({
    kind: "PoolCreated",
    pool: POOL,
    venueKind: "uniswap-v2",
    factory: null,
    tokens: facts.tokens,
    fee: null,
    tickSpacing: null,
    source
  })

const after = (...events: ReadonlyArray<Event>) =>
  events.reduce((state, event) => pairModel.fold(state, event), pairModel.initial(facts))

it("knows a new pair to be empty, and nothing of one found later", () => {
  expect(pairModel.quote(after(created("log")), facts, 0, 1, UNIT)).toEqual({
    ok: false,
    reason: "no-liquidity"
  })
  for (const source of ["create2", "call"]) {
    expect(pairModel.quote(after(created(source)), facts, 0, 1, UNIT)).toEqual({
      ok: false,
      reason: "unknown-state"
    })
  }
})

it("quotes from the last reserves of its own pair, both ways", () => {
  const state = after(synced(1n, 1n), synced(5n * UNIT, 10n * UNIT), synced(7n, 7n, "0xother"))
  expect(pairModel.quote(state, facts, 0, 1, UNIT)).toEqual({
    ok: true,
    amountIn: UNIT,
    amountOut: 1662497915624478906n
  })
  expect(quoteExactOutput(state, facts, 0, 1, 1662497915624478906n)).toEqual({
    ok: true,
    amountIn: UNIT,
    amountOut: 1662497915624478906n
  })
  expect(quoteExactOutput(state, facts, 1, 0, 5n * UNIT)).toEqual({
    ok: false,
    reason: "no-liquidity"
  })
})

it("refuses what the pair's uint112 balances cannot hold", () => {
  const state = after(synced(2n ** 112n - 10n, UNIT))
  expect(pairModel.quote(state, facts, 0, 1, 9n)).toMatchObject({ ok: true })
  expect(pairModel.quote(state, facts, 0, 1, 10n)).toEqual({ ok: false, reason: "too-large" })
  expect(quoteExactOutput(state, facts, 0, 1, UNIT / 2n)).toEqual({
    ok: false,
    reason: "too-large"
  })
})

it("quotes nothing without a fee, or with one that leaves nothing", () => {
  const state = after(synced(UNIT, UNIT))
  for (const fee of [null, -1, 1_000_000]) {
    expect(pairModel.quote(state, { ...facts, fee }, 0, 1, UNIT)).toEqual({
      ok: false,
      reason: "unknown-state"
    })
  }
})
