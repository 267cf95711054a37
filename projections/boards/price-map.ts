/** The prices of every token that traded in the last 24 hours, by address. */
import type { QueryContext, QueryParams, Settled } from "../../engine/projection.ts"
import { markets } from "../markets/output.ts"
import { windowAt } from "../markets/window.ts"
import { tapeOutput } from "../tape/output.ts"
import { TokenView } from "./token-row.ts"
import { topOf } from "./top.ts"

/** `{ limit }`: those with most volume; a token without a price is told with null. */
export const priceMap = (context: Omit<QueryContext, "rows">, params: QueryParams): Settled => {
  const view = new TokenView(context, windowAt(context.output(markets), context.blockTime))
  const { trades } = view.window.ofTokens.columns
  const { last_ts } = context.output(tapeOutput).activity()
  const all: Array<number> = []
  for (let token = 0; token < view.facts.tokens.count(); token++) {
    if ((trades[token] ?? 0) > 0) all.push(token)
  }
  const shown = topOf(
    all,
    Number(params["limit"]),
    (a, b) => view.volumeOf(b) - view.volumeOf(a) || a - b
  )
  return {
    value: {
      chain: context.chain.id,
      sinceHour: view.window.since,
      prices: Object.fromEntries(
        shown.map(token => [
          view.facts.flags.addressOf(token),
          {
            priceUsd: view.priceOf(token),
            change24hPct: view.changeOf(token),
            volume24h: view.volumeOf(token),
            trades24h: trades[token] as number,
            lastTradeTs: last_ts[token] as number,
            ...(view.isWash(token) ? { wash: true } : {}),
            ...(view.isImpostor(token) ? { impostor: true } : {})
          }
        ])
      ),
      total: all.length,
      updatedAt: context.blockTime * 1000
    }
  }
}
