/**
 * A quote of an order: the best route at the book's position, as the router contract would execute
 * it to the wei. Pools that the contract cannot trade with take no part.
 */
import { ZERO_ADDRESS } from "../../src/domain/address.ts"
import { type ChainConfig, wrappedNativeOf } from "../../src/domain/chain.ts"
import { type AdaptedPool, adaptedPool, gasOfPool } from "./contract/adapter-of.ts"
import { type GasLeg, gasOf, TRADE_GAS } from "./contract/leg-gas.ts"
import type { RouterLeg } from "./contract/router-call.ts"
import { type Cause, ExecutableMarket } from "./executable-market.ts"
import { anchorsOf, NativePrices } from "./gas-price.ts"
import { GatedMarket, type GatedPool } from "./gated-market.ts"
import type { NoRouteReason } from "./no-route.ts"
import type { BookPosition } from "./pools/pool-book.ts"
import { crossedIn, type PoolMarket, quotePool, type TradePool } from "./pools/pool-market.ts"
import { findRoute } from "./route/find-route.ts"
import { PoolCurves } from "./route/pool-curves.ts"
import type { Candidate, Route, RouteLeg } from "./route/route.ts"
import { type Ends, type Execution, executeLegs, type PlannedLeg } from "./router-legs.ts"
import { afterTax, beforeTax, type TaxedToken, type TransferTaxes } from "./transfer-taxes.ts"

/** What is asked; tokens as lower-case addresses, the zero address for the native unit. */
export interface QuoteOrder {
  readonly tokenIn: string
  readonly tokenOut: string
  /** raw units sold, or bought where `exact` says so */
  readonly amount: bigint
  readonly exact: "in" | "out"
  readonly maxHops: 1 | 2 | 3
  /** the only venue; null for all */
  readonly onlyDex: string | null
  /** wei for a unit of gas; null where unknown: then gas counts for nothing */
  readonly gasPrice: bigint | null
  /** pools that take no part, since a rule calls their trades wash trading */
  readonly suspects: ReadonlyArray<string>
  /** tokens of the order that take something of their transfers */
  readonly taxed: ReadonlyArray<TaxedToken>
}

export interface QuoteLeg {
  readonly dex: string
  readonly pool: string
  readonly tokenIn: string
  readonly tokenOut: string
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly percent: number
  /** the leg as the contract takes it */
  readonly call: RouterLeg
}

interface Found {
  readonly legs: ReadonlyArray<QuoteLeg>
  /** the legs as the contract executes them, conversions of the native unit among them */
  readonly calls: ReadonlyArray<RouterLeg>
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** percent below the price of an infinitely small trade */
  readonly priceImpact: number
  readonly gas: number
  /** null where no node tells a gas price, or nothing prices the native unit */
  readonly gasDollars: number | null
}

export type QuoteOutcome = {
  /** position and block that it is of */
  readonly seq: number
  readonly block: number
  /** pools that take no part, and why */
  readonly lost: ReadonlyArray<Candidate>
} & (
  | ({ readonly ok: true } & Found)
  | {
      readonly ok: false
      readonly reason: NoRouteReason
      readonly causes: ReadonlyArray<Cause>
    }
)

/** Where quotes are read from: the pools of a chain at one position. */
export interface QuotedMarket extends PoolMarket {
  readonly position: BookPosition
}

const UNTAXED: TransferTaxes = { fromPool: 0, toTaker: 0, fromTaker: 0, toPool: 0 }

/** What a token takes of its transfers beside a pool, as the order tells. */
const taxesBy = ({ taxed }: QuoteOrder, token: string, pool: string): TransferTaxes =>
  taxed.find(one => one.token === token && one.pool === pool)?.taxes ?? UNTAXED

/** What a token takes of transfers between the router and the taker, by whichever of its pools. */
const taxesOf = ({ taxed }: QuoteOrder, token: string): TransferTaxes =>
  taxed.find(one => one.token === token)?.taxes ?? UNTAXED

/** The leg as it is executed; a pool of a taxed token counts what arrives. */
const plannedLeg =
  (chain: ChainConfig, order: QuoteOrder) =>
  ({ pool, tokenIn, tokenOut, amountIn }: RouteLeg): PlannedLeg => {
    const { contract, adapter } = adaptedPool(chain, pool, tokenIn, tokenOut) as AdaptedPool
    const { toPool } = taxesBy(order, tokenIn, contract)
    const { fromPool } = taxesBy(order, tokenOut, contract)
    return {
      ...{ contract, adapter, tokenIn, tokenOut, isNative: pool.isNative },
      amountIn: beforeTax(amountIn, toPool),
      quote: amount => {
        const arrives = afterTax(amount, toPool)
        const quote = quotePool(pool, tokenIn, tokenOut, arrives)
        return quote.ok && quote.amountIn === arrives ? afterTax(quote.amountOut, fromPool) : null
      },
      crossed: amount => crossedIn(pool, tokenIn, tokenOut, afterTax(amount, toPool))
    }
  }

