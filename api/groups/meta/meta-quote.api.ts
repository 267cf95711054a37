/** Quotes and swaps of the meta aggregator: payloads and parameters (spec, 4.2). */
import { Schema } from "effect"
import { PASSED_OVER_REASONS } from "../../../engine/trade/meta/protocol/passed-over.ts"
import { PROVIDER_IDS } from "../../../engine/trade/meta/providers/all.ts"
import { NO_ROUTE_REASONS } from "../../../engine/trade/no-route.ts"
import { evmAddress, optional, schemasOf, text } from "../../parameters.ts"
import { EvmChainId, Milliseconds, Seconds, TokenAddress, warnings } from "../fields.ts"
import { Quote, quoteQuery } from "../trade/quote.api.ts"
import { Approval, EchoedSlippage, Raw, SwapCall, whoSwaps } from "../trade/swap.api.ts"

/** The router's own name among providers. */
export const OWN = "swaptape"

const ProviderName = Schema.Literals([OWN, ...PROVIDER_IDS]).annotate({
  description: `\`${OWN}\` is the router itself, the others are third-party aggregators`
})

const Passed = {
  provider: ProviderName,
  reason: Schema.Literals(PASSED_OVER_REASONS),
  message: Schema.String.annotate({ description: "for people; what strangers say is cut" })
}
const PassedOver = Schema.Array(Schema.Struct(Passed)).annotate({
  description: "who comes before `provider` and was not used, and why"
})

export const MetaQuote = Schema.Struct({
  chain: EvmChainId,
  provider: ProviderName,
  inputMint: TokenAddress,
  outputMint: TokenAddress,
  inputAmount: Raw,
  outputAmount: Raw.annotate({ description: "what it buys; 0 without a route" }),
  otherAmountThreshold: Raw.annotate({
    description: "least output that a swap of this quote accepts, whoever gives it in the end"
  }),
  slippageBps: Schema.Int,
  router: Schema.NullOr(TokenAddress).annotate({
    description: "the contract that would be called; null where it is not known yet"
  }),
  spender: Schema.NullOr(TokenAddress).annotate({
    description: "the contract to be approved; null for the native unit, or not known yet"
  }),
  gasEstimate: Schema.NullOr(Raw),
  quote: Schema.NullOr(Quote).annotate({
    description: "the router's own quote, which `POST /v1/swap` takes, too; null of others"
  }),
  noRouteReason: Schema.optionalKey(Schema.Literals(NO_ROUTE_REASONS)).annotate({
    description: "why the router has no route; present where nobody has"
  }),
  passedOver: PassedOver,
  warnings,
  expiresAt: Seconds.annotate({ description: "a swap of the quote is not built after this" }),
  quoteId: Schema.String.annotate({
    description:
      "proves to `POST /v1/meta/swap` that nothing was edited; `GET /v1/meta/why/{quoteId}` tells who was asked"
  })
}).annotate({
  identifier: "MetaQuote",
  description: "a quote of the router, or of the first aggregator that has one where it has none"
})
export type MetaQuote = typeof MetaQuote.Type

/** Of `GET /v1/quote`; aggregators know exact inputs alone. */
const { chain, inputMint, outputMint, amount, slippageBps } = quoteQuery
export const metaQuoteQuery = {
  ...{ chain, inputMint, outputMint, amount, slippageBps },
  taker: optional(
    evmAddress({ description: "who would sign and pay; some aggregators quote for a taker alone" })
  )
}

const Query = Schema.Struct(schemasOf(metaQuoteQuery))
export type MetaQuoteQuery = typeof Query.Type

/** Who swaps, beside the quote's own fields, which are checked by their seal. */
export const MetaSwapBody = Schema.StructWithRest(
  Schema.Struct({
    ...whoSwaps,
    slippageBps: EchoedSlippage
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
).annotate({
  identifier: "MetaSwapBody",
  description:
    "the quote as `GET /v1/meta/quote` answered it, unedited, with `taker` added; `slippageBps` may be left out"
})
export type MetaSwapBody = typeof MetaSwapBody.Type

const Simulated = Schema.Struct({
  outputAmount: Raw.annotate({ description: "what arrives" }),
  assumed: Schema.Array(Schema.Literals(["balance", "allowance"])).annotate({
    description: "of the taker, what was taken for granted"
  })
})

export const MetaSwap = Schema.Struct({
  provider: ProviderName,
  router: TokenAddress,
  transaction: Schema.Struct({
    ...SwapCall.fields,
    gas: Schema.NullOr(Raw).annotate({
      description:
        "the gas limit to send it with: `gasEstimate` with a margin; null where an aggregator tells no gas, then the wallet estimates it"
    })
  }).annotate({ description: "to be signed and sent by the taker" }),
  gasEstimate: Schema.NullOr(Raw).annotate({
    description: "units of gas that it will take, about"
  }),
  inputAmount: Raw,
  outputAmount: Raw.annotate({ description: "what the provider says it gives" }),
  otherAmountThreshold: Raw.annotate({ description: "the transaction reverts below this" }),
  recipient: TokenAddress,
  deadline: Schema.NullOr(Seconds).annotate({
    description: "the transaction reverts after this; null where the provider sets its own"
  }),
  approval: Schema.NullOr(Approval).annotate({
    description: "what the provider's contract must be allowed; null for the native unit"
  }),
  simulation: Schema.NullOr(Simulated).annotate({
    description:
      "what the transaction did on the newest block, as the taker; null where no node answers, which is so of the router's own alone"
  }),
  passedOver: PassedOver
}).annotate({
  identifier: "MetaSwap",
  description: "an unsigned transaction, and whose it is"
})
export type MetaSwap = typeof MetaSwap.Type

const Asked = Schema.Struct({
  provider: ProviderName,
  asked: Schema.Boolean.annotate({ description: "whether anything was sent to it" }),
  reason: Schema.NullOr(Schema.Literals(PASSED_OVER_REASONS)).annotate({
    description: "why it was not used; null of the one that was"
  }),
  message: Schema.NullOr(Schema.String),
  outputAmount: Schema.NullOr(Raw).annotate({
    description: "what it answered; null where nothing"
  }),
  router: Schema.NullOr(TokenAddress),
  ms: Schema.Finite.annotate({ description: "milliseconds until it was used or passed over" })
})
export type Asked = typeof Asked.Type

export const Why = Schema.Struct({
  quoteId: Schema.String,
  chain: EvmChainId,
  inputMint: TokenAddress,
  outputMint: TokenAddress,
  inputAmount: Raw,
  otherAmountThreshold: Raw,
  provider: ProviderName,
  at: Milliseconds,
  asked: Schema.Array(Asked),
  swaps: Schema.Array(
    Schema.Struct({
      at: Milliseconds,
      provider: Schema.NullOr(ProviderName).annotate({ description: "null where nobody gave one" }),
      asked: Schema.Array(Asked)
    })
  ).annotate({ description: "transactions that were asked for with the quote; the newest five" })
}).annotate({
  identifier: "Why",
  description: "who was asked for a quote, in turn, what each answered, and why it was not used"
})
export type Why = typeof Why.Type

export const whyPath = {
  quoteId: text({
    description: "`quoteId` of a quote of `GET /v1/meta/quote`",
    pattern: /^[0-9]{1,4}\.[A-Za-z0-9_-]{43}$/,
    expected: "the quoteId of a quote that was given here",
    example: `50.${"A".repeat(43)}`
  })
}
