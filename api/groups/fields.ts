/** Response fields that several groups share (spec, part 2). */
import { Schema } from "effect"

export const ChainId = Schema.Int.annotate({ description: "EIP-155 chain id" })
export const TokenAddress = Schema.String.annotate({ description: "lower-case address" })
export const Seconds = Schema.Int.annotate({ description: "Unix seconds" })
export const Milliseconds = Schema.Int.annotate({ description: "Unix milliseconds" })

/** The smallest trade counted, and how it changed. Absent where every trade counts. */
export const IngestFloor = Schema.Struct({
  minTradeUsd: Schema.Finite,
  history: Schema.Array(Schema.Struct({ usd: Schema.Finite, fromTs: Seconds }))
}).annotate({ identifier: "IngestFloor", description: "smallest trade counted, in dollars" })

/** A trade print, on every tape. */
export const Trade = Schema.Struct({
  tx: Schema.String.annotate({ description: "transaction hash" }),
  logIndex: Schema.Int,
  dex: Schema.NullOr(Schema.String).annotate({ description: "venue id" }),
  side: Schema.Literals(["buy", "sell"]),
  tokenAmt: Schema.NullOr(Schema.Finite).annotate({
    description: "whole tokens; null while the decimals are unknown"
  }),
  usd: Schema.NullOr(Schema.Finite).annotate({ description: "null where no price is known" }),
  priceUsd: Schema.NullOr(Schema.Finite).annotate({ description: "null where no price is known" }),
  ts: Seconds,
  wallet: Schema.NullOr(Schema.String).annotate({
    description: "null for a router or an unattributed trade; never guessed"
  }),
  block: Schema.Int,
  pool: Schema.String.annotate({ description: "address, or pool id where pools have none" }),
  outlier: Schema.optionalKey(Schema.Literal(true)).annotate({
    description:
      "present where the print's price or dollars are not believed: it stays on the tape, and out of candles, volume and all-time highs"
  })
}).annotate({ identifier: "Trade" })
