/** Shapes the page reads by the client, and the few it passes between its own modules. */

import type {
  Candle,
  Candles,
  Chain as DirectoryRow,
  Quote as QuoteAnswer,
  Simulation,
  Status,
  Swap,
  TokenRow,
  Trade as TradeRow
} from "../../client/generated/routes.d.ts"

import type { Topic } from "../../client/live.d.ts"

export type { Candle, Simulation }

/** A row of `GET /v1/chains`; its explorer is an address of the web, or null. */
export interface Chain extends Pick<DirectoryRow, "id" | "key" | "name" | "explorer" | "native"> {
  /** what tokens are priced in */
  readonly anchors: ReadonlyArray<Pick<DirectoryRow["anchors"][number], "address" | "kind">>
  /** its tape has a route of its own below `/v1/chains`, paged by a cursor */
  readonly hasKeyedTape: boolean
}

/** What the page shows of a token; its maker writes symbol and name: untrusted. */
export type Token = Pick<
  TokenRow,
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

/** What the page shows: kept in the address bar. */
export interface Selection {
  readonly chain: string | null
  readonly token: string | null
  readonly tf: Timeframe
  /** null while the swap panel is closed */
  readonly swap: SwapChoice | null
}

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
