/**
 * Which of the tokens that read alike a board shows, on chains with the rule of one token a symbol
 * (spec 4.13). Symbols are read as the impostor rule reads them.
 */
export const listingRule = {
  version: 1,
  id: "one-token-per-symbol",
  chains: [4663],
  text: "one token per symbol, as people read it: an anchor's symbol is its own, a stock token owns its ticker, of other tokens the one with most volume in 24 hours stays (then most trades), flagged ones after others; tokens without a symbol are not compared. The others are on no board, and in the search as `verified: false` while they traded in 24 hours"
} as const

const chains: ReadonlySet<number> = new Set(listingRule.chains)

/** Whether a chain's boards show one token a symbol. */
export const isOnePerSymbol = (chain: number): boolean => chains.has(chain)

/** What the rule looks at of a token. */
export interface Candidate {
  readonly token: number
  readonly reading: string
  /** whether an anchor or a stock token owns its symbol, and it is another */
  readonly isUsurper: boolean
  readonly isWash: boolean
  readonly volume24h: number
  readonly trades24h: number
}

const goesBefore = (a: Candidate, b: Candidate): boolean => {
  if (a.isWash !== b.isWash) return b.isWash
  if (a.volume24h !== b.volume24h) return a.volume24h > b.volume24h
  if (a.trades24h !== b.trades24h) return a.trades24h > b.trades24h
  return a.token < b.token
}

/** The tokens that stay. */
export const keptOf = (candidates: ReadonlyArray<Candidate>): ReadonlySet<number> => {
  const kept = new Set<number>()
  const owners = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const { token, reading, isUsurper } = candidate
    if (isUsurper) continue
    const owner = owners.get(reading)
    if (reading === "") kept.add(token)
    else if (owner === undefined || goesBefore(candidate, owner)) owners.set(reading, candidate)
  }
  for (const { token } of owners.values()) kept.add(token)
  return kept
}
