/** Who swaps what in a block: noise in all sizes, leaning towards fair prices, and arbitrage. */
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import type { Transaction } from "./calls.ts"
import type { Holding, HoldingQuery } from "./chain-reader.ts"
import { bridgeBack, fund, type PlanContext } from "./funds.ts"
import { rawAmount, rawWorth, STIFFNESS, worthUsd } from "./pool-state.ts"
import {
  directRoute,
  drawRoute,
  gain,
  narrowest,
  type PoolView,
  type Route,
  reversed,
  tokenIn,
  tokenOut
} from "./routes.ts"
import { routerOf, type SwapStyle, swapTransaction } from "./swap-calls.ts"
import { tradersOf } from "./wallets.ts"

export interface SwapDraft {
  readonly wallet: Hex
  readonly route: Route
  readonly style: SwapStyle
  readonly usd: number
  /** asks for more than the market gives, so it will revert */
  readonly doomed: boolean
}

/** Swaps a block, besides arbitrage. */
const FEWEST = 5
const MOST = 19

const MEDIAN_USD = 160
const SIZE_SIGMA = 1.5

/** Largest trade as a share of the narrowest pool's depth; a V3 pool's is concentrated. */
const LARGEST = { v2: 0.008, v3: 0.02 } as const

/** Mispricing (log) at which arbitrageurs step in, and how much of it they close. */
const ARBITRAGE_FROM = 0.012
const ARBITRAGE_CLOSES = 0.6
const ARBITRAGES = 2
/** Dollars below which no gap is worth it: small pools would be traded by makers alone. */
const ARBITRAGE_COSTS_USD = 3

/** Gain (log) that makes a direction about 73 % likely. */
const LEAN = 0.004

/** Nobody turns a sale he cannot make into a purchase at a worse price than this (log). */
const WORST_TURN = -0.03

const kindOf = (route: Route): "v2" | "v3" => route.pools[0]?.pool.kind ?? "v2"

const drawStyle = (context: PlanContext, route: Route): SwapStyle => {
  const { wrapped } = context.market
  const { random } = context
  if (wrapped !== null && tokenIn(route) === wrapped && random.chance(0.5)) return "nativeIn"
  if (wrapped !== null && tokenOut(route) === wrapped && random.chance(0.5)) return "nativeOut"
  return random.chance(0.12) ? "exactOut" : "exactIn"
}

/** Draws a trader of the route's first pool who has not acted in the block, and notes the act. */
const drawTrader = (
  { random, wallets, number }: PlanContext,
  views: ReadonlyArray<PoolView>,
  route: Route,
  acted: Set<Hex>
): Hex => {
  const weight = views.reduce((sum, { pool }) => sum + Math.sqrt(pool.depthUsd), 0)
  const share = Math.sqrt(route.pools[0]?.pool.depthUsd ?? 0) / weight
  const traders = tradersOf((share * (FEWEST + MOST)) / 2, number)
  let wallet = wallets.trader(random.between(0, traders - 1))
  while (acted.has(wallet)) wallet = wallets.trader(random.between(0, traders - 1))
  acted.add(wallet)
  return wallet
}

const drawNoise = (
  context: PlanContext,
  views: ReadonlyArray<PoolView>,
  acted: Set<Hex>
): SwapDraft => {
  const { random, market } = context
  const hops = random.weighted([1, 2, 3], n => [0, 0.72, 0.2, 0.08][n] as number)
  const drawn = drawRoute(random, market, views, hops)
  const forward = 1 / (1 + Math.exp(-gain(drawn) / LEAN))
  const route = random.chance(forward) ? drawn : reversed(drawn)
  const cap = LARGEST[kindOf(route)] * narrowest(route)
  return {
    wallet: drawTrader(context, views, drawn, acted),
    route,
    style: drawStyle(context, route),
    usd: Math.min(random.logNormal(MEDIAN_USD, SIZE_SIGMA), cap * (0.5 + random.next() / 2)),
    doomed: random.chance(0.01)
  }
}

/** Dollars that close some of the pool's mispricing. */
const closingUsd = ({ pool, under }: PoolView): number =>
  Math.min(Math.abs(under), 0.2) * ARBITRAGE_CLOSES * STIFFNESS[pool.kind] * pool.depthUsd

