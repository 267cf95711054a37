import { expect, it } from "vitest"
import { decodeAll } from "../../../test/support/decode-one.ts"
import { rawLogOf } from "../../../test/support/raw-logs.ts"
import type { PoolFacts } from "../../venue.ts"
import { type EventMeaning, eventOf } from "../../venue-laws.ts"
import { balancerV3Events } from "./decode.ts"
import { registeredPoolModel } from "./pool.ts"

const POOL = `0x${"cd".repeat(20)}`
const [A, B] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const
const WEIGHTED = "0x201efd508c8dfe9de1a13c2452863a78cb2a86cc"
const STABLE = "0xb9d01ca61b9c181da1051bfdd28e1097e920ab14"
const E18 = 10n ** 18n

const facts: PoolFacts = {
  pool: POOL,
  tokens: [A, B],
  fee: null,
  tickSpacing: null,
  decimals: [18, 18]
}

const created: EventMeaning = {
  kind: "PoolCreated",
  pool: POOL,
  venueKind: "balancer-v3",
  factory: null,
  tokens: [A, B],
  fee: null,
  tickSpacing: null,
  source: "log"
}

const set = (name: string, value: bigint, index: number | null = null) =>
  ({ kind: "PoolParameterSet", pool: POOL, name, index, value }) as const

const added = (index: number, amount: bigint) =>
  ({
    kind: "ReserveChanged",
    pool: POOL,
    venueKind: "balancer-v3",
    owner: null,
    token: null,
    index,
    amount,
    reason: "liquidity"
  }) as const

const after = (...events: ReadonlyArray<EventMeaning>) =>
  events
    .map(event => eventOf(event))
    .reduce(registeredPoolModel.fold, registeredPoolModel.initial(facts))

// KyberNetwork/kyberswap-dex-lib, balancer/v3/weighted/pool_simulator_test.go: a pool of Arbitrum's
// block 309271722.
const weighted = [
  created,
  set("factory", BigInt(WEIGHTED)),
  set("swapFee", 5n * 10n ** 15n),
  set("aggregateSwapFee", E18 / 2n),
  set("weight", (75n * E18) / 100n, 0),
  set("weight", (25n * E18) / 100n, 1),
  added(0, 92522708649454779998815n),
  added(1, 360573774832263481n)
]

it("quotes a weighted pool to the wei of a published swap", () => {
  expect(registeredPoolModel.quote(after(...weighted), facts, 0, 1, E18)).toEqual({
    ok: true,
    amountIn: E18,
    amountOut: 11632707084358n
  })
})

it("refuses trades below the Vault's least, on either side", () => {
  const none = { ok: false, reason: "no-liquidity" }
  expect(registeredPoolModel.quote(after(...weighted), facts, 0, 1, 999_999n)).toEqual(none)
  expect(registeredPoolModel.quote(after(...weighted), facts, 0, 1, 10n ** 10n)).toEqual(none)
})

const swapped = {
  kind: "SwapExecuted",
  pool: POOL,
  venueKind: "balancer-v3",
  sender: null,
  recipient: null,
  amount0In: E18,
  amount0Out: 0n,
  amount1In: 0n,
  amount1Out: 11632707084358n,
  sqrtPriceX96: null,
  liquidity: null,
  tick: null,
  fee: 5000,
  token0: A,
  token1: B,
  index0: null,
  index1: null
} as const

it("takes the protocol's part of a fee out of the pool, not in recovery mode", () => {
  const fee = set("swapFeeAmount", 5n * 10n ** 15n)
  const all = 92522708649454779998815n + E18
  expect(after(...weighted, swapped, fee).balances).toEqual([
    all - 25n * 10n ** 14n,
    360573774832263481n - 11632707084358n
  ])
  expect(after(...weighted, set("recoveryMode", 1n), swapped, fee).balances?.[0]).toBe(all)
})

it("knows no balances where the protocol's part was not told", () => {
  const untold = weighted.filter(event => !("name" in event && event.name === "aggregateSwapFee"))
  expect(after(...untold, swapped).balances).not.toBe(null)
  expect(after(...untold, swapped, set("swapFeeAmount", 5n)).balances).toBe(null)
})

it("takes the part that was told last before the registration, and none of strangers", () => {
  const told = (value: bigint) => set("initialAggregateSwapFee", value)
  const half = E18 / 2n
  expect(after(told(7n), told(half), created).aggregateFee).toBe(half)
  expect(after(told(7n), told(half), created, told(9n)).aggregateFee).toBe(half)
  expect(after(told(half), created, set("aggregateSwapFee", 3n), told(9n)).aggregateFee).toBe(3n)
})

it("says nothing of pools with rates, hooks on swaps, or of unknown factories", () => {
  const stable = [
    created,
    set("factory", BigInt(STABLE)),
    set("swapFee", E18 / 1000n),
    set("amp", 200_000n),
    set("hookFlags", 0b1111000110n),
    added(0, 1000n * E18),
    added(1, 1000n * E18)
  ]
  const quoteAfter = (...more: ReadonlyArray<EventMeaning>) =>
    registeredPoolModel.quote(after(...stable, ...more), facts, 0, 1, E18)
  expect(quoteAfter()).toMatchObject({ ok: true })
  for (const more of [
    set("hookFlags", 0b1000n),
    set("rateProvider", 1n, 1),
    set("paused", 1n),
    set("ampEndTime", 2n)
  ]) {
    expect(quoteAfter(more)).toEqual({ ok: false, reason: "unknown-state" })
  }
  const other = after(created, set("factory", 99n), ...stable.slice(2))
  expect(registeredPoolModel.quote(other, facts, 0, 1, E18)).toEqual({
    ok: false,
    reason: "unknown-state"
  })
})

it("refuses the same topic with nothing indexed, as GMX's vault on Arbitrum logs it", () => {
  const [swap] = balancerV3Events
  const data = `0x${"00".repeat(12)}${"22".repeat(20)}`.padEnd(2 + 7 * 64, "0")
  const raw = rawLogOf({
    address: "0x489ee077994b6658eafa855c308275ead8097c4a",
    topics: [swap?.topic0 as string],
    data
  })
  expect(decodeAll((swap as (typeof balancerV3Events)[number]).decode, raw)).toBe(
    "wrong number of topics"
  )
})
