/** Tokens as a token list has them, with what the log knows of each. */

import { type FoldsView, memoryQuery } from "../../../engine/query.ts"
import { withUnknown } from "../../../projections/coverage/covered-time.ts"
import { pricesOutput as prices } from "../../../projections/prices/output.ts"
import { tapeOutput } from "../../../projections/tape/output.ts"
import { transferFeePct } from "../../../projections/tokens/transfer-fee.ts"
import { idBytes } from "../../../src/domain/ids.ts"
import { shownChain } from "../../../src/domain/shown-chain.ts"
import type { CuratedToken } from "../../../src/domain/token-list.ts"
import { topOf } from "../../../src/math/top.ts"
import { curatedTokensOf } from "../../../src/rules/curated-tokens.ts"
import { TokenView, tokenRows } from "../boards/token-row.ts"
import { windowOf } from "../boards/window-of.ts"

/** What the log knows of a token beside its row: prints, prices, transfer fee. */
const knownOf = (context: FoldsView, view: TokenView, token: number) => {
  const { trades, first_ts, last_ts } = context.output(tapeOutput).activity()
  const { depthOf } = context.output(prices)
  const { transfer_fee } = view.facts.tokens.columns()
  const isTraded = (trades[token] ?? 0) > 0
  const isPriced = view.priceOf(token) !== null
  return {
    transferFeePct: transferFeePct(transfer_fee[token] as number),
    // behind a price of raw units there are dollars too, which say nothing to anybody
    depthUsd: isPriced ? depthOf(token) : null,
    trades: isTraded ? (trades[token] as number) : 0,
    firstTradeTs: isTraded ? (first_ts[token] as number) : null,
    lastTradeTs: isTraded ? (last_ts[token] as number) : null
  }
}

const UNKNOWN = { transferFeePct: null, depthUsd: null, trades: 0, firstTradeTs: null } as const

/** The row of a token of a list that the log does not know. */
const unseenRow = (view: TokenView, token: CuratedToken) => ({
  address: token.address,
  symbol: token.symbol,
  name: token.name,
  decimals: token.decimals,
  logoURI: view.facts.logoOf(token.address),
  logoUriRaw: token.logoURI,
  tags: view.facts.tagsOf(token.address),
  listed: true,
  ...{ priceUsd: null, priceTs: null, change24hPct: null, changeSince: null },
  ...{ volume24h: 0, buyVolume24h: 0, sellVolume24h: 0 },
  ...{ trades24h: 0, buys24h: 0, sells24h: 0, traders: 0 },
  ...{ lastTradeTs: null, totalSupply: null, marketCapUsd: null },
  routable: false,
  pools: { v2: 0, v3: 0, v4: 0, byDex: {} }
})

/** Rows of tokens of lists, those that the log knows as boards show them. */
const curatedRows = (context: FoldsView, view: TokenView, list: ReadonlyArray<CuratedToken>) => {
  const { tokens } = view.facts
  const ids = list.map(({ address }) => tokens.find(idBytes(address)))
  const seen = ids.filter(id => id >= 0)
  const rows = new Map(tokenRows(context, view, seen).map((row, i) => [seen[i], row] as const))
  return list.map((curated, i) => {
    const id = ids[i] as number
    const row = rows.get(id)
    if (row === undefined) return { ...unseenRow(view, curated), ...UNKNOWN }
    const { symbol, name, decimals } = curated
    return {
      ...row,
      // what was not read of it yet the list tells
      symbol: row.symbol ?? symbol,
      name: row.name ?? name,
      decimals: row.decimals ?? decimals,
      ...knownOf(context, view, id)
    }
  })
}

/** The tokens with the most prints. */
const mostTraded = (context: FoldsView, view: TokenView, limit: number) => {
  const { trades } = context.output(tapeOutput).activity()
  const all: Array<number> = []
  for (let token = 0; token < view.facts.tokens.count(); token++) {
    if ((trades[token] ?? 0) > 0) all.push(token)
  }
  const byTrades = (a: number, b: number): number =>
    (trades[b] as number) - (trades[a] as number) || a - b
  const shown = topOf(all, limit, byTrades)
  const rows = tokenRows(context, view, shown).map((row, i) => ({
    ...row,
    ...knownOf(context, view, shown[i] as number)
  }))
  return { rows, total: all.length }
}

/**
 * `{ limit, includeUnlisted }`: the chain's curated tokens, most prints first and then as the lists
 * have them; all tokens with prints where no list covers the chain or those are wanted.
 */
export const tokenList = memoryQuery(
  "tokenList",
  (context, params: { readonly limit: number; readonly includeUnlisted: boolean }) => {
    const view = new TokenView(context, windowOf(context))
    const { curation } = context.chain
    const { covers, all } = curatedTokensOf(context.chain)
    const isCurated = covers && !params.includeUnlisted
    const { limit } = params
    const { rows, total } = isCurated
      ? {
          rows: curatedRows(context, view, all)
            .sort((a, b) => b.trades - a.trades)
            .slice(0, limit),
          total: all.length
        }
      : mostTraded(context, view, limit)
    return withUnknown(context, view.window.since, {
      curated: isCurated,
      lists: curation?.lists ?? [],
      tokens: rows.map(row => ({ chainId: shownChain(context.chain), ...row })),
      total
    })
  }
)

/** `{ limit, offset }`: the chain's tokenised stocks, traded or not, most volume first. */
export const stocks = memoryQuery(
  "stocks",
  (context, params: { readonly limit: number; readonly offset: number }) => {
    const view = new TokenView(context, windowOf(context))
    const all = curatedTokensOf(context.chain).all.filter(({ isStock }) => isStock)
    const { limit, offset } = params
    const isFlagged = (row: object): boolean => "wash" in row || "impostor" in row
    const rows = curatedRows(context, view, all).sort(
      (a, b) =>
        Number(isFlagged(a)) - Number(isFlagged(b)) ||
        b.volume24h - a.volume24h ||
        b.trades - a.trades ||
        (String(a.symbol) < String(b.symbol) ? -1 : 1)
    )
    return withUnknown(context, view.window.since, {
      sinceHour: view.window.since,
      lists: context.chain.curation?.lists ?? [],
      offset,
      stocks: rows.slice(offset, offset + limit),
      total: all.length
    })
  }
)
