/** Response fields and parameters that several groups share (spec, part 2). */
import { Schema } from "effect"
import { RULE_VERSIONS } from "../../src/rules/rule-sets.ts"
import { type Attributed, attributions } from "../../streams/attribution/attribution.ts"
import { integer, oneOf, optional } from "../parameters.ts"

/** How answers name a chain: `shownChain`. */
export const ChainId = Schema.Union([Schema.Int, Schema.Literal("solana")]).annotate({
  description: "EIP-155 chain id; `solana`, which has none"
})
/** The id of an EVM chain, where no other is traded on or signed for. */
export const EvmChainId = Schema.Int.annotate({ description: "EIP-155 chain id" })
export const TokenAddress = Schema.String.annotate({
  description: "address: lower-case hex, or base58 on Solana"
})
export const Seconds = Schema.Int.annotate({ description: "Unix seconds" })
export const Position = Schema.Int.annotate({ description: "position in the chain's log" })
export const Milliseconds = Schema.Int.annotate({ description: "Unix milliseconds" })
/** Field: the time that an answer of a lane reflects. */
export const UpdatedAt = Schema.Int.annotate({
  description: "time of the newest block: Unix milliseconds, on Solana seconds"
})

/** Field: how far back raw trades reach where old ones are dropped. */
export const CutoffDay = Schema.NullOr(Seconds).annotate({
  description:
    "start of the UTC day from which raw trades are kept (`RETENTION_RAW_DAYS`): tapes end there, candles and sums reach further back; null while all trades are kept"
})

/** Field: how far back candles of a minute reach where old ones are dropped. */
export const MinutesCutoffDay = Schema.NullOr(Seconds).annotate({
  description:
    "start of the UTC day from which candles of a minute are kept (`RETENTION_MINUTES_DAYS`): frames from a minute to below an hour end there, those of an hour and more reach further back; null while all minutes are kept"
})

/** Field: time of the oldest pool state behind a price. */
export const priceTs = Schema.NullOr(Seconds).annotate({
  description:
    "time of the oldest pool state that the price goes back to: long ago is stale; null without a price, and of a dollar that is $1 by rule (`/v1/prices/explain`)"
})

/** Field: the time from which a price change counts. */
export const changeSince = Schema.NullOr(Seconds).annotate({
  description:
    "from when the change counts: the window's first second, or the token's first print that counts; null without a change"
})

/** Field: what an answer lacks although readers would expect it. */
export const warnings = Schema.optionalKey(Schema.Array(Schema.String)).annotate({
  description: "what this answer cannot tell, and why; absent where there is nothing of the kind"
})

/** Field: the time in an answer's windows of which the log knows nothing. */
export const UnknownTime = Schema.Array(Schema.Struct({ from: Seconds, to: Seconds })).annotate({
  description:
    "stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index lacks, that are older than it, or of which it no longer keeps what the answer is made of: nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known"
})

const Counter = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** Fields: what was decoded of a venue of Solana, and how it agrees with its vaults. */
export const VENUE_COUNTERS = {
  events: Counter.annotate({ description: "events of swaps, each as often as it was told" }),
  swaps: Counter,
  ok: Counter.annotate({ description: "swaps whose amounts are what the vaults gained and lost" }),
  bad: Counter.annotate({ description: "swaps that the vaults speak against" }),
  unchecked: Counter.annotate({ description: "swaps whose vaults the transaction does not show" }),
  noParent: Counter.annotate({ description: "events that belong to no swap instruction" }),
  otherEvents: Counter.annotate({ description: "events of the program that are of no swap" })
}

/** Field: smallest trade that counts. Candles and wallet PnL have it only for a declared floor. */
export const IngestFloor = Schema.Struct({
  minTradeUsd: Schema.Finite,
  history: Schema.Array(Schema.Struct({ usd: Schema.Finite, fromTs: Seconds }))
}).annotate({
  identifier: "IngestFloor",
  description:
    "smallest trade counted, in dollars; `history` since when, 0 for the whole log, which is folded anew when the floor changes"
})

/** Words of `walletBy`: how a print's wallet was found, or why the wallet is null. */
const WALLET_BY: { readonly [method in Attributed]: string } = {
  direct: "the transaction's sender called the pool or got its output",
  router: "the sender called a known router",
  "entry-point": "the account whose operation (ERC-4337) the swap stands in",
  "no-transaction": "null: the sender is not known",
  "unknown-contract": "null: through a contract that is no known router",
  settlement: "null: through a contract that settles orders of others",
  "swapped-again": "null: the pool swaps the same way again in the transaction",
  "no-operation": "null: outside of the accounts' operations, or in one undone",
  paymaster: "null: the paymaster's own",
  "unknown-caller": "null: it may be a hook's",
  owner: "on Solana: who signed and owns what was paid, where another paid the fee"
}

