import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type StablePool, stableExchange } from "../../../src/math/stable-swap/exchange.ts"
import { stableInvariant, stableRules } from "../../../src/math/stable-swap/invariant.ts"
import { describeWithSharedData, sharedData } from "../../../test/support/shared-data.ts"
import type { Event } from "../../event.ts"
import type { PoolFacts } from "../../venue.ts"
import { type EventMeaning, eventOf } from "../../venue-laws.ts"
import { curveStableModel } from "./pool.ts"

const POOL = `0x${"aa".repeat(20)}`
const UNIT = 10n ** 18n
const facts: PoolFacts = {
  pool: POOL,
  tokens: ["0x1", "0x2", "0x3"],
  fee: null,
  tickSpacing: null,
  decimals: [18, 6, 6]
}

const at = (logIndex: number, time: number, meaning: EventMeaning): Event =>
  ({
    ...eventOf(meaning),
    logIndex,
    block: { number: logIndex, time, hash: null, parentHash: null }
  }) as Event

const parameter = (name: string, value: bigint, logIndex = 0, index: number | null = null): Event =>
  at(logIndex, 0, { kind: "PoolParameterSet", pool: POOL, name, index, value })

const reserve = (index: number | null, amount: bigint, logIndex: number, reason = "liquidity") =>
  at(logIndex, 0, {
    kind: "ReserveChanged",
    pool: POOL,
    venueKind: "curve-stable",
    owner: null,
    token: null,
    index,
    amount,
    reason
  })

const swap = (sold: number, bought: number, amountIn: bigint, amountOut: bigint): Event =>
  at(9, 0, {
    kind: "SwapExecuted",
    pool: POOL,
    venueKind: "curve-stable",
    sender: null,
    recipient: null,
    amount0In: amountIn,
    amount0Out: 0n,
    amount1In: 0n,
    amount1Out: amountOut,
    sqrtPriceX96: null,
    liquidity: null,
    tick: null,
    fee: null,
    token0: null,
    token1: null,
    index0: sold,
    index1: bought
  })

type State = ReturnType<typeof curveStableModel.initial>
const folded = (events: ReadonlyArray<Event>, start = curveStableModel.initial(facts)): State =>
  events.reduce((state, event) => curveStableModel.fold(state, event), start)

const numbers = [
  parameter("A_precise", 20_000n),
  parameter("A", 200n),
  parameter("fee", 4_000_000n),
  parameter("adminFee", 5_000_000_000n)
]
const balances = [900n * UNIT, 1_000_000_000n, 1_100_000_000n]
const xp = [900n * UNIT, 1000n * UNIT, 1100n * UNIT]
const amplification = { amp: 20_000n, precision: 100n }
const invariant = stableInvariant("plain", xp, amplification) as bigint
const firstDeposit = [
  ...balances.map((amount, i) => reserve(i, amount, 1)),
  parameter("invariant", invariant, 1),
  parameter("totalSupply", invariant, 1)
]
const mathPool: StablePool = {
  rule: "plain",
  balances,
  rates: [UNIT, 10n ** 30n, 10n ** 30n],
  amplification,
  fee: 4_000_000n,
  adminFee: 5_000_000_000n,
  offpegMultiplier: 0n
}

