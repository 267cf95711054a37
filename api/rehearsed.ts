/** What a lane asks itself after a start: each page once, of the busiest tokens. */
import { ask, type FoldsContext, type QueryRequest } from "../engine/query.ts"
import { candlesQuery } from "../projections/candles/queries.ts"
import { explainPrice } from "../projections/prices/queries.ts"
import { NEWEST } from "../projections/tape/cursor.ts"
import { tapeOutput } from "../projections/tape/output.ts"
import { chainTrades } from "../projections/tape/queries.ts"
import { tokens } from "../projections/tokens/output.ts"
import { topOf } from "../src/math/top.ts"
import { boardSorts } from "./groups/boards/board-sorts.ts"
import { tokenBoard } from "./groups/boards/token-board.query.ts"
import { factsOf } from "./groups/boards/token-row.ts"
import { overview, venueShares } from "./groups/boards/totals.query.ts"
import { attention, trending } from "./groups/token-pages/movers.query.ts"
import { tokenPage } from "./groups/token-pages/token-page.query.ts"
import { tokenPools } from "./groups/token-pages/token-pools.query.ts"
import { tokenSearch } from "./groups/token-pages/token-search.query.ts"
import { priceMap } from "./groups/token-stats/price-map.query.ts"
import { tokenStats } from "./groups/token-stats/token-stats.query.ts"
import { tokenList } from "./groups/tokens/token-list.query.ts"
import { tokenTrades } from "./groups/tokens/token-trades.query.ts"

/** Tokens whose pages are made: each of them is in more swaps than most. */
const BUSIEST = 3
/** Rows of a page, days of totals. */
const LIMIT = 100
const DAYS = 30

/** With fewer tokens there is nothing that a first reader would wait for. */
const FEW_TOKENS = 2000

/** Addresses of the tokens with the most prints. */
const busiestOf = (context: FoldsContext): ReadonlyArray<string> => {
  const { trades } = context.output(tapeOutput).activity()
  const { flags } = factsOf(context)
  const traded: Array<number> = []
  for (let token = 0; token < context.output(tokens).count(); token++) {
    if ((trades[token] ?? 0) > 0) traded.push(token)
  }
  const byTrades = (a: number, b: number) => (trades[b] as number) - (trades[a] as number)
  return topOf(traded, BUSIEST, byTrades).map(token => flags.addressOf(token))
}

const ofToken = (token: string) => {
  const window = { from: null, to: null, limit: LIMIT, fill: false, closed: false }
  const asked = { ...window, token, pool: null, quote: "usd", raw: false } as const
  const filters = { side: null, dex: null, min: null, wallet: null }
  return [
    ask(tokenPage, { token }),
    ask(tokenPools, { token, limit: LIMIT, offset: 0, asOf: null }),
    ask(chainTrades, { token, limit: LIMIT, ...NEWEST }),
    ask(tokenTrades, { token, limit: LIMIT, page: 1, asOf: null, ...filters }),
    ask(tokenStats, { token }),
    ask(explainPrice, { token, recipe: null }),
    ...["5m", "4h", "5s"].map(tf => ask(candlesQuery, { ...asked, tf, fields: "" })),
    ...["1m", "5m", "15m", "1h"].map(tf =>
      ask(candlesQuery, { ...asked, tf, fields: "buyers,sellers" })
    )
  ]
}

export const rehearsed = (context: FoldsContext): ReadonlyArray<QueryRequest> => {
  if (context.output(tokens).count() < FEW_TOKENS) return []
  const board = { limit: LIMIT, offset: 0, rules: null, asOf: null }
  const depth = { stale: false, backfilled: false, genesis: false }
  return [
    ask(overview, { days: DAYS, own: false, ...depth }),
    ask(venueShares, { days: DAYS }),
    ...boardSorts.map(sort => ask(tokenBoard, { ...board, sort, includeUnlisted: false })),
    ask(tokenBoard, { ...board, sort: "volume", includeUnlisted: true }),
    ask(tokenList, { limit: LIMIT, includeUnlisted: true }),
    ask(priceMap, { limit: LIMIT }),
    // of a search there are few in a second, and the first of each kind is slow
    ...["t", "to", "1", "tok", "9"].map(q => ask(tokenSearch, { q, limit: LIMIT })),
    ask(trending, { limit: LIMIT }),
    ask(attention, { limit: LIMIT }),
    ...busiestOf(context).flatMap(ofToken)
  ]
}
