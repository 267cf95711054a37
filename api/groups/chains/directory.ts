/** The directory of chains: identity, anchors and routes of each lane. */
import type { Lane } from "../../../engine/lane/lanes.ts"
import { isChainKeyed } from "./chain-family.ts"
import type { Chains } from "./chains.api.ts"

/** Chains outside the chain-keyed family whose holders have a route of their own. */
const OWN_HOLDERS: ReadonlySet<string> = new Set(["arc", "rh"])

const holdersRoute = (key: string): string | null => {
  if (OWN_HOLDERS.has(key)) return `/v1/${key}/token/{address}/holders`
  return isChainKeyed(key) ? `/v1/chains/${key}/token/{address}/holders` : null
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
      holders: holdersRoute(key),
      live: "/v1/ws/live"
    }
  }
}

export const directory = (lanes: ReadonlyArray<Lane>): Chains => ({ chains: lanes.map(chainRow) })
