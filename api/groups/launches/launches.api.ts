/**
 * Routes of new launches and launchers: `/v1/arc/{graduated,launchers}` and `/v1/rh/*` (spec 4.4).
 * The spec leaves the payloads open: they are declared here. Decision 51 says what a launch is.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { graduationRule } from "../../../src/rules/graduation.ts"
import { ANY_CHAIN_ROUTE, failure } from "../../errors.ts"
import {
  documented,
  integer,
  oneOf,
  optional,
  rowFields,
  schemasOf,
  text
} from "../../parameters.ts"
import { TokenRow } from "../boards/boards.api.ts"
import { exampleRow } from "../boards/example-row.ts"
import { ChainId, Milliseconds, Seconds, TokenAddress, UnknownTime } from "../fields.ts"
import { launcherSorts } from "./launcher-sorts.ts"

export const LAUNCHES_LIMIT = 50

const limit = optional(
  integer({
    description: "rows",
    min: 1,
    max: 500,
    default: LAUNCHES_LIMIT,
    code: "BAD_LIMIT"
  })
)

const Usd = Schema.Finite.annotate({ description: "US dollars" })

const Making = Schema.Struct({
  pool: Schema.String.annotate({ description: "address, or pool id where pools have none" }),
  dex: Schema.NullOr(Schema.String).annotate({ description: "venue id; null for an unknown one" }),
  block: Schema.Int,
  ts: Seconds,
  logIndex: Schema.Int
})

const launcher = {
  address: TokenAddress,
  kind: Schema.Literals(["wallet", "contract"]).annotate({
    description:
      "`contract`: the sender called a contract of a launchpad, or of his own; `wallet`: he made the pool himself, or through a venue's contracts or a router"
  }),
  name: Schema.String.annotate({
    description: "what the chain's list calls it, else its address; never invented"
  })
}

const Address = Schema.NullOr(TokenAddress)

const WALLET = `0x${"cd".repeat(20)}`
const exampleMaking = {
  pool: `0x${"34".repeat(20)}`,
  dex: "uniswap_v2",
  block: 36_000_000,
  ts: 1_789_990_000,
  logIndex: 7
}

const GraduatedToken = Schema.Struct({
  ...TokenRow.fields,
  liquidityUsd: Schema.NullOr(Schema.Finite).annotate({
    description: "on the quote side of the pools that price it"
  }),
  launch: Making.annotate({ description: "the making of its first pool in the log" }),
  listing: Making.annotate({
    description: "the making of its first pool of a listed venue, often the same"
  }),
  launcher: Schema.NullOr(Schema.Struct(launcher)).annotate({
    description: "null where the log does not tell; never guessed"
  }),
  wallet: Address.annotate({
    description: "who sent the first pool's transaction; null where unknown or sent for others"
  }),
  contract: Address.annotate({
    description: "the launching contract; null where there is none"
  })
})

const graduatedQuery = {
  limit,
  cursor: optional(
    text({
      description: "the previous page's `nextCursor`",
      pattern: /^[01]:[0-9]{1,15}:[0-9]{1,10}:[0-9]{1,3}$/,
      expected: "a `nextCursor`",
      example: "0:36000000:7:1"
    })
  ),
  ...rowFields("tokens", GraduatedToken)
}
const GraduatedQuery = Schema.Struct(schemasOf(graduatedQuery))
export type GraduatedQuery = typeof GraduatedQuery.Type

const Graduated = Schema.Struct({
  chain: ChainId,
  sinceHour: Seconds,
  rule: Schema.Struct({
    version: Schema.Int,
    id: Schema.String,
    text: Schema.String,
    minTrades: Schema.Int,
    minDepthUsd: Schema.Finite
  }),
  tokens: Schema.Array(GraduatedToken),
  nextCursor: Schema.NullOr(Schema.String).annotate({ description: "null on the last page" }),
  total: Schema.Int,
  unknown: UnknownTime,
  updatedAt: Milliseconds
}).annotate({
  identifier: "Graduated",
  description: "new launches, newest first",
  examples: [
    {
      chain: 5042,
      sinceHour: 1_789_916_400,
      rule: graduationRule,
      tokens: [
        {
          ...exampleRow,
          liquidityUsd: 17_728.77,
          launch: exampleMaking,
          listing: exampleMaking,
          launcher: { address: WALLET, kind: "wallet", name: WALLET },
          wallet: WALLET,
          contract: null
        }
      ],
      nextCursor: "0:36000000:7:1",
      total: 22,
      unknown: [],
      updatedAt: 1_789_999_322_000
    }
  ]
})

const LauncherRow = Schema.Struct({
  ...launcher,
  launches: Schema.Int.annotate({ description: "tokens whose first pool it made" }),
  graduated: Schema.Int.annotate({ description: "of these, listed at `graduated` now" }),
  trading: Schema.Int.annotate({ description: "of these, traded in the last 24 hours" }),
  flagged: Schema.Int.annotate({ description: "of the traded ones, `wash` or `impostor`" }),
  volume24h: Usd.annotate({ description: "US dollars, without flagged tokens" }),
  trades24h: Schema.Int.annotate({ description: "without flagged tokens" }),
  lastLaunch: Schema.Struct({
    token: TokenAddress,
    symbol: Schema.NullOr(Schema.String).annotate({ description: "as on chain; untrusted" }),
    block: Schema.Int,
    ts: Seconds
  })
})

const launchersQuery = {
  limit,
  offset: optional(integer({ description: "rows to skip", min: 0, max: 1_000_000, default: 0 })),
  sort: optional(
    oneOf({
      description: "largest first, or by the newest launch (`last`)",
      values: launcherSorts,
      default: "launches",
      code: "BAD_SORT"
    })
  ),
  ...rowFields("launchers", LauncherRow)
}
const LaunchersQuery = Schema.Struct(schemasOf(launchersQuery))
export type LaunchersQuery = typeof LaunchersQuery.Type

const Launchers = Schema.Struct({
  chain: ChainId,
  sinceHour: Seconds,
  sort: Schema.String,
  offset: Schema.Int,
  launchers: Schema.Array(LauncherRow),
  total: Schema.Int,
  unattributed: Schema.Int.annotate({
    description: "launches whose launcher the log does not tell"
  }),
  unknown: UnknownTime,
  updatedAt: Milliseconds
}).annotate({
  identifier: "Launchers",
  description: "who launches",
  examples: [
    {
      chain: 5042,
      sinceHour: 1_789_916_400,
      sort: "launches",
      offset: 0,
      launchers: [
        {
          ...{ address: WALLET, kind: "wallet", name: WALLET },
          ...{ launches: 3, graduated: 2, trading: 3, flagged: 1 },
          ...{ volume24h: 6126.22, trades24h: 56 },
          lastLaunch: {
            token: exampleRow.address,
            symbol: exampleRow.symbol,
            block: exampleMaking.block,
            ts: exampleMaking.ts
          }
        }
      ],
      total: 1,
      unattributed: 0,
      unknown: [],
      updatedAt: 1_789_999_322_000
    }
  ]
})

const GRADUATED =
  "Tokens whose first pool the log shows being made and that have graduated; `rule` says what that takes. Newest first, rows with a flag last. Pass `nextCursor` back as `cursor`."
const LAUNCHERS =
  "Who made tokens' first pools, as far as their transactions tell: the contract that was called, else the sender."

/** Returns the routes of a chain with a route family of its own. */
const own = (key: "arc" | "rh", name: string) =>
  [
    HttpApiEndpoint.get(`${key}Graduated`, `/${key}/graduated`, {
      query: GraduatedQuery,
      success: Graduated,
      error: [failure(400, "BAD_LIMIT"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      documented({
        tool: "graduated",
        summary: `New launches of ${name}`,
        description: GRADUATED,
        parameters: graduatedQuery
      })
    ),
    HttpApiEndpoint.get(`${key}Launchers`, `/${key}/launchers`, {
      query: LaunchersQuery,
      success: Launchers,
      error: [failure(400, "BAD_LIMIT", "BAD_SORT"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      documented({
        tool: "launchers",
        summary: `Launchers of ${name}`,
        description: LAUNCHERS,
        parameters: launchersQuery
      })
    )
  ] as const

export const LaunchesApi = HttpApiGroup.make("launches")
  .add(...own("arc", "Arc"), ...own("rh", "chain 4663"))
  .annotateMerge(
    OpenApi.annotations({ title: "Launches", description: "New launches and who launches" })
  )
