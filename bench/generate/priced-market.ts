/**
 * A market of pools of mixed kinds whose prices agree but for a few parts in a thousand, for
 * searches of routes: four anchors with many pools between them, and tokens that have some pools
 * with each. However large the market is, a token has as many pools.
 */
import type { TradePool } from "../../engine/trade/pools/pool-market.ts"
import { binPrice, CENTRE_BIN } from "../../src/math/bins/bin-price.ts"
import { stableRules } from "../../src/math/stable-swap/invariant.ts"
import type { Random } from "../../streams/sources/devchain/random.ts"
import { kindOf, LISTED, tradePoolOf } from "../../test/support/route-markets.ts"
import { type PricedPair, randomPair, randomRanges } from "../../test/support/route-pools.ts"
import type { OraclePool } from "../../test/support/split-oracle.ts"

export interface PricedToken {
  readonly address: string
  /** of a whole token, which has 18 decimals */
  readonly usd: number
}

export interface PricedMarket {
  readonly anchors: ReadonlyArray<PricedToken>
  readonly tokens: ReadonlyArray<PricedToken>
  readonly pools: ReadonlyArray<TradePool>
  /** of the pools those that splits can be proven on */
  readonly proven: ReadonlyArray<OraclePool>
}

const E18 = 10n ** 18n
const ANCHOR_USD = [2500, 1, 1, 90_000]
/** Pools between two anchors, and of a token with all of them: most have few, some many. */
const ANCHOR_POOLS = 12
const MOST_POOLS = 16
/** Dollars in a pool of middle size: of a side. */
const MIDDLE_USD = 200_000

const whole = (amount: number): bigint => BigInt(Math.ceil(amount))

interface Sides {
  readonly tokens: readonly [string, string]
  readonly reserves: readonly [bigint, bigint]
}

const factsOf = (id: string, tokens: ReadonlyArray<string>, fee: number | null) => ({
  pool: id,
  tokens,
  fee,
  tickSpacing: null,
  decimals: tokens.map(() => 18)
})

const solidlyPool = (id: string, { tokens, reserves }: Sides, isStable: boolean): TradePool => ({
  pool: id,
  dex: "solidly_v2",
  ...LISTED,
  kind: kindOf("solidly"),
  facts: factsOf(id, tokens, isStable ? 500 : 3000),
  state: { pool: id, reserves, isStable, version: 2 }
})

const stablePool = (id: string, { tokens, reserves }: Sides): TradePool => ({
  pool: id,
  dex: "curve_stable",
  ...LISTED,
  kind: kindOf("curve-stable"),
  facts: factsOf(id, tokens, null),
  state: {
    ...{ pool: id, rates: [E18, E18], balances: reserves, deposit: null, supply: null },
    ...{ burned: null, precision: 100n, fee: 4_000_000n, adminFee: 0n, offpegMultiplier: 0n },
    ramp: { initial: 20_000n, future: 20_000n, from: 0n, to: 0n },
    rules: stableRules.slice(0, 1),
    time: 1
  }
})

const weightedPool = (id: string, { tokens, reserves }: Sides): TradePool => ({
  pool: id,
  dex: "balancer_v2",
  ...LISTED,
  kind: kindOf("balancer-v2"),
  facts: factsOf(id, tokens, null),
  state: {
    ...{ pool: id, contract: id, tokens, hasRates: false, paused: false, time: 1 },
    holdings: reserves.map(cash => ({ cash, managed: 0n })),
    curve: { name: "weighted", power: "multiply" },
    swapFee: E18 / 400n,
    amp: null,
    ampEndTime: 0n,
    weights: [E18 / 2n, E18 / 2n]
  }
})

const BIN_STEP = 10

