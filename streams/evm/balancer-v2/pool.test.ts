import { expect, it } from "vitest"
import type { Event } from "../../event.ts"
import type { PoolFacts } from "../../venue.ts"
import { type EventMeaning, eventOf } from "../../venue-laws.ts"
import { vaultPoolModel } from "./pool.ts"

const POOL = `0x${"cc".repeat(32)}`
const CONTRACT = POOL.slice(0, 42)
const [A, B] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const
const FIRST_WEIGHTED = 0x8e9aa87e45e92bad84d5f8dd1bff34fb92637de9n
const WEIGHTED = 0x897888115ada5773e02aa29f775430bfb5f34c51n
const STABLE = 0xc66ba2b6595d3613ccab350c886ace23866ede24n
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
  venueKind: "balancer-v2",
  factory: null,
  tokens: [A, B],
  fee: null,
  tickSpacing: null,
  source: "log"
}

/** Tokens that the pool registers beside those that it has. */
const further: EventMeaning = {
  ...created,
  tokens: ["33", "44"].map(byte => `0x${byte.repeat(20)}`)
}

const set = (name: string, value: bigint, index: number | null = null, pool = CONTRACT) =>
  ({ kind: "PoolParameterSet", pool, name, index, value }) as const

const reserve = (token: string, amount: bigint, reason = "liquidity", pool = POOL) =>
  ({
    kind: "ReserveChanged",
    pool,
    venueKind: "balancer-v2",
    owner: null,
    token,
    index: null,
    amount,
    reason
  }) as const

const after = (...events: ReadonlyArray<EventMeaning>) =>
  events
    .map(event => eventOf(event))
    .reduce(
      (state, event: Event) => vaultPoolModel.fold(state, event),
      vaultPoolModel.initial(facts)
    )

const weighted = (...more: ReadonlyArray<EventMeaning>) =>
  after(
    created,
    set("factory", WEIGHTED),
    set("swapFee", E18 / 1000n),
    set("weight", (8n * E18) / 10n, 0),
    set("weight", (2n * E18) / 10n, 1),
    reserve(A, 3360160080014532471350474n),
    reserve(B, 1112301324508754708737n),
    ...more
  )

// KyberNetwork/kyberswap-dex-lib, balancer-v2/weighted/pool_simulator_test.go.
it("quotes weighted pools to the wei of published swaps", () => {
  expect(vaultPoolModel.quote(weighted(), facts, 0, 1, 60160080014532471350474n)).toEqual({
    ok: true,
    amountIn: 60160080014532471350474n,
    amountOut: 76143667376405160244n
  })
  expect(vaultPoolModel.quote(weighted(), facts, 1, 0, 6016008001453247n)).toEqual({
    ok: true,
    amountIn: 6016008001453247n,
    amountOut: 4538893010907736440n
  })
})

it("takes powers of the first weighted pools by logarithms", () => {
  const first = vaultPoolModel.quote(
    weighted(set("factory", FIRST_WEIGHTED)),
    facts,
    0,
    1,
    60160080014532471350474n
  )
  expect(first.ok && first.amountOut < 76143667376405160244n).toBe(true)
})

it("says nothing of pools whose curve, weights, rates or amplification it does not know", () => {
  const unknown = { ok: false, reason: "unknown-state" }
  const stable = (...more: ReadonlyArray<EventMeaning>) =>
    after(
      created,
      set("factory", STABLE),
      set("swapFee", E18 / 1000n),
      set("amp", 200_000n),
      reserve(A, 1000n * E18),
      reserve(B, 1000n * E18),
      ...more
    )
  expect(vaultPoolModel.quote(stable(), facts, 0, 1, E18)).toMatchObject({ ok: true })
  for (const more of [
    [set("rateProvider", 5n, 0)],
    [set("paused", 1n)],
    [set("ampStart", 200_000n), set("ampEnd", 400_000n), set("ampEndTime", 2n)],
    [reserve(A, 0n, "deregistered")],
    [reserve(A, -1001n * E18)],
    [further],
    [further, further, reserve(B, 0n)]
  ]) {
    expect(vaultPoolModel.quote(stable(...more), facts, 0, 1, E18)).toEqual(unknown)
  }
  expect(vaultPoolModel.quote(stable(set("factory", 1n)), facts, 0, 1, E18)).toMatchObject({
    ok: true
  })
  const ended = stable(set("ampEnd", 400_000n), set("ampEndTime", 1n))
  expect(vaultPoolModel.quote(ended, facts, 0, 1, E18)).toMatchObject({ ok: true })
  expect(vaultPoolModel.quote(after(created), facts, 0, 1, E18)).toEqual(unknown)
})

it("prices with what managers hold and pays with cash alone", () => {
  const lent = weighted(
    reserve(B, -1112301324508754708000n, "cash"),
    reserve(B, 1112301324508754708000n, "managed")
  )
  expect(vaultPoolModel.quote(lent, facts, 0, 1, 60160080014532471350474n)).toEqual({
    ok: false,
    reason: "no-liquidity"
  })
  expect(vaultPoolModel.quote(lent, facts, 1, 0, 6016008001453247n)).toMatchObject({
    amountOut: 4538893010907736440n
  })
})

it("refuses more than 30 % of a weighted balance", () => {
  expect(vaultPoolModel.quote(weighted(), facts, 0, 1, 2n * 10n ** 24n)).toEqual({
    ok: false,
    reason: "too-large"
  })
})
