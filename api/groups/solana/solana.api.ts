/**
 * Solana's own routes (spec 4.14, part 2). All else of `/v1/chains/solana/*` are the routes of the
 * chain-keyed family: board, tokens, trades, wallets.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { solana } from "../../../src/domain/chains/solana.ts"
import { ANY_CHAIN_ROUTE, failure, NO_SUCH_TOKEN } from "../../errors.ts"
import { address, documented, integer, optional, schemasOf } from "../../parameters.ts"
import { CANDLES_LIMIT, candlesQuery } from "../candles/candle-parameters.ts"
import { Candles } from "../candles/candles.api.ts"
import { ChainId, Seconds, UnknownTime, VENUE_COUNTERS } from "../fields.ts"
import { SearchQuery, searchQuery, TokenSearch } from "../token-pages/payloads.ts"
import { SOL } from "../token-parameter.ts"

const { chain: _chain, token: _token, pool: _pool, ...ofCandles } = candlesQuery
const candlesOfToken = {
  ...ofCandles,
  limit: optional(integer({ ...CANDLES_LIMIT, code: "BAD_LIMIT" }))
}
const CandlesOfToken = Schema.Struct(schemasOf(candlesOfToken))
export type CandlesOfToken = typeof CandlesOfToken.Type

const mint = {
  address: address({ description: "mint; letter case counts", code: "BAD_ADDRESS", example: SOL })
}

const Count = Schema.Int
const Usd = Schema.Finite.annotate({ description: "US dollars" })

const Overview = Schema.Struct({
  chain: ChainId,
  windowHours: Schema.Int,
  volumeUsd: Usd,
  trades: Count,
  buys: Count.annotate({
    description:
      "of `trades` those that bought a token beside SOL, USDC and USDT: none where two of these were exchanged, one where two others were"
  }),
  tokensTraded: Count,
  venues: Schema.Array(
    Schema.Struct({
      dex: Schema.NullOr(Schema.String),
      volumeUsd: Usd,
      trades: Count,
      share: Schema.Finite.annotate({ description: "of `volumeUsd`, 0 to 1" })
    })
  ),
  hourly: Schema.Array(Schema.Struct({ hour: Seconds, volumeUsd: Usd, trades: Count })),
  coverageSince: Seconds.annotate({ description: "from when on no block is missing" }),
  coverageHours: Schema.Finite.annotate({
    description: "of the window, from `coverageSince` on: less than 24 is a part of a day"
  }),
  cursor: Schema.Int.annotate({ description: "the newest slot that is counted" }),
  unknown: UnknownTime,
  updatedAt: Seconds
}).annotate({ identifier: "SolanaOverview", description: "the last 24 hours" })

const MaybeRate = Schema.NullOr(Schema.Finite)

const HourCheck = Schema.Struct({
  hour: Seconds,
  hourlyDiff: Count.annotate({ description: "markets whose sums are not those of their swaps" }),
  candleDiff: Count.annotate({ description: "tokens whose candle is not that of their prints" })
})

const Gate = Schema.Struct({
  pass: Schema.Boolean.annotate({
    description:
      "a source reads the chain well, no swap is contradicted by its vaults, at most one in 10,000 cannot be read, an hour is whole and recounted without a difference, and none of the day is missing or of files"
  }),
  at: Schema.NullOr(Seconds),
  liveHours: Schema.Int.annotate({
    description: "whole hours up to now without a missing block or one of a file"
  }),
  missing24h: Schema.Int.annotate({
    description:
      "blocks of the last 24 hours that are known to be missing; of files nobody knows, as `reasons` say"
  }),
  hourCheck: Schema.NullOr(HourCheck).annotate({
    description:
      "the newest hour that is over, recounted from rows of the tape, and not from the log, which `npm run verify` holds those to; null where not all of it was read"
  }),
  reasons: Schema.Array(Schema.String).annotate({ description: "why it does not pass" })
})

const Status = Schema.Struct({
  chain: ChainId,
  ok: Schema.Boolean,
  problem: Schema.NullOr(Schema.String).annotate({ description: "why it is not `ok`" }),
  simulated: Schema.Boolean.annotate({
    description: "a chain of this machine with small programs of ours: nothing on it is real"
  }),
  cursor: Schema.NullOr(Schema.Int).annotate({ description: "the newest slot in the tables" }),
  genesisSlot: Schema.NullOr(Schema.Int).annotate({ description: "the first slot of the log" }),
  auditCursor: Schema.NullOr(Schema.Int).annotate({
    description: "the slot that was read again last, to compare it with what was logged"
  }),
  lagSlots: Schema.NullOr(Schema.Int),
  blockAgeS: Schema.NullOr(Schema.Finite),
  slotsPerMin: MaybeRate,
  swapsPerMin: MaybeRate,
  startedAt: Seconds,
  solUsd: Schema.NullOr(Schema.Finite),
  decode: Schema.Record(Schema.String, Schema.Struct(VENUE_COUNTERS)).annotate({
    description: `by the number of the venue, 1 to ${solana.venues.length}; counted since the engine started, and not less where blocks were taken back`
  }),
  totals: Schema.Struct({
    slots: Count.annotate({ description: "blocks of the log" }),
    swaps: Count,
    orphaned: Count.annotate({ description: "blocks taken back since the engine started" }),
    late: Count.annotate({ description: "gaps that were filled since the engine started" })
  }),
  venues: Schema.String.annotate({ description: "which venues the numbers are" }),
  notCovered: Schema.String,
  public: Schema.Boolean,
  gate: Gate
}).annotate({
  identifier: "SolanaStatus",
  description: "how Solana is read; where `ok` is false the other routes lag"
})
export type SolanaStatus = typeof Status.Type

export const SolanaApi = HttpApiGroup.make("solana")
  .add(
    HttpApiEndpoint.get("solanaOverview", "/chains/solana/overview", {
      success: Overview,
      error: ANY_CHAIN_ROUTE
    }).annotateMerge(
      documented({
        tool: "overview",
        summary: "Totals of Solana",
        description:
          "Swaps of the venues that are read, of the last 24 hours: by venue and by hour. Kept for 30 seconds. Proprietary AMMs and order books are not read, so major pairs show far less volume than the whole market. No swap is left out as wash trading."
      })
    ),
    HttpApiEndpoint.get("solanaStatus", "/chains/solana/status", {
      success: Status,
      error: ANY_CHAIN_ROUTE
    }).annotateMerge(
      documented({
        toldBy: "server",
        tool: "chain_status",
        summary: "Ingest of Solana",
        description:
          "How far Solana is read, how its swaps agree with the vaults, venue by venue (`decode`, which counts since the engine started and is not less where blocks were taken back), and whether the newest whole hour, recounted from the tape, is what the tables tell. Never cached."
      })
    ),
    HttpApiEndpoint.get("solanaSearch", "/chains/solana/search", {
      query: SearchQuery,
      success: TokenSearch,
      error: [failure(400, "BAD_LIMIT"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      documented({
        tool: { none: "swaptape_token_search searches any chain" },
        summary: "Search of tokens on Solana",
        description: "As `/v1/tokens/search?chain=solana`: by symbol, name or mint.",
        parameters: searchQuery
      })
    ),
    HttpApiEndpoint.get("solanaCandles", "/chains/solana/token/:address/candles", {
      params: schemasOf(mint),
      query: CandlesOfToken,
      success: Candles,
      error: [failure(400, "BAD_ADDRESS", "BAD_LIMIT"), NO_SUCH_TOKEN, ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      documented({
        tool: { none: "swaptape_candles tells those of any chain" },
        summary: "Candles of a token on Solana",
        description: "As `/v1/candles?chain=solana`, of a token over all its pools.",
        parameters: { ...mint, ...candlesOfToken }
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Solana", description: "Solana's own routes" }))