const causesOf = (lost: ReadonlyArray<Candidate>): ReadonlyArray<Cause> => {
  const counts = new Map<string, { readonly dex: string; readonly reason: string; pools: number }>()
  for (const { dex, lost: reason } of lost) {
    const key = `${dex} ${reason}`
    const known = counts.get(key) ?? { dex, reason, pools: 0 }
    known.pools++
    counts.set(key, known)
  }
  return [...counts.values()]
}

/** Percent by which an output is below what the price before the trade promises; at least 0. */
const impactOf = (amountIn: bigint, amountOut: bigint, priceBefore: number): number => {
  const promised = Number(amountIn) * priceBefore
  return promised > 0 ? Math.max(0, (1 - Number(amountOut) / promised) * 100) : 0
}

/** The token that stands for the native unit in routes; for other tokens themselves. */
const routed = (chain: ChainConfig, token: string): string =>
  token === ZERO_ADDRESS ? (wrappedNativeOf(chain) ?? token) : token

type RouteFound = Extract<Route, { readonly ok: true }>

/** Tries to pay more; each adds what is missing, and four times as much as the one before. */
const MOST_TRIES = 12

/**
 * Legs as executed that buy at least so much, and what they take. Rounded shares may buy some units
 * less than the route does, which a little more input buys. Null where nothing does.
 */
const executedFor = (
  planned: ReadonlyArray<PlannedLeg>,
  ends: Ends,
  wrapped: string | null,
  least: bigint
) => {
  let { amountIn } = ends
  for (let tried = 0, more = 1n; tried < MOST_TRIES; tried++, more *= 4n) {
    const execution = executeLegs(planned, { ...ends, amountIn }, wrapped)
    if (execution === null || execution.amountOut === 0n) return null
    const missing = least - execution.amountOut
    if (missing <= 0n) return { amountIn, execution }
    amountIn += (missing * amountIn) / execution.amountOut + more
  }
  return null
}

const uncrossed = ({ kind }: RouterLeg): GasLeg => ({ kind, crossed: 0 })

/** About the gas of a route as it is executed, with the ticks that its legs go over. */
const gasOfExecution = (planned: ReadonlyArray<PlannedLeg>, { legs, calls }: Execution): number => {
  const trades = legs.map(({ call, amountIn }, i) => ({
    ...{ kind: call.kind, crossed: (planned[i] as PlannedLeg).crossed(amountIn) }
  }))
  const own = new Set(legs.map(({ call }) => call))
  const conversions = calls.filter(call => !own.has(call)).map(uncrossed)
  const tokens = new Set(planned.flatMap(({ tokenIn, tokenOut }) => [tokenIn, tokenOut]))
  return gasOf([...trades, ...conversions], tokens.size)
}

const foundOf = (
  chain: ChainConfig,
  prices: NativePrices,
  order: QuoteOrder,
  route: RouteFound
): Found | null => {
  const planned = route.legs.map(plannedLeg(chain, order))
  const { tokenIn, tokenOut, gasPrice } = order
  const sold = order.exact === "in" ? order.amount : route.amountIn
  const { fromTaker } = taxesOf(order, tokenIn)
  const ends = { tokenIn, tokenOut, amountIn: afterTax(sold, fromTaker) }
  const least = order.exact === "out" ? order.amount : 0n
  const executed = executedFor(planned, ends, wrappedNativeOf(chain), least)
  if (executed === null) return null
  const { execution } = executed
  // exact purchases are of tokens without taxes alone, so what arrives is what is sold
  const amountIn = order.exact === "in" ? sold : executed.amountIn
  const { fromPool, toTaker } = taxesOf(order, tokenOut)
  const gas = gasOfExecution(planned, execution)
  const legs = execution.legs.map((executed, i): QuoteLeg => {
    const { pool, tokenIn: from, tokenOut: to, percent } = route.legs[i] as RouteLeg
    return { dex: pool.dex, pool: pool.pool, tokenIn: from, tokenOut: to, percent, ...executed }
  })
  return {
    legs,
    calls: execution.calls,
    amountIn,
    amountOut: afterTax(execution.amountOut, toTaker),
    priceImpact: impactOf(
      order.exact === "in" ? route.amountIn : amountIn,
      beforeTax(execution.amountOut, fromPool),
      route.priceBefore
    ),
    gas,
    gasDollars: gasPrice === null ? null : prices.dollars(BigInt(gas) * gasPrice)
  }
}

/** The venue that answers name for wrapping and unwrapping the native unit. */
const WRAPPING = "native_wrap"

