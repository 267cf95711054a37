/**
 * Profit and trades of a wallet on every chain: `/v1/arc/*`, `/v1/rh/*`, `/v1/chains/{chain}/*`.
 * Modelled on the spec's Solana wallet PnL (part 2); DECISIONS.md has the rest.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import type { Tool } from "../../declared.ts"
import { ANY_CHAIN_ROUTE, failure } from "../../errors.ts"
import {
  address,
  documented,
  integer,
  optional,
  type Parameters,
  rowFields,
  schemasOf
} from "../../parameters.ts"
import { chainPath } from "../chain-parameter.ts"
import { tapeQuery } from "../chains/chains.api.ts"
import {
  ChainId,
  IngestFloor,
  Position,
  Seconds,
  SWAP_ROW,
  SwapRow,
  UnknownTime,
  UpdatedAt,
  warnings
} from "../fields.ts"
import { A_WALLET } from "../token-parameter.ts"

export const WALLET_DAYS = 7

const walletPath = {
  address: address({
    description: "address of the wallet",
    code: "BAD_ADDRESS",
    example: A_WALLET
  })
}

const Usd = Schema.Finite.annotate({ description: "US dollars" })
const MaybeUsd = Schema.NullOr(Schema.Finite).annotate({ description: "null where unknown" })
const Amount = Schema.NullOr(Schema.Finite).annotate({
  description: "whole tokens; null while the decimals are unknown"
})

const PositionRow = Schema.Struct({
  token: Schema.String,
  symbol: Schema.NullOr(Schema.String).annotate({ description: "as on chain; untrusted" }),
  name: Schema.NullOr(Schema.String).annotate({ description: "as on chain; untrusted" }),
  image: Schema.String,
  priceUsd: MaybeUsd,
  boughtUsd: Usd,
  soldUsd: Usd,
  boughtAmount: Amount,
  soldAmount: Amount,
  buys: Schema.Int,
  sells: Schema.Int,
  heldAmount: Schema.NullOr(Schema.Finite).annotate({
    description:
      "whole tokens bought less those sold, 0 where it sold more; null while the decimals are unknown"
  }),
  heldValueUsd: MaybeUsd,
  realizedPnlUsd: Schema.NullOr(Schema.Finite).annotate({
    description:
      "by the average of all buys of the window, later ones included; 0 where it sold nothing; null where the position is partial, or where it sold and one of its prints has no believed price"
  }),
  unrealizedPnlUsd: MaybeUsd,
  partial: Schema.Boolean.annotate({
    description: "sold more than it bought: what that had cost is not in the window"
  }),
  unpriced: Schema.Int.annotate({
    description: "prints whose dollars are unknown or not believed; in no sum of dollars"
  }),
  lastDay: Seconds
})

const daysQuery = {
  days: optional(
    integer({
      description: "UTC days, the newest block's included",
      min: 1,
      max: 30,
      default: WALLET_DAYS,
      code: "BAD_DAYS"
    })
  ),
  ...rowFields("positions", PositionRow)
}
const DaysQuery = Schema.Struct(schemasOf(daysQuery))
export type DaysQuery = typeof DaysQuery.Type

const WalletPnl = Schema.Struct({
  chain: ChainId,
  wallet: Schema.String,
  windowDays: Schema.Int,
  since: Seconds,
  truncated: Schema.Boolean.annotate({
    description: "the wallet traded more than 10,000 times: the newest ones count, from `since` on"
  }),
  tokens: Schema.Int,
  trades: Schema.Int,
  unpricedTrades: Schema.Int.annotate({
    description: "trades whose dollars are unknown or not believed; in no sum of dollars"
  }),
  volumeUsd: Usd,
  boughtUsd: Usd,
  soldUsd: Usd,
  realizedPnlUsd: Usd,
  unrealizedPnlUsd: Usd,
  heldValueUsd: Usd,
  winRate: Schema.Finite.annotate({
    description: "part of the tokens bought and sold, with a known outcome, that sold above cost"
  }),
  partialTokens: Schema.Int,
  unpricedTokens: Schema.Int.annotate({
    description: "positions whose held value is unknown; in no sum of what is held"
  }),
  likelyBot: Schema.Boolean.annotate({
    description: "over 3,000 trades or 300 tokens on some UTC day"
  }),
  positions: Schema.Array(PositionRow).annotate({ description: "200 at most, biggest first" }),
  ingestFloor: Schema.optionalKey(IngestFloor),
  warnings,
  asOf: Position,
  unknown: UnknownTime,
  updatedAt: UpdatedAt
}).annotate({
  identifier: "WalletPnl",
  description: "profit and loss at average cost inside the window",
  examples: [
    {
      chain: 8453,
      wallet: `0x${"12".repeat(20)}`,
      windowDays: 7,
      since: 1_789_430_400,
      truncated: false,
      tokens: 1,
      trades: 2,
      unpricedTrades: 0,
      volumeUsd: 450,
      boughtUsd: 300,
      soldUsd: 150,
      realizedPnlUsd: 50,
      unrealizedPnlUsd: 100,
      heldValueUsd: 300,
      winRate: 1,
      partialTokens: 0,
      unpricedTokens: 0,
      likelyBot: false,
      positions: [
        {
          token: `0x${"34".repeat(20)}`,
          symbol: "PEPE",
          name: "Pepe",
          image: `/v1/logo/8453/0x${"34".repeat(20)}`,
          priceUsd: 15,
          boughtUsd: 300,
          soldUsd: 150,
          boughtAmount: 30,
          soldAmount: 10,
          buys: 1,
          sells: 1,
          heldAmount: 20,
          heldValueUsd: 300,
          realizedPnlUsd: 50,
          unrealizedPnlUsd: 100,
          partial: false,
          unpriced: 0,
          lastDay: 1_789_948_800
        }
      ],
      ingestFloor: { minTradeUsd: 0, history: [{ usd: 0, fromTs: 0 }] },
      asOf: 1234,
      unknown: [],
      updatedAt: 1_789_999_321_000
    }
  ]
})

const tradesQuery = { ...tapeQuery, ...rowFields("trades", SwapRow) }
const TradesQuery = Schema.Struct(schemasOf(tradesQuery))

const WalletTrades = Schema.Struct({
  chain: ChainId,
  wallet: Schema.String,
  trades: Schema.Array(SwapRow),
  nextBefore: Schema.NullOr(Schema.String).annotate({
    description: "cursor of the next page; null on the last"
  }),
  ingestFloor: IngestFloor,
  unknown: UnknownTime,
  warnings,
  updatedAt: UpdatedAt
}).annotate({
  identifier: "WalletTrades",
  description: "trades of a wallet, newest first",
  examples: [
    {
      chain: 8453,
      wallet: `0x${"12".repeat(20)}`,
      trades: [SWAP_ROW],
      nextBefore: null,
      ingestFloor: { minTradeUsd: 0, history: [{ usd: 0, fromTs: 0 }] },
      unknown: [{ from: 0, to: 1_789_000_000 }],
      updatedAt: 1_789_999_321_000
    }
  ]
})

const PNL =
  "What the wallet made with each token, at average cost inside the window: what is sold has cost the average of all its buys of the window, those after the sale included, on Solana as elsewhere. Only trades attributed to it count, transfers are not seen, and the chain's anchors are money, not positions. A wallet that was never seen has zeros."
const TRADES =
  "The swaps attributed to the wallet, newest first, each as its base token sees it. Pass `nextBefore` back as `before`; it is null on the last page."

const words = (tool: Tool, summary: string, description: string, parameters: Parameters) =>
  documented({ tool, summary, description, parameters })

/** Returns the routes of a chain with a route family of its own. */
const own = (key: "arc" | "rh", name: string) =>
  [
    HttpApiEndpoint.get(`${key}WalletPnl`, `/${key}/wallet/:address`, {
      params: schemasOf(walletPath),
      query: DaysQuery,
      success: WalletPnl,
      error: [failure(400, "BAD_ADDRESS", "BAD_DAYS"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(words("wallet", `A wallet on ${name}`, PNL, { ...walletPath, ...daysQuery })),
    HttpApiEndpoint.get(`${key}WalletTrades`, `/${key}/wallet/:address/trades`, {
      params: schemasOf(walletPath),
      query: TradesQuery,
      success: WalletTrades,
      error: [failure(400, "BAD_ADDRESS", "BAD_LIMIT", "BAD_BEFORE"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      words("wallet_trades", `Trades of a wallet on ${name}`, TRADES, {
        ...walletPath,
        ...tradesQuery
      })
    )
  ] as const

const keyedPath = { ...chainPath, ...walletPath }

export const WalletsApi = HttpApiGroup.make("wallets")
  .add(...own("arc", "Arc"), ...own("rh", "chain 4663"))
  .add(
    HttpApiEndpoint.get("chainWalletPnl", "/chains/:chain/wallet/:address", {
      params: schemasOf(keyedPath),
      query: DaysQuery,
      success: WalletPnl,
      error: [failure(400, "BAD_ADDRESS", "BAD_DAYS"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(words("wallet", "A wallet on a chain", PNL, { ...keyedPath, ...daysQuery })),
    HttpApiEndpoint.get("chainWalletTrades", "/chains/:chain/wallet/:address/trades", {
      params: schemasOf(keyedPath),
      query: TradesQuery,
      success: WalletTrades,
      error: [failure(400, "BAD_ADDRESS", "BAD_LIMIT", "BAD_BEFORE"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      words("wallet_trades", "Trades of a wallet on a chain", TRADES, {
        ...keyedPath,
        ...tradesQuery
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Wallets", description: "Wallets one by one" }))
