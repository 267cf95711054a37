/** Which providers stand behind the router on a chain, by what is configured and what is known. */
import type { ChainConfig } from "../../../src/domain/chain.ts"
import { type AllowedRouter, allowedRouter } from "./allow-list.ts"
import type { ChainProvider } from "./meta-desk.ts"
import { type PassedOver, passOver } from "./protocol/passed-over.ts"
import type { Ask } from "./protocol/provider.ts"
import { type EachProvider, PROVIDERS, type ProviderId } from "./providers/all.ts"

/** So many are asked where nobody says otherwise. */
const MOST = 3

/** What is worth asking first: who has a key, many free calls, and good routes there. */
const PREFERRED: { readonly [chainId: number]: ReadonlyArray<ProviderId> } = {
  143: ["kyberswap", "lifi", "zeroex", "openocean"],
  4663: ["kyberswap", "lifi", "zeroex", "openocean"],
  5042: ["kyberswap", "lifi", "zeroex", "openocean"],
  43114: ["kyberswap", "openocean", "lifi", "zeroex"],
  8453: ["kyberswap", "openocean", "lifi", "zeroex"],
  56: ["kyberswap", "openocean", "lifi", "zeroex"],
  42161: ["kyberswap", "openocean", "zeroex", "lifi"],
  1: ["kyberswap", "openocean", "zeroex", "lifi"]
}

/** What is configured of a provider, for all chains. */
export interface ConfiguredProvider {
  readonly ask: Ask
  readonly hasKey: boolean
}

/** What is configured of a chain. */
export interface ChainFallbacks {
  /** in place of the preferred ones; null for those */
  readonly providers: ReadonlyArray<ProviderId> | null
  /** routers that are allowed in place of those of the allow-list */
  readonly routers: Partial<EachProvider<AllowedRouter>>
}

type Configured = EachProvider<ConfiguredProvider>

/** Those that are asked where nobody says otherwise: the first that lack no key. */
const preferred = (chainId: number, configured: Configured): ReadonlyArray<ProviderId> =>
  (PREFERRED[chainId] ?? [])
    .filter(id => configured[id].hasKey || !PROVIDERS[id].needsKey)
    .slice(0, MOST)

const idleOf = (
  id: ProviderId,
  chain: ChainConfig,
  hasKey: boolean,
  allowed: AllowedRouter | null,
  isNamed: boolean
): PassedOver | null => {
  const { needsKey, chainName } = PROVIDERS[id]
  if (chainName(chain.id) === null) {
    return passOver("chain-not-served", `it does not serve chain ${chain.id}`)
  }
  if (needsKey && !hasKey) {
    return passOver("no-key", `it wants a key: set META_KEY_${id.toUpperCase()}`)
  }
  if (chain.simulated === true && !isNamed) {
    const message = `the chain is simulated, and its real one is another: set META_PROVIDERS_${chain.id} to ask it all the same`
    return passOver("simulated-chain", message)
  }
  if (allowed === null) {
    const message = `none of its contracts on chain ${chain.id} is confirmed: set META_ROUTER_${id.toUpperCase()}_${chain.id}`
    return passOver("no-known-router", message)
  }
  return null
}

/** The providers of a chain in the order in which they are asked, and why some never are. */
export const fallbacksOf = (
  chain: ChainConfig,
  { providers, routers }: ChainFallbacks,
  configured: Configured
): ReadonlyArray<ChainProvider> =>
  (providers ?? preferred(chain.id, configured)).map(id => {
    const provider = PROVIDERS[id]
    const { ask, hasKey } = configured[id]
    const allowed = routers[id] ?? allowedRouter(provider, chain.id)
    const idle = idleOf(id, chain, hasKey, allowed, providers !== null)
    return { id, provider, ask, allowed, idle }
  })
