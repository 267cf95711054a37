/** Search of tokens by symbol, name or address. */
import type { QueryContext, QueryParams, Settled } from "../../engine/projection.ts"
import { fromHex } from "../../src/domain/address.ts"
import { readAs } from "../flags/impostor.ts"
import { isOnePerSymbol } from "../listing/listing-rule.ts"
import { markets } from "../markets/output.ts"
import { windowAt } from "../markets/window.ts"
import { tapeOutput } from "../tape/output.ts"
import { TokenView, tokenRows } from "./token-row.ts"
import { topOf } from "./top.ts"

type Memory = Omit<QueryContext, "rows">

/** How well a token fits: 0 not at all; its symbol whole, its symbol's start, its name. */
const fits = (view: TokenView, token: number, wanted: string): number => {
  const symbol = view.facts.flags.readingOf(token)
  if (symbol === wanted) return 3
  if (symbol.startsWith(wanted)) return 2
  return view.facts.flags.nameOf(token).includes(wanted) ? 1 : 0
}

/** `{ q, limit }`: best fits first, verified before look-alikes, then by volume. */
export const tokenSearch = (context: Memory, params: QueryParams): Settled => {
  const view = new TokenView(context, windowAt(context.output(markets), context.blockTime))
  const query = String(params["q"]).trim()
  const { trades } = context.output(tapeOutput).activity()
  const { trades: today } = view.window.ofTokens.columns
  const found: Array<number> = []
  const fit = new Map<number, number>()
  if (/^0x[0-9a-fA-F]{40}$/.test(query)) {
    const token = view.facts.tokens.find(fromHex(query.toLowerCase()))
    if (token >= 0 && (trades[token] ?? 0) > 0) found.push(token)
  } else {
    const wanted = readAs(query)
    for (let token = 0; wanted !== "" && token < view.facts.tokens.count(); token++) {
      if (!((trades[token] ?? 0) > 0)) continue
      const how = fits(view, token, wanted)
      if (how === 0) continue
      fit.set(token, how)
      found.push(token)
    }
  }
  const isRuled = isOnePerSymbol(context.chain.id)
  const verified = isRuled ? keptOf(view, found, trades) : ownersOf(view, found)
  const isVerified = (token: number): boolean => verified.has(token)
  const fitting = isRuled
    ? found.filter(token => isVerified(token) || (today[token] ?? 0) > 0)
    : found
  const volumeOf = (token: number) => ((today[token] ?? 0) > 0 ? view.volumeOf(token) : 0)
  const shown = topOf(
    fitting,
    Number(params["limit"]),
    (a, b) =>
      (fit.get(b) ?? 0) - (fit.get(a) ?? 0) ||
      Number(isVerified(b)) - Number(isVerified(a)) ||
      volumeOf(b) - volumeOf(a) ||
      a - b
  )
  const rows = tokenRows(context, view, shown)
  return {
    value: {
      chain: context.chain.id,
      q: query,
      tokens: rows.map((row, i) => ({ ...row, verified: isVerified(shown[i] as number) })),
      total: fitting.length,
      updatedAt: context.blockTime * 1000
    }
  }
}

/** Of the tokens that read alike one is verified at most: the busiest listed one of the day. */
const ownersOf = (view: TokenView, tokens: ReadonlyArray<number>): ReadonlySet<number> => {
  const owner = new Map<string, number>()
  for (const token of tokens) {
    if (!view.isListed(token)) continue
    const reading = view.facts.flags.readingOf(token)
    const held = owner.get(reading)
    if (held === undefined || view.outranks(token, held)) owner.set(reading, token)
  }
  return new Set(owner.values())
}

/** Those that the chain's listing rule keeps, of all tokens that read like one of these. */
const keptOf = (
  view: TokenView,
  tokens: ReadonlyArray<number>,
  trades: ArrayLike<number>
): ReadonlySet<number> => {
  const { flags, tokens: all } = view.facts
  const readings = new Set(tokens.map(token => flags.readingOf(token)))
  const alike: Array<number> = []
  for (let token = 0; token < all.count(); token++) {
    const isTraded = (trades[token] ?? 0) > 0
    if (isTraded && readings.has(flags.readingOf(token))) alike.push(token)
  }
  return new Set(view.kept(alike))
}
