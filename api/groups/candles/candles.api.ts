/** `GET /v1/candles` (spec 4.5). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_LANE_ROUTE, failure } from "../../errors.ts"
import { address, documented, integer, oneOf, optional, schemasOf } from "../../parameters.ts"
import { ChainId, IngestFloor, Seconds, TokenAddress } from "../fields.ts"

export const TIMEFRAMES = ["1m", "5m", "15m", "1h", "4h", "1d", "1w"] as const

/** Chain read where none is named. */
export const CHAIN_DEFAULT = 143
export const CANDLES_DEFAULT = 300
export const CANDLES_MAX = 5000
/** Last second of the year 9999: keeps every time a safe integer with room for arithmetic. */
const LAST_SECOND = 253_402_300_799

const query = {
  chain: optional(
    integer({
      description: "chain id",
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      default: CHAIN_DEFAULT,
      example: 8453
    })
  ),
  token: address({
    description: "token; the zero address stands for the chain's native unit",
    example: "0x4200000000000000000000000000000000000006"
  }),
  tf: optional(
    oneOf({
      description: "bucket length; weeks start on Monday 00:00 UTC",
      values: TIMEFRAMES,
      default: "1h"
    })
  ),
  from: optional(
    integer({
      description: "inclusive start, Unix seconds; by default `to` minus `limit` buckets",
      min: 0,
      max: LAST_SECOND
    })
  ),
  to: optional(
    integer({
      description:
        "exclusive end, Unix seconds, snapped up to a bucket edge; by default the end of the open bucket",
      min: 0,
      max: LAST_SECOND
    })
  ),
  limit: optional(
    integer({
      description: "buckets a page; of a wider range the newest are kept",
      min: 1,
      max: CANDLES_MAX,
      default: CANDLES_DEFAULT
    })
  ),
  fill: optional(
    oneOf({
      description:
        "1 carries the previous close through buckets without a trade, with v and n equal to 0",
      values: ["1"]
    })
  )
}

const Query = Schema.Struct(schemasOf(query))
export type CandlesQuery = typeof Query.Type

export const Candle = Schema.Struct({
  t: Seconds.annotate({ description: "bucket start, Unix seconds" }),
  o: Schema.Finite,
  h: Schema.Finite,
  l: Schema.Finite,
  c: Schema.Finite,
  v: Schema.Finite.annotate({ description: "volume, US dollars" }),
  n: Schema.Int.annotate({ description: "trades in the bucket" })
}).annotate({ identifier: "Candle", description: "prices in US dollars" })

export const Candles = Schema.Struct({
  chain: ChainId,
  token: TokenAddress,
  tf: Schema.Literals(TIMEFRAMES),
  source: Schema.Literal("index"),
  from: Seconds,
  to: Seconds,
  forming: Schema.Boolean.annotate({ description: "the newest bucket is still open" }),
  candles: Schema.Array(Candle),
  ingestFloor: Schema.optionalKey(IngestFloor)
}).annotate({
  identifier: "Candles",
  description: "candles, oldest first",
  examples: [
    {
      chain: 8453,
      token: "0x4200000000000000000000000000000000000006",
      tf: "1h",
      source: "index",
      from: 1_789_999_200,
      to: 1_790_002_800,
      forming: true,
      candles: [{ t: 1_789_999_200, o: 3001.5, h: 3010, l: 2995.25, c: 3004, v: 125000.5, n: 312 }]
    }
  ]
})

export const CandlesApi = HttpApiGroup.make("candles")
  .add(
    HttpApiEndpoint.get("getCandles", "/candles", {
      query: Query,
      success: Candles,
      error: [failure(400, "INVALID_PARAMS"), failure(404, "UNKNOWN_TOKEN"), ...ANY_LANE_ROUTE]
    }).annotateMerge(
      documented({
        summary: "Candles of a token",
        description:
          "Open, high, low, close, volume and trades by bucket, from the service's own index of swaps. Buckets without a trade are absent unless `fill=1`; a range without a bucket is an empty page. The previous page is the one with `to` equal to this page's `from`.",
        parameters: query
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Candles", description: "Charts" }))
