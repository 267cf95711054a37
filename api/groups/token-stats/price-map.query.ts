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
        shown.map(token => {
          const change = view.changeOf(token)
          const told = {
            priceUsd: view.priceOf(token),
            priceTs: view.priceTsOf(token),
            change24hPct: change?.pct ?? null,
            changeSince: change?.since ?? null,
            volume24h: view.volumeOf(token),
            trades24h: trades[token] as number,
            lastTradeTs: last_ts[token] as number,
            ...(view.isWash(token) ? { wash: true } : {}),
            ...(view.isImpostor(token) ? { impostor: true } : {})
          }
          return [view.facts.flags.addressOf(token), told]
        })
      ),
      total: all.length,
      updatedAt: context.blockTime * 1000
    }
  }
})
