import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../../engine/lane/lanes.ts"
import { Meta } from "../../../engine/trade/meta/meta.ts"
import type { ProviderStanding } from "../../../engine/trade/meta/meta-desk.ts"
import { LEDGER_LIMITS, WhyLedger } from "../../../engine/trade/meta/why-ledger.ts"
import { Trade } from "../../../engine/trade/trade.ts"
import { answered, freshText } from "../../answering.ts"
import { Api } from "../../api.ts"
import { Refusal } from "../../errors.ts"
import { tradedLane } from "../served-lane.ts"
import { refuseRecipient } from "../trade/build.ts"
import { echoedQuote } from "../trade/echoed-quote.ts"
import { Gates } from "../trade/gates.ts"
import { nowSeconds, refuseOld } from "../trade/own-quote.ts"
import { Seal } from "../trade/quote-seal.ts"
import type { Providers } from "./meta.api.ts"
import {
  type MetaQuote,
  type MetaQuoteQuery,
  type MetaSwapBody,
  OWN,
  type Why
} from "./meta-quote.api.ts"
import { metaQuote } from "./meta-quote.ts"
import { type MetaSwapped, metaSwap, whoseOf } from "./meta-swap.ts"
import { whyOf, withSwap } from "./reasons.ts"

const TYPE = "application/json"

const POLICY =
  "The router's own quote is answered first. A third-party aggregator is asked only where the router has no route or fails, never for a better price, in the order told here. Its transaction is answered only where it goes to a contract on the allow-list and passed a simulation as the taker."

const json = (
  value: unknown,
  position: { readonly seq?: number | undefined; readonly log?: string | null } = {}
) => freshText(JSON.stringify(value), TYPE, position)

const fallbackOf = ({ provider, breaker, openUntilMs, idle }: ProviderStanding) => ({
  ...{ provider, breaker, openUntil: openUntilMs, asked: idle === null },
  reason: idle?.reason ?? null,
  message: idle?.message ?? null
})

const providersOf = (lanes: Lanes["Service"], meta: Meta["Service"]): Providers => ({
  policy: POLICY,
  chains: lanes.all.map(({ config: { id, key } }) => ({
    ...{ chain: id, key, first: OWN },
    fallbacks: meta.standing(key).map(fallbackOf)
  }))
})

/** Notes a swap with its quote, unless that is gone. */
const noteSwap = (ledger: WhyLedger, quoteId: string, at: number, swapped: MetaSwapped) => {
  const text = ledger.get(quoteId)
  if (text === null) return
  const { swap, asked } = swapped
  const provider = swap instanceof Refusal ? null : swap.provider
  const why = withSwap(JSON.parse(text) as Why, { at, provider, asked })
  ledger.put(quoteId, JSON.stringify(why))
}

export const MetaHandlers = HttpApiBuilder.group(
  Api,
  "meta",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const [trade, meta, seal, gates] = [yield* Trade, yield* Meta, yield* Seal, yield* Gates]
    const services = { trade, meta, seal, gates }
    const ledger = new WhyLedger(LEDGER_LIMITS)
    const quote = Effect.fnUntraced(function* (query: MetaQuoteQuery) {
      const lane = yield* tradedLane(lanes, query.chain)
      const quoted = yield* metaQuote(lane, services, query)
      const why = whyOf(quoted.quote, quoted.asked, yield* Clock.currentTimeMillis)
      ledger.put(quoted.quote.quoteId, JSON.stringify(why))
      return json(quoted.quote, { seq: quoted.seq, log: lane.log() })
    })
    const swap = Effect.fnUntraced(function* (body: MetaSwapBody) {
      const { taker: _, recipient: __, ...echo } = body
      const sealed = yield* echoedQuote<MetaQuote>(seal, "meta-quote", echo, yield* nowSeconds)
      const lane = yield* tradedLane(lanes, String(sealed.chain))
      yield* refuseRecipient(services.trade.site(lane.config.key), body)
      yield* refuseOld(services.trade, lane, sealed.quote)
      const swapped = yield* metaSwap(sealed, lane.config.key, services, whoseOf(body))
      noteSwap(ledger, sealed.quoteId, yield* Clock.currentTimeMillis, swapped)
      return swapped.swap instanceof Refusal ? yield* swapped.swap : json(swapped.swap)
    })
    const why = (quoteId: string) => {
      const text = ledger.get(quoteId)
      const message = "the quote was not given here, or is gone: the newest alone are kept"
      return text === null
        ? Effect.fail(new Refusal({ status: 404, code: "NOT_FOUND", message }))
        : Effect.succeed(freshText(text, TYPE))
    }
    return handlers
      .handle("getMetaQuote", ({ query }) => answered(quote(query)))
      .handle("postMetaSwap", ({ payload }) => answered(swap(payload)))
      .handle("getMetaProviders", () =>
        answered(Effect.sync(() => json(providersOf(lanes, services.meta))))
      )
      .handle("getMetaWhy", ({ params }) => answered(why(params.quoteId)))
  })
)
