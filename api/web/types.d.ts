/** Shapes the page reads by the client, and the few it passes between its own modules. */

import type {
  Candle,
  CandleProof,
  Candles,
  ChainOverview,
  Chain as DirectoryRow,
  FlagExplanation,
  Graduated,
  Holders,
  OwnChainOverview,
  WalletPnl as Pnl,
  PriceExplained,
  Quote as QuoteAnswer,
  Simulation,
  SolanaOverview,
  SolanaStatus,
  Status,
  Swap,
  SwapRow,
  TokenPools,
  TokenRow,
  TokenStats,
  Trade as TradeRow
} from "../../client/generated/routes.d.ts"
import type { LiveSocket, Topic } from "../../client/live.d.ts"
import type { Sign } from "./sign.js"

export type {
  Candle,
  CandleProof,
  FlagExplanation,
  Holders,
  Pnl,
  PriceExplained,
  Simulation,
  SolanaOverview,
  SolanaStatus,
  Status,
  SwapRow,
  TokenStats
}

/** A row of `GET /v1/chains`; its explorer is an address of the web, or null. */
export interface Chain
  extends Pick<DirectoryRow, "id" | "key" | "name" | "explorer" | "native" | "nativeToken"> {
  /** what tokens are priced in */
  readonly anchors: ReadonlyArray<Pick<DirectoryRow["anchors"][number], "address" | "kind">>
  /** its tape has a route of its own below `/v1/chains`, paged by a cursor */
  readonly hasKeyedTape: boolean
}

/** A chain on which swaps are quoted and signed: not Solana. */
export type TradedChain = Chain & { readonly id: number }

/** What the page shows of a token; its maker writes symbol and name: untrusted. */
export type Token = Pick<
  TokenPools,
  TokenRow,
  TokenStats,
  "address" | "symbol" | "name" | "decimals" | "priceUsd" | "change24hPct" | "changeSince"
>

/** An interval of the live socket's candles. */
export type Timeframe = NonNullable<Topic["tf"]>

/** A trade as the tape shows it; `ts` in Unix seconds. */
export type Trade = Omit<TradeRow, "walletBy">

/** What `GET /v1/quote` answers, as far as the page reads it; it is echoed whole. */
export type Quote = Pick<
  QuoteAnswer,
  | ("chain" | "inputMint" | "outputMint" | "inputAmount" | "outputAmount" | "slippageBps")
  | ("otherAmountThreshold" | "priceImpactPct" | "routePlan" | "routerLegs" | "noRouteReason")
  | ("gasEstimate" | "gasCostUSD" | "blockNumber" | "seq" | "warnings" | "expiresAt")
>

/** A page of `GET /v1/candles`: `from` inclusive, `to` exclusive, Unix seconds. */
export type CandlePage = Pick<Candles, "candles" | "tf" | "from" | "to">

/** A lane in `GET /v1/status`. */
export type LaneStatus = Status["lanes"][number]

/** A trade on the tape. `seq` is null for a print that came by HTTP, not by the socket. */
export interface Print {
  readonly key: string
  readonly trade: Trade
  readonly seq: number | null
  /** undone by a reorganisation: shown struck out */
  readonly undone: boolean
}

/** A list of tokens. */
export type BoardName = "volume" | "movers" | "new" | "graduated"

/** A token's row on any board, with what some boards add. */
export interface BoardRow extends TokenRow {
  readonly change2hPct?: number
  readonly trades2h?: number
  readonly volume2h?: number
  readonly liquidityUsd?: number | null
  readonly launch?: Graduated["tokens"][number]["launch"]
  readonly launcher?: Graduated["tokens"][number]["launcher"]
}

/** Totals of a chain, whichever family it is of. */
export type Overview = ChainOverview | OwnChainOverview

/** What was traded in an hour or a day; `from` in Unix seconds. */
export interface TotalsBucket {
  readonly from: number
  readonly volUsd: number
  readonly swaps: number
}

/** A chain's totals as the page draws them, whichever form its answer has. */
export interface Totals {
  /** names and what they are */
  readonly facts: ReadonlyArray<readonly [string, string]>
  /** what the figures leave out */
  readonly words: ReadonlyArray<string>
  readonly hours: ReadonlyArray<TotalsBucket>
  /** none where the chain's answer tells of no days */
  readonly days: ReadonlyArray<TotalsBucket>
  readonly venues: ReadonlyArray<{
    readonly dex: string | null
    readonly volUsd: number
    readonly sharePct: number
    readonly trades: number
    /** null where it is not told */
    readonly tokens: number | null
  }>
  readonly unknown: ChainOverview["unknown"]
}

