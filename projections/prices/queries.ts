/** Explains a token's price: the recipe, the pools it looks at, and the path to dollars. */
import { type FoldsView, memoryQuery } from "../../engine/query.ts"
import { idBytes } from "../../src/domain/ids.ts"
import { shownChain, updatedAt } from "../../src/domain/shown-chain.ts"
import { recipe, recipeV4, thresholds } from "../../src/rules/price-recipe.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { pools } from "../pools/output.ts"
import { tokens } from "../tokens/output.ts"
import { unknownToken } from "../tokens/queries.ts"
import type { Books } from "./books.ts"
import { type Candidate, candidatesFor, type RecipeVersion } from "./candidates.ts"
import { basketApplies, inReference, knownDollars, referenceUsd } from "./dollar-basket.ts"
import { pricesOutput } from "./output.ts"

/** A token's pools in the answer: its deepest ones, this many at most. */
const MAX_POOLS_SHOWN = 50
/** Steps of a path to dollars at most; each step leads to a better-ranked anchor. */
const MAX_PATH_STEPS = 8

const addressOfToken = (view: FoldsView, token: number): string | null =>
  token === NONE ? null : view.output(tokens).addressOf(token)

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** Returns null for NaN, which stands for an unknown number. */
const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value

const timeOrNull = (ts: number): number | null => (ts > 0 ? ts : null)

const poolOf = (view: FoldsView, one: Candidate) => {
  const { books } = view.output(pricesOutput)
  const c = books.poolPrices.columns
  const inUsd = (value: number | undefined) => orNull((value as number) * one.quoteUsd)
  return {
    pool: view.output(pools).idText(one.pool),
    dex: view.output(pools).columns().venue[one.pool] ?? null,
    listed: one.isListed,
    quote: addressOfToken(view, c.quote[one.pool] as number),
    quotePriceUsd: orNull(one.quoteUsd),
    priceUsd: inUsd(c.price[one.pool]),
    depthUsd: orNull(one.depth),
    quoteUsd: inUsd(c.side[one.pool]),
    backedUsd: inUsd(c.backed[one.pool]),
    ageSeconds: finite(one.age),
    ts: c.ts[one.pool] as number,
    eligible: one.reason === null,
    reason: one.reason,
    weight: one.weight
  }
}

const NO_PRICE = {
  ...{ priceUsd: null, priceTs: null, depthUsd: null, pendingUsd: null, ts: null }
}

/** Returns a token's price and what is behind it; nulls where no pool has ever priced it. */
const priceOf = (view: FoldsView, token: number) => {
  const { books, priceOf, depthOf, toldAt, isOneDollar } = view.output(pricesOutput)
  const { columns, count } = books.tokenPrices
  const ts = token < count ? (columns.ts[token] as number) : 0
  if (ts === 0) return NO_PRICE
  const pending = columns.pending[token] as number
  const scale = books.pair.anchors.isUsd(token) ? referenceUsd(books) : 1
  return {
    priceUsd: orNull(priceOf(token)),
    priceTs: timeOrNull(toldAt(token)),
    depthUsd: depthOf(token),
    pendingUsd: isOneDollar(token) ? null : orNull(pending * scale),
    ts
  }
}

/** Returns a token's price by recipe 4, from the present states of its pools. */
const priceBefore = (view: FoldsView, token: number, candidates: ReadonlyArray<Candidate>) => {
  const { books } = view.output(pricesOutput)
  const { anchors } = books.pair
  const hasDecimals = !Number.isNaN(view.output(tokens).scale(token))
  const part = candidates.filter(({ weight }) => weight > 0)
  const isKnown = hasDecimals && part.length > 0
  const mean = part.reduce((sum, { price, weight }) => sum + price * weight, 0)
  const { ts } = books.poolPrices.columns
  return {
    priceUsd: anchors.isUsd(token) ? 1 : isKnown ? orNull(mean) : null,
    priceTs: timeOrNull(Math.max(0, ...part.map(({ pool }) => ts[pool] as number))),
    depthUsd: part.reduce((sum, { depth }) => sum + depth, 0),
    pendingUsd: null,
    ts: priceOf(view, token).ts
  }
}

