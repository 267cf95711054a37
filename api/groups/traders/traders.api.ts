/**
 * The boards of wallets on Solana: `/v1/chains/solana/smart-traders` and `…/traders` (spec 4.14).
 * DECISIONS.md has what the spec leaves open.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { dayTraderRule, smartThresholds, smartTraderRule } from "../../../src/rules/trader-rules.ts"
import { ANY_CHAIN_ROUTE, failure } from "../../errors.ts"
import { documented, integer, oneOf, optional, rowFields, schemasOf } from "../../parameters.ts"
import { Seconds } from "../fields.ts"
import { MOST_TRADERS } from "./day-traders.query.ts"

export const DEFAULT_LIMIT = 50

const Solana = Schema.Literal("solana")
const Usd = Schema.Finite.annotate({ description: "US dollars" })
const Part = Schema.Finite.annotate({ description: "part of one" })
const Wallet = Schema.String.annotate({ description: "base58, case-sensitive" })
const BlockTime = Seconds.annotate({ description: "Unix seconds of the newest block it reflects" })
const BuiltAt = Seconds.annotate({ description: "Unix seconds at which the board was built" })

const Problem = Schema.NullOr(Schema.String).annotate({
  description:
    "why the board may be older than it should be, or show swaps that were taken back; null where nothing is wrong"
})

const BestToken = Schema.Struct({
  token: Schema.String,
  symbol: Schema.NullOr(Schema.String).annotate({ description: "as on chain; untrusted" }),
  name: Schema.NullOr(Schema.String).annotate({ description: "as on chain; untrusted" }),
  image: Schema.String,
  realizedPnlUsd: Usd
})

const SmartRow = Schema.Struct({
  wallet: Wallet,
  score: Schema.Finite.annotate({ description: "rule 7" }),
  realizedPnlUsd: Usd,
  roi: Schema.NullOr(Schema.Finite).annotate({
    description: "realized PnL over what the sold part had cost; null where that is 0"
  }),
  winRate: Part,
  winRateAdj: Schema.Finite.annotate({ description: "shrunk toward one half, as in the score" }),
  closedTokens: Schema.Int.annotate({ description: "tokens bought and sold" }),
  winningTokens: Schema.Int,
  tokens: Schema.Int.annotate({ description: "tokens traded, those that are left out as well" }),
  trades: Schema.Int.annotate({ description: "swaps in pools quoted in SOL, USDC or USDT" }),
  volumeUsd: Usd,
  activeDays: Schema.Int.annotate({ description: "UTC days with a swap" }),
  profitableDays: Schema.Int.annotate({
    description: "UTC days on which what was sold had cost less"
  }),
  medianHoldS: Schema.NullOr(Schema.Int).annotate({
    description: "seconds from the average buy to a sell, of the middle sell"
  }),
  unrealizedPnlUsd: Usd.annotate({ description: "by present prices; not ranked" }),
  heldValueUsd: Usd,
  costSoldUsd: Usd.annotate({ description: "what was sold had cost" }),
  bestToken: Schema.NullOr(BestToken),
  bestShare: Schema.Finite.annotate({ description: "part of realizedPnlUsd, 1 at most" }),
  unpricedTokens: Schema.Int.annotate({ description: "positions left out by rule 3" }),
  suspectTokens: Schema.Int.annotate({ description: "positions left out by rule 3" }),
  launchTokens: Schema.Int.annotate({
    description: "closed positions first bought right at the pool's first swap"
  }),
  siblings: Schema.Int.annotate({ description: "other wallets of the same operator" }),
  lastTrade: Seconds
})

const Flags = Schema.Struct({
  cadence: Schema.Int,
  sniper: Schema.Int,
  burst: Schema.Int,
  sameslot: Schema.Int,
  arb: Schema.Int,
  scalp: Schema.Int,
  launch: Schema.Int
}).annotate({
  description:
    "candidates by flag, one with several under each; of those with cadence or sniper no other is looked for"
})

const envelope = {
  chain: Solana,
  windowDays: Schema.Int,
  from: Seconds.annotate({ description: "start of the window, Unix seconds" })
}

const smartFields = {
  ...envelope,
  coverageSince: Seconds.annotate({
    description: "Unix seconds from which on the index lacks nothing that is kept"
  }),
  population: Schema.Struct({
    profitable: Schema.Int,
    cadence: Schema.Int,
    sniper: Schema.Int
  }).annotate({ description: "of all wallets of the window" }),
  checked: Schema.Struct({
    candidates: Schema.Int,
    kept: Schema.Int,
    flags: Flags,
    suspect: Schema.Int.annotate({ description: "candidates of which a position was left out" }),
    ineligible: Schema.Int,
    readErrors: Schema.Int.annotate({
      description:
        "candidates left out since the swaps read of them are not as many as their sums count: " +
        "a read failed twice, or a table is damaged; else 0"
    }),
    readProblem: Schema.NullOr(Schema.String).annotate({
      description: "why they could not; null where all could"
    }),
    clustered: Schema.Int.annotate({ description: "wallets behind a better one of an operator" })
  }).annotate({ description: "what became of the candidates" })
}

/** The board of a window as it is built; a request shows some of its rows. */
export interface SmartBoard extends Schema.Struct.Type<typeof smartFields> {
  readonly traders: ReadonlyArray<typeof SmartRow.Type>
  readonly newestSwap: number | null
  readonly updatedAt: number
}

