/** The prices of every token that traded in the last 24 hours, by address. */
import type { QueryContext, QueryParams, Settled } from "../../engine/projection.ts"
import { tapeOutput } from "../tape/output.ts"
import { boardsOutput, windowOf } from "./board-memory.ts"
import { descending } from "./descending.ts"
import { TokenView } from "./token-row.ts"

/** The tokens that traded, most volume first, then the first seen. */
const orderOf = (view: TokenView, trades: ArrayLike<number>): Uint32Array => {
  const count = view.facts.tokens.count()
  const volumes = new Float64Array(count)
  const traded: Array<number> = []
  for (let token = 0; token < count; token++) {
    if (!((trades[token] ?? 0) > 0)) continue
    volumes[token] = view.volumeOf(token)
    traded.push(token)
  }
  return descending(Uint32Array.from(traded), volumes)
}

/** `{ limit }`: those with most volume; a token without a price is told with null. */
export const priceMap = (
  context: Omit<QueryContext, "rows" | "columns">,
  params: QueryParams
): Settled => {
  const view = new TokenView(context, windowOf(context))
  const { trades } = view.window.ofTokens.columns
  const { last_ts } = context.output(tapeOutput).activity()
  const all = context
    .output(boardsOutput)
    .once("price map", context.seq, () => orderOf(view, trades))
  const shown = [...all.subarray(0, Number(params["limit"]))]
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
