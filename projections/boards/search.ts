/** Search of tokens by symbol, name or address. */
import type { QueryContext, QueryParams, Settled } from "../../engine/projection.ts"
import { fromHex } from "../../src/domain/address.ts"
import { readAs } from "../flags/impostor.ts"
import { isOnePerSymbol } from "../listing/listing-rule.ts"
import { tapeOutput } from "../tape/output.ts"
import { boardsOutput, windowOf } from "./board-memory.ts"
import { TokenView, tokenRows } from "./token-row.ts"
import { topOf } from "./top.ts"

type Memory = Omit<QueryContext, "rows" | "columns">

/** How well traded tokens fit: 0 not at all; their symbol whole, its start, their name. */
const fitsOf = (
  context: Memory,
  view: TokenView,
  trades: ArrayLike<number>,
  wanted: string
): Uint8Array => {
  const { symbols, names } = context
    .output(boardsOutput)
    .once("readings", context.seq, () => view.facts.flags.readings())
  const first = wanted.charCodeAt(0)
  const fits = new Uint8Array(view.facts.tokens.count())
  if (wanted === "") return fits
  for (let token = 0; token < fits.length; token++) {
    if (!((trades[token] ?? 0) > 0)) continue
    const symbol = symbols[token] as string
    if (symbol.charCodeAt(0) === first && symbol.startsWith(wanted)) {
      fits[token] = symbol.length === wanted.length ? 3 : 2
    } else if ((names[token] as string).includes(wanted)) fits[token] = 1
  }
  return fits
}

/** The tokens that are looked for, with how well they fit. */
const foundBy = (context: Memory, view: TokenView, trades: ArrayLike<number>, query: string) => {
  const found: Array<number> = []
  if (/^0x[0-9a-fA-F]{40}$/.test(query)) {
    const token = view.facts.tokens.find(fromHex(query.toLowerCase()))
    if (token >= 0 && (trades[token] ?? 0) > 0) found.push(token)
    return { found, fits: new Uint8Array(0) }
  }
  const fits = fitsOf(context, view, trades, readAs(query))
  for (let token = 0; token < fits.length; token++) if (fits[token] !== 0) found.push(token)
  return { found, fits }
}

/** `{ q, limit }`: best fits first, verified before look-alikes, then by volume. */
export const tokenSearch = (context: Memory, params: QueryParams): Settled => {
  const view = new TokenView(context, windowOf(context))
  const query = String(params["q"]).trim()
  const { trades } = context.output(tapeOutput).activity()
  const { trades: today } = view.window.ofTokens.columns
  const { found, fits } = foundBy(context, view, trades, query)
  const isRuled = isOnePerSymbol(context.chain.id)
  const verified = new Uint8Array(view.facts.tokens.count())
  for (const token of isRuled ? keptOf(view, found, trades) : ownersOf(view, found)) {
    verified[token] = 1
  }
  const isVerified = (token: number): boolean => verified[token] === 1
  const fitting = isRuled
    ? found.filter(token => isVerified(token) || (today[token] ?? 0) > 0)
    : found
  const volumeOf = (token: number) => ((today[token] ?? 0) > 0 ? view.volumeOf(token) : 0)
  const shown = topOf(
    fitting,
    Number(params["limit"]),
    (a, b) =>
      (fits[b] ?? 0) - (fits[a] ?? 0) ||
      (verified[b] as number) - (verified[a] as number) ||
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
