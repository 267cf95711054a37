/** Builds the directory of chains: identity, anchors and routes of each lane. */
import type { Lane } from "../../../engine/lane/lanes.ts"
import { isChainKeyed } from "./chain-family.ts"
import type { Chains } from "./chains.api.ts"

/** Keys of the chains with a route family of their own. */
const OWN_FAMILY: ReadonlySet<string> = new Set(["arc", "rh"])

/** Returns a path of the chain's route family; null where the chain has no family. */
const familyRoute = (key: string, route: string): string | null => {
  if (OWN_FAMILY.has(key)) return `/v1/${key}/${route}`
  return isChainKeyed(key) ? `/v1/chains/${key}/${route}` : null
}

const chainRow = (lane: Lane): Chains["chains"][number] => {
  const { config } = lane
  const { source } = lane.status()
  const { state } = lane.health()
  const { id, key, name, native, nativeToken, explorer = null } = config
  return {
    id,
    key,
    name,
    native,
    explorer,
    nativeToken,
    anchors: config.anchors.map(({ address, symbol, decimals, kind }) => ({
      address,
      symbol,
      decimals,
      kind
    })),
    state,
    source: source?.kind ?? null,
    routes: {
      overview: familyRoute(key, "overview"),
      venues: familyRoute(key, "venues"),
      board: familyRoute(key, "tokens"),
      trending: familyRoute(key, "trending"),
      candles: `/v1/candles?chain=${id}&token={address}`,
      tokens: `/v1/tokens?chain=${id}`,
      search: `/v1/tokens/search?chain=${id}&q={text}`,
      trades: isChainKeyed(key)
        ? `/v1/chains/${key}/token/{address}/trades`
        : `/v1/tokens/trades/{address}?chain=${id}`,
      holders: familyRoute(key, "token/{address}/holders"),
      prints: familyRoute(key, "prints"),
      wallet: familyRoute(key, "wallet/{address}"),
      live: "/v1/ws/live",
      status: familyRoute(key, "status")
    }
  }
}

export const directory = (lanes: ReadonlyArray<Lane>): Chains => ({ chains: lanes.map(chainRow) })
