/**
 * Which listed tokens are tokenised stocks. The default list has no tags and no extensions, so its
 * stocks are told by what sets them apart there: of chain 4663's 202 entries 200 are stocks and
 * funds, all with a ticker's letters and without a picture; the others (an anchor and a meme token)
 * have a picture and no ticker. A user's own list says it with the tag `stock`.
 */
import type { ListedToken } from "./token-list.ts"

export const stockRule = {
  version: 1,
  chain: 4663,
  tag: "stock",
  text: "on chain 4663, a token of the default list without a logoURI whose symbol is a ticker (one to five capital letters); on any chain, a token that a user's list tags `stock`",
  ticker: "^[A-Z]{1,5}$"
} as const

const TICKER = new RegExp(stockRule.ticker)

/** Whether a list's token is a stock; `isOwn` for a user's own list. */
export const isStock = (token: ListedToken, isOwn: boolean): boolean => {
  if (isOwn) return token.tags?.includes(stockRule.tag) ?? false
  const { chainId, symbol, logoURI } = token
  return chainId === stockRule.chain && logoURI === undefined && TICKER.test(symbol)
}