const priceBy = (
  view: FoldsView,
  token: number,
  candidates: ReadonlyArray<Candidate>,
  version: RecipeVersion
) => (version === 5 ? priceOf(view, token) : priceBefore(view, token, candidates))

/** Returns the path from a token's price to dollars: one step per token, with its pool. */
const pathOf = (
  view: FoldsView,
  from: number,
  candidates: ReadonlyArray<Candidate>,
  version: RecipeVersion
) => {
  const { quote } = view.output(pricesOutput).books.poolPrices.columns
  const path: Array<object> = []
  for (let token = from; token !== NONE && path.length < MAX_PATH_STEPS; ) {
    const all = token === from ? candidates : candidatesFor(view, token, version)
    const { priceUsd, priceTs } = priceBy(view, token, all, version)
    const first = priceUsd === null ? undefined : all.find(({ weight }) => weight > 0)
    const pool = first === undefined ? null : view.output(pools).idText(first.pool)
    path.push({ token: addressOfToken(view, token), priceUsd, priceTs, pool })
    token = first === undefined ? NONE : (quote[first.pool] as number)
  }
  return path
}

/** Returns the prices of dollar anchors, and the sentence that explains them. */
const dollarsOf = (view: FoldsView) => {
  const { books, priceOf } = view.output(pricesOutput)
  const [priced, applies] = [knownDollars(books), basketApplies(books)]
  const { minDollars, minDollarDepthUsd } = thresholds
  return {
    applies,
    because: applies
      ? `the median of ${priced.length} dollars is $1`
      : `each dollar is $1: ${priced.length} of them have pools of $${minDollarDepthUsd.toLocaleString("en-US")} between them, and it takes ${minDollars} to tell which has lost its peg`,
    known: priced.map(token => ({
      token: addressOfToken(view, token),
      priceUsd: orNull(priceOf(token)),
      inReference: inReference(books, token),
      depth: books.tokenPrices.columns.depth[token] as number
    }))
  }
}

/**
 * Returns the level of prints that is accepted without a pool, and the level that votes against it.
 */
const printsOf = ({ levels }: Books, token: number, hasDecimals: boolean) => {
  const { accepted, other, votes: all } = levels.columns
  const votes = token < levels.count ? (all[token] as number) : 0
  const isKnown = hasDecimals && token < levels.count
  return {
    acceptedUsd: isKnown ? orNull(accepted[token]) : null,
    otherUsd: isKnown && votes > 0 ? orNull(other[token]) : null,
    votes
  }
}

export type ExplainParams = {
  readonly token: string
  /** version of the recipe; null for the newest */
  readonly recipe: string | null
}

export const explainPrice = memoryQuery("explainPrice", (view, params: ExplainParams) => {
  const { token: address } = params
  const token = view.output(tokens).find(idBytes(address))
  if (token < 0) return { refused: unknownToken(view, address).refusal }
  const version: RecipeVersion = params.recipe === "v4" ? 4 : 5
  const { isAnchor, countOf, books } = view.output(pricesOutput)
  const all = candidatesFor(view, token, version)
  const hasDecimals = !Number.isNaN(view.output(tokens).scale(token))
  return {
    value: {
      chain: shownChain(view.chain),
      token: address,
      ...priceBy(view, token, all, version),
      anchor: isAnchor(token),
      path: pathOf(view, token, all, version),
      pools: all.slice(0, MAX_POOLS_SHOWN).map(one => poolOf(view, one)),
      poolsTotal: countOf(token),
      prints: printsOf(books, token, hasDecimals),
      dollars: version === 5 ? dollarsOf(view) : null,
      recipe: version === 5 ? recipe : { ...recipe, ...recipeV4 },
      seq: view.seq,
      block: view.block,
      updatedAt: updatedAt(view)
    }
  }
})
