/** The meta aggregator (spec, 4.2): the router first, third-party aggregators where it fails. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PASSED_OVER_REASONS } from "../../../engine/trade/meta/protocol/passed-over.ts"
import { PROVIDER_IDS } from "../../../engine/trade/meta/providers/all.ts"
import {
  ANY_BODY,
  ANY_LANE_ROUTE,
  ANY_ROUTE,
  failure,
  NO_ROUTER,
  ROUTER_FAILED
} from "../../errors.ts"
import { documented, schemasOf } from "../../parameters.ts"
import { EvmChainId, Milliseconds } from "../fields.ts"
import {
  MetaQuote,
  MetaSwap,
  MetaSwapBody,
  metaQuoteQuery,
  OWN,
  Why,
  whyPath
} from "./meta-quote.api.ts"

const Fallback = Schema.Struct({
  provider: Schema.Literals(PROVIDER_IDS),
  breaker: Schema.Literals(["closed", "open", "half-open"]).annotate({
    description:
      "its circuit breaker: closed lets calls through, open none, half-open waits for the end of one"
  }),
  openUntil: Schema.NullOr(Milliseconds).annotate({ description: "null where it is not open" }),
  asked: Schema.Boolean.annotate({ description: "whether it is asked here at all" }),
  reason: Schema.NullOr(Schema.Literals(PASSED_OVER_REASONS)).annotate({
    description: "why it is not; null where it is"
  }),
  message: Schema.NullOr(Schema.String)
})

export const Providers = Schema.Struct({
  policy: Schema.String,
  chains: Schema.Array(
    Schema.Struct({
      chain: EvmChainId,
      key: Schema.String,
      first: Schema.Literal(OWN),
      fallbacks: Schema.Array(Fallback).annotate({
        description: "in the order in which they are asked"
      })
    })
  )
}).annotate({ identifier: "Providers", description: "who answers on each chain, in turn" })
export type Providers = typeof Providers.Type

export const MetaApi = HttpApiGroup.make("meta")
  .add(
    HttpApiEndpoint.get("getMetaQuote", "/meta/quote", {
      query: schemasOf(metaQuoteQuery),
      success: MetaQuote,
      error: [...ANY_LANE_ROUTE, ROUTER_FAILED, NO_ROUTER]
    }).annotateMerge(
      documented({
        toldBy: "others",
        tool: "meta_quote",
        summary: "Quote, with aggregators behind the router",
        description:
          "The router's own quote. Third-party aggregators are asked, one after the other, only where the router has no route or does not answer, never for a better price. `provider` says whose the quote is, `passedOver` who was not used and why. Good for 30 seconds.",
        parameters: metaQuoteQuery
      })
    ),
    HttpApiEndpoint.post("postMetaSwap", "/meta/swap", {
      payload: MetaSwapBody,
      success: MetaSwap,
      error: [
        ...ANY_LANE_ROUTE,
        failure(400, "SLIPPAGE_MISMATCH", "ROUTE_MISMATCH", "QUOTE_EXPIRED"),
        failure(404, "NO_ROUTE"),
        ...ANY_BODY,
        ROUTER_FAILED,
        NO_ROUTER,
        failure(503, "TRADE_UNAVAILABLE")
      ]
    }).annotateMerge(
      documented({
        toldBy: "others",
        summary: "Build a swap, with aggregators behind the router",
        description:
          "Turns a quote, echoed without edits, into an unsigned transaction that gives at least the quote's `otherAmountThreshold`. An aggregator's transaction is answered only where it goes to a contract on the allow-list, asks no approval for another, pays the recipient, sells what was quoted, and gave that much when it was run on the newest block as the taker."
      })
    ),
    HttpApiEndpoint.get("getMetaProviders", "/meta/providers", {
      success: Providers,
      error: ANY_ROUTE
    }).annotateMerge(
      documented({
        toldBy: "others",
        tool: "meta_providers",
        summary: "Providers of each chain",
        description:
          "Who answers `/v1/meta/quote` on each chain that is served: the router first, then aggregators, with their circuit breakers, and why some are not asked."
      })
    ),
    HttpApiEndpoint.get("getMetaWhy", "/meta/why/:quoteId", {
      params: schemasOf(whyPath),
      success: Why,
      error: [...ANY_ROUTE, failure(404, "NOT_FOUND")]
    }).annotateMerge(
      documented({
        toldBy: "others",
        tool: "meta_why",
        summary: "Why a quote is whose it is",
        description:
          "Who was asked for a quote of `/v1/meta/quote` and for its swaps: what each answered, in what time, and why it was not used. The newest 10,000 quotes are kept, 8 MiB at most, while the process runs: 404 where one is gone.",
        parameters: whyPath
      })
    )
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Meta aggregator",
      description:
        "Quotes and unsigned transactions of the router, and of third-party aggregators where it fails."
    })
  )