const binPool = (id: string, { tokens, reserves }: Sides): TradePool => {
  const price = Number(reserves[1]) / Number(reserves[0])
  const activeId = CENTRE_BIN + Math.round(Math.log(price) / Math.log(1 + BIN_STEP / 10_000))
  const [x, y] = [reserves[0] / 10n, reserves[1] / 10n]
  const bins = Array.from({ length: 41 }, (_, i) => {
    const id = activeId + i - 20
    return { id, x: i >= 20 ? x : 0n, y: i <= 20 ? y : 0n }
  })
  if (binPrice(activeId, BIN_STEP) === null) throw new Error(`no bin has the price ${price}`)
  return {
    pool: id,
    dex: "bins_v2",
    ...LISTED,
    kind: kindOf("liquidity-book"),
    facts: factsOf(id, tokens, null),
    state: {
      ...{ pool: id, bins, binStep: BIN_STEP, activeId, hasHooks: false, time: 1 },
      fees: {
        ...{ baseFactor: 5000, filterPeriod: 30, decayPeriod: 600, reductionFactor: 5000 },
        ...{ variableFeeControl: 0, protocolShare: 1000, maxVolatilityAccumulator: 100_000 }
      },
      volatility: { idReference: activeId, reference: 0, accumulator: 0, time: 1 }
    }
  }
}

/** A V3-shaped pool as one of another venue's. */
const asOther = (pool: TradePool, draw: number): TradePool => {
  if (draw < 0.7) return pool
  if (draw < 0.85) return { ...pool, dex: "pancake_v3", kind: kindOf("pancakeswap-v3") }
  const state = { range: pool.state, hooks: 0n, protocolFee: 0 }
  return { ...pool, dex: "uniswap_v4", kind: kindOf("uniswap-v4"), state }
}

/** A pool of a kind by chance. Stable curves are for tokens of one price. */
const poolBetween = (
  random: Random,
  number: number,
  a: PricedToken,
  b: PricedToken,
  proven: Array<OraclePool>
): TradePool => {
  const chance = chanceOf(random)
  const size = (MIDDLE_USD / a.usd) * 1e18
  const pair: PricedPair = { token0: a.address, token1: b.address, size, price: a.usd / b.usd }
  const draw = random.next()
  if (draw < 0.65) {
    const pool = (draw < 0.3 ? randomPair : randomRanges)(chance, pair)
    proven.push(pool)
    const trade = tradePoolOf(pool, number)
    return pool.type === "v2" ? trade : asOther(trade, random.next())
  }
  const id = `0x${number.toString(16).padStart(40, "0")}`
  const { token0, token1, ...drawn } = randomPair(chance, pair)
  if (drawn.type !== "v2") throw new Error("a pair has reserves")
  const sides: Sides = { tokens: [token0, token1], reserves: [drawn.reserve0, drawn.reserve1] }
  const isEven = a.usd === b.usd
  if (draw < 0.75) return solidlyPool(id, sides, isEven)
  if (draw < 0.85) return binPool(id, sides)
  return isEven && draw < 0.95 ? stablePool(id, sides) : weightedPool(id, sides)
}

const chanceOf = (random: Random) => {
  const integer = (min: number, max: number) => min + Math.floor(random.next() * (max - min + 1))
  return {
    next: () => random.next(),
    integer,
    bits: (count: number) => whole(random.next() * 2 ** count),
    boolean: (probability = 0.5) => random.next() < probability,
    pick: <A>(items: ReadonlyArray<A>): A => items[integer(0, items.length - 1)] as A,
    shuffle: <A>(items: ReadonlyArray<A>): Array<A> => [...items]
  }
}

const tokenOf = (number: number, usd: number): PricedToken => ({
  address: `0x${(number + 1).toString(16).padStart(40, "a")}`,
  usd
})

/** A market of so many pools. */
export const pricedMarket = (random: Random, count: number): PricedMarket => {
  const anchors = ANCHOR_USD.map((usd, i) => tokenOf(i, usd))
  const tokens: Array<PricedToken> = []
  const pools: Array<TradePool> = []
  const proven: Array<OraclePool> = []
  const add = (a: PricedToken, b: PricedToken) =>
    pools.push(poolBetween(random, pools.length, a, b, proven))
  for (const [i, a] of anchors.entries())
    for (const b of anchors.slice(i + 1)) for (let n = 0; n < ANCHOR_POOLS; n++) add(a, b)
  while (pools.length < count) {
    const token = tokenOf(anchors.length + tokens.length, 10 ** (random.next() * 5 - 3))
    tokens.push(token)
    for (let n = Math.ceil(MOST_POOLS * random.next() ** 3); n > 0 && pools.length < count; n--)
      add(anchors[Math.floor(random.next() * anchors.length)] as PricedToken, token)
  }
  return { anchors, tokens, pools, proven }
}
