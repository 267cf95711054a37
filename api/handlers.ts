/** How the declared API is answered: the handlers of every group of `api.ts`. */
import { Layer } from "effect"
import { AccountHandlers } from "./groups/account/account.handlers.ts"
import { AgentsHandlers } from "./groups/agents/agents.handlers.ts"
import { BoardsHandlers } from "./groups/boards/boards.handlers.ts"
import { CandlesHandlers } from "./groups/candles/candles.handlers.ts"
import { ChainsHandlers } from "./groups/chains/chains.handlers.ts"
import { ChangelogHandlers } from "./groups/changelog/changelog.handlers.ts"
import { DevchainWalletHandlers } from "./groups/devchain-wallet/devchain-wallet.handlers.ts"
import { FlagsHandlers } from "./groups/flags/flags.handlers.ts"
import { HealthHandlers } from "./groups/health/health.handlers.ts"
import { HoldersHandlers } from "./groups/holders/holders.handlers.ts"
import { LaunchesHandlers } from "./groups/launches/launches.handlers.ts"
import { LiquidityHandlers } from "./groups/liquidity/liquidity.handlers.ts"
import { LogosHandlers } from "./groups/logos/logos.handlers.ts"
import { MetaHandlers } from "./groups/meta/meta.handlers.ts"
import { PricesHandlers } from "./groups/prices/prices.handlers.ts"
import { PrintsHandlers } from "./groups/prints/prints.handlers.ts"
import { RulesHandlers } from "./groups/rules/rules.handlers.ts"
import { SolanaHandlers } from "./groups/solana/solana.handlers.ts"
import { StatusHandlers } from "./groups/status/status.handlers.ts"
import { StocksHandlers } from "./groups/stocks/stocks.handlers.ts"
import { TokenPagesHandlers } from "./groups/token-pages/token-pages.handlers.ts"
import { TokenStatsHandlers } from "./groups/token-stats/token-stats.handlers.ts"
import { TokenTradersHandlers } from "./groups/token-traders/token-traders.handlers.ts"
import { TokensHandlers } from "./groups/tokens/tokens.handlers.ts"
import { TradeHandlers } from "./groups/trade/trade.handlers.ts"
import { TradersHandlers } from "./groups/traders/traders.handlers.ts"
import { WalletsHandlers } from "./groups/wallets/wallets.handlers.ts"
import { McpHandlers } from "./mcp/mcp.handlers.ts"

export const Handlers = Layer.mergeAll(
  AccountHandlers,
  AgentsHandlers,
  BoardsHandlers,
  CandlesHandlers,
  ChainsHandlers,
  ChangelogHandlers,
  DevchainWalletHandlers,
  FlagsHandlers,
  HealthHandlers,
  HoldersHandlers,
  LaunchesHandlers,
  LiquidityHandlers,
  LogosHandlers,
  McpHandlers,
  MetaHandlers,
  PricesHandlers,
  PrintsHandlers,
  RulesHandlers,
  SolanaHandlers,
  StatusHandlers,
  StocksHandlers,
  TokenPagesHandlers,
  TokenStatsHandlers,
  TokenTradersHandlers,
  TokensHandlers,
  TradeHandlers,
  TradersHandlers,
  WalletsHandlers
)
