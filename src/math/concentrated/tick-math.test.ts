import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { random } from "../../../test/support/seed.ts"
import { describeWithSharedData, sharedData } from "../../../test/support/shared-data.ts"
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  sqrtRatioAtTick,
  tickAtSqrtRatio
} from "./tick-math.ts"

it("meets the contracts' bounds", () => {
  expect(sqrtRatioAtTick(MIN_TICK)).toBe(MIN_SQRT_RATIO)
  expect(sqrtRatioAtTick(MIN_TICK + 1)).toBe(4295343490n)
  expect(sqrtRatioAtTick(0)).toBe(1n << 96n)
  expect(sqrtRatioAtTick(MAX_TICK - 1)).toBe(1461373636630004318706518188784493106690254656249n)
  expect(sqrtRatioAtTick(MAX_TICK)).toBe(MAX_SQRT_RATIO)
  expect(tickAtSqrtRatio(MIN_SQRT_RATIO)).toBe(MIN_TICK)
  expect(tickAtSqrtRatio(MAX_SQRT_RATIO - 1n)).toBe(MAX_TICK - 1)
})

it("rises with the tick, and a price has the greatest tick at or below it", () => {
  const { integer, bits } = random("tick-math")
  const edges = [MIN_TICK, -1, 0, 1, 1023, 1024, -1024, 524_288, MAX_TICK - 1]
  const ticks = [...edges, ...Array.from({ length: 2000 }, () => integer(MIN_TICK, MAX_TICK - 1))]
  for (const tick of ticks) {
    const low = sqrtRatioAtTick(tick)
    const high = sqrtRatioAtTick(tick + 1)
    expect(low < high).toBe(true)
    expect(tickAtSqrtRatio(low)).toBe(tick)
    expect(tickAtSqrtRatio(high - 1n)).toBe(tick)
    expect(tickAtSqrtRatio(low + (bits(160) % (high - low)))).toBe(tick)
  }
})

describeWithSharedData("tick vectors", ["routing/uniswap-v3-tickmath.json"], () => {
  it("reproduces the published square-root prices", () => {
    const file = join(sharedData, "routing/uniswap-v3-tickmath.json")
    const { sqrtRatioAtTick: cases } = JSON.parse(readFileSync(file, "utf8")) as {
      sqrtRatioAtTick: ReadonlyArray<{ tick: number; sqrtPriceX96: string }>
    }
    for (const { tick, sqrtPriceX96 } of cases) {
      expect(sqrtRatioAtTick(tick)).toBe(BigInt(sqrtPriceX96))
    }
    expect(cases.length).toBe(28)
  })
})