/** What a board of `GET …/tokens` is asked for. */
export interface BoardInput {
  readonly limit?: number
  readonly sort?: "volume" | "trades" | "traders" | "change" | "mcap" | "new"
  readonly includeUnlisted?: "0" | "1"
}

/** What stands beside a token's chart. */
export type TokenTab = "trades" | "windows" | "holders" | "pools" | "why"

/** What candles are of, and what they count in; quote tokens are those of one pool. */
export interface CandleUnit {
  readonly quote: "usd" | "token" | "mcap"
  /** one pool's alone; null: the token's */
  readonly pool: string | null
}

/** Which trades the tape shows; null: all. */
export interface TradeFilter {
  readonly side: "buy" | "sell" | null
  readonly wallet: string | null
  readonly minUsd: number | null
}

/** One token's market; `swap` is null while its panel is closed. */
export interface TokenRoute extends CandleUnit, TradeFilter {
  readonly view: "token"
  readonly chain: string
  readonly token: string
  readonly tf: Timeframe
  readonly tab: TokenTab
  /** a second within the candle that is explained; null: none is */
  readonly at: number | null
  readonly swap: SwapChoice | null
}

/** What the page shows: kept in the address, behind its `#`. Chains by their key or id. */
export type PageRoute =
  | TokenRoute
  | {
      readonly view: "boards"
      readonly chain: string
      readonly board: BoardName
      /** what rows are ordered by; null: as the board has it */
      readonly sort: string | null
    }
  | {
      readonly view: "wallet"
      readonly chain: string
      readonly wallet: string
      readonly days: number
    }
  | { readonly view: "totals"; readonly chain: string }
  | { readonly view: "status" }
  /** nothing was asked for */
  | { readonly view: "home" }
  | { readonly view: "unknown"; readonly hash: string }

/** What the whole page knows; views are told of its changes. */
export interface PageState {
  readonly chains: ReadonlyArray<Chain>
  /** what `GET /v1/status` told last; null before it did */
  readonly status: Status | null
  /** tokens of the chain on show; null while they are not known */
  readonly tokens: ReadonlyArray<Token> | null
  /** of the route, else the one before it */
  readonly chain: Chain | null
  readonly route: PageRoute
}

/** What a view is given when it is opened. */
export interface ViewTools {
  readonly live: LiveSocket
  /** where it stands: empty, and emptied when it ends */
  readonly box: HTMLElement
  /** ends with the view */
  readonly signal: AbortSignal
  /** shows something else; a step can be taken back, what is none takes the place of the address */
  readonly go: (route: PageRoute, isStep: boolean) => void
}

/** What a panel beside a token's chart is given. */
export interface PanelTools {
  /** where it stands: empty, and emptied when it ends */
  readonly box: HTMLElement
  readonly chain: Chain
  readonly route: TokenRoute
  /** ends with the panel */
  readonly signal: AbortSignal
  /** that the token trades, which may not have been there before */
  readonly sign: Sign
}

/** A row of a token's pools. */
export type PoolRow = TokenPools["pools"][number]

/** A view of an opened route: told the state at first, and whenever it changes. */
export type View = (state: PageState) => void

/** What the swap panel was told; tokens by address, the native unit by the zero address. */
export interface SwapChoice {
  readonly pay: string
  readonly receive: string
  /** whole tokens, as typed */
  readonly amount: string
  readonly slippageBps: number
}

/** A leg of a route; raw units as decimal text. */
export type RouteLeg = Quote["routePlan"][number]

/** What a quote is asked of: raw units as decimal text, the native unit as the zero address. */
export interface SwapOrder {
  readonly chain: number
  readonly inputMint: string
  readonly outputMint: string
  readonly amount: string
  readonly slippageBps: number
}

/** What `POST /v1/swap` answers. */
export type BuiltSwap = Swap

/** A transaction without its signature; native units and gas as decimal text. */
export type UnsignedCall = Omit<Swap["transaction"], "gas"> & Partial<Swap["transaction"]>

/** A wallet as EIP-1193 has it. */
export interface WalletProvider {
  readonly request: (asked: {
    readonly method: string
    readonly params?: ReadonlyArray<unknown>
  }) => Promise<unknown>
  readonly on?: (event: string, listener: (value: unknown) => void) => void
  readonly removeListener?: (event: string, listener: (value: unknown) => void) => void
}

/** A wallet that the browser has; its name is its own word: untrusted. */
export interface FoundWallet {
  readonly name: string
  readonly provider: WalletProvider
}
