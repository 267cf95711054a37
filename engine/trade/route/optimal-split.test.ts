import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { marketOf, tradePoolOf } from "../../../test/support/route-markets.ts"
import { describeWithSharedData, sharedData } from "../../../test/support/shared-data.ts"
import { type OraclePool, splitBound } from "../../../test/support/split-oracle.ts"
import { findRoute } from "./find-route.ts"
import { PoolCurves } from "./pool-curves.ts"

interface SamplePool {
  readonly type: "v2" | "v3"
  readonly token0: string
  readonly token1: string
  readonly fee: number
  readonly reserve0: string
  readonly reserve1: string
  readonly tickSpacing: number
  readonly sqrtPriceX96: string
  readonly tick: number
  readonly liquidity: string
  readonly ticks: ReadonlyArray<readonly [number, string]>
}

interface SampleCase {
  readonly id: number
  readonly tokenIn: string
  readonly tokenOut: string
  readonly decimals: { readonly [token: string]: number }
  readonly amountIn: string
  readonly pools: ReadonlyArray<SamplePool>
  readonly optimalOutput: string
  readonly bestSingleOutput: string
  readonly integerOutput: string
}

const poolOf = (pool: SamplePool): OraclePool => {
  const { token0, token1, fee } = pool
  return pool.type === "v2"
    ? {
        type: "v2",
        token0,
        token1,
        fee,
        reserve0: BigInt(pool.reserve0),
        reserve1: BigInt(pool.reserve1)
      }
    : {
        type: "v3",
        token0,
        token1,
        fee,
        tickSpacing: pool.tickSpacing,
        sqrtPriceX96: BigInt(pool.sqrtPriceX96),
        tick: pool.tick,
        liquidity: BigInt(pool.liquidity),
        ticks: pool.ticks.map(([tick, net]) => ({ tick, net: BigInt(net) }))
      }
}

const file = "routing/optimal-split-sample.json"
describeWithSharedData("optimal splits of certified cases", [file], () => {
  const { cases } = JSON.parse(readFileSync(join(sharedData, file), "utf8")) as {
    readonly cases: ReadonlyArray<SampleCase>
  }

  it.each(cases)("case $id", one => {
    const { tokenIn, tokenOut, decimals, optimalOutput } = one
    const pools = one.pools.map(poolOf)
    const anchors = Object.keys(decimals).filter(token => token !== tokenIn && token !== tokenOut)
    const amount = BigInt(one.amountIn)
    const route = findRoute(
      marketOf(pools.map(tradePoolOf)),
      { tokenIn, tokenOut, amount, exact: "in" },
      { anchors, gas: null, onlyDex: null },
      new PoolCurves()
    )
    if (!route.ok) throw new Error(route.reason)
    const bound = splitBound(pools, tokenIn, tokenOut, anchors, Number(amount))
    expect(bound / Number(optimalOutput)).toBeCloseTo(1, 9)
    expect(route.amountIn).toBe(amount)
    expect(Number(route.amountOut) / Number(one.integerOutput)).toBeGreaterThan(1 - 1e-10)
    expect(Number(route.amountOut) / Number(optimalOutput)).toBeGreaterThan(1 - 1e-6)
    expect(Number(route.amountOut) / Number(optimalOutput)).toBeLessThan(1 + 1e-9)
  })
})
