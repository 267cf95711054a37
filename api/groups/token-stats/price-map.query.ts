/** The prices of every token that traded in the last 24 hours, by address. */

import { keep } from "../../../engine/memory/kept.ts"
import { type FoldsView, memoryQuery } from "../../../engine/query.ts"
import { jsonWithUnknown } from "../../../projections/coverage/covered-time.ts"
import { tapeOutput } from "../../../projections/tape/output.ts"
import { shownChain, updatedAt } from "../../../src/domain/shown-chain.ts"
import { byVolume } from "../boards/position-facts.ts"
import { RowTexts, type Told } from "../boards/row-texts.ts"
import { TokenView } from "../boards/token-row.ts"
import { windowOf } from "../boards/window-of.ts"

/** Some 300 bytes each. */
const MOST_ROWS = 4096
const priceTexts = keep(() => new RowTexts(MOST_ROWS, { texts: 0, numbers: 10 }))

/** Tells the prices of tokens of one commit. */
const tellerOf = (context: FoldsView, view: TokenView) => {
  const { trades, buy_usd, sell_usd } = view.window.ofTokens.columns
  const { last_ts } = context.output(tapeOutput).activity()
  const rowOf = (token: number) => {
    const change = view.changeOf(token)
    return {
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
  }
  return {
    at: `${context.seq} ${view.rulesName}`,
    tell: (token: number, { numbers }: Told): void => {
      const change = view.changeOf(token)
      numbers[0] = view.priceOf(token) ?? Number.NaN
      numbers[1] = view.priceTsOf(token) ?? Number.NaN
      numbers[2] = change?.pct ?? Number.NaN
      numbers[3] = change?.since ?? Number.NaN
      numbers[4] = buy_usd[token] ?? 0
      numbers[5] = sell_usd[token] ?? 0
      numbers[6] = trades[token] as number
      numbers[7] = last_ts[token] as number
      numbers[8] = view.isWash(token) ? 1 : 0
      numbers[9] = view.isImpostor(token) ? 1 : 0
    },
    make: (tokens: ReadonlyArray<number>) =>
      tokens.map(token => `"${view.facts.tokens.addressOf(token)}":${JSON.stringify(rowOf(token))}`)
  }
}

/** `{ limit }`: those with most volume; a token without a price is told with null. */
export const priceMap = memoryQuery("priceMap", (context, params: { readonly limit: number }) => {
  const view = new TokenView(context, windowOf(context))
  const all = byVolume(context)
  const before = { chain: shownChain(context.chain), sinceHour: view.window.since }
  const after = { total: all.length, updatedAt: updatedAt(context) }
  const shown = [...all.subarray(0, params.limit)]
  return jsonWithUnknown(context, view.window.since, unknown =>
    context
      .kept(priceTexts)
      .of(shown, tellerOf(context, view), [
        `${JSON.stringify(before).slice(0, -1)},"prices":{`,
        `},${JSON.stringify({ ...after, unknown }).slice(1)}`
      ])
  )
})
