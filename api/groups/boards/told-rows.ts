/** Rows of a board as JSON: those that tell what they told before are not made again. */

import { keep } from "../../../engine/memory/kept.ts"
import type { FoldsView } from "../../../engine/query.ts"
import { wordsOf } from "../../../engine/store/column-set.ts"
import { pools } from "../../../projections/pools/output.ts"
import { tapeOutput } from "../../../projections/tape/output.ts"
import { RowTexts, type Told } from "./row-texts.ts"
import { type TokenView, tokenRows } from "./token-row.ts"

/** Words of a supply, which are the first numbers of a row. */
const SUPPLY_WORDS = 8

/** Some 1,000 bytes each. */
const MOST_ROWS = 4096
const rowTexts = keep(() => new RowTexts(MOST_ROWS, { texts: 2, numbers: SUPPLY_WORDS + 17 }))

/** Tells what rows are made of, of tokens of one commit. */
const tellerOf = (context: FoldsView, view: TokenView) => {
  const { tokens } = view.facts
  const { symbol, name, decimals, total_supply } = tokens.columns()
  const supplies = wordsOf(total_supply)
  const { trades, buys, buy_usd, sell_usd } = view.window.ofTokens.columns
  const { last_ts } = context.output(tapeOutput).activity()
  const { stampOf } = context.output(pools)
  return (token: number, { texts, numbers }: Told): void => {
    texts[0] = symbol[token] ?? null
    texts[1] = name[token] ?? null
    const change = view.changeOf(token)
    const supply = token * SUPPLY_WORDS
    let i = 0
    for (; i < SUPPLY_WORDS; i++) numbers[i] = supplies[supply + i] as number
    numbers[i++] = decimals[token] as number
    numbers[i++] = tokens.scale(token)
    numbers[i++] = view.priceOf(token) ?? Number.NaN
    numbers[i++] = view.priceTsOf(token) ?? Number.NaN
    numbers[i++] = change?.pct ?? Number.NaN
    numbers[i++] = change?.since ?? Number.NaN
    numbers[i++] = buy_usd[token] ?? 0
    numbers[i++] = sell_usd[token] ?? 0
    numbers[i++] = trades[token] ?? 0
    numbers[i++] = buys[token] ?? 0
    numbers[i++] = view.tradersOf(token) ?? Number.NaN
    numbers[i++] = view.firstTradeOf(token)
    numbers[i++] = last_ts[token] as number
    numbers[i++] = stampOf(token)
    numbers[i++] = view.isListed(token) ? 1 : 0
    numbers[i++] = view.isWash(token) ? 1 : 0
    numbers[i++] = view.isImpostor(token) ? 1 : 0
  }
}

/** The rows of tokens in this order, with commas between, and some text around: as bytes. */
export const toldRows = (
  context: FoldsView,
  view: TokenView,
  tokens: ReadonlyArray<number>,
  around: readonly [string, string]
): Uint8Array => {
  const teller = {
    at: `${context.seq} ${view.rulesName}`,
    tell: tellerOf(context, view),
    make: (missing: ReadonlyArray<number>) =>
      tokenRows(context, view, missing).map(row => JSON.stringify(row))
  }
  return context.kept(rowTexts).of(tokens, teller, around)
}
