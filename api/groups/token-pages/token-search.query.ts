/** Search of tokens by symbol, name or address. */

import { type FoldsView, memoryQuery } from "../../../engine/query.ts"
import { withUnknown } from "../../../projections/coverage/covered-time.ts"
import { tapeOutput } from "../../../projections/tape/output.ts"
import { tokenMeant } from "../../../src/domain/chain.ts"
import { idBytes, idsOf } from "../../../src/domain/ids.ts"
import { topOf } from "../../../src/math/top.ts"
import { readAs } from "../../../src/rules/impostor.ts"
import { isOnePerSymbol } from "../../../src/rules/listing-rule.ts"
import { listedBy } from "../boards/position-facts.ts"
import { TokenView, tokenRows } from "../boards/token-row.ts"
import { windowOf } from "../boards/window-of.ts"

/** How well tokens fit: 0 not at all; their symbol whole, its start, their name. */
const fitsOf = ({ facts }: TokenView, wanted: string): Uint8Array => {
  const { symbols, names, count } = facts.tokens
  const fits = new Uint8Array(count())
  if (wanted === "") return fits
  names.search().having(wanted, token => {
    fits[token] = 1
  })
  symbols.search().beginning(wanted, (token, isWhole) => {
    fits[token] = isWhole ? 3 : 2
  })
  return fits
}

/** The tokens that are looked for, with how well they fit. */
const foundBy = (context: FoldsView, view: TokenView, trades: ArrayLike<number>, query: string) => {
  const matches: Array<number> = []
  const account = idsOf(context.chain).parseAccount(query)
  if (account !== null) {
    const token = view.facts.tokens.find(idBytes(tokenMeant(context.chain, account)))
    if (token >= 0 && (trades[token] ?? 0) > 0) matches.push(token)
    return { found: matches, fits: new Uint8Array(0) }
  }
  const fits = fitsOf(view, readAs(query))
  for (let token = 0; token < fits.length; token++) {
    if (fits[token] !== 0 && (trades[token] ?? 0) > 0) matches.push(token)
  }
  return { found: matches, fits }
}

/** `{ q, limit }`: best fits first, verified before look-alikes, then by volume, then by age. */
export const tokenSearch = memoryQuery(
  "tokenSearch",
  (context, params: { readonly q: string; readonly limit: number }) => {
    const view = new TokenView(context, windowOf(context))
    const query = params.q.trim()
    const { trades } = context.output(tapeOutput).activity()
    const { trades: today } = view.window.ofTokens.columns
    const { found, fits } = foundBy(context, view, trades, query)
    const isRuled = isOnePerSymbol(context.chain.id)
    const verified = new Uint8Array(view.facts.tokens.count())
    for (const token of isRuled ? keptOf(view, found, trades) : ownersOf(context, view, found)) {
      verified[token] = 1
    }
    const isVerified = (token: number): boolean => verified[token] === 1
    const fitting = isRuled
      ? found.filter(token => isVerified(token) || (today[token] ?? 0) > 0)
      : found
    // how well it fits, and of equal fits whether it is verified
    const classOf = (token: number): number => (fits[token] ?? 0) * 2 + (verified[token] as number)
    const shown = topOf(
      fitting,
      params.limit,
      (a, b) => classOf(b) - classOf(a) || view.volumeOf(b) - view.volumeOf(a) || a - b
    )
    const rows = tokenRows(context, view, shown)
    return withUnknown(context, view.window.since, {
      q: query,
      tokens: rows.map((row, i) => ({ ...row, verified: isVerified(shown[i] as number) })),
      total: fitting.length
    })
  }
)

/** Of the tokens that read alike one is verified at most: the busiest listed one of the day. */
const ownersOf = (
  context: FoldsView,
  view: TokenView,
  tokens: ReadonlyArray<number>
): ReadonlyArray<number> => {
  const { groups, groupCount } = view.facts.tokens.symbols.search()
  const listed = listedBy(context, view)
  // by reading: its owner plus one
  const owners = new Int32Array(groupCount)
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as number
    if (listed[token] !== 1) continue
    const group = groups[token] as number
    const held = (owners[group] as number) - 1
    if (held < 0 || view.outranks(token, held)) owners[group] = token + 1
  }
  return tokens.filter(token => owners[groups[token] as number] === token + 1)
}

/** Those that the chain's listing rule keeps, of all tokens that read like one of these. */
const keptOf = (
  view: TokenView,
  tokens: ReadonlyArray<number>,
  trades: ArrayLike<number>
): ReadonlySet<number> => {
  const { tokens: all } = view.facts
  const readings = new Set(tokens.map(token => all.symbols.of(token)))
  const alike: Array<number> = []
  for (let token = 0; token < all.count(); token++) {
    const isTraded = (trades[token] ?? 0) > 0
    if (isTraded && readings.has(all.symbols.of(token))) alike.push(token)
  }
  return new Set(view.kept(alike))
}
