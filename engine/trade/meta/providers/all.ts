/** The aggregators that there are, each a file beside this one, by the name that answers give. */
import { kyberswap } from "./kyberswap.ts"
import { lifi } from "./lifi.ts"
import { openocean } from "./openocean.ts"
import { zeroex } from "./zeroex.ts"

export const PROVIDERS = { kyberswap, lifi, openocean, zeroex } as const

export type ProviderId = keyof typeof PROVIDERS
export const PROVIDER_IDS = Object.keys(PROVIDERS) as ReadonlyArray<ProviderId>

/** Of each provider a value. */
export type EachProvider<A> = { readonly [id in ProviderId]: A }

export const eachProvider = <A>(of: (id: ProviderId) => A): EachProvider<A> =>
  Object.fromEntries(PROVIDER_IDS.map(id => [id, of(id)])) as EachProvider<A>
