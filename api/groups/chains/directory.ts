/** The directory of chains: identity, anchors and routes of each lane. */
import type { Lane } from "../../../engine/lane/lanes.ts"
import { isChainKeyed } from "./chain-family.ts"
import type { Chains } from "./chains.api.ts"

/** Chains outside the chain-keyed family that have one of their own. */
const OWN_FAMILY: ReadonlySet<string> = new Set(["arc", "rh"])

/** A route of the chain's family; null where it has none. */
const familyRoute = (key: string, route: string): string | null => {
  if (OWN_FAMILY.has(key)) return `/v1/${key}/${route}`
  return isChainKeyed(key) ? `/v1/chains/${key}/${route}` : null
}

const chainRow = (lane: Lane): Chains["chains"][number] => {
  const { config } = lane
  const { state, source } = lane.status()
  const { id, key, name, native, nativeToken } = config
  return {
    id,
    key,
    name,
    native,
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
      candles: `/v1/candles?chain=${id}&token={address}`,
      tokens: `/v1/tokens?chain=${id}`,
      trades: isChainKeyed(key)
        ? `/v1/chains/${key}/token/{address}/trades`
        : `/v1/tokens/trades/{address}?chain=${id}`,
      holders: familyRoute(key, "token/{address}/holders"),
      prints: familyRoute(key, "prints"),
      wallet: familyRoute(key, "wallet/{address}"),
      live: "/v1/ws/live"
    }
  }
}

export const directory = (lanes: ReadonlyArray<Lane>): Chains => ({ chains: lanes.map(chainRow) })