const isWorthIt = (view: PoolView): boolean =>
  Math.abs(view.under) > ARBITRAGE_FROM &&
  Math.abs(view.under) * closingUsd(view) > ARBITRAGE_COSTS_USD

const drawArbitrage = (context: PlanContext, view: PoolView, wallet: Hex): SwapDraft => {
  const { pool, under } = view
  const route = directRoute(view, under > 0 ? pool.token1 : pool.token0)
  return {
    wallet,
    route,
    style: drawStyle(context, route),
    usd: closingUsd(view),
    doomed: false
  }
}

/** The block's swaps, each by another wallet, none by its creator. Empty pools are left alone. */
export const drawSwaps = (
  context: PlanContext,
  views: ReadonlyArray<PoolView>,
  creator: Hex
): ReadonlyArray<SwapDraft> => {
  const live = views.filter(view => view.state.a > 0n && view.state.b > 0n)
  const wide = live
    .filter(isWorthIt)
    .sort((a, b) => Math.abs(b.under) - Math.abs(a.under))
    .slice(0, ARBITRAGES)
  const makers = context.random.shuffled(context.wallets.makers)
  const noise = context.random.between(FEWEST, MOST)
  const acted = new Set([creator])
  return [
    ...wide.map((view, i) => drawArbitrage(context, view, makers[i] as Hex)),
    ...Array.from({ length: noise }, () => drawNoise(context, live, acted))
  ]
}

/** What must be known of the wallet: both ends, as spent through the route's router. */
export const swapQueries = (
  context: PlanContext,
  { wallet, route }: SwapDraft
): ReadonlyArray<HoldingQuery> => {
  const spender = routerOf(context.market, route)
  const query = (token: Hex) => ({ token, owner: wallet, spender })
  return [query(tokenIn(route).address), query(tokenOut(route).address)]
}

const build = (context: PlanContext, draft: SwapDraft, amountIn: bigint): Transaction => {
  const { route, style, doomed } = draft
  const fairOut = worthUsd(tokenIn(route), amountIn, context.time) / priceOut(context, route)
  const amountOut =
    style === "exactOut"
      ? rawAmount(tokenOut(route), fairOut * 0.8)
      : doomed
        ? rawAmount(tokenOut(route), fairOut * 2)
        : 0n
  return swapTransaction(context.market, {
    wallet: draft.wallet,
    route,
    style,
    amountIn,
    amountOut,
    deadline: context.deadline
  })
}

const priceOut = (context: PlanContext, route: Route): number =>
  tokenOut(route).fairUsd(context.time)

/**
 * The transactions of a draft, given the holdings its queries asked for. A wallet short of a token
 * it cannot obtain sells what it has, or buys instead; nothing where neither makes sense.
 */
export const settleSwap = (
  context: PlanContext,
  draft: SwapDraft,
  [heldIn, heldOut]: ReadonlyArray<Holding>
): ReadonlyArray<Transaction> => {
  if (heldIn === undefined || heldOut === undefined) return []
  const { wallet, route, style, usd } = draft
  const input = tokenIn(route)
  const wanted = rawWorth(input, usd, context.time)
  if (wanted === 0n) return []
  if (style === "nativeIn") return [build(context, draft, wanted)]
  const spender = routerOf(context.market, route)
  const steps = fund(context, wallet, input, spender, wanted, heldIn)
  if (steps !== null) {
    const after = bridgeBack(context, wallet, tokenOut(route), heldOut)
    return [...steps, build(context, draft, wanted), ...after]
  }
  if (worthUsd(input, heldIn.balance, context.time) > usd / 5) {
    const all = fund(context, wallet, input, spender, heldIn.balance, heldIn) ?? []
    return [...all, build(context, { ...draft, style: sellAll(style) }, heldIn.balance)]
  }
  const turned = reversed(route)
  if (gain(turned) < WORST_TURN) return []
  const amount = rawWorth(tokenIn(turned), usd, context.time)
  const funded = fund(context, wallet, tokenIn(turned), spender, amount, heldOut)
  if (funded === null || amount === 0n) return []
  return [...funded, build(context, { ...draft, route: turned, style: "exactIn" }, amount)]
}

const sellAll = (style: SwapStyle): SwapStyle => (style === "exactOut" ? "exactIn" : style)
