/** Why a token costs what it costs: the recipe, the pools it looks at, and the way to dollars. */
import { Effect } from "effect"
import type { Query, QueryContext, Row } from "../../engine/projection.ts"
import { numberOf, versions } from "../../engine/store/sql.ts"
import { toHex } from "../../src/domain/address.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { pools } from "../pools/output.ts"
import { tokens } from "../tokens/output.ts"
import { requireToken } from "../tokens/queries.ts"
import { isNear } from "./anchor-prices.ts"
import { pricesOutput } from "./output.ts"
import { ageOf, reasonAgainst, reasons, recipe, thresholds } from "./recipe.ts"

/** Pools of a token that are told, and that are looked at: the deepest. */
const MOST_SHOWN = 50
const MOST_READ = 1000
/** Steps to dollars at most: anchors are priced by better-ranked ones. */
const MOST_STEPS = 8

const newest = (table: string, key: string, ids: ReadonlyArray<number>): string =>
  `SELECT * FROM (${versions(table, `${key} IN (${ids.join(",")})`)})
   QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1`

const addressOfToken = (context: QueryContext, token: number): string | null =>
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
  readonly row: Row
  readonly isListed: boolean
  readonly price: number
  readonly depth: number
  readonly age: number
  /** why it may not set the price, the way the recipe tells it; null where it may */
  readonly reason: string | null
}

/** What a row says of a pool at the time of the commit. */
const candidateOf = (context: QueryContext, row: Row): Candidate => {
  const { isListed, begin } = context.output(pricesOutput)
  const pool = Number(row["pool"])
  const number = (column: string) => numberOf(row, column) ?? Number.NaN
  const created = Number(row["created_ts"])
  const age = ageOf(created, Number(row["first_ts"]), begin(), isListed(pool), context.blockTime)
  const code = reasonAgainst(number("unit"), number("quote_usd"), number("backed_usd"), age)
  return {
    pool,
    row,
    isListed: isListed(pool),
    price: number("unit"),
    depth: number("depth_usd"),
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
const candidatesFor = (context: QueryContext, token: number) =>
  Effect.gen(function* () {
    const { poolsOf, isAnchor } = context.output(pricesOutput)
    const ids = poolsOf(token, MOST_READ)
    if (ids.length === 0) return []
    const rows = yield* context.rows(newest("pool_prices", "pool", ids))
    const found = withoutUnlisted(rows.map(row => candidateOf(context, row)))
    return (isAnchor(token) ? withoutFar(found) : found).toSorted(
      (a, b) => b.depth - a.depth || a.pool - b.pool
    )
  })

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

const poolOf = (context: QueryContext, one: Candidate, share: number) => ({
  pool: context.output(pools).idText(one.pool),
  dex: context.output(pools).columns().venue[one.pool] ?? null,
  listed: one.isListed,
  quote: addressOfToken(context, context.output(pricesOutput).quoteOf(one.pool)),
  priceUsd: numberOf(one.row, "price"),
  depthUsd: one.depth,
  quoteUsd: numberOf(one.row, "quote_usd"),
  backedUsd: numberOf(one.row, "backed_usd"),
  ageSeconds: finite(one.age),
  ts: Number(one.row["ts"]),
  eligible: one.reason === null,
  reason: one.reason,
  weight: share
})

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

const priceRow = (context: QueryContext, table: string, token: number) =>
  Effect.map(context.rows(newest(table, "token", [token])), rows => rows[0] ?? {})

/** The pools by which a token's price leads to a dollar, one step for each token. */
const pathOf = (context: QueryContext, from: number) =>
  Effect.gen(function* () {
    const { isUsd, isAnchor, quoteOf } = context.output(pricesOutput)
    const path: Array<object> = []
    let token = from
    while (path.length < MOST_STEPS) {
      const row = yield* priceRow(context, "token_prices", token)
      const priceUsd = numberOf(row, "price")
      const step = { token: addressOfToken(context, token), priceUsd }
      const anchored = isAnchor(token) && !isUsd(token)
      const best = anchored
        ? ((yield* candidatesFor(context, token)).find(one => one.reason === null)?.pool ?? null)
        : numberOf(row, "pool")
      const pool = priceUsd === null || isUsd(token) ? null : best
      path.push({ ...step, pool: pool === null ? null : context.output(pools).idText(pool) })
      const quote = pool === null ? NONE : quoteOf(pool)
      if (quote === NONE) break
      token = quote
    }
    return path
  })

/** What the prints say: the level accepted where no pool sets a price, and one against it. */
const printsOf = (row: Row, hasDecimals: boolean) => ({
  acceptedUsd: hasDecimals ? numberOf(row, "accepted") : null,
  otherUsd: hasDecimals && Number(row["votes"] ?? 0) > 0 ? numberOf(row, "other") : null,
  votes: Number(row["votes"] ?? 0)
})

/** `{ token }` */
const explainPrice: Query = (context, params) =>
  Effect.gen(function* () {
    const address = String(params["token"])
    const token = yield* requireToken(context, address)
    const { isAnchor, countOf } = context.output(pricesOutput)
    const row = yield* priceRow(context, "token_prices", token)
    const level = yield* priceRow(context, "print_levels", token)
    const all = yield* candidatesFor(context, token)
    const share = sharesOf(all, numberOf(row, "pool"), isAnchor(token))
    return {
      chain: context.chain.id,
      token: address.toLowerCase(),
      priceUsd: numberOf(row, "price"),
      depthUsd: numberOf(row, "depth_usd"),
      pendingUsd: numberOf(row, "pending"),
      ts: numberOf(row, "ts"),
      anchor: isAnchor(token),
      path: yield* pathOf(context, token),
      pools: all.slice(0, MOST_SHOWN).map(one => poolOf(context, one, share(one))),
      poolsTotal: countOf(token),
      prints: printsOf(level, !Number.isNaN(context.output(tokens).scale(token))),
      recipe,
      seq: context.seq,
      block: context.block,
      updatedAt: context.blockTime * 1000
    }
  })

export const queries = { explainPrice }
