/** The prices of every token that traded in the last 24 hours, by address. */
import { memoryQuery } from "../../../engine/query.ts"
import { tapeOutput } from "../../../projections/tape/output.ts"
import { byVolume } from "../boards/commit-facts.ts"
import { TokenView } from "../boards/token-row.ts"
import { windowOf } from "../boards/window-of.ts"

/** `{ limit }`: those with most volume; a token without a price is told with null. */
export const priceMap = memoryQuery("priceMap", (context, params: { readonly limit: number }) => {
  const view = new TokenView(context, windowOf(context))
  const { trades } = view.window.ofTokens.columns
  const { last_ts } = context.output(tapeOutput).activity()
  const all = byVolume(context)
  const shown = [...all.subarray(0, params.limit)]
  return {
    value: {
      chain: context.chain.id,
      sinceHour: view.window.since,
      prices: Object.fromEntries(
        shown.map(token => [
          view.facts.flags.addressOf(token),
          {
            priceUsd: view.priceOf(token),
            priceTs: view.priceTsOf(token),
            change24hPct: view.changeOf(token)?.pct ?? null,
            changeSince: view.changeOf(token)?.since ?? null,
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
})
