/**
 * What the directory of chains says each chain can be asked, and by which route. Each route below a
 * chain stands here, or with the reason why it does not; a test holds the API to that.
 */

import type { ChainConfig } from "../../../src/domain/chain.ts"
import { familyOf } from "../../../src/domain/chain-family.ts"
import { shownChain } from "../../../src/domain/shown-chain.ts"
import { isChainKeyed } from "./chain-family.ts"

/** Keys of the chains with a route family of their own. */
const OWN_FAMILY: ReadonlySet<string> = new Set(["arc", "rh"])

/** Returns a path of the chain's route family; null where the chain has no family. */
const familyRoute = (key: string, route: string): string | null => {
  if (OWN_FAMILY.has(key)) return `/v1/${key}/${route}`
  return isChainKeyed(key) ? `/v1/chains/${key}/${route}` : null
}

type Named = Pick<ChainConfig, "id" | "key" | "family">

/** What follows the chain in a family's paths, or how a chain's route is told where it has one. */
type Capability = string | ((chain: Named) => string | null)

/** By name, in the order of answers. */
export const CAPABILITIES: { readonly [name: string]: Capability } = {
  overview: "overview",
  venues: "venues",
  board: "tokens",
  trending: "trending",
  candles: chain => `/v1/candles?chain=${shownChain(chain)}&token={address}`,
  tokens: chain => `/v1/tokens?chain=${shownChain(chain)}`,
  search: chain => `/v1/tokens/search?chain=${shownChain(chain)}&q={text}`,
  trades: ({ id, key }) =>
    isChainKeyed(key)
      ? `/v1/chains/${key}/token/{address}/trades`
      : `/v1/tokens/trades/{address}?chain=${id}`,
  holders: "token/{address}/holders",
  prints: "prints",
  wallet: "wallet/{address}",
  quote: chain =>
    familyOf(chain).trades
      ? `/v1/quote?chain=${chain.id}&inputMint={address}&outputMint={address}&amount={raw}`
      : null,
  swap: chain => (familyOf(chain).trades ? "/v1/swap" : null),
  live: () => "/v1/ws/live",
  status: "status"
}

/** Capabilities that some kinds of chains have not, although the family has the route. */
const LACKS: { readonly [name: string]: (chain: Named) => boolean } = {
  holders: chain => !familyOf(chain).readsTransfers
}

/** Routes below a chain that the directory does not name, by what follows the chain, and why. */
export const UNNAMED: { readonly [route: string]: string } = {
  attention: "stands beside trending",
  "token/{address}": "the rows of the board and the page of one token lead to it",
  "token/{address}/pools": "stands below the token",
  "token/{address}/trades": "trades names it where it is the chain's",
  "tokens/search": "search names the one that searches any chain",
  "wallet/{address}/trades": "stands below the wallet"
}

/** Returns the route of each capability on a chain; null where none does. */
export const capabilitiesOf = (chain: Named): { readonly [name: string]: string | null } =>
  Object.fromEntries(
    Object.entries(CAPABILITIES).map(([name, of]) => {
      if (LACKS[name]?.(chain) === true) return [name, null]
      return [name, typeof of === "string" ? familyRoute(chain.key, of) : of(chain)]
    })
  )
