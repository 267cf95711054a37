/** Pools by chance at about one price, as the oracle of splits sees them. */
import { tickAtSqrtRatio } from "../../src/math/concentrated/tick-math.ts"
import { sqrt } from "../../src/math/fixed-point.ts"
import type { Random } from "./seed.ts"
import type { OraclePool, OracleTick } from "./split-oracle.ts"

export interface PricedPair {
  readonly token0: string
  readonly token1: string
  /** raw units of token 0 that a pool of middle size holds */
  readonly size: number
  /** raw units of token 1 that one of token 0 is worth */
  readonly price: number
}

const FEES = [100, 500, 2500, 3000, 10_000] as const
const SPACINGS = [1, 10, 60, 200] as const

/** A pair a few parts in a thousand off the price, of a size over three orders of magnitude. */
export const randomPair = (chance: Random, pair: PricedPair): OraclePool => {
  const { token0, token1 } = pair
  const size = pair.size * 10 ** (3 * chance.next() - 1.5)
  const price = pair.price * (1 + (chance.next() - 0.5) * 0.01)
  const [reserve0, reserve1] = [BigInt(Math.ceil(size)), BigInt(Math.ceil(size * price))]
  return { type: "v2", token0, token1, fee: chance.pick(FEES), reserve0, reserve1 }
}

/** Ranges around a price near the pair's own, a wide one and up to six narrow ones. */
export const randomRanges = (chance: Random, pair: PricedPair): OraclePool => {
  const { token0, token1 } = pair
  const size = pair.size * 10 ** (2 * chance.next() - 1)
  const price = pair.price * (1 + (chance.next() - 0.5) * 0.01)
  const sqrtPriceX96 = sqrt(BigInt(Math.ceil(price * 2 ** 96)) << 96n)
  const tick = tickAtSqrtRatio(sqrtPriceX96)
  const tickSpacing = chance.pick(SPACINGS)
  const spaced = (value: number): number => Math.floor(value / tickSpacing) * tickSpacing
  const nets = new Map<number, bigint>()
  let liquidity = 0n
  const add = (lower: number, upper: number, amount: bigint) => {
    nets.set(lower, (nets.get(lower) ?? 0n) + amount)
    nets.set(upper, (nets.get(upper) ?? 0n) - amount)
    if (lower <= tick && tick < upper) liquidity += amount
  }
  const unit = BigInt(Math.ceil(size * Math.sqrt(price)))
  add(spaced(tick - 12_000), spaced(tick + 12_000), unit)
  for (let i = chance.integer(0, 6); i > 0; i--) {
    const lower = spaced(tick + chance.integer(-1500, 1000))
    add(lower, lower + tickSpacing * chance.integer(1, 12), unit * BigInt(chance.integer(1, 20)))
  }
  const ticks = [...nets]
    .filter(([, net]) => net !== 0n)
    .map(([at, net]): OracleTick => ({ tick: at, net }))
    .sort((a, b) => a.tick - b.tick)
  const fee = chance.pick(FEES)
  return {
    ...{ type: "v3", token0, token1, fee, tickSpacing, sqrtPriceX96, tick, liquidity, ticks }
  }
}
