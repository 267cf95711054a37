/**
 * The HTTP API, declared: every group, nothing of the server. What is declared here is validated,
 * documented at `/v1/openapi.json` and callable by a typed client.
 */
import { HttpApi, OpenApi } from "effect/http-api"
import { AccountApi } from "./groups/account/account.api.ts"
import { AgentsApi } from "./groups/agents/agents.api.ts"
import { BoardsApi } from "./groups/boards/boards.api.ts"
import { CandlesApi } from "./groups/candles/candles.api.ts"
import { ChainsApi } from "./groups/chains/chains.api.ts"
import { ChangelogApi } from "./groups/changelog/changelog.api.ts"
import { CONTRACT_VERSION } from "./groups/changelog/contract-changes.ts"
import { DevchainWalletApi } from "./groups/devchain-wallet/devchain-wallet.api.ts"
import { FlagsApi } from "./groups/flags/flags.api.ts"
import { HealthApi } from "./groups/health/health.api.ts"
import { HoldersApi } from "./groups/holders/holders.api.ts"
import { LaunchesApi } from "./groups/launches/launches.api.ts"
import { LiquidityApi } from "./groups/liquidity/liquidity.api.ts"
import { LogosApi } from "./groups/logos/logos.api.ts"
import { MetaApi } from "./groups/meta/meta.api.ts"
import { PricesApi } from "./groups/prices/prices.api.ts"
import { PrintsApi } from "./groups/prints/prints.api.ts"
import { RulesApi } from "./groups/rules/rules.api.ts"
import { SolanaApi } from "./groups/solana/solana.api.ts"
import { StatusApi } from "./groups/status/status.api.ts"
import { StocksApi } from "./groups/stocks/stocks.api.ts"
import { TokenPagesApi } from "./groups/token-pages/token-pages.api.ts"
import { TokenStatsApi } from "./groups/token-stats/token-stats.api.ts"
import { TokenTradersApi } from "./groups/token-traders/token-traders.api.ts"
import { TokensApi } from "./groups/tokens/tokens.api.ts"
import { TradeApi } from "./groups/trade/trade.api.ts"
import { TradersApi } from "./groups/traders/traders.api.ts"
import { WalletsApi } from "./groups/wallets/wallets.api.ts"
import { withKeyScheme } from "./key-scheme.ts"
import { LiveFrameBody } from "./live/frames.ts"
import { Hello, Ping, Subscribe, Unsubscribe } from "./live/message.ts"
import { McpApi } from "./mcp/mcp.api.ts"
import { ParameterRules } from "./parameter-rules.ts"
import { withResponseHeaders } from "./response-headers.ts"
import { withSomeFields } from "./some-fields.ts"

const declared = (spec: Record<string, unknown>): Record<string, unknown> =>
  withKeyScheme(withResponseHeaders(spec), ["/v1/account/key"])

export const Api = HttpApi.make("swaptape")
  .add(
    HealthApi.prefix("/v1"),
    StatusApi,
    ChainsApi.prefix("/v1"),
    BoardsApi.prefix("/v1"),
    SolanaApi.prefix("/v1"),
    TokenPagesApi.prefix("/v1"),
    TokenStatsApi.prefix("/v1"),
    TokenTradersApi.prefix("/v1"),
    LaunchesApi.prefix("/v1"),
    LiquidityApi.prefix("/v1"),
    StocksApi.prefix("/v1"),
    LogosApi.prefix("/v1"),
    RulesApi.prefix("/v1"),
    CandlesApi.prefix("/v1"),
    HoldersApi.prefix("/v1"),
    TokensApi.prefix("/v1"),
    PricesApi.prefix("/v1"),
    WalletsApi.prefix("/v1"),
    TradersApi.prefix("/v1"),
    PrintsApi.prefix("/v1"),
    FlagsApi.prefix("/v1"),
    TradeApi.prefix("/v1"),
    MetaApi.prefix("/v1"),
    DevchainWalletApi.prefix("/v1"),
    AccountApi.prefix("/v1"),
    AgentsApi.prefix("/v1"),
    McpApi.prefix("/v1"),
    ChangelogApi.prefix("/v1")
  )
  .middleware(ParameterRules)
  .annotate(HttpApi.AdditionalSchemas, [Hello, Subscribe, Unsubscribe, Ping, LiveFrameBody])
  .annotateMerge(
    OpenApi.annotations({
      title: "swaptape",
      version: CONTRACT_VERSION,
      description:
        "On-chain swaps as an append-only log, and what is read from it. Every answer that is not 2xx is `{ error, message }`; a 503 is never an empty result. The live socket is `/v1/ws/live`, server-sent events are at `/v1/stream/market`; [`/v1/asyncapi.json`](/v1/asyncapi.json) describes both.",
      license: { name: "MIT", identifier: "MIT" },
      servers: [{ url: "/" }],
      transform: declared
    })
  )

/** As it is shown to clients of others, whose types of rows cannot follow what `fields` says. */
export const ShownApi = Api.annotate(OpenApi.Transform, spec => withSomeFields(declared(spec)))