/** The native unit for the token that wraps it, or the other way: one for one. */
const converted = (
  chain: ChainConfig,
  prices: NativePrices,
  { tokenIn, tokenOut, amount, gasPrice }: QuoteOrder
): { readonly ok: true } & Found => {
  const wrapped = wrappedNativeOf(chain)
  const amountIn = amount
  const calls = executeLegs([], { tokenIn, tokenOut, amountIn }, wrapped)?.calls ?? []
  const gas = gasOf(calls.map(uncrossed), 2)
  const [call] = calls as readonly [RouterLeg]
  const leg = { call, dex: WRAPPING, pool: wrapped ?? tokenIn, tokenIn, tokenOut, percent: 100 }
  return {
    ...{ ok: true, calls, amountIn, amountOut: amount, priceImpact: 0, gas },
    legs: [{ ...leg, amountIn, amountOut: amount }],
    gasDollars: gasPrice === null ? null : prices.dollars(BigInt(gas) * gasPrice)
  }
}

/** What the legs' gas costs in the token whose amount is open; null where that is unknown. */
const gasIn = (prices: NativePrices, token: string, gasPrice: bigint | null) => {
  const perWei = gasPrice === null ? null : prices.perWei(token)
  if (gasPrice === null || perWei === null) return null
  const cost = (gas: number) => BigInt(Math.round(gas * Number(gasPrice) * perWei))
  return { base: cost(TRADE_GAS), leg: (pool: TradePool) => cost(gasOfPool(pool)) }
}

/** Percent that an order may lose to the pools' depth. */
const MOST_IMPACT = 50
/** Where a leg buys less raw units than so many, rounding alone takes a fifth of them and more. */
const LEAST_BOUGHT = 4n

/** Why an order that loses so much is refused: of a tiny one nothing is wrong with the pools. */
const lossReason = ({ legs }: Found): NoRouteReason =>
  legs.some(({ amountOut }) => amountOut < LEAST_BOUGHT) ? "amount-too-small" : "thin"

/** A reason that the search gives, as answers name it, with what a gate kept out. */
const reasonOf = (
  reason: string,
  gate: GatedPool["lost"] | undefined,
  hasOthers: boolean
): NoRouteReason => {
  switch (reason) {
    case "unknown-state":
    case "no-liquidity":
    case "too-large":
    case "amount-too-small":
      return reason
    case "no-pool":
      return gate ?? (hasOthers ? "not-executable" : reason)
    default:
      return "amount-too-small"
  }
}

/** Quotes orders on one chain. What it remembers between them changes no answer. */
export class QuoteDesk {
  private readonly chain: ChainConfig
  private readonly market: QuotedMarket
  private readonly executable: ExecutableMarket
  private readonly curves = new PoolCurves()
  private prices: { readonly seq: number; readonly of: NativePrices } | null = null

  constructor(chain: ChainConfig, market: QuotedMarket) {
    this.chain = chain
    this.market = market
    this.executable = new ExecutableMarket(chain, market)
  }

  /** Equal orders on equal states give equal outcomes. */
  quote(order: QuoteOrder): QuoteOutcome {
    const { chain, executable, curves } = this
    const { seq, block } = this.market.position
    const at = { seq, block: block.number }
    const prices = this.pricesAt(seq)
    const [tokenIn, tokenOut] = [routed(chain, order.tokenIn), routed(chain, order.tokenOut)]
    if (tokenIn === tokenOut) return { ...at, lost: [], ...converted(chain, prices, order) }
    const { amount, exact, maxHops, onlyDex, gasPrice } = order
    const gas = gasIn(prices, exact === "in" ? tokenOut : tokenIn, gasPrice)
    const { fromTaker, toPool } = taxesOf(order, tokenIn)
    const sold = exact === "in" ? afterTax(afterTax(amount, fromTaker), toPool) : amount
    const asked = { tokenIn, tokenOut, amount: sold, exact }
    const options = { anchors: anchorsOf(chain), maxHops, gas, onlyDex }
    const gated = new GatedMarket(chain, executable, order)
    const route = findRoute(gated, asked, options, curves)
    const lost = [...route.lost, ...gated.kept]
    const none = (reason: NoRouteReason): QuoteOutcome => {
      const causes = [...causesOf(lost), ...executable.others(tokenIn, tokenOut)]
      return { ...at, ok: false, reason, lost, causes }
    }
    if (!route.ok) {
      const hasOthers = executable.others(tokenIn, tokenOut).length > 0
      return none(reasonOf(route.reason, gated.kept[0]?.lost, hasOthers))
    }
    if (exact === "in" && route.amountIn < sold) return none("too-large")
    // what arrives of an exact purchase of a taxed token is another amount
    if (exact === "out" && order.taxed.length > 0) return none("transfer-tax")
    const quoted = foundOf(chain, prices, order, route)
    if (quoted === null) return none("too-large")
    if (quoted.priceImpact > MOST_IMPACT) return none(lossReason(quoted))
    return { ...at, ok: true, lost, ...quoted }
  }

  private pricesAt(seq: number): NativePrices {
    if (this.prices === null || this.prices.seq !== seq) {
      this.prices = { seq, of: new NativePrices(this.chain, this.executable, this.curves) }
    }
    return this.prices.of
  }
}
