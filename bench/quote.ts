/**
 * The search of routes: quotes of sales over markets of pools of mixed kinds, beside what the
 * best route of single pools takes when it asks all of its candidates. Curves of pools are kept
 * from quote to quote, as a server keeps them while states stay; `cold` quotes find none. The gap
 * is to what duality proves to be the most, on the market's pairs and ranges alone and without
 * gas.
 */
import { quotePool, type TradePool } from "../engine/trade/pools/pool-market.ts"
import { findRoute } from "../engine/trade/route/find-route.ts"
import { PoolCurves } from "../engine/trade/route/pool-curves.ts"
import type { RouteOptions, RouteOrder } from "../engine/trade/route/route.ts"
import { type Random, seededRandom } from "../streams/sources/devchain/random.ts"
import { marketOf, tradePoolOf } from "../test/support/route-markets.ts"
import { splitBound } from "../test/support/split-oracle.ts"
import { alone, type Bench, type BenchResult, compared, type Measure } from "./bench.ts"
import { type PricedMarket, type PricedToken, pricedMarket } from "./generate/priced-market.ts"
import { median, quantile } from "./measure/quantile.ts"
import { countOf, optionsOf, say } from "./measure/words.ts"

const OPTIONS = `  --pools N           pools of the market (1000)
  --many N            pools of the large market (50000)
  --orders N          orders (2000)
  --proven N          orders whose gap is proven (100)`

const SEED = 20
/** Dollars: what orders sell, from and to by decades, and the gas of a leg. */
const LEAST_USD = 10
const DECADES = 4
const GAS_USD = 0.05
/** Other work on the machine only ever makes a round slower, so the best one counts. */
const ROUNDS = 5

type Market = PricedMarket & { readonly between: ReturnType<typeof marketOf>["between"] }

interface Ask {
  readonly order: RouteOrder
  readonly options: RouteOptions
}

const units = (usd: number, token: PricedToken): bigint =>
  BigInt(Math.ceil((usd / token.usd) * 1e18))

const pick = <A>(random: Random, items: ReadonlyArray<A>): A =>
  items[Math.floor(random.next() * items.length)] as A

/** Sales of a token for an anchor or another token, or the other way round. */
const asksOf = (random: Random, market: PricedMarket, count: number): ReadonlyArray<Ask> =>
  Array.from({ length: count }, () => {
    const token = pick(random, market.tokens)
    const other = pick(random, random.next() < 0.7 ? market.anchors : market.tokens)
    const [from, to] = random.next() < 0.5 ? [token, other] : [other, token]
    const amount = units(LEAST_USD * 10 ** (DECADES * random.next()), from)
    const further = units(GAS_USD, to)
    return {
      order: { tokenIn: from.address, tokenOut: to.address, amount, exact: "in" },
      options: {
        anchors: market.anchors.map(({ address }) => address),
        gas: { base: 0n, leg: () => further },
        onlyDex: null
      }
    }
  })

const bestQuote = (
  pools: ReadonlyArray<TradePool>,
  tokenIn: string,
  tokenOut: string,
  amount: bigint
): bigint => {
  let best = 0n
  for (const pool of pools) {
    const quote = quotePool(pool, tokenIn, tokenOut, amount)
    if (quote.ok && quote.amountOut > best) best = quote.amountOut
  }
  return best
}

/** The best of single pools, and of two one after the other, by exact quotes of all. */
const bestSingle = ({ between }: Market, { order, options }: Ask): bigint => {
  const { tokenIn, tokenOut, amount } = order
  let best = bestQuote(between(tokenIn, tokenOut), tokenIn, tokenOut, amount)
  for (const anchor of options.anchors) {
    if (anchor === tokenIn || anchor === tokenOut) continue
    const into = bestQuote(between(tokenIn, anchor), tokenIn, anchor, amount)
    const out = into > 0n ? bestQuote(between(anchor, tokenOut), anchor, tokenOut, into) : 0n
    if (out > best) best = out
  }
  return best
}

const sum = (times: ReadonlyArray<number>): number => times.reduce((all, time) => all + time, 0)

/** Milliseconds of each piece of work, of the round that took least of all. */
const timesOf = <A>(items: ReadonlyArray<A>, work: (item: A) => void): ReadonlyArray<number> => {
  const rounds = Array.from({ length: ROUNDS }, () =>
    items.map(item => {
      const began = performance.now()
      work(item)
      return performance.now() - began
    })
  )
  return rounds.reduce((best, round) => (sum(round) < sum(best) ? round : best))
}

