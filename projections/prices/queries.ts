/** Why a token costs what it costs: the recipe, the pools it looks at, and the way to dollars. */
import type { QueryContext, QueryParams, Settled } from "../../engine/projection.ts"
import { fromHex, toHex } from "../../src/domain/address.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { pools } from "../pools/output.ts"
import { tokens } from "../tokens/output.ts"
import { unknownToken } from "../tokens/queries.ts"
import { isNear } from "./anchor-prices.ts"
import { type PrintLevel, pricesOutput } from "./output.ts"
import { ageOf, reasonAgainst, reasons, recipe, thresholds } from "./recipe.ts"

/** Pools of a token that are told, and that are looked at: the deepest. */
const MOST_SHOWN = 50
const MOST_READ = 1000
/** Steps to dollars at most: anchors are priced by better-ranked ones. */
const MOST_STEPS = 8

type Memory = Omit<QueryContext, "rows" | "columns">

const addressOfToken = (context: Memory, token: number): string | null =>
  token === NONE
    ? null
    : toHex(
        context
          .output(tokens)
          .columns()
          .address.subarray(token * 20, token * 20 + 20)
      )

interface Candidate {
  readonly pool: number
  readonly isListed: boolean
  readonly price: number
  readonly depth: number
  readonly age: number
  /** why it may not set the price, the way the recipe tells it; null where it may */
  readonly reason: string | null
}

/** What memory says of a pool at the time of the commit. */
const candidateOf = (context: Memory, pool: number): Candidate => {
  const { isListed, begin, poolPrices } = context.output(pricesOutput)
  const c = poolPrices()
  const [created, first] = [c.created_ts[pool] as number, c.first_ts[pool] as number]
  const age = ageOf(created, first, begin(), isListed(pool), context.blockTime)
  const unit = c.unit[pool] as number
  const code = reasonAgainst(unit, c.quote_usd[pool] as number, c.backed_usd[pool] as number, age)
  return {
    pool,
    isListed: isListed(pool),
    price: unit,
    depth: c.depth_usd[pool] as number,
    age,
    reason: code === 0 ? null : (reasons[code] ?? null)
  }
}

/** Leaves unlisted pools out where a listed one may set the price. */
const withoutUnlisted = (all: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const hasListed = all.some(one => one.reason === null && one.isListed)
  return all.map(one =>
    hasListed && one.reason === null && !one.isListed ? { ...one, reason: "unlisted" } : one
  )
}

/** Leaves pools out of an anchor's mean that are far from its weighted median. */
const withoutFar = (all: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const counted = all
    .filter(one => one.reason === null)
    .toSorted((a, b) => a.price - b.price || a.pool - b.pool)
  const whole = counted.reduce((sum, one) => sum + one.depth, 0)
  let below = 0
  const middle = counted.find(one => {
    below += one.depth
    return below * 2 >= whole
  })?.price
  const isFar = (one: Candidate) =>
    middle !== undefined && !isNear(one.price, middle, thresholds.maxAnchorSpread)
  return all.map(one => (one.reason === null && isFar(one) ? { ...one, reason: "far" } : one))
}