const smartQuery = {
  days: optional(
    oneOf({
      description: "days of the window, which ends with the newest block",
      values: ["1", "3", "7"],
      default: "7",
      code: "BAD_DAYS"
    })
  ),
  sort: optional(
    oneOf({
      description: "what is greatest first",
      values: ["score", "pnl", "roi", "winrate"],
      default: "score",
      code: "BAD_SORT"
    })
  ),
  limit: optional(
    integer({
      description: "most rows",
      min: 1,
      max: smartThresholds.candidates,
      default: DEFAULT_LIMIT,
      code: "BAD_LIMIT"
    })
  ),
  ...rowFields("traders", SmartRow)
}
const SmartQuery = Schema.Struct(schemasOf(smartQuery))
export type SmartQuery = typeof SmartQuery.Type

const WALLET = "7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5"
const TOKEN = "EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm"

export const EXAMPLE_TRADER: typeof SmartRow.Type = {
  wallet: WALLET,
  score: 1_500,
  realizedPnlUsd: 4_000,
  roi: 0.5,
  winRate: 0.6,
  winRateAdj: 0.52,
  closedTokens: 5,
  winningTokens: 3,
  tokens: 6,
  trades: 24,
  volumeUsd: 21_000,
  activeDays: 4,
  profitableDays: 3,
  medianHoldS: 5_400,
  unrealizedPnlUsd: -120,
  heldValueUsd: 880,
  costSoldUsd: 8_000,
  bestToken: {
    ...{ token: TOKEN, symbol: "WIF", name: "dogwifhat" },
    ...{ image: `/v1/logo/solana/${TOKEN}`, realizedPnlUsd: 2_000 }
  },
  bestShare: 0.5,
  unpricedTokens: 0,
  suspectTokens: 0,
  launchTokens: 0,
  siblings: 1,
  lastTrade: 1_789_990_000
}

const SmartTraders = Schema.Struct({
  ...smartFields,
  computedAt: BuiltAt,
  problem: Problem,
  tookMs: Schema.Int.annotate({ description: "milliseconds that building it took" }),
  rules: Schema.Array(Schema.String).annotate({ description: "one text per rule" }),
  sort: Schema.String,
  traders: Schema.Array(SmartRow),
  updatedAt: BlockTime
}).annotate({
  identifier: "SmartTraders",
  description: "the wallets of a window that trade well, by the rules that it tells",
  examples: [
    {
      chain: "solana",
      windowDays: 7,
      from: 1_789_394_521,
      coverageSince: 1_789_000_000,
      population: { profitable: 20_000, cadence: 150, sniper: 40 },
      checked: {
        ...{ candidates: 250, kept: 1, suspect: 4, ineligible: 58, clustered: 1 },
        ...{ readErrors: 0, readProblem: null },
        flags: { cadence: 90, sniper: 30, burst: 20, sameslot: 15, arb: 60, scalp: 40, launch: 9 }
      },
      computedAt: 1_789_999_400,
      problem: null,
      tookMs: 9_000,
      rules: smartTraderRule.texts,
      sort: "score",
      traders: [EXAMPLE_TRADER],
      updatedAt: 1_789_999_321
    }
  ]
})

