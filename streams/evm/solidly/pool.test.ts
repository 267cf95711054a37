import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { describeWithSharedData, sharedData } from "../../../test/support/shared-data.ts"
import type { Event } from "../../event.ts"
import type { PoolFacts } from "../../venue.ts"
import { eventOf } from "../../venue-laws.ts"
import { solidlyModel } from "./pool.ts"

const POOL = `0x${"aa".repeat(20)}`
const UNIT = 10n ** 18n
const facts: PoolFacts = {
  pool: POOL,
  tokens: ["0x1", "0x2"],
  fee: 500,
  tickSpacing: null,
  decimals: [18, 18]
}

const parameter = (name: string, value: bigint, pool = POOL): Event =>
  eventOf({ kind: "PoolParameterSet", pool, name, index: null, value })
const synced = (reserve0: bigint, reserve1: bigint): Event =>
  eventOf({ kind: "ReservesSynced", pool: POOL, reserve0, reserve1 })
const folded = (...events: ReadonlyArray<Event>) =>
  events.reduce((state, event) => solidlyModel.fold(state, event), solidlyModel.initial(facts))
const swapped = (venueKind: string): Event =>
  eventOf({
    kind: "SwapExecuted",
    pool: POOL,
    venueKind,
    sender: null,
    recipient: null,
    amount0In: 1n,
    amount0Out: 0n,
    amount1In: 0n,
    amount1Out: 1n,
    sqrtPriceX96: null,
    liquidity: null,
    tick: null,
    fee: null,
    token0: null,
    token1: null,
    index0: null,
    index1: null
  })

describe("solidly pairs", () => {
  it("quote nothing before reserves, curve and version are known", () => {
    const unknown = { ok: false, reason: "unknown-state" }
    const ask = (state: ReturnType<typeof folded>, of = facts) =>
      solidlyModel.quote(state, of, 0, 1, UNIT)
    const reserves = synced(100n * UNIT, 100n * UNIT)
    expect(ask(folded(reserves))).toEqual(unknown)
    expect(ask(folded(reserves, parameter("stable", 1n)))).toEqual(unknown)
    expect(ask(folded(reserves, parameter("version", 2n)))).toEqual(unknown)
    expect(ask(folded(parameter("stable", 1n), parameter("version", 2n)))).toEqual(unknown)
    const whole = folded(reserves, parameter("stable", 1n), parameter("version", 2n))
    expect(ask(whole, { ...facts, decimals: [18, null] })).toEqual(unknown)
    expect(ask(whole, { ...facts, fee: null })).toEqual(unknown)
    expect(ask(whole)).toMatchObject({ ok: true })
  })

  it("learn their generation from the swap they log, and the curve once", () => {
    const start = folded(parameter("stable", 0n))
    expect(start.version).toBeNull()
    expect(solidlyModel.fold(start, swapped("uniswap-v2")).version).toBe(1)
    expect(solidlyModel.fold(start, swapped("solidly")).version).toBe(2)
    expect(solidlyModel.fold(start, parameter("stable", 1n))).toBe(start)
  })

  it("refuse what overflows the contract's words", () => {
    const stable = [parameter("stable", 1n), parameter("version", 2n)]
    const rich = folded(...stable, synced(10n ** 30n, 10n ** 30n))
    expect(solidlyModel.quote(rich, facts, 0, 1, UNIT)).toEqual({ ok: false, reason: "too-large" })
    const first = folded(
      parameter("stable", 0n),
      parameter("version", 1n),
      synced(2n ** 111n, UNIT)
    )
    expect(solidlyModel.quote(first, facts, 0, 1, 2n ** 111n)).toEqual({
      ok: false,
      reason: "too-large"
    })
  })
})

interface Vector {
  readonly stable: boolean
  readonly reserves: readonly [string, string]
  readonly decimals: readonly [string, string]
  readonly fee: string
  readonly feePrecision: string
  readonly tokenIn: number
  readonly amountIn: string
  readonly amountOut: string
}

const files = ["routing/solidly.json", "routing/computed-swaps.json"]

describeWithSharedData("solidly vectors", files, () => {
  const read = (path: string) => JSON.parse(readFileSync(join(sharedData, path), "utf8"))
  const outOf = (vector: Vector, version: bigint) => {
    const [reserve0, reserve1] = vector.reserves.map(BigInt) as [bigint, bigint]
    const pair: PoolFacts = {
      ...facts,
      fee: Number((BigInt(vector.fee) * 1_000_000n) / BigInt(vector.feePrecision)),
      decimals: vector.decimals.map(one => one.length - 1)
    }
    const state = folded(
      parameter("stable", vector.stable ? 1n : 0n),
      parameter("version", version),
      synced(reserve0, reserve1)
    )
    const { tokenIn, amountIn } = vector
    return solidlyModel.quote(state, pair, tokenIn, 1 - tokenIn, BigInt(amountIn))
  }

  it("reproduces the published outputs", () => {
    const { cases } = read("routing/solidly.json") as { cases: ReadonlyArray<Vector> }
    for (const vector of cases) {
      const amountOut = BigInt(vector.amountOut)
      expect(outOf(vector, 2n)).toEqual({ ok: true, amountIn: BigInt(vector.amountIn), amountOut })
    }
    expect(cases.length).toBe(5)
  })

  it("reproduces the computed outputs, and the first generation within two units", () => {
    const { solidly } = read("routing/computed-swaps.json") as { solidly: ReadonlyArray<Vector> }
    for (const vector of solidly) {
      const amountOut = BigInt(vector.amountOut)
      expect(outOf(vector, 2n)).toMatchObject({ amountOut })
      const first = outOf(vector, 1n)
      if (first.ok) expect(Number(first.amountOut - amountOut)).toBeLessThanOrEqual(0)
      if (first.ok) expect(Number(first.amountOut - amountOut)).toBeGreaterThanOrEqual(-2)
    }
    expect(solidly.length).toBe(12)
  })
})
