/**
 * Routes of a chain's totals, venues, token boards and status: `/v1/arc/*`, `/v1/rh/*` and
 * `/v1/chains/{chain}/*` (spec 4.4, 4.12, 4.13).
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { LANE_STATES } from "../../../engine/lane/status.ts"
import { ANY_CHAIN_ROUTE, failure } from "../../errors.ts"
import {
  documented,
  flag,
  integer,
  oneOf,
  optional,
  rowFields,
  schemasOf
} from "../../parameters.ts"
import { chainPath } from "../chain-parameter.ts"
import {
  Assurance,
  asOfParameter,
  ChainId,
  CutoffDay,
  changeSince,
  IngestFloor,
  MinutesCutoffDay,
  Position,
  priceTs,
  rulesParameter,
  Seconds,
  TokenAddress,
  UnknownTime,
  UpdatedAt,
  Wallets,
  warnings
} from "../fields.ts"
import { QuoteStatus } from "../quote-status.ts"
import { boardSorts } from "./board-sorts.ts"

export const BOARD_LIMIT = 100
export const VENUE_DAYS = 30
/** UTC days of an overview, of Arc and chain 4663 (`OWN_`) and of other chains (spec, part 8). */
export const OWN_DAYS = 30
export const KEYED_DAYS = 14

const Dex = Schema.NullOr(Schema.String).annotate({
  description: "venue id; null for pools of an unknown one"
})
const Usd = Schema.Finite.annotate({ description: "US dollars" })

const Share = {
  dex: Dex,
  volUsd: Usd,
  trades: Schema.Int,
  sharePct: Schema.Finite.annotate({ description: "percent of the volume" })
}

const Last24h = Schema.Struct({
  volUsd: Usd,
  swaps: Schema.Int,
  tokens: Schema.Int,
  venues: Schema.Int,
  sinceHour: Seconds.annotate({ description: "start of the first of the 24 hours" }),
  excluded: Schema.Struct({ volUsd: Usd, swaps: Schema.Int, markets: Schema.Int }).annotate({
    description: "what a wash-trading rule keeps out of every sum here (`/v1/rules`)"
  })
})

const totals = {
  chain: ChainId,
  last24h: Last24h,
  venues24h: Schema.Array(Schema.Struct({ ...Share, tokens: Schema.Int })),
  hourly24: Schema.Array(Schema.Struct({ hour: Seconds, volUsd: Usd, swaps: Schema.Int })),
  daily: Schema.Array(
    Schema.Struct({
      day: Seconds.annotate({ description: "start of the UTC day" }),
      swaps: Schema.Int,
      volUsd: Usd,
      tokens: Schema.Int,
      wallets: Wallets,
      venues: Schema.Int
    })
  ),
  unknown: UnknownTime,
  warnings,
  updatedAt: UpdatedAt
}

const recent = {
  recentAt: Seconds.annotate({ description: "time of the newest block" }),
  stale: Schema.Boolean.annotate({
    description:
      "true where that is too long ago for the chain's pace (`staleAfterSeconds` of `/v1/status`); never of a history"
  })
}

const Overview = Schema.Struct({
  ...totals,
  wallets: Schema.Struct({ day: Seconds, today: Wallets, yesterday: Wallets }).annotate({
    description:
      "distinct wallets per UTC day; `yesterday` is null too where the log begins after that day did, or lacks blocks of it"
  }),
  coverage: Schema.Struct(recent),
  ingestFloor: IngestFloor
}).annotate({ identifier: "ChainOverview", description: "totals of a chain" })

const OwnOverview = Schema.Struct({
  ...totals,
  coverage: Schema.Struct({
    ...recent,
    floorHour: Schema.NullOr(Seconds).annotate({ description: "hour of the oldest swap" }),
    genesisHour: Schema.NullOr(Seconds).annotate({
      description: "hour of the chain's first swap; null while the history before is not read"
    }),
    backfillComplete: Schema.Boolean
  })
}).annotate({ identifier: "OwnChainOverview", description: "totals of Arc or chain 4663" })

const VenueRow = Schema.Struct({
  ...Share,
  series: Schema.Array(
    Schema.Struct({ day: Seconds, volUsd: Usd, trades: Schema.Int, tokens: Schema.Int })
  )
})

const daysQuery = {
  days: optional(
    integer({
      description: "UTC days, the present one included",
      min: 1,
      max: VENUE_DAYS,
      default: VENUE_DAYS,
      code: "BAD_DAYS"
    })
  ),
  ...rowFields("venues", VenueRow)
}
const DaysQuery = Schema.Struct(schemasOf(daysQuery))
export type DaysQuery = typeof DaysQuery.Type

