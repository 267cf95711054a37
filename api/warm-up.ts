/**
 * Asks a lane for each page once it is ready, that of the busiest tokens included, so that no
 * reader is the first: what the lane keeps between questions is known then, code and files are
 * warm.
 */
import { type Duration, Effect, Schema } from "effect"
import type { Lane } from "../engine/lane/lanes.ts"
import { ask, type QueryRequest } from "../engine/query.ts"
import { candlesQuery } from "../projections/candles/queries.ts"
import { explainPrice } from "../projections/prices/queries.ts"
import { NEWEST } from "../projections/tape/cursor.ts"
import { chainTrades } from "../projections/tape/queries.ts"
import { boardSorts } from "./groups/boards/board-sorts.ts"
import { tokenBoard } from "./groups/boards/token-board.query.ts"
import { overview, venueShares } from "./groups/boards/totals.query.ts"
import { attention, trending } from "./groups/token-pages/movers.query.ts"
import { tokenPage } from "./groups/token-pages/token-page.query.ts"
import { tokenPools } from "./groups/token-pages/token-pools.query.ts"
import { tokenSearch } from "./groups/token-pages/token-search.query.ts"
import { priceMap } from "./groups/token-stats/price-map.query.ts"
import { tokenStats } from "./groups/token-stats/token-stats.query.ts"
import { tokenList } from "./groups/tokens/token-list.query.ts"
import { tokenTrades } from "./groups/tokens/token-trades.query.ts"

/** Tokens whose pages are asked for: each of them is in more swaps than most. */
const BUSIEST = 6
/** Tokens of whose candles it is counted who traded, which takes up to 25 ms a page. */
const COUNTED = 16
/** Rows of a page, days of totals. */
const LIMIT = 100
const DAYS = 30
/** Of fewer swaps no page makes a first reader wait. */
const FEW_SWAPS = 50_000
const LONGEST = "4 seconds"

const board = { limit: LIMIT, offset: 0, rules: null, asOf: null }

/** Asks for the tokens that trade most. */
const busiest = ask(tokenBoard, { ...board, sort: "trades", includeUnlisted: true })

const depth = { stale: false, backfilled: false }

/** Each page of a chain, but for the board that is asked for first. */
export const chainPages: ReadonlyArray<QueryRequest> = [
  ask(overview, { days: DAYS, own: false, ...depth }),
  ask(venueShares, { days: DAYS }),
  ...boardSorts.map(sort => ask(tokenBoard, { ...board, sort, includeUnlisted: false })),
  ask(tokenList, { limit: LIMIT, includeUnlisted: true }),
  ask(priceMap, { limit: LIMIT }),
  // of a search there are few in a second, and the first of each kind is slow
  ...["t", "to", "1", "tok", "9"].map(q => ask(tokenSearch, { q, limit: LIMIT })),
  ask(trending, { limit: LIMIT }),
  ask(attention, { limit: LIMIT })
]

const window = { from: null, to: null, limit: LIMIT, fill: false, closed: false }
const inDollars = { ...window, pool: null, quote: "usd", raw: false } as const

/** A token's candles with who traded. */
export const countedCandlesOf = (token: string): ReadonlyArray<QueryRequest> =>
  ["1m", "5m", "15m", "1h", "4h", "1d", "1w"].map(tf =>
    ask(candlesQuery, { ...inDollars, token, tf, fields: "buyers,sellers" })
  )

/** Each other page of a token, candles of each kind included. */
export const tokenPagesOf = (token: string): ReadonlyArray<QueryRequest> => {
  const filters = { side: null, dex: null, min: null, wallet: null }
  return [
    ask(tokenPage, { token }),
    ask(tokenPools, { token, limit: LIMIT, offset: 0, asOf: null }),
    ask(chainTrades, { token, limit: LIMIT, ...NEWEST }),
    ask(tokenTrades, { token, limit: LIMIT, page: 1, asOf: null, ...filters }),
    ask(tokenStats, { token }),
    ask(explainPrice, { token, recipe: null }),
    ...["5m", "4h", "5s"].map(tf => ask(candlesQuery, { ...inDollars, token, tf, fields: "" }))
  ]
}

const Board = Schema.fromJsonString(
  Schema.Struct({ tokens: Schema.Array(Schema.Struct({ address: Schema.String })) })
)

/** Returns the tokens of an answer to `busiest` that trade most. */
const tokensOf = (body: Uint8Array): ReadonlyArray<string> =>
  Schema.decodeUnknownSync(Board)(new TextDecoder().decode(body))
    .tokens.slice(0, COUNTED)
    .map(({ address }) => address)

/**
 * Asks a lane for its pages, one after the other, for some seconds at most. Readers may ask
 * meanwhile, and whatever is not answered is answered when somebody else asks.
 */
export const warmUp = (lane: Lane, longest: Duration.Input = LONGEST): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (lane.status().swaps < FEW_SWAPS) return
    const answer = yield* lane.query(busiest)
    const tokens = answer.ok ? tokensOf(answer.body) : []
    const pages = [
      ...chainPages,
      ...tokens.slice(0, BUSIEST).flatMap(tokenPagesOf),
      ...tokens.flatMap(countedCandlesOf)
    ]
    yield* Effect.forEach(pages, page => Effect.ignore(lane.query(page)), { discard: true })
  }).pipe(
    Effect.timeoutOption(longest),
    Effect.asVoid,
    Effect.catchTag("LaneUnavailable", () => Effect.void)
  )
