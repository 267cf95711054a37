import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { describeWithSharedData, sharedData } from "../../../test/support/shared-data.ts"
import { type ConcentratedPool, type SwapOutcome, swap } from "./swap.ts"
import { TickMap } from "./tick-map.ts"
import { tickAtSqrtRatio } from "./tick-math.ts"

interface Position {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: string
}

/** A pool that was opened at a price and then given these positions. */
const poolOf = (
  fee: number,
  tickSpacing: number,
  sqrtPrice: string,
  positions: ReadonlyArray<Position>
): ConcentratedPool => {
  const sqrtPriceX96 = BigInt(sqrtPrice)
  const tick = tickAtSqrtRatio(sqrtPriceX96)
  let ticks = TickMap.empty(tickSpacing)
  let liquidity = 0n
  for (const { tickLower, tickUpper, liquidity: text } of positions) {
    const amount = BigInt(text)
    ticks = ticks.adjusted(tickLower, amount, amount) as TickMap
    ticks = ticks.adjusted(tickUpper, amount, -amount) as TickMap
    if (tickLower <= tick && tick < tickUpper) liquidity += amount
  }
  return { sqrtPriceX96, tick, liquidity, ticks, feePips: BigInt(fee) }
}

const run = (
  pool: ConcentratedPool,
  zeroForOne: boolean,
  specified: string,
  limit: string | null
): SwapOutcome => {
  const signed = BigInt(specified)
  const exactIn = signed > 0n
  const order = { zeroForOne, exactIn, amount: exactIn ? signed : -signed }
  return swap(pool, limit === null ? order : { ...order, sqrtPriceLimitX96: BigInt(limit) })
}

/** Signed amounts as the pool's event tells them. */
const deltas = (outcome: SwapOutcome & { ok: true }, zeroForOne: boolean): [bigint, bigint] =>
  zeroForOne ? [outcome.amountIn, -outcome.amountOut] : [-outcome.amountOut, outcome.amountIn]

it("refuses limits on the wrong side and amounts beyond int256", () => {
  const pool = poolOf(3000, 60, (1n << 96n).toString(), [
    { tickLower: -60, tickUpper: 60, liquidity: "1000000" }
  ])
  const order = { zeroForOne: true, exactIn: true, amount: 1n }
  expect(swap(pool, { ...order, sqrtPriceLimitX96: 1n << 96n })).toEqual({
    ok: false,
    reason: "price-limit"
  })
  expect(swap(pool, { ...order, amount: 1n << 255n })).toEqual({ ok: false, reason: "too-large" })
  expect(swap(pool, { ...order, amount: 0n })).toMatchObject({ amountIn: 0n, amountOut: 0n })
})

it("takes only what it can use where liquidity ends", () => {
  const pool = poolOf(3000, 60, (1n << 96n).toString(), [
    { tickLower: -60, tickUpper: 60, liquidity: "1000000000000000000" }
  ])
  const outcome = swap(pool, { zeroForOne: true, exactIn: true, amount: 10n ** 30n })
  expect(outcome).toMatchObject({
    amountIn: 3013394245478362n,
    amountOut: 2995354955910780n,
    tick: -887272,
    liquidity: 0n
  })
})

interface CoreVector {
  readonly fee: number
  readonly tickSpacing: number
  readonly startSqrtPriceX96: string
  readonly positions: ReadonlyArray<Position>
  readonly swaps: ReadonlyArray<{
    readonly name: string
    readonly zeroForOne: boolean
    readonly amountSpecified: string
    readonly sqrtPriceLimitX96: string | null
    readonly expected: { readonly [field: string]: string | number }
  }>
}

const coreFile = "evm/vectors/uniswap-v3-core-swaps.json.gz"

describeWithSharedData("Uniswap V3 core vectors", [coreFile], () => {
  const pools = JSON.parse(
    gunzipSync(readFileSync(join(sharedData, coreFile))).toString()
  ) as ReadonlyArray<CoreVector>

  it("reproduces all 240 swaps", () => {
    let checked = 0
    for (const p of pools) {
      const pool = poolOf(p.fee, p.tickSpacing, p.startSqrtPriceX96, p.positions)
      for (const s of p.swaps) {
        const outcome = run(pool, s.zeroForOne, s.amountSpecified, s.sqrtPriceLimitX96)
        checked++
        if ("swapError" in s.expected) {
          expect(outcome, s.name).toEqual({ ok: false, reason: "price-limit" })
          continue
        }
        if (!outcome.ok) throw new Error(`${s.name}: ${outcome.reason}`)
        const [amount0, amount1] = deltas(outcome, s.zeroForOne)
        expect(
          { amount0: `${amount0}`, amount1: `${amount1}`, tick: outcome.tick },
          `${p.fee} ${p.startSqrtPriceX96} ${s.name}`
        ).toEqual({
          amount0: s.expected["amount0Delta"],
          amount1: s.expected["amount1Delta"],
          tick: s.expected["tickAfter"]
        })
      }
    }
    expect(checked).toBe(240)
  })
})

