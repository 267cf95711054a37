/**
 * The aggregators that a swap may fall back on, as the serving thread asks them. `src/bin` provides
 * it; the router itself, which is asked first, is `Trade`.
 */
import { Context, Effect } from "effect"
import type { CheckedCall, Found, ProviderStanding } from "./meta-desk.ts"
import type { BuildOrder, ProviderOrder, ProviderQuote } from "./protocol/provider.ts"
import type { ProviderId } from "./providers/all.ts"

export class Meta extends Context.Service<
  Meta,
  {
    /** The first quote that one of the chain's providers gives. */
    readonly quote: (chain: string, order: ProviderOrder) => Effect.Effect<Found<ProviderQuote>>
    /**
     * The first transaction that was checked, run on paper as its taker, and gives at least
     * `floor`; `first` is asked before the others.
     */
    readonly build: (
      chain: string,
      order: BuildOrder,
      floor: bigint,
      first: ProviderId | null
    ) => Effect.Effect<Found<CheckedCall>>
    /** The chain's providers in the order in which they are asked. */
    readonly standing: (chain: string) => ReadonlyArray<ProviderStanding>
  }
>()("swaptape/engine/trade/Meta") {}

const nobody = Effect.succeed({ found: null, trail: [] })

/** Of a process without providers. */
export const noMeta: Meta["Service"] = {
  quote: () => nobody,
  build: () => nobody,
  standing: () => []
}