const perSecond = (times: ReadonlyArray<number>): number => times.length / (sum(times) / 1000)

interface Times {
  readonly warm: ReadonlyArray<number>
  readonly cold: ReadonlyArray<number>
  readonly single: ReadonlyArray<number>
}

const measureMarket = (market: Market, asks: ReadonlyArray<Ask>): Times => {
  const curves = new PoolCurves()
  const find = ({ order, options }: Ask) => findRoute(market, order, options, curves)
  const warm = timesOf(asks, find)
  const single = timesOf(asks, ask => bestSingle(market, ask))
  const cold = timesOf(asks, ({ order, options }) =>
    findRoute(market, order, options, new PoolCurves())
  )
  return { warm, cold, single }
}

/** The greatest part by which a route stays below what duality allows. */
const worstGap = (random: Random, market: PricedMarket, count: number): number => {
  const between = marketOf(market.proven.map(tradePoolOf)).between
  let worst = 0
  for (const { order, options } of asksOf(random, market, count)) {
    const { tokenIn, tokenOut, amount } = order
    const given = { ...options, gas: null }
    const route = findRoute({ between }, order, given, new PoolCurves())
    if (!route.ok || route.amountIn < amount) continue
    const ends = new Set([tokenIn, tokenOut])
    const near = market.proven.filter(({ token0, token1 }) => ends.has(token0) || ends.has(token1))
    const others = options.anchors.filter(anchor => !ends.has(anchor))
    const bound = splitBound(near, tokenIn, tokenOut, others, Number(amount))
    worst = Math.max(worst, 1 - Number(route.amountOut) / bound)
  }
  return worst
}

/**
 * Basis points that routes buy more than the best single one, in the middle of those that split.
 */
const gainOf = (market: Market, asks: ReadonlyArray<Ask>): number => {
  const gains = asks.flatMap(ask => {
    const route = findRoute(market, ask.order, ask.options, new PoolCurves())
    const single = bestSingle(market, ask)
    if (!route.ok || single === 0n || route.legs.length < 2) return []
    return [(Number(route.amountOut) / Number(single) - 1) * 10_000]
  })
  return median(gains)
}

const of = (prefix: string, { warm, cold, single }: Times): ReadonlyArray<Measure> => {
  const n = warm.length
  return [
    compared(`${prefix}p50`, "ms", median(warm), median(single), n),
    compared(`${prefix}p99`, "ms", quantile(warm, 0.99), quantile(single, 0.99), n),
    compared(`${prefix}quotes`, "quotes/s", perSecond(warm), perSecond(single), n),
    alone(`${prefix}cold_p50`, "ms", median(cold), n),
    alone(`${prefix}cold_p99`, "ms", quantile(cold, 0.99), n)
  ]
}

const marketFor = (pools: number): Market => {
  say(`quote: a market of ${pools} pools`)
  const market = pricedMarket(seededRandom(SEED), pools)
  return { ...market, between: marketOf(market.pools).between }
}

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    pools: { type: "string" },
    many: { type: "string" },
    orders: { type: "string" },
    proven: { type: "string" }
  })
  const orders = countOf("orders", options.orders, 2000)
  const provenOrders = countOf("proven", options.proven, 100)
  const random = seededRandom(SEED + 1)
  const small = marketFor(countOf("pools", options.pools, 1000))
  const asks = asksOf(random, small, orders)
  const smallTimes = measureMarket(small, asks)
  const gain = gainOf(small, asks)
  const gap = worstGap(random, small, provenOrders)
  const large = marketFor(countOf("many", options.many, 50_000))
  const largeTimes = measureMarket(large, asksOf(random, large, orders))
  const { warm, single } = smallTimes
  return {
    bench: "quote",
    ...compared("quotes", "quotes/s", perSecond(warm), perSecond(single), orders),
    also: [
      ...of("", smallTimes).filter(({ metric }) => metric !== "quotes"),
      ...of("many_", largeTimes),
      alone("split_gain", "bps", gain, orders),
      alone("worst_gap", "of the bound", gap, provenOrders)
    ]
  }
}

export const bench: Bench = {
  name: "quote",
  about: "routes and splits over 1,000 and 50,000 pools, beside the best single route",
  options: OPTIONS,
  run
}