const VenueShares = Schema.Struct({
  chain: ChainId,
  days: Schema.Int,
  since: Seconds,
  venues: Schema.Array(VenueRow),
  totals: Schema.Struct({ volUsd: Usd, trades: Schema.Int }),
  unknown: UnknownTime,
  updatedAt: UpdatedAt
}).annotate({ identifier: "VenueShares", description: "venues by volume, with their days" })

const MaybeUsd = Schema.NullOr(Schema.Finite).annotate({ description: "null where unknown" })

export const TokenRow = Schema.Struct({
  address: TokenAddress,
  symbol: Schema.NullOr(Schema.String).annotate({ description: "as on chain; untrusted" }),
  name: Schema.NullOr(Schema.String).annotate({ description: "as on chain; untrusted" }),
  decimals: Schema.NullOr(Schema.Int),
  logoURI: Schema.String,
  logoUriRaw: Schema.NullOr(Schema.String).annotate({
    description: "the picture that a token list names; null where none does"
  }),
  tags: Schema.Array(Schema.String).annotate({
    description: "`anchor`, `stable`, `native`, `stock`, and those of token lists"
  }),
  listed: Schema.Boolean.annotate({
    description:
      "an anchor of the chain, or on one of its token lists; where no list covers the chain: it tells symbol, name and decimals, has no flag, and a price with at least $10,000 behind it"
  }),
  priceUsd: MaybeUsd.annotate({
    description: "what its pool says, at the present price of what it is quoted in; null without"
  }),
  priceTs,
  change24hPct: MaybeUsd.annotate({
    description:
      "newest print against the newest one before `sinceHour`, or against the first of all (`/v1/rules`); null without a price"
  }),
  changeSince,
  volume24h: Usd,
  buyVolume24h: Usd,
  sellVolume24h: Usd,
  trades24h: Schema.Int,
  buys24h: Schema.Int,
  sells24h: Schema.Int,
  traders: Wallets,
  firstTradeTs: Seconds.annotate({ description: "of the trades that the log has" }),
  lastTradeTs: Seconds,
  totalSupply: Schema.NullOr(Schema.String).annotate({
    description: "smallest units, when it was last read"
  }),
  marketCapUsd: MaybeUsd,
  routable: Schema.Boolean.annotate({
    description: "a listed venue has a pool of it that can be quoted: never on Solana"
  }),
  pools: Schema.Struct({
    v3: Schema.Int,
    v2: Schema.Int,
    v4: Schema.Int,
    byDex: Schema.Record(Schema.String, Schema.Int)
  }),
  wash: Schema.optionalKey(Schema.Boolean),
  impostor: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "TokenRow" })

const boardQuery = {
  limit: optional(
    integer({
      description: "rows",
      min: 1,
      max: 1000,
      default: BOARD_LIMIT,
      code: "BAD_LIMIT"
    })
  ),
  offset: optional(integer({ description: "rows to skip", min: 0, max: 1_000_000, default: 0 })),
  sort: optional(
    oneOf({
      description: "largest first, of `new` the newest `firstTradeTs`; rows with a flag come last",
      values: boardSorts,
      default: "volume",
      code: "BAD_SORT"
    })
  ),
  includeUnlisted: optional(
    flag({
      description:
        "1: also tokens that are not listed (see `listed`), as most of Solana's on curves of launch programs are not, which have $10,000 behind their price late or never"
    })
  ),
  rules: rulesParameter,
  asOf: asOfParameter,
  ...rowFields("tokens", TokenRow)
}
const BoardQuery = Schema.Struct(schemasOf(boardQuery))
export type BoardQuery = typeof BoardQuery.Type

const TokenBoard = Schema.Struct({
  chain: ChainId,
  sinceHour: Seconds,
  tradersSince: Seconds,
  sort: Schema.String,
  offset: Schema.Int,
  rules: Schema.String.annotate({ description: "version of the rules behind flags" }),
  asOf: Position.annotate({ description: "position of the order; the figures are present ones" }),
  tokens: Schema.Array(TokenRow),
  total: Schema.Int,
  unknown: UnknownTime,
  updatedAt: UpdatedAt
}).annotate({ identifier: "TokenBoard", description: "tokens that traded in the last 24 hours" })