/** The pools that are looked at for a token's price, deepest first. */
const candidatesFor = (context: Memory, token: number): ReadonlyArray<Candidate> => {
  const { poolsOf, isAnchor } = context.output(pricesOutput)
  const ids = poolsOf(token, MOST_READ)
  const found = withoutUnlisted(ids.map(pool => candidateOf(context, pool)))
  return (isAnchor(token) ? withoutFar(found) : found).toSorted(
    (a, b) => b.depth - a.depth || a.pool - b.pool
  )
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** NaN stands for what is not known. */
const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value

const poolOf = (context: Memory, one: Candidate, share: number) => {
  const c = context.output(pricesOutput).poolPrices()
  return {
    pool: context.output(pools).idText(one.pool),
    dex: context.output(pools).columns().venue[one.pool] ?? null,
    listed: one.isListed,
    quote: addressOfToken(context, context.output(pricesOutput).quoteOf(one.pool)),
    priceUsd: orNull(c.price[one.pool]),
    depthUsd: one.depth,
    quoteUsd: orNull(c.quote_usd[one.pool]),
    backedUsd: orNull(c.backed_usd[one.pool]),
    ageSeconds: finite(one.age),
    ts: c.ts[one.pool] as number,
    eligible: one.reason === null,
    reason: one.reason,
    weight: share
  }
}

/** What part each pool has in the price: of an anchor by depth, else one pool has it all. */
const sharesOf = (
  all: ReadonlyArray<Candidate>,
  leader: number | null,
  isAnchor: boolean
): ((one: Candidate) => number) => {
  if (!isAnchor) return one => (one.reason === null && one.pool === leader ? 1 : 0)
  const whole = all.reduce((sum, one) => sum + (one.reason === null ? one.depth : 0), 0)
  return one => (one.reason === null ? one.depth / whole : 0)
}

const NO_PRICE = { priceUsd: null, depthUsd: null, pendingUsd: null, pool: null, ts: null }

/** What a token costs, with nulls where no pool has told of it. */
const priceOf = (context: Memory, token: number) => {
  const c = context.output(pricesOutput).tokenPrices()
  const ts = c.ts[token] ?? 0
  if (ts === 0) return NO_PRICE
  const pool = c.pool[token] as number
  return {
    priceUsd: orNull(c.price[token]),
    depthUsd: orNull(c.depth_usd[token]),
    pendingUsd: orNull(c.pending[token]),
    pool: pool === NONE ? null : pool,
    ts
  }
}

/** The pools by which a token's price leads to a dollar, one step for each token; `own` are its. */
const pathOf = (context: Memory, from: number, own: ReadonlyArray<Candidate>) => {
  const { isUsd, isAnchor, quoteOf } = context.output(pricesOutput)
  const path: Array<object> = []
  let token = from
  while (path.length < MOST_STEPS) {
    const { priceUsd, pool: leader } = priceOf(context, token)
    const step = { token: addressOfToken(context, token), priceUsd }
    const anchored = isAnchor(token) && !isUsd(token)
    const best = anchored
      ? ((token === from ? own : candidatesFor(context, token)).find(one => one.reason === null)
          ?.pool ?? null)
      : leader
    const pool = priceUsd === null || isUsd(token) ? null : best
    path.push({ ...step, pool: pool === null ? null : context.output(pools).idText(pool) })
    const quote = pool === null ? NONE : quoteOf(pool)
    if (quote === NONE) break
    token = quote
  }
  return path
}

/** What the prints say: the level accepted where no pool sets a price, and one against it. */
const printsOf = (level: PrintLevel | null, hasDecimals: boolean) => ({
  acceptedUsd: hasDecimals ? orNull(level?.accepted) : null,
  otherUsd: hasDecimals && (level?.votes ?? 0) > 0 ? orNull(level?.other) : null,
  votes: level?.votes ?? 0
})

/** `{ token }` */
export const explainPrice = (context: Memory, params: QueryParams): Settled => {
  const address = String(params["token"])
  const token = context.output(tokens).find(fromHex(address))
  if (token < 0) return { refused: unknownToken(context, address).refusal }
  const { isAnchor, countOf, levelOf } = context.output(pricesOutput)
  const { priceUsd, depthUsd, pendingUsd, pool, ts } = priceOf(context, token)
  const all = candidatesFor(context, token)
  const share = sharesOf(all, pool, isAnchor(token))
  const hasDecimals = !Number.isNaN(context.output(tokens).scale(token))
  return {
    value: {
      chain: context.chain.id,
      token: address.toLowerCase(),
      priceUsd,
      depthUsd,
      pendingUsd,
      ts,
      anchor: isAnchor(token),
      path: pathOf(context, token, all),
      pools: all.slice(0, MOST_SHOWN).map(one => poolOf(context, one, share(one))),
      poolsTotal: countOf(token),
      prints: printsOf(levelOf(token), hasDecimals),
      recipe,
      seq: context.seq,
      block: context.block,
      updatedAt: context.blockTime * 1000
    }
  }
}