describe("stableswap pools", () => {
  const unknown = { ok: false, reason: "unknown-state" }
  const start = [...numbers, ...firstDeposit]

  it("know their balances from the first deposit, which its invariant proves", () => {
    expect(folded(start).balances).toEqual(balances)
    const wrong = start.map(event =>
      event.kind === "PoolParameterSet" && event.name === "invariant"
        ? parameter("invariant", invariant + 2n, 1)
        : event
    )
    expect(folded(wrong).balances).toBeNull()
    expect(curveStableModel.quote(folded(wrong), facts, 0, 1, UNIT)).toEqual(unknown)
    expect(folded(firstDeposit).balances).toBeNull()
  })

  it("follow a swap with the fee that is set aside, and trust no other output", () => {
    const out = stableExchange(mathPool, 0, 2, 10n * UNIT)
    if (out === null) throw new Error("no output")
    // 0.04 % fee, half of it set aside
    expect(out).toEqual({ amountOut: 10_005_625n, setAside: 2_001n })
    const after = folded([...start, swap(0, 2, 10n * UNIT, out.amountOut)])
    expect(after.balances).toEqual([
      910n * UNIT,
      1_000_000_000n,
      1_100_000_000n - out.amountOut - out.setAside
    ])
    expect(folded([...start, swap(0, 2, 10n * UNIT, out.amountOut + 1n)]).balances).toBeNull()
    expect(folded([...start, swap(-1, -2, 1n, 1n)]).balances).toBeNull()
  })

  it("take the DAO's part of an uneven deposit's fee", () => {
    const deposit = [
      reserve(0, 100n * UNIT, 2),
      reserve(1, 0n, 2),
      reserve(2, 0n, 2),
      parameter(
        "invariant",
        stableInvariant("plain", [1000n * UNIT, 1000n * UNIT, 1100n * UNIT], amplification) ?? 0n,
        2
      ),
      parameter("imbalanceFee", 1000n, 2, 1),
      parameter("totalSupply", 3100n * UNIT, 2)
    ]
    const state = folded([...start, ...deposit])
    expect(state.balances).toEqual([1000n * UNIT, 999_999_500n, 1_100_000_000n])
    expect(state.supply).toBe(3100n * UNIT)
  })

  it("move the amplification along its ramp, by the time of the newest block", () => {
    const ramp = [
      parameter("initialA", 20_000n),
      parameter("futureA", 40_000n),
      parameter("initialATime", 1000n),
      parameter("futureATime", 2000n)
    ]
    const amount = (time: number) => {
      const sealed = at(5, time, { kind: "BlockSealed", logs: 0, grade: "root" })
      const quote = curveStableModel.quote(folded([...start, ...ramp, sealed]), facts, 0, 2, UNIT)
      return quote.ok ? quote.amountOut : 0n
    }
    const by = (amp: bigint) =>
      stableExchange({ ...mathPool, amplification: { amp, precision: 100n } }, 0, 2, UNIT)
        ?.amountOut
    expect([900, 1500, 3000].map(amount)).toEqual([by(20_000n), by(30_000n), by(40_000n)])
    expect(amount(900) > amount(3000)).toBe(true)
  })
})

interface Vector {
  readonly decimals: ReadonlyArray<number>
  readonly balances: ReadonlyArray<string>
  readonly rates: ReadonlyArray<string>
  readonly A_precise: string
  readonly A_precision: string
  readonly fee_1e10: string
  readonly adminFee_1e10: string
  readonly offpegFeeMultiplier_1e10: string | null
}
interface Case {
  readonly i: number
  readonly j: number
  readonly dx: string
  readonly dy: string
}

const files = ["routing/curve-stable.json", "routing/computed-swaps.json"]

describeWithSharedData("stableswap vectors", files, () => {
  const read = (path: string) => JSON.parse(readFileSync(join(sharedData, path), "utf8"))
  const poolOf = (vector: Vector): Omit<StablePool, "rule"> => ({
    balances: vector.balances.map(BigInt),
    rates: vector.rates.map(BigInt),
    amplification: { amp: BigInt(vector.A_precise), precision: BigInt(vector.A_precision) },
    fee: BigInt(vector.fee_1e10),
    adminFee: BigInt(vector.adminFee_1e10 ?? 0),
    offpegMultiplier: BigInt(vector.offpegFeeMultiplier_1e10 ?? 0)
  })
  const outputs = (vector: Vector, { i, j, dx }: Case) =>
    stableRules.map(
      rule => stableExchange({ ...poolOf(vector), rule }, i, j, BigInt(dx))?.amountOut
    )

  it("reproduces the published outputs", () => {
    const { pools } = read("routing/curve-stable.json") as {
      pools: ReadonlyArray<Vector & { readonly cases: ReadonlyArray<Case> }>
    }
    for (const vector of pools) {
      for (const one of vector.cases) expect(outputs(vector, one)).toContain(BigInt(one.dy))
    }
    expect(pools.flatMap(one => one.cases).length).toBe(26)
  })

  it("reproduces the computed outputs", () => {
    const { curve } = read("routing/computed-swaps.json") as {
      curve: ReadonlyArray<Vector & Case>
    }
    for (const one of curve) expect(outputs(one, one)[0]).toBe(BigInt(one.dy))
    expect(curve.length).toBeGreaterThan(5)
  })
})
