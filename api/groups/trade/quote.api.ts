/** The quote's payload and parameters (spec, part 2 and 4.1). */
import { Schema } from "effect"
import { NO_ROUTE_REASONS } from "../../../engine/trade/no-route.ts"
import { evmAddress, flag, integer, oneOf, optional, schemasOf, text } from "../../parameters.ts"
import { oneChain } from "../chain-parameter.ts"
import { EvmChainId, Position, Seconds, TokenAddress, warnings } from "../fields.ts"
import { BASE_USDC, BASE_WETH } from "../token-parameter.ts"

const Raw = Schema.String.check(Schema.isPattern(/^[0-9]+$/))
const raw = (description: string) => Raw.annotate({ description: `${description}, in raw units` })

const SwapInfo = Schema.Struct({
  dex: Schema.String.annotate({ description: "venue id" }),
  pool: Schema.String.annotate({ description: "address, or pool id where pools have none" }),
  inputMint: TokenAddress,
  outputMint: TokenAddress,
  inputAmount: raw("what the pool is sold"),
  outputAmount: raw(
    "what arrives of what the pool pays for it, by its state at the quote's position; of a token with `transferTaxes` less than it pays"
  ),
  adapter: TokenAddress.annotate({
    description:
      "the router contract that trades the leg; the zero address where the chain has none"
  }),
  extraData: Schema.String.annotate({ description: "what the contract is told of the leg, as hex" })
})

const RouteLeg = Schema.Struct({
  percent: Schema.Int.annotate({
    description:
      "share of the input on this leg, of a further hop share of what is sold there; the amounts are exact, this is rounded so that shares sum to 100"
  }),
  swapInfo: SwapInfo
})

const Candidate = Schema.Struct({
  dex: Schema.String,
  pool: Schema.String,
  inputMint: TokenAddress,
  outputMint: TokenAddress,
  lost: Schema.NullOr(Schema.String).annotate({
    description:
      "why it takes no part; null where it does. `worse-price`: others pay more, or leave more once the gas of their legs is paid"
  })
})

const percent = Schema.Finite.annotate({ description: "percent of what is sent" })

const TransferTax = Schema.Struct({
  token: TokenAddress,
  pool: TokenAddress.annotate({ description: "contract that holds the pool's tokens" }),
  fromPoolPct: percent,
  toTakerPct: percent,
  fromTakerPct: percent,
  toPoolPct: percent
})

export const Quote = Schema.Struct({
  chain: EvmChainId,
  inputMint: TokenAddress,
  outputMint: TokenAddress,
  inputAmount: raw("what is sold"),
  outputAmount: raw("what it buys; 0 without a route"),
  otherAmountThreshold: raw("least output that a swap of this quote accepts"),
  slippageBps: Schema.Int,
  swapMode: Schema.Literals(["ExactIn", "ExactOut"]),
  priceImpactPct: Schema.String.annotate({
    description:
      "percent by which the output is below that at the price of an infinitely small trade, fees included in both: the price of the route's best path, where a split uses several; 0 without a route"
  }),
  routePlan: Schema.Array(RouteLeg).annotate({
    description: "legs in the order in which they are executed; empty: no route at this size"
  }),
  routerLegs: Schema.NullOr(Schema.String).annotate({
    description: "the legs as the router contract takes them (ABI, hex); null without a route"
  }),
  noRouteReason: Schema.optionalKey(Schema.Literals(NO_ROUTE_REASONS)).annotate({
    description: "why `routePlan` is empty; present where it is"
  }),
  causes: Schema.optionalKey(
    Schema.Array(Schema.Struct({ dex: Schema.String, reason: Schema.String, pools: Schema.Int }))
  ).annotate({ description: "of an empty `routePlan`: why pools of each venue give no quote" }),
  gasEstimate: Schema.String.annotate({
    description:
      "about the gas of the whole transaction, as the choice of the route counts it; no limit to send, for which a wallet asks its node"
  }),
  gasCostUSD: Schema.NullOr(Schema.String).annotate({
    description:
      "dollars of that gas; null where no node tells a gas price, or nothing a price of the native unit. Only then do gas costs not count in the choice of the route"
  }),
  gasPriceWei: Schema.NullOr(Raw),
  blockNumber: Schema.Int,
  seq: Position,
  timeTaken: Schema.Finite.annotate({ description: "milliseconds" }),
  feeBps: Schema.Literal(0),
  feeAmount: Schema.Literal("0"),
  feeMint: TokenAddress,
  feeTier: Schema.Literal("none"),
  preliminary: Schema.optionalKey(Schema.Literal(true)).annotate({
    description:
      "of one hop, and no safety gate has looked at it: to be replaced by a full quote, since no swap is built of it (`fast=1`)"
  }),
  why: Schema.optionalKey(Schema.Array(Candidate)).annotate({
    description: "the pools considered, and why each takes no part (`why=1`)"
  }),
  transferTaxes: Schema.optionalKey(Schema.Array(TransferTax)).annotate({
    description:
      "what tokens of the order keep of their transfers beside a pool of the route, by a trial on the newest block; the amounts are those that arrive"
  }),
  warnings,
  expiresAt: Seconds.annotate({ description: "a swap of the quote is not built after this" }),
  quoteId: Schema.String.annotate({
    description: "proves to `POST /v1/swap` that nothing of the quote was edited"
  })
}).annotate({ identifier: "Quote", description: "best route at a position of the chain's log" })
export type Quote = typeof Quote.Type

export const SLIPPAGE_BPS = { least: 1, most: 5000, default: 50 } as const

const NATIVE_WORDS =
  "the zero address is the native unit, on Arc the USDC predeploy, which has 6 decimals and is to be approved"

export const quoteQuery = {
  ...oneChain,
  inputMint: evmAddress({ description: `token sold; ${NATIVE_WORDS}`, example: BASE_USDC }),
  outputMint: evmAddress({ description: `token bought; ${NATIVE_WORDS}`, example: BASE_WETH }),
  amount: text({
    description: "raw units sold (`swapMode=ExactOut`: bought)",
    pattern: /^[0-9]{1,78}$/,
    expected: "a whole number of raw units in decimal digits, below 2^256",
    example: "1000000"
  }),
  slippageBps: optional(
    integer({
      description: "percent of a percent by which the output may be less than quoted",
      min: SLIPPAGE_BPS.least,
      max: SLIPPAGE_BPS.most,
      default: SLIPPAGE_BPS.default
    })
  ),
  swapMode: optional(
    oneOf({
      description:
        "whether `amount` is what is sold or what is bought at the quote's position. A swap of either sells `inputAmount`, and accepts `otherAmountThreshold`",
      values: ["ExactIn", "ExactOut"],
      default: "ExactIn"
    })
  ),
  maxHops: optional(integer({ description: "most hops of a path", min: 1, max: 3, default: 2 })),
  fast: optional(
    flag({ description: "1: one hop, past no safety gate, at once (`preliminary: true`)" })
  ),
  only: optional(
    text({
      description: "venue id: pools of it alone; needs `X-API-Key`",
      pattern: /^[a-z0-9_]+$/,
      expected: "a venue id"
    })
  ),
  why: optional(flag({ description: "1: list the pools considered and why each lost" }))
}

const Query = Schema.Struct(schemasOf(quoteQuery))
export type QuoteQuery = typeof Query.Type