const DayRow = Schema.Struct({
  wallet: Wallet,
  realizedPnlUsd: Usd,
  volumeUsd: Usd,
  boughtUsd: Usd,
  soldUsd: Usd,
  trades: Schema.Int,
  tokens: Schema.Int,
  closedTokens: Schema.Int.annotate({ description: "tokens bought and sold, outcome known" }),
  winningTokens: Schema.Int,
  winRate: Part.annotate({
    description: "part of the tokens bought and sold that sold above their average buy"
  }),
  lastTrade: Seconds
})

/** The board of a day or two as it is built. */
export interface DayBoard extends Schema.Struct.Type<typeof envelope> {
  readonly traders: ReadonlyArray<typeof DayRow.Type>
  readonly newestSwap: number | null
  readonly updatedAt: number
}

const dayQuery = {
  sort: optional(
    oneOf({
      description: "what is greatest first: realized PnL, or dollars traded",
      values: ["pnl", "volume"],
      default: "pnl",
      code: "BAD_SORT"
    })
  ),
  days: optional(
    integer({
      description: "UTC days, 1 for today, 2 for yesterday too",
      min: 1,
      max: 2,
      default: 1,
      code: "BAD_DAYS"
    })
  ),
  limit: optional(
    integer({
      description: "most rows",
      min: 1,
      max: MOST_TRADERS,
      default: DEFAULT_LIMIT,
      code: "BAD_LIMIT"
    })
  ),
  ...rowFields("traders", DayRow)
}
const DayQuery = Schema.Struct(schemasOf(dayQuery))
export type DayQuery = typeof DayQuery.Type

const DayTraders = Schema.Struct({
  ...envelope,
  sort: Schema.String,
  botRule: Schema.String.annotate({ description: "who is left out" }),
  computedAt: BuiltAt,
  problem: Problem,
  traders: Schema.Array(DayRow),
  updatedAt: BlockTime
}).annotate({
  identifier: "DayTraders",
  description: "the wallets of the UTC day that made or traded most",
  examples: [
    {
      chain: "solana",
      windowDays: 1,
      from: 1_789_948_800,
      sort: "pnl",
      botRule: dayTraderRule.text,
      computedAt: 1_789_999_400,
      problem: null,
      traders: [
        {
          ...{ wallet: WALLET, realizedPnlUsd: 900, volumeUsd: 5_100, boughtUsd: 2_100 },
          ...{ soldUsd: 3_000, trades: 8, tokens: 3, closedTokens: 2, winningTokens: 1 },
          ...{ winRate: 0.5, lastTrade: 1_789_999_000 }
        }
      ],
      updatedAt: 1_789_999_321
    }
  ]
})

const errors = [failure(400, "BAD_LIMIT", "BAD_DAYS", "BAD_SORT"), ...ANY_CHAIN_ROUTE] as const

export const TradersApi = HttpApiGroup.make("traders")
  .add(
    HttpApiEndpoint.get("solanaSmartTraders", "/chains/solana/smart-traders", {
      query: SmartQuery,
      success: SmartTraders,
      error: errors
    }).annotateMerge(
      documented({
        tool: "smart_traders",
        toldBy: "server",
        summary: "Smart traders of Solana",
        description:
          "Wallets with the highest realized PnL of the window, without bots, snipers and what else the rules remove, best score first. The board is rebuilt every 10 minutes and when swaps of it are taken back; `computedAt` tells when, `updatedAt` as of which block. While the chain is behind, the last board stands.",
        parameters: smartQuery
      })
    ),
    HttpApiEndpoint.get("solanaTraders", "/chains/solana/traders", {
      query: DayQuery,
      success: DayTraders,
      error: errors
    }).annotateMerge(
      documented({
        tool: "day_traders",
        toldBy: "server",
        summary: "Traders of the day on Solana",
        description:
          "Wallets by realized PnL or volume since the UTC day began. The board is built when it is asked for, and kept for 5 minutes; it is short early in the day. A cold board may answer 503: ask again.",
        parameters: dayQuery
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Traders", description: "Boards of wallets" }))
