/** Builds the directory of chains: identity, anchors and routes of each lane. */
import type { Lane } from "../../../engine/lane/lanes.ts"
import { shownChain } from "../../../src/domain/shown-chain.ts"
import { capabilitiesOf } from "./capabilities.ts"
import type { Chains } from "./chains.api.ts"

const chainRow = (lane: Lane): Chains["chains"][number] => {
  const { config } = lane
  const { source } = lane.status()
  const { ok, state, problem } = lane.health()
  const { key, name, native, nativeToken, explorer = null } = config
  return {
    id: shownChain(config),
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
    ok,
    state,
    problem,
    source: source?.kind ?? null,
    // no swap is built from states of a history
    routes: { ...capabilitiesOf(config), ...(state === "history" ? { swap: null } : {}) }
  }
}

export const directory = (lanes: ReadonlyArray<Lane>): Chains => ({ chains: lanes.map(chainRow) })
