/** Rows of a board as JSON: those that tell what they told before are not made again. */
import type { FoldsContext } from "../../../engine/query.ts"
import { pools } from "../../../projections/pools/output.ts"
import { tapeOutput } from "../../../projections/tape/output.ts"
import { rowTexts, SUPPLY_BYTES, type Told } from "./row-texts.ts"
import { type TokenView, tokenRows } from "./token-row.ts"

/** What rows are made of, of tokens of one commit. */
const tellerOf = (context: FoldsContext, view: TokenView): ((token: number) => Told) => {
  const { tokens } = view.facts
  const { symbol, name, decimals, total_supply } = tokens.columns()
  const { trades, buys, buyUsd, sellUsd } = view.window.ofTokens.columns
  const { last_ts } = context.output(tapeOutput).activity()
  const { stampOf } = context.output(pools)
  return token => {
    const change = view.changeOf(token)
    return {
      symbol: symbol[token] ?? null,
      name: name[token] ?? null,
      supply: total_supply.subarray(token * SUPPLY_BYTES, (token + 1) * SUPPLY_BYTES),
      numbers: [
        decimals[token] as number,
        tokens.scale(token),
        view.priceOf(token) ?? Number.NaN,
        view.priceTsOf(token) ?? Number.NaN,
        change?.pct ?? Number.NaN,
        change?.since ?? Number.NaN,
        buyUsd[token] ?? 0,
        sellUsd[token] ?? 0,
        trades[token] ?? 0,
        buys[token] ?? 0,
        view.tradersOf(token) ?? Number.NaN,
        last_ts[token] as number,
        stampOf(token),
        view.isListed(token) ? 1 : 0,
        view.isWash(token) ? 1 : 0,
        view.isImpostor(token) ? 1 : 0
      ]
    }
  }
}

/** The rows of tokens in this order, with commas between, and some text around: as bytes. */
export const toldRows = (
  context: FoldsContext,
  view: TokenView,
  tokens: ReadonlyArray<number>,
  around: readonly [string, string]
): Uint8Array => {
  const make = (missing: ReadonlyArray<number>) => tokenRows(context, view, missing)
  const at = `${context.seq} ${view.rulesName}`
  return context.kept(rowTexts).of(tokens, at, tellerOf(context, view), make, around)
}
