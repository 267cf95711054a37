/** Tokens and pools with realistic skew: few large pools, many small ones, prices over decades. */
import { type Random, seededRandom } from "../../streams/sources/devchain/random.ts"
import { type Pool, Q96, type Token } from "./pool-state.ts"

/** The chain the logs pretend to be from: its dollar, its wrapped native and its factories. */
export interface GeneratedChain {
  readonly id: number
  readonly wrapped: { readonly address: string; readonly symbol: string }
  readonly dollar: { readonly address: string; readonly symbol: string }
  readonly v2Factory: string
  readonly v3Factory: string
  readonly v2Router: string
  readonly v3Router: string
}

/** Base; addresses from the registry of the project. */
export const base: GeneratedChain = {
  id: 8453,
  wrapped: { address: "0x4200000000000000000000000000000000000006", symbol: "WETH" },
  dollar: { address: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", symbol: "USDC" },
  v2Factory: "0x8909dc15e40173ff4699343b6eb8132c65e18ec6",
  v3Factory: "0x33128a8fc17869897dce68ed026d694621f6fdfd",
  v2Router: "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24",
  v3Router: "0x2626664c2603336e57b271c5c0b26f421741e481"
}

export interface Market {
  readonly tokens: ReadonlyArray<Token>
  readonly pools: ReadonlyArray<Pool>
  /** how often each pool trades, relative to the others */
  readonly weights: ReadonlyArray<number>
  /** pools of a token by its place in `tokens` */
  readonly poolsOf: ReadonlyArray<ReadonlyArray<number>>
}

const BYTES = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, "0"))

/** So many random hex digits, without `0x`. */
export const randomHex = (random: Random, bytes: number): string => {
  let text = ""
  for (let i = 0; i < bytes; i++) text += BYTES[Math.floor(random.next() * 256)]
  return text
}

/** The address as a 32-byte word, without `0x`. */
export const addressWord = (address: string): string => address.slice(2).padStart(64, "0")

const token = (address: string, symbol: string, decimals: number): Token => ({
  address,
  word: addressWord(address),
  symbol,
  decimals
})

/** What a dollar buys of the native unit here, once and for all. */
const NATIVE_USD = 3000

const floorSqrt = (value: bigint): bigint => {
  let x = BigInt(Math.floor(Math.sqrt(Number(value))))
  for (;;) {
    const better = (x + value / x) >> 1n
    if (better === x || better === x + 1n || better === x - 1n) return better
    x = better
  }
}

interface Side {
  readonly token: Token
  readonly usd: number
}

const rawAmount = (side: Side, usd: number): bigint =>
  (BigInt(Math.max(1000, Math.round((usd / side.usd) * 1e6))) *
    10n ** BigInt(side.token.decimals)) /
  1_000_000n

const makePool = (random: Random, a: Side, b: Side, depthUsd: number, fee: number | null): Pool => {
  const [s0, s1] = a.token.address < b.token.address ? [a, b] : [b, a]
  const reserve0 = rawAmount(s0, depthUsd / 2) + 1000n
  const reserve1 = rawAmount(s1, depthUsd / 2) + 1000n
  const common = {
    address: `0x${randomHex(random, 20)}`,
    tokens: [s0.token, s1.token] as const,
    startPrice: Number(reserve1) / Number(reserve0)
  }
  if (fee === null) return { ...common, kind: "v2", reserve0, reserve1 }
  return {
    ...common,
    kind: "v3",
    fee,
    tickSpacing: fee === 500 ? 10 : fee === 3000 ? 60 : 200,
    sqrtPriceX96: floorSqrt((reserve1 * Q96 * Q96) / reserve0),
    liquidity: floorSqrt(reserve0 * reserve1)
  }
}

/** `tokens` tokens besides the dollar and the wrapped native, and one to three pools of each. */
export const makeMarket = (chain: GeneratedChain, tokens: number, seed: string): Market => {
  const random = seededRandom(seed, "market")
  const native = { token: token(chain.wrapped.address, chain.wrapped.symbol, 18), usd: NATIVE_USD }
  const dollar = { token: token(chain.dollar.address, chain.dollar.symbol, 6), usd: 1 }
  const list: Array<Token> = [native.token, dollar.token]
  const pools: Array<Pool> = []
  const weights: Array<number> = []
  const poolsOf: Array<Array<number>> = [[], []]
  const add = (place: number, pool: Pool, weight: number) => {
    poolsOf[place]?.push(pools.length)
    pools.push(pool)
    weights.push(weight)
  }
  const top = 1 + Math.log(tokens + 1)
  add(0, makePool(random, native, dollar, 30e6, 500), top * 0.12)
  add(0, makePool(random, native, dollar, 8e6, 3000), top * 0.03)
  add(0, makePool(random, native, dollar, 3e6, null), top * 0.02)
  for (let rank = 1; rank <= tokens; rank++) {
    const decimals = random.weighted([18, 9, 6, 8], n => (n === 18 ? 85 : 5))
    const own = {
      token: token(`0x${randomHex(random, 20)}`, `T${rank}`, decimals),
      usd: 10 ** (random.next() * 7 - 5)
    }
    const place = list.push(own.token) - 1
    poolsOf.push([])
    const depth = Math.max(20_000, 5e6 / rank ** 0.6) * (0.5 + random.next())
    const weight = 1 / rank
    const fee = random.chance(0.55) ? null : random.pick([3000, 10_000])
    add(place, makePool(random, own, native, depth, fee), weight * 0.7)
    if (random.chance(0.3)) add(place, makePool(random, own, dollar, depth / 3, null), weight * 0.2)
    if (random.chance(0.1)) add(place, makePool(random, own, dollar, depth / 4, 500), weight * 0.1)
  }
  return { tokens: list, pools, weights, poolsOf }
}
