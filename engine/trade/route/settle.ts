/** Makes a split in floating point a plan of whole units, each leg quoted exactly. */
import { mergeCurves } from "../../../src/math/price-curve/merge.ts"
import type { TradePool } from "../pools/pool-market.ts"
import { type Hop, type HopPool, startOf } from "./hop.ts"
import type { Flow, Split } from "./path.ts"
import { type PlannedLeg, quoteLeg } from "./planned-leg.ts"
import type { Loss } from "./route.ts"

export interface Plan {
  readonly legs: ReadonlyArray<PlannedLeg>
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** root of the marginal cost of the first unit sold */
  readonly firstCost: number
}

/** A leg that cannot be as the split has it. */
export interface Failure {
  readonly pool: TradePool
  readonly tokenIn: string
  readonly tokenOut: string
  readonly reason: Loss
}

interface Offer {
  readonly hop: Hop
  readonly pool: HopPool
  readonly amount: bigint
}

const whole = (amount: number): bigint => BigInt(Math.floor(amount))

/** Shares as whole units that add up to `total`: what rounding leaves goes to the largest. */
const offersOf = (
  shares: ReadonlyArray<{ readonly hop: Hop; readonly pool: HopPool; readonly share: number }>,
  total: bigint
): ReadonlyArray<Offer> => {
  let [left, largest] = [total, 0]
  const offers = shares.map(({ hop, pool, share }, i) => {
    const amount = whole(share)
    left -= amount
    if (share > (shares[largest]?.share ?? 0)) largest = i
    return { hop, pool, amount }
  })
  return offers
    .map((offer, i) => (i === largest ? { ...offer, amount: offer.amount + left } : offer))
    .filter(({ amount }) => amount > 0n)
}

const sharesOf = (hop: Hop, shares: Float64Array) =>
  hop.pools.flatMap((pool, i) => {
    const share = shares[i] as number
    return share > 0 ? [{ hop, pool, share }] : []
  })

const failure = ({ hop, pool }: Offer, reason: Loss): Failure => ({
  pool: pool.pool,
  tokenIn: hop.tokenIn,
  tokenOut: hop.tokenOut,
  reason
})

const legOf = (offer: Offer): PlannedLeg | Failure => {
  const { hop, pool, amount } = offer
  const leg = quoteLeg(pool.pool, hop.tokenIn, hop.tokenOut, amount)
  return typeof leg === "string" ? failure(offer, leg) : leg
}

const isFailure = (leg: PlannedLeg | Failure): leg is Failure => "reason" in leg

/**
 * Legs of offers, and what none of them took: what one leaves the largest of the others are offered
 * too.
 */
const legsOf = (
  offers: ReadonlyArray<Offer>
): { readonly legs: ReadonlyArray<PlannedLeg>; readonly left: bigint } | Failure => {
  const legs: Array<PlannedLeg> = []
  for (const offer of offers) {
    const leg = legOf(offer)
    if (isFailure(leg)) return leg
    legs.push(leg)
  }
  let left = offers.reduce((sum, { amount }, i) => sum + amount - (legs[i]?.amountIn ?? 0n), 0n)
  const larger = offers
    .map((_, i) => i)
    .sort((a, b) => Number((legs[b]?.amountIn ?? 0n) - (legs[a]?.amountIn ?? 0n)) || a - b)
  for (const i of larger) {
    if (left === 0n) break
    const [offer, leg] = [offers[i] as Offer, legs[i] as PlannedLeg]
    if (leg.amountIn < offer.amount) continue
    const more = legOf({ ...offer, amount: offer.amount + left })
    if (isFailure(more)) continue
    left -= more.amountIn - leg.amountIn
    legs[i] = more
  }
  return { legs, left }
}

/**
 * A hop of a flow behind its first, over the pools that have a part in it: exactly what the hop
 * before bought is sold.
 */
const nextLegs = (
  hop: Hop,
  parts: Float64Array,
  amount: bigint
): ReadonlyArray<PlannedLeg> | Failure => {
  const pools = hop.pools.filter((_, i) => (parts[i] as number) > 0)
  const { shares } = mergeCurves(
    pools.map(({ curve }) => curve),
    Number(amount)
  )
  const offers = offersOf(sharesOf({ ...hop, pools }, shares), amount)
  const settled = legsOf(offers)
  if ("reason" in settled) return settled
  const last = offers.at(-1)
  return settled.left > 0n && last !== undefined ? failure(last, "takes-less") : settled.legs
}

const bought = (legs: ReadonlyArray<PlannedLeg>): bigint =>
  legs.reduce((sum, { amountOut }) => sum + amountOut, 0n)

/** The legs of a flow behind those of its first hop. */
const laterLegs = (
  { path, hops }: Flow,
  first: ReadonlyArray<PlannedLeg>
): { readonly legs: ReadonlyArray<PlannedLeg>; readonly amountOut: bigint } | Failure => {
  const legs: Array<PlannedLeg> = []
  let amountOut = bought(first)
  for (let i = 1; i < path.hops.length; i++) {
    const [hop, merged] = [path.hops[i] as Hop, hops[i] as Flow["hops"][number]]
    const next = nextLegs(hop, merged.shares, amountOut)
    if ("reason" in next) return next
    legs.push(...next)
    amountOut = bought(next)
  }
  return { legs, amountOut }
}

const firstCostOf = ({ path, hops }: Flow): number =>
  path.hops.reduce((product, { pools }, i) => {
    const used = pools.filter((_, which) => (hops[i]?.shares[which] ?? 0) > 0)
    return product * Math.min(...used.map(startOf))
  }, 1)

/**
 * A split's plan for a sale of `amount`, null where it buys nothing; or the first leg that cannot
 * be.
 */
export const settle = (split: Split, amount: bigint): Plan | Failure | null => {
  // Where liquidity ends before the sale does, what is beyond is nobody's.
  const isWhole = split.sold >= Number(amount) * (1 - 1e-9)
  const total = isWhole ? amount : whole(split.sold)
  const offers = offersOf(
    split.flows.flatMap(({ path, hops }) => {
      const [hop, merged] = [path.hops[0], hops[0]]
      return hop === undefined || merged === undefined ? [] : sharesOf(hop, merged.shares)
    }),
    total
  )
  if (offers.length === 0) return null
  const settled = legsOf(offers)
  if ("reason" in settled) return settled
  const legs: Array<PlannedLeg> = [...settled.legs]
  let amountOut = 0n
  for (const flow of split.flows) {
    const first = settled.legs.filter((_, i) => offers[i]?.hop === flow.path.hops[0])
    if (first.length === 0) continue
    const later = laterLegs(flow, first)
    if ("reason" in later) return later
    legs.push(...later.legs)
    amountOut += later.amountOut
  }
  const amountIn = settled.legs.reduce((sum, leg) => sum + leg.amountIn, 0n)
  const firstCost = Math.min(...split.flows.map(firstCostOf))
  return { legs, amountIn, amountOut, firstCost }
}
