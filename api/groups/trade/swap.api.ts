/** Building and trying swaps: payloads (spec, 4.1; DECISIONS.md has what that does not show). */
import { Schema } from "effect"
import { MAX_UINT256 } from "../../../src/math/fixed-point.ts"
import { evmAddress, optional, schemasOf } from "../../parameters.ts"
import { EvmChainId, Seconds, TokenAddress } from "../fields.ts"
import { A_WALLET } from "../token-parameter.ts"
import { Quote, quoteQuery } from "./quote.api.ts"

/** Of a body. */
export const Address = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/)).annotate({
  expected: "0x and 40 hex digits",
  examples: [A_WALLET]
})
/** Of a body. */
export const BodyChainId = Schema.Int.annotate({
  expected: "the id of a chain, a whole number",
  examples: [8453]
})
export const Hex = Schema.String.check(Schema.isPattern(/^0x([0-9a-fA-F]{2})*$/)).annotate({
  expected: "0x and two hex digits a byte",
  examples: ["0x"]
})
export const Raw = Schema.String.check(Schema.isPattern(/^[0-9]{1,78}$/))

/** A number that a contract takes, in decimal digits. */
const Word = Raw.check(
  Schema.makeFilter(text => BigInt(text) <= MAX_UINT256, {
    expected: "a whole number below 2^256, as text of decimal digits",
    examples: ["1000"]
  })
)

/** A signature over Permit2's `PermitTransferFrom` of the input, the router being the spender. */
const Permit2 = Schema.Struct({
  nonce: Word,
  signedUntil: Seconds.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
    expected: "Unix seconds, a whole number",
    examples: [1_800_000_000]
  }),
  signature: Hex
}).annotate({
  expected: "an object with nonce, signedUntil and signature",
  examples: [{ nonce: "1", signedUntil: 1_800_000_000, signature: "0x" }]
})

/** The quote's own slippage, which may be left out of its echo. */
export const EchoedSlippage = Schema.optionalKey(
  Schema.Int.annotate({ expected: "the quote's own, a whole number", examples: [50] })
)

/** Who swaps, in the body of a swap. */
export const whoSwaps = {
  taker: Address.annotate({ description: "who signs and pays" }),
  recipient: Schema.optionalKey(Address).annotate({
    description: "who gets the output; the taker unless told"
  })
}

/** Who swaps, beside the quote's own fields, which are checked by their seal. */
export const SwapBody = Schema.StructWithRest(
  Schema.Struct({
    ...whoSwaps,
    permit2: Schema.optionalKey(Permit2).annotate({
      description:
        "in place of an allowance of the router: a signature over Permit2's PermitTransferFrom of the input token and amount, with the router as spender. Permit2 itself must be approved; a router without it (of simulated chains) is refused with 400"
    }),
    slippageBps: EchoedSlippage
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
).annotate({
  identifier: "SwapBody",
  description:
    "the quote as `GET /v1/quote` answered it, unedited, with `taker` added; `slippageBps` may be left out"
})
export type SwapBody = typeof SwapBody.Type

export const UnsignedCall = Schema.Struct({
  chainId: EvmChainId,
  from: TokenAddress,
  to: TokenAddress,
  data: Hex,
  value: Raw.annotate({ description: "raw units of the native unit to send along" })
})
export type UnsignedCall = typeof UnsignedCall.Type

/** The unsigned call of a swap, with its gas limit. */
export const SwapCall = Schema.Struct({
  ...UnsignedCall.fields,
  gas: Raw.annotate({
    description:
      "the gas limit to send it with, in place of an estimate of the wallet's: `gasEstimate`, and what pools that move until it is mined may add; what is not used is not paid"
  })
})

export const Approval = Schema.Struct({
  token: TokenAddress,
  spender: TokenAddress,
  amount: Raw,
  needed: Schema.NullOr(Schema.Boolean).annotate({
    description: "whether the allowance is less now; null where no node tells"
  }),
  resetFirst: Schema.NullOr(Schema.Boolean).annotate({
    description:
      "whether the token refuses a new approval over the present one, so that `reset` is to be sent first; null where no node tells"
  }),
  reset: UnsignedCall.annotate({ description: "approves nothing" }),
  approve: UnsignedCall.annotate({ description: "approves the amount" })
})
export type Approval = typeof Approval.Type

export const Swap = Schema.Struct({
  transaction: SwapCall.annotate({ description: "to be signed and sent by the taker" }),
  gasEstimate: Schema.String.annotate({ description: "units of gas that it will take, about" }),
  inputAmount: Raw,
  outputAmount: Raw,
  otherAmountThreshold: Raw.annotate({ description: "the transaction reverts below this" }),
  recipient: TokenAddress,
  deadline: Seconds.annotate({ description: "the transaction reverts after this" }),
  approval: Schema.NullOr(Approval).annotate({
    description: "what the router must be allowed; null for the native unit and with `permit2`"
  })
}).annotate({ identifier: "Swap", description: "an unsigned transaction that executes a quote" })
export type Swap = typeof Swap.Type

export const QuotedSwap = Schema.Struct({ quote: Quote, swap: Swap }).annotate({
  description: "a quote, and the unsigned transaction that executes it"
})

const { fast: _, ...swapped } = quoteQuery
export const calldataQuery = {
  ...swapped,
  taker: evmAddress({ description: "who signs and pays", example: A_WALLET }),
  recipient: optional(evmAddress({ description: "who gets the output; the taker unless told" }))
}

const CalldataQuery = Schema.Struct(schemasOf(calldataQuery))
export type CalldataQuery = typeof CalldataQuery.Type

export const SimulateBody = Schema.Struct({
  chainId: BodyChainId,
  from: Address,
  to: Address,
  data: Hex,
  value: Schema.optionalKey(Word),
  gas: Schema.optionalKey(Word).annotate({ description: "its gas limit; none unless told" }),
  assumeFunded: Schema.optionalKey(Schema.Boolean).annotate({
    expected: "true or false",
    examples: [true],
    description: "as if the taker had the input and had approved it; unless told as things are"
  })
}).annotate({
  identifier: "SimulateBody",
  description: "a transaction as `POST /v1/swap` built it"
})
export type SimulateBody = typeof SimulateBody.Type

/** Why a transaction reverts, as the answer names it. */
const REVERT_CAUSES = [
  "router-not-approved",
  "insufficient-balance",
  "price-moved",
  "deadline-passed",
  "venue-refused",
  "token-refused",
  "out-of-gas",
  "unknown"
] as const
export const Simulation = Schema.Struct({
  ok: Schema.Boolean,
  outputAmount: Schema.NullOr(Raw).annotate({ description: "what arrives; null where it reverts" }),
  revert: Schema.NullOr(Schema.String).annotate({
    description: "what it reverts with and what to do, in words; null where it succeeds"
  }),
  cause: Schema.NullOr(Schema.Literals(REVERT_CAUSES)),
  assumed: Schema.Array(Schema.Literals(["balance", "allowance"])).annotate({
    description: "what was taken for granted (`assumeFunded`)"
  })
}).annotate({ identifier: "Simulation", description: "what the transaction would do now" })
export type Simulation = typeof Simulation.Type