interface Listed {
  readonly fee: number
  readonly tickSpacing: number
  readonly sqrtPriceX96: string
  readonly tick: number
  readonly liquidity: string
  readonly ticks: ReadonlyArray<readonly [number, string]>
}

/** A pool from its ticks' net liquidity; gross does not matter to a swap. */
const fromTicks = (p: Listed): ConcentratedPool => ({
  sqrtPriceX96: BigInt(p.sqrtPriceX96),
  tick: p.tick,
  liquidity: BigInt(p.liquidity),
  ticks: TickMap.of(
    p.tickSpacing,
    p.ticks.map(([tick, net]) => ({ tick, gross: 1n, net: BigInt(net) }))
  ),
  feePips: BigInt(p.fee)
})

const routing = [
  "routing/computed-swaps.json",
  "routing/uniswap-v3v4-real-pools.json",
  "routing/uniswap-v3-swaps.json"
]

describeWithSharedData("concentrated-liquidity vectors", routing, () => {
  const read = (path: string) => JSON.parse(readFileSync(join(sharedData, path), "utf8"))

  it("reproduces the computed swaps with all of the state after them", () => {
    const { v3 } = read("routing/computed-swaps.json") as {
      v3: ReadonlyArray<Listed & { [field: string]: string | number | boolean | null }>
    }
    for (const c of v3) {
      const zeroForOne = c["zeroForOne"] as boolean
      const limit = c["sqrtPriceLimitX96"] as string | null
      const outcome = run(fromTicks(c), zeroForOne, c["amountSpecified"] as string, limit)
      if (!outcome.ok) throw new Error(outcome.reason)
      const [amount0, amount1] = deltas(outcome, zeroForOne)
      expect([amount0, amount1, outcome.sqrtPriceX96, outcome.liquidity].map(String)).toEqual(
        ["amount0Delta", "amount1Delta", "sqrtPriceX96After", "liquidityAfter"].map(f => c[f])
      )
      expect(outcome.tick).toBe(c["tickAfter"])
    }
    expect(v3.length).toBe(12)
  })

  it("reproduces the published swaps with the whole price after them", () => {
    type Ticks = ReadonlyArray<{ readonly index: number; readonly liquidityNet: string }>
    type Case = { [field: string]: string | number | boolean | null }
    const { pools } = read("routing/uniswap-v3-swaps.json") as {
      pools: ReadonlyArray<Omit<Listed, "ticks"> & { ticks: Ticks; cases: ReadonlyArray<Case> }>
    }
    let checked = 0
    for (const { ticks, cases, ...listed } of pools) {
      const nets = ticks.map(({ index, liquidityNet }) => [index, liquidityNet] as const)
      const pool = fromTicks({ ...listed, ticks: nets })
      for (const c of cases) {
        const zeroForOne = c["zeroForOne"] as boolean
        const limit = c["sqrtPriceLimitX96"] as string | null
        const outcome = run(pool, zeroForOne, c["amountSpecified"] as string, limit)
        checked++
        if ("error" in c) {
          expect(outcome, `${c["name"]}`).toEqual({ ok: false, reason: "price-limit" })
          continue
        }
        if (!outcome.ok) throw new Error(`${c["name"]}: ${outcome.reason}`)
        const told = [...deltas(outcome, zeroForOne), outcome.sqrtPriceX96].map(String)
        const fields = ["amount0Delta", "amount1Delta", "sqrtPriceX96After_computed"]
        expect([...told, outcome.tick]).toEqual([...fields.map(f => c[f]), c["tickAfter"]])
      }
    }
    expect(checked).toBe(128)
  })

  it("reproduces quotes of real pools, V3 and V4 without hooks", () => {
    type Case = { zeroForOne: boolean; amountIn: string; amountOut: string }
    const { v3, v4 } = read("routing/uniswap-v3v4-real-pools.json") as {
      [family in "v3" | "v4"]: ReadonlyArray<Listed & { cases: ReadonlyArray<Case> }>
    }
    for (const p of [...v3, ...v4]) {
      let pool = fromTicks(p)
      for (const { zeroForOne, amountIn, amountOut } of p.cases) {
        const outcome = run(pool, zeroForOne, amountIn, null)
        if (!outcome.ok) throw new Error(outcome.reason)
        expect(outcome.amountOut).toBe(BigInt(amountOut))
        pool = { ...pool, ...outcome }
      }
    }
  })
})