const FamilyStatus = Schema.Struct({
  chain: ChainId,
  key: Schema.String,
  ok: Schema.Boolean.annotate({
    description: "live, and its newest block not too old; or a history, whole as it is"
  }),
  state: Schema.Literals(LANE_STATES),
  problem: Schema.NullOr(Schema.String),
  indexedToBlock: Schema.NullOr(Schema.Int),
  blockTime: Schema.NullOr(Seconds),
  blockAgeS: Schema.NullOr(Schema.Finite).annotate({ description: "null of a history" }),
  lagBlocks: Schema.NullOr(Schema.Int).annotate({ description: "behind the chain's head" }),
  seq: Schema.Int.annotate({
    description: "log position that events, swaps and blocks are counted at"
  }),
  events: Schema.Int,
  swaps: Schema.Int,
  gaps: Schema.Array(
    Schema.Struct({ fromBlock: Schema.Int, toBlock: Schema.Int, reason: Schema.String })
  ),
  assurance: Schema.NullOr(Assurance),
  quotes: QuoteStatus,
  backfill: Schema.NullOr(
    Schema.Struct({ fromBlock: Schema.Int, toBlock: Schema.Int, complete: Schema.Boolean })
  ).annotate({ description: "history that is read beside the head; null where none is" }),
  retentionCutoffDay: CutoffDay,
  minutesCutoffDay: MinutesCutoffDay,
  updatedAt: UpdatedAt
}).annotate({ identifier: "FamilyStatus", description: "freshness and depth of the index" })
export type FamilyStatus = typeof FamilyStatus.Type

const GONE = failure(410, "AS_OF_GONE")
const OVERVIEW =
  "Swaps of the last 24 hours by venue and hour, and of days, from rollups. Wash trading is left out of every sum and told in `last24h.excluded`."
const VENUES = "Venues by volume over UTC days. The first day of a young tape is partial."
const BOARD =
  "Tokens that traded in the last 24 hours, hour-aligned. Rows with a flag come last and nothing sums them. With the first page's `asOf` the next pages have the same order, with the present figures."
const RH_BOARD = `${BOARD} One token per symbol: an anchor's symbol is its own, a stock token owns its ticker, of others the busiest stays (\`/v1/rules\`).`
const STATUS = "Freshness and depth of the index."

/** Returns the routes of a chain with a route family of its own. */
const own = (key: "arc" | "rh", name: string) =>
  [
    HttpApiEndpoint.get(`${key}Overview`, `/${key}/overview`, {
      success: OwnOverview,
      error: [...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      documented({ tool: "overview", summary: `Totals of ${name}`, description: OVERVIEW })
    ),
    HttpApiEndpoint.get(`${key}Venues`, `/${key}/venues`, {
      query: DaysQuery,
      success: VenueShares,
      error: [failure(400, "BAD_DAYS"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      documented({
        tool: "venues",
        summary: `Venues of ${name}`,
        description: VENUES,
        parameters: daysQuery
      })
    ),
    HttpApiEndpoint.get(`${key}Tokens`, `/${key}/tokens`, {
      query: BoardQuery,
      success: TokenBoard,
      error: [failure(400, "BAD_LIMIT", "BAD_SORT"), GONE, ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      documented({
        tool: "token_board",
        summary: `Token board of ${name}`,
        description: key === "rh" ? RH_BOARD : BOARD,
        parameters: boardQuery
      })
    ),
    HttpApiEndpoint.get(`${key}Status`, `/${key}/status`, {
      success: FamilyStatus,
      error: [...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      documented({
        toldBy: "server",
        tool: "chain_status",
        summary: `Index of ${name}`,
        description: STATUS
      })
    )
  ] as const

export const BoardsApi = HttpApiGroup.make("boards")
  .add(...own("arc", "Arc"), ...own("rh", "chain 4663"))
  .add(
    HttpApiEndpoint.get("chainOverview", "/chains/:chain/overview", {
      params: schemasOf(chainPath),
      success: Overview,
      error: ANY_CHAIN_ROUTE
    }).annotateMerge(
      documented({
        tool: "overview",
        summary: "Totals of a chain",
        description: OVERVIEW,
        parameters: chainPath
      })
    ),
    HttpApiEndpoint.get("chainVenues", "/chains/:chain/venues", {
      params: schemasOf(chainPath),
      query: DaysQuery,
      success: VenueShares,
      error: [failure(400, "BAD_DAYS"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      documented({
        tool: "venues",
        summary: "Venues of a chain",
        description: VENUES,
        parameters: { ...chainPath, ...daysQuery }
      })
    ),
    HttpApiEndpoint.get("chainTokens", "/chains/:chain/tokens", {
      params: schemasOf(chainPath),
      query: BoardQuery,
      success: TokenBoard,
      error: [failure(400, "BAD_LIMIT", "BAD_SORT"), GONE, ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      documented({
        tool: "token_board",
        summary: "Token board of a chain",
        description: BOARD,
        parameters: { ...chainPath, ...boardQuery }
      })
    ),
    HttpApiEndpoint.get("chainStatus", "/chains/:chain/status", {
      params: schemasOf(chainPath),
      success: FamilyStatus,
      error: ANY_CHAIN_ROUTE
    }).annotateMerge(
      documented({
        toldBy: "server",
        tool: "chain_status",
        summary: "Index of a chain",
        description: STATUS,
        parameters: chainPath
      })
    )
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Boards", description: "Totals, venues and boards of a chain" })
  )
