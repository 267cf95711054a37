/** `GET /v1/candles` (spec 4.5), and `GET /v1/candles/proof`: the swaps behind a candle. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CANDLE_FIELDS as FIELDS } from "../../../projections/candles/candle.ts"
import { ANY_LANE_ROUTE, failure } from "../../errors.ts"
import { documented, schemasOf } from "../../parameters.ts"
import {
  ChainId,
  IngestFloor,
  Seconds,
  TokenAddress,
  Trade,
  UnknownTime,
  warnings
} from "../fields.ts"
import { ALL_TIMEFRAMES, candlesQuery, proofQuery, STORED_TIMEFRAMES } from "./candle-parameters.ts"

/** Timeframes of the live channel. */
export const TIMEFRAMES = STORED_TIMEFRAMES

const Query = Schema.Struct(schemasOf(candlesQuery))
export type CandlesQuery = typeof Query.Type

const ProofQuery = Schema.Struct(schemasOf(proofQuery))
export type ProofQuery = typeof ProofQuery.Type

const plain = {
  t: Seconds.annotate({ description: "bucket start, Unix seconds" }),
  o: Schema.Finite,
  h: Schema.Finite,
  l: Schema.Finite,
  c: Schema.Finite,
  v: Schema.Finite.annotate({ description: "volume of the trades that `n` counts, US dollars" }),
  n: Schema.Int.annotate({
    description:
      "trades in the bucket that its prices are made of: those that tell a price and are believed; with `raw=1` also those not believed. Trades whose dollars are unknown, of dust, or of a token without decimals are in `trades` (`fields=trades`), which counts all; a bucket of these alone is none, and is filled as one without a trade"
  })
}

export const Candle = Schema.Struct(plain).annotate({
  identifier: "Candle",
  description: "prices in US dollars"
})

const ofAll = (what: string) => Schema.Int.annotate({ description: `of all trades: ${what}` })
const dollarsOfSide = (what: string) =>
  Schema.Finite.annotate({
    description: `US dollars of \`n\` that ${what} the token, with quote=token too; a trade whose dollars are unknown adds nothing`
  })
const wallets = (what: string) =>
  Schema.NullOr(Schema.Int).annotate({
    description: `distinct wallets that ${what}, of the trades whose sender the log names, so at least so many where it names some only; null where it names none of the bucket's. An estimate where \`estimated\` says so; \`unavailable\` says why there are nulls`
  })

/** Fields summed over all prints of a bucket. */
const sums = {
  trades: ofAll("how many, also those without a price, of dust, or not believed"),
  buys: ofAll("those that bought the token"),
  sells: ofAll("those that sold the token"),
  buyVol: dollarsOfSide("bought"),
  sellVol: dollarsOfSide("sold"),
  filtered: ofAll("those that are not believed, and in nothing else unless `raw=1`"),
  hash: Schema.NullOr(Schema.String).annotate({
    description:
      "16 hex digits: sum of the hashes of all trades, which `GET /v1/candles/proof` lists; a wider bucket's is the sum of its parts'. Null where `unavailable` says why, and of a proof where the bucket's trades are not kept"
  }),
  final: Schema.Boolean.annotate({
    description:
      "the bucket's end lies before a block that is as deep as the chain's finality, and no block of it is missing"
  })
}

const rich = {
  ...sums,
  buyers: wallets("bought"),
  sellers: wallets("sold"),
  state: Schema.Literals(["traded", "unpriced", "empty"]).annotate({
    description: "unpriced: trades without a price; empty: proven to have no trade"
  })
}

const optionalOf = <F extends Schema.Struct.Fields>(fields: F) =>
  Schema.Struct(fields).mapFields(all =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, Schema.optionalKey(one)]))
  ).fields

const RichCandle = Schema.Struct({ ...plain, ...optionalOf(rich) }).annotate({
  identifier: "RichCandle",
  description: "prices in what `quote` says; fields beyond `n` as `fields` asks for"
})

/** Fields that repeat a request's pool and unit of prices. */
const named = {
  pool: Schema.optionalKey(Schema.String),
  quoteToken: Schema.optionalKey(TokenAddress),
  quote: Schema.optionalKey(Schema.Literals(["usd", "token", "mcap"])),
  supply: Schema.optionalKey(Schema.Finite).annotate({
    description: "whole tokens there are, of quote=mcap"
  })
}

