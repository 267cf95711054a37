/** What several token lists together say of a chain. */
import { formOfText } from "./ids.ts"
import { isStock } from "./stock-rule.ts"
import type { CuratedToken, Curation, TokenList } from "./token-list.ts"

export interface Source {
  readonly list: TokenList
  /** a user's own, in place of the one that comes with swaptape */
  readonly isOwn: boolean
}

/**
 * The tokens of a chain in the order of the lists. Of a token that several name, the later list
 * counts, in the place of the first; null where none of them has a token of the chain.
 */
export const curationOf = (chainId: number, sources: ReadonlyArray<Source>): Curation | null => {
  const tokens = new Map<string, CuratedToken>()
  const lists: Array<{ readonly name: string; readonly version: string }> = []
  for (const { list, isOwn } of sources) {
    const own = list.tokens.filter(token => token.chainId === chainId)
    if (own.length > 0) lists.push({ name: list.name, version: list.version })
    for (const token of own) {
      const address = formOfText(token.address).parseAccount(token.address) ?? token.address
      const before = tokens.get(address)
      tokens.set(address, {
        address,
        symbol: token.symbol,
        name: token.name,
        decimals: token.decimals,
        logoURI: token.logoURI ?? before?.logoURI ?? null,
        tags: [...new Set([...(before?.tags ?? []), ...(token.tags ?? [])])],
        isStock: isStock(token, isOwn) || (before?.isStock ?? false)
      })
    }
  }
  return tokens.size === 0 ? null : { lists, tokens: [...tokens.values()] }
}
