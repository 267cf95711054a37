/** Liquidity of Solana: pools, changes, positions and the wallets behind them (spec 4.14). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CHANGES } from "../../../projections/liquidity/tables.ts"
import type { Tool } from "../../declared.ts"
import { ANY_CHAIN_ROUTE, type ErrorCode, failure } from "../../errors.ts"
import {
  address,
  documented,
  integer,
  oneOf,
  optional,
  type Parameters,
  rowFields,
  schemasOf
} from "../../parameters.ts"
import { tapeQuery } from "../chains/chains.api.ts"
import { asOfParameter, ChainId, Position, Seconds, UnknownTime, UpdatedAt } from "../fields.ts"
import { EVENTS, POOLS, POSITIONS, WALLETS } from "./example-answers.ts"

export const LIQUIDITY_LIMIT = 50

const Usd = Schema.Finite.annotate({ description: "US dollars, each change at its own moment" })
const MaybeUsd = Schema.NullOr(Schema.Finite).annotate({
  description: "US dollars; null where unknown"
})
const Amount = Schema.NullOr(Schema.Finite).annotate({
  description: "whole tokens; null where nobody told, or the decimals were unknown"
})
const Tick = Schema.NullOr(Schema.Int).annotate({
  description: "null where the range is not told, as venues of Solana do not"
})
const Units = Schema.NullOr(Schema.Finite).annotate({
  description: "the pool's own unit; null where no event tells it"
})
const Owner = Schema.NullOr(Schema.String).annotate({
  description: "wallet; null where the event names none"
})
const SinceCreation = Schema.Boolean.annotate({
  description:
    "the log has the pool's making: where false, what it held before the log is in no sum here"
})
const Unpriced = Schema.Int.annotate({
  description: "changes whose dollars are unknown: in no sum of dollars"
})
const Forgets = Schema.Boolean.annotate({
  description:
    "there are so many positions that those are let go which have not changed for the longest"
})

const PoolToken = Schema.NullOr(
  Schema.Struct({
    address: Schema.String,
    symbol: Schema.NullOr(Schema.String).annotate({ description: "as on chain; untrusted" })
  })
).annotate({ description: "null where it is unknown" })
const poolFields = {
  pool: Schema.String,
  dex: Schema.NullOr(Schema.String).annotate({ description: "venue id" }),
  token0: PoolToken,
  token1: PoolToken
}

const PoolRow = Schema.Struct({
  ...poolFields,
  reserves: Schema.NullOr(Schema.Struct({ amount0: Amount, amount1: Amount })).annotate({
    description:
      "whole tokens held when they were last told, of pools of ranges those of the vaults; of a launch program's curve those for sale, less than its vault has, which holds the tokens of the pool after it too; null where nobody told"
  }),
  depthUsd: Schema.NullOr(Schema.Finite).annotate({
    description:
      "US dollars that the pool holds of its quote side, as far as prices weigh it; null where it sets none, as without an anchor among its tokens"
  }),
  volumeUsd24h: Schema.Finite,
  sinceCreation: SinceCreation,
  adds24h: Schema.Int,
  removes24h: Schema.Int,
  addedUsd24h: Usd,
  removedUsd24h: Usd,
  unpriced24h: Unpriced
})

const EventRow = Schema.Struct({
  tx: Schema.String,
  logIndex: Schema.Int,
  block: Schema.Int.annotate({ description: "slot" }),
  ts: Seconds,
  change: Schema.Literals(CHANGES).annotate({
    description: "`collect`: paid to a position, what was removed before among it"
  }),
  ...poolFields,
  owner: Owner,
  tickLower: Tick,
  tickUpper: Tick,
  liquidity: Units,
  amount0: Amount,
  amount1: Amount,
  usd: MaybeUsd
})

const PositionRow = Schema.Struct({
  ...poolFields,
  owner: Owner,
  position: Schema.NullOr(Schema.String).annotate({
    description:
      "an owner's positions apart: its account, of Raydium CLMM its NFT's mint; null where no event tells it"
  }),
  tickLower: Tick,
  tickUpper: Tick,
  liquidity: Units,
  adds: Schema.Int,
  removes: Schema.Int,
  collects: Schema.Int,
  added0: Schema.Finite.annotate({ description: "whole tokens, of the changes that tell amounts" }),
  added1: Schema.Finite,
  removed0: Schema.Finite,
  removed1: Schema.Finite,
  collected0: Schema.Finite,
  collected1: Schema.Finite,
  addedUsd: Usd,
  removedUsd: Usd,
  collectedUsd: Usd,
  unpriced: Unpriced,
  untold: Schema.Int.annotate({
    description: "changes whose amounts are unknown: in no sum of tokens"
  }),
  sinceCreation: SinceCreation,
  firstTs: Seconds,
  lastTs: Seconds
})

const sums = {
  pools: Schema.Int,
  addedUsd: Usd,
  removedUsd: Usd,
  collectedUsd: Usd,
  positions: Schema.Int,
  adds: Schema.Int,
  removes: Schema.Int,
  collects: Schema.Int,
  unpriced: Unpriced,
  firstTs: Seconds,
  lastTs: Seconds
}
const WalletRow = Schema.Struct({ wallet: Schema.String, ...sums })

const limit = optional(
  integer({
    ...{ description: "rows to answer", min: 1, max: 500, default: LIQUIDITY_LIMIT },
    code: "BAD_LIMIT"
  })
)
const offset = optional(
  integer({ description: "rows to pass over", min: 0, max: 1_000_000, default: 0 })
)
const AN_ACCOUNT = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
const account = (description: string) =>
  optional(address({ description, example: AN_ACCOUNT, code: "BAD_ADDRESS" }))

const poolsQuery = {
  sort: optional(
    oneOf({
      ...{ description: "what comes first", values: ["depth", "volume"], default: "depth" },
      code: "BAD_SORT"
    })
  ),
  ...{ limit, offset, asOf: asOfParameter },
  ...rowFields("pools", PoolRow)
}
const eventsQuery = {
  ...{ limit, before: tapeQuery.before },
  ...{ pool: account("changes of this pool alone"), wallet: account("of this owner alone") },
  token: account("of pools of this mint alone; the account of zeros stands for SOL"),
  ...rowFields("events", EventRow)
}
const positionsQuery = {
  pool: account("positions of this pool alone"),
  wallet: account("of this owner alone"),
  ...{ limit, offset },
  ...rowFields("positions", PositionRow)
}
const walletsQuery = { limit, offset, ...rowFields("wallets", WalletRow) }

const PoolsQuery = Schema.Struct(schemasOf(poolsQuery))
export type PoolsQuery = typeof PoolsQuery.Type
const EventsQuery = Schema.Struct(schemasOf(eventsQuery))
export type EventsQuery = typeof EventsQuery.Type
const PositionsQuery = Schema.Struct(schemasOf(positionsQuery))
export type PositionsQuery = typeof PositionsQuery.Type
const WalletsQuery = Schema.Struct(schemasOf(walletsQuery))
export type WalletsQuery = typeof WalletsQuery.Type

const Total = Schema.Int.annotate({ description: "rows there are" })
const ofLane = { unknown: UnknownTime, updatedAt: UpdatedAt }

const LiquidityPools = Schema.Struct({
  ...{ chain: ChainId, offset: Schema.Int, asOf: Position, total: Total },
  since: Seconds.annotate({ description: "start of the 24 hours, Unix seconds" }),
  pools: Schema.Array(PoolRow),
  ...ofLane
}).annotate({ identifier: "LiquidityPools", description: "pools", examples: [POOLS] })

const LiquidityEvents = Schema.Struct({
  chain: ChainId,
  events: Schema.Array(EventRow),
  nextBefore: Schema.NullOr(Schema.String).annotate({
    description: "cursor of the next page; null on the last"
  }),
  ...ofLane
}).annotate({ identifier: "LiquidityEvents", description: "newest first", examples: [EVENTS] })

const LiquidityPositions = Schema.Struct({
  ...{ chain: ChainId, offset: Schema.Int, total: Total },
  positions: Schema.Array(PositionRow).annotate({ description: "most dollars added first" }),
  ...{ forgets: Forgets, asOf: Position, ...ofLane }
}).annotate({ identifier: "LiquidityPositions", description: "positions", examples: [POSITIONS] })

const LiquidityWallets = Schema.Struct({
  ...{ chain: ChainId, offset: Schema.Int, total: Total },
  wallets: Schema.Array(WalletRow).annotate({ description: "most dollars added first" }),
  unowned: Schema.Struct({
    ...sums,
    firstTs: Schema.NullOr(Seconds),
    lastTs: Schema.NullOr(Seconds)
  }).annotate({ description: "of changes that name no owner; times are null where there is none" }),
  ...{ forgets: Forgets, asOf: Position, ...ofLane }
}).annotate({ identifier: "LiquidityWallets", description: "wallets", examples: [WALLETS] })

const words = (tool: Tool, summary: string, description: string, parameters: Parameters) =>
  documented({ tool, summary, description, parameters })
const errors = <const Codes extends readonly [ErrorCode, ...ReadonlyArray<ErrorCode>]>(
  ...codes: Codes
) => [failure(400, ...codes), ...ANY_CHAIN_ROUTE] as const

const PLACE = "/chains/solana/liquidity"

export const LiquidityApi = HttpApiGroup.make("liquidity")
  .add(
    HttpApiEndpoint.get("solanaLiquidityPools", `${PLACE}/pools`, {
      query: PoolsQuery,
      success: LiquidityPools,
      error: [...errors("BAD_LIMIT", "BAD_SORT"), failure(410, "AS_OF_GONE")]
    }).annotateMerge(
      words(
        "liquidity_pools",
        "Pools of Solana by liquidity",
        "Pools that set a price or were traded in 24 hours, by depth or volume, with what was added and removed in these. Pass `asOf` back for pages of one list.",
        poolsQuery
      )
    ),
    HttpApiEndpoint.get("solanaLiquidityEvents", `${PLACE}/events`, {
      query: EventsQuery,
      success: LiquidityEvents,
      error: errors("BAD_LIMIT", "BAD_BEFORE", "BAD_ADDRESS")
    }).annotateMerge(
      words(
        "liquidity_events",
        "Changes of liquidity on Solana",
        "What was added to pools and removed from them, newest first. Pass `nextBefore` back as `before`; it is null on the last page.",
        eventsQuery
      )
    ),
    HttpApiEndpoint.get("solanaLiquidityPositions", `${PLACE}/positions`, {
      query: PositionsQuery,
      success: LiquidityPositions,
      error: errors("BAD_LIMIT", "BAD_ADDRESS")
    }).annotateMerge(
      words(
        "liquidity_positions",
        "Positions in pools of Solana",
        "What each owner added to a pool and removed, of a pool, of a wallet, or of all. Dollars of one position are of different moments: their difference is no profit.",
        positionsQuery
      )
    ),
    HttpApiEndpoint.get("solanaLiquidityWallets", `${PLACE}/wallets`, {
      query: WalletsQuery,
      success: LiquidityWallets,
      error: errors("BAD_LIMIT")
    }).annotateMerge(
      words(
        { none: "swaptape_liquidity_positions tells whose each position is" },
        "Liquidity wallets of Solana",
        "The wallets that added most liquidity, by dollars of the moment, since the log began.",
        walletsQuery
      )
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Liquidity", description: "Liquidity of pools" }))