export const Candles = Schema.Struct({
  chain: ChainId,
  token: TokenAddress,
  tf: Schema.Literals(ALL_TIMEFRAMES),
  source: Schema.Literal("index"),
  from: Seconds,
  to: Seconds,
  forming: Schema.Boolean.annotate({ description: "the newest bucket is still open" }),
  candles: Schema.Array(RichCandle),
  unknown: UnknownTime,
  ingestFloor: Schema.optionalKey(IngestFloor),
  warnings,
  ...named,
  raw: Schema.optionalKey(Schema.Literal(true)),
  reachesFrom: Schema.optionalKey(Seconds).annotate({
    description:
      "of frames below a minute: the tape begins here; 0: with the chain. Of frames from a minute to below an hour where the window begins before what is kept of minutes: they begin here"
  }),
  unavailable: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ fields: Schema.Array(Schema.Literals(FIELDS)), reason: Schema.String })
    )
  ).annotate({ description: "fields that are null, all or some of them, and why" }),
  estimated: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ fields: Schema.Array(Schema.Literals(FIELDS)), reason: Schema.String })
    )
  ).annotate({ description: "fields that are not exact, and how they were found" })
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
      candles: [{ t: 1_789_999_200, o: 3001.5, h: 3010, l: 2995.25, c: 3004, v: 125000.5, n: 312 }],
      unknown: []
    }
  ]
})

const { outlier: _, ...trade } = Trade.fields

const Proof = Schema.Struct({
  chain: ChainId,
  token: TokenAddress,
  ...named,
  tf: Schema.Literals(ALL_TIMEFRAMES),
  from: Seconds,
  to: Seconds,
  candle: Schema.NullOr(Candle),
  ...optionalOf(sums),
  unknown: UnknownTime,
  swaps: Schema.Array(
    Schema.Struct({
      ...trade,
      priceQuote: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
      counted: Schema.Boolean.annotate({ description: "in the candle's prices, `v` and `n`" }),
      reason: Schema.NullOr(Schema.Literals(["outlier", "unpriced", "too_little"])).annotate({
        description:
          "why it is not counted: not believed; no dollars known; too little moved to tell a price, or decimals unknown"
      })
    })
  ),
  nextAfter: Schema.NullOr(Schema.String).annotate({
    description: "cursor of the next page; null on the last"
  })
}).annotate({ identifier: "CandleProof", description: "swaps of one bucket, in the chain's order" })

const refusals = [
  failure(404, "UNKNOWN_TOKEN", "TOKEN_NOT_FOUND", "NOT_FOUND"),
  ...ANY_LANE_ROUTE
] as const

export const CandlesApi = HttpApiGroup.make("candles")
  .add(
    HttpApiEndpoint.get("getCandles", "/candles", {
      query: Query,
      success: Candles,
      error: refusals
    }).annotateMerge(
      documented({
        tool: "candles",
        summary: "Candles of a token or a pool",
        description:
          "Open, high, low, close, volume and trades by bucket, from the service's own index of swaps. Buckets without a trade are absent unless `fill=1`; a range without a bucket is an empty page. The previous page is the one with `to` equal to this page's `from`. NOT_FOUND: no such pool, or no supply for quote=mcap.",
        parameters: candlesQuery
      })
    )
  )
  .add(
    HttpApiEndpoint.get("getCandleProof", "/candles/proof", {
      query: ProofQuery,
      success: Proof,
      error: refusals
    }).annotateMerge(
      documented({
        tool: "candle_proof",
        summary: "Swaps behind a candle",
        description:
          "Every swap of one bucket in the chain's order, by pages, with what the bucket says of them. From the counted ones anybody can compute the candle: first, highest, lowest and last price, the sum of dollars in whole micro-dollars, and how many. `hash` is the sum over all, counted or not, of 64 bits each, in two 32-bit words that are summed by themselves mod 2^32: of the words of `tx` (big-endian: eight of a hash, sixteen of a signature on Solana), `block` mod 2^32 and `logIndex`, h = seed; for each word h = (h xor word) * factor, h = h xor h >> 15; then h = (h xor h >> 16) * 0x85ebca6b, h = (h xor h >> 13) * 0xc2b2ae35, h = h xor h >> 16, all mod 2^32; seed and factor are 0x243f6a88 and 0x9e3779b1 of the high word, 0x85a308d3 and 0x85ebca77 of the low one. It shows what is missing, double or other; it is no signature.",
        parameters: proofQuery
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Candles", description: "Charts" }))
