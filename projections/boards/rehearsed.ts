/** What a lane asks itself after a start: each page once, of the busiest tokens. */
import type { QueryContext } from "../../engine/projection.ts"
import { tapeOutput } from "../tape/output.ts"
import { tokens } from "../tokens/output.ts"
import { factsOf } from "./token-row.ts"
import { topOf } from "./top.ts"

type Memory = Omit<QueryContext, "rows" | "columns">

/** Tokens whose pages are made: each of them is in more swaps than most. */
const BUSIEST = 3
/** Rows of a page. */
const LIMIT = 100

/** With fewer tokens there is nothing that a first reader would wait for. */
const FEW_TOKENS = 2000

const SORTS = ["volume", "trades", "traders", "change", "mcap"]

/** Addresses of the tokens with the most prints. */
const busiestOf = (context: Memory): ReadonlyArray<string> => {
  const { trades } = context.output(tapeOutput).activity()
  const { flags } = factsOf(context)
  const traded: Array<number> = []
  for (let token = 0; token < context.output(tokens).count(); token++) {
    if ((trades[token] ?? 0) > 0) traded.push(token)
  }
  const byTrades = (a: number, b: number) => (trades[b] as number) - (trades[a] as number)
  return topOf(traded, BUSIEST, byTrades).map(token => flags.addressOf(token))
}

const asked = (name: string, params = {}) => ({ name, params })

const ofToken = (token: string) => {
  const before = { beforeTs: null, beforeBlock: null, beforeLogIndex: null }
  const window = { token, from: null, to: null, limit: LIMIT, fill: false }
  const rich = { ...window, pool: null, closed: false, quote: "usd", raw: false }
  const filters = { side: null, dex: null, min: null, wallet: null }
  return [
    asked("tokenPage", { token }),
    asked("tokenPools", { token, limit: LIMIT, offset: 0, asOf: null }),
    asked("chainTrades", { token, limit: LIMIT, ...before }),
    asked("tokenTrades", { token, limit: LIMIT, page: 1, asOf: null, ...filters }),
    asked("tokenStats", { token }),
    asked("explainPrice", { token }),
    ...["5m", "4h"].map(tf => asked("candles", { ...window, tf })),
    asked("richCandles", { ...rich, tf: "5s", fields: "" }),
    ...["1m", "5m", "15m", "1h"].map(tf =>
      asked("richCandles", { ...rich, tf, fields: "buyers,sellers" })
    )
  ]
}

export const rehearsed = (context: Memory) => {
  if (context.output(tokens).count() < FEW_TOKENS) return []
  const board = { limit: LIMIT, offset: 0, rules: null, asOf: null }
  return [
    asked("overview"),
    asked("venueShares", { days: 30 }),
    ...SORTS.map(sort => asked("tokenBoard", { ...board, sort, includeUnlisted: false })),
    asked("tokenBoard", { ...board, sort: "volume", includeUnlisted: true }),
    asked("tokenList", { limit: LIMIT, includeUnlisted: true }),
    asked("priceMap", { limit: LIMIT }),
    // of a search there are few in a second, and the first of each kind is slow
    ...["t", "to", "1", "tok", "9"].map(q => asked("tokenSearch", { q, limit: LIMIT })),
    asked("trending", { limit: LIMIT }),
    asked("attention", { limit: LIMIT }),
    ...busiestOf(context).flatMap(ofToken)
  ]
}