/** A print, as every tape shows it. */
export const Trade = Schema.Struct({
  tx: Schema.String.annotate({ description: "transaction hash" }),
  logIndex: Schema.Int,
  dex: Schema.NullOr(Schema.String).annotate({ description: "venue id" }),
  side: Schema.Literals(["buy", "sell"]),
  tokenAmt: Schema.NullOr(Schema.Finite).annotate({
    description: "whole tokens; null while the decimals are unknown"
  }),
  quoteAmount: Schema.NullOr(Schema.Finite).annotate({
    description:
      "whole tokens of the other token of the swap, the pool's quote or not; null while its decimals are unknown"
  }),
  usd: Schema.NullOr(Schema.Finite).annotate({ description: "null where no price is known" }),
  priceUsd: Schema.NullOr(Schema.Finite).annotate({ description: "null where no price is known" }),
  ts: Seconds,
  wallet: Schema.NullOr(Schema.String).annotate({
    description: "null for a router or an unattributed trade; never guessed"
  }),
  walletBy: Schema.Literals(attributions).annotate({
    description: `how \`wallet\` was found, or why it is null. ${attributions
      .map(method => `\`${method}\`: ${WALLET_BY[method]}`)
      .join("; ")}`
  }),
  block: Schema.Int,
  pool: Schema.String.annotate({ description: "address, or pool id where pools have none" }),
  outlier: Schema.optionalKey(Schema.Literal(true)).annotate({
    description:
      "present where the print's price or dollars are not believed: it stays on the tape, and out of candles, volume and all-time highs"
  })
}).annotate({ identifier: "Trade" })

/** A print on a tape of many tokens, with its base and quote token. */
export const SwapRow = Schema.Struct({
  token: TokenAddress.annotate({ description: "base token: the print is as it sees it" }),
  symbol: Schema.NullOr(Schema.String).annotate({ description: "as on chain; untrusted" }),
  quoteToken: Schema.NullOr(TokenAddress).annotate({ description: "null where it is unknown" }),
  quoteSymbol: Schema.NullOr(Schema.String).annotate({ description: "as on chain; untrusted" }),
  ...Trade.fields
}).annotate({ identifier: "SwapRow" })

/** A `SwapRow` for the examples in the OpenAPI document. */
export const SWAP_ROW: typeof SwapRow.Type = {
  token: `0x${"34".repeat(20)}`,
  symbol: "PEPE",
  quoteToken: `0x${"22".repeat(20)}`,
  quoteSymbol: "USDC",
  tx: `0x${"ab".repeat(32)}`,
  logIndex: 7,
  dex: "uniswap_v3",
  side: "buy",
  tokenAmt: 30,
  quoteAmount: 300,
  usd: 300,
  priceUsd: 10,
  ts: 1_789_999_321,
  wallet: `0x${"12".repeat(20)}`,
  walletBy: "router",
  block: 36_000_000,
  pool: `0x${"56".repeat(20)}`
}

/** Parameter: version of the rules by which an answer's flags are computed. */
export const rulesParameter = optional(
  oneOf({
    description: "version of the rules behind flags; the newest unless told",
    values: RULE_VERSIONS,
    default: RULE_VERSIONS[0]
  })
)

/** Parameter: log position of the first page, so that later pages do not drift as the log grows. */
export const asOfParameter = optional(
  integer({
    description: "the `asOf` of the first page: the next ones are then of the same list",
    min: 0,
    max: Number.MAX_SAFE_INTEGER
  })
)

/** How many wallets trades tell of. */
export const Wallets = Schema.NullOr(Schema.Int).annotate({
  description:
    "distinct wallets of the trades whose sender the log names: at least so many where it names some only, null where there are trades and it names nobody's"
})

export const Assurance = Schema.Literals(["proven", "compared", "word"]).annotate({
  identifier: "Assurance",
  description:
    "how the least known block is known, gaps aside: `proven` by receipts or a bloom that its header commits to, `compared`: two endpoints tell the same (on Solana the same transactions, and not what is in them), `word`: one endpoint or file does; null while nothing is read or counted"
})
