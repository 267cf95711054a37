/** Shapes the page reads from the server, and the few it passes between its own modules. */

/** A row of `GET /v1/chains`. */
export interface Chain {
  readonly id: number
  readonly key: string
  readonly name: string
  /** its tape has a route of its own below `/v1/chains`, paged by a cursor */
  readonly hasKeyedTape: boolean
  /** block explorer, without a slash at its end; null where none is known */
  readonly explorer: string | null
  /** the unit that gas is paid in */
  readonly native: { readonly symbol: string; readonly decimals: number | null }
  /** what tokens are priced in, lower case */
  readonly anchors: ReadonlyArray<{ readonly address: string; readonly kind: string }>
}

/** A row of `GET /v1/tokens`; symbol and name are written by the token's creator: untrusted. */
export interface Token {
  readonly address: string
  readonly symbol: string | null
  readonly name: string | null
  /** null where they are not known */
  readonly decimals: number | null
  readonly priceUsd: number | null
  readonly change24hPct: number | null
  /** Unix seconds that the change is measured from: of a young token its first print */
  readonly changeSince: number | null
}

/** A bucket: `t` its start in Unix seconds, `v` US dollars, `n` trades. */
export interface Candle {
  readonly t: number
  readonly o: number
  readonly h: number
  readonly l: number
  readonly c: number
  readonly v: number
  readonly n: number
}

/** A page of `GET /v1/candles`: `from` inclusive, `to` exclusive, Unix seconds. */
export interface CandlePage {
  readonly candles: ReadonlyArray<Candle>
  readonly from: number
  readonly to: number
}

/** A trade print; `ts` in Unix seconds, `wallet` null where it is not attributed. */
export interface Trade {
  readonly tx: string
  readonly logIndex: number
  readonly block: number
  readonly pool: string
  readonly dex: string | null
  readonly side: "buy" | "sell"
  readonly tokenAmt: number | null
  readonly usd: number | null
  readonly priceUsd: number | null
  readonly ts: number
  readonly wallet: string | null
}

/** A trade on the tape. `seq` is null for a print that came by HTTP, not by the socket. */
export interface Print {
  readonly key: string
  readonly trade: Trade
  readonly seq: number | null
  /** undone by a reorganisation: shown struck out */
  readonly undone: boolean
}

/** A lane in `GET /v1/status`. */
export interface LaneStatus {
  readonly chain: string
  readonly name: string
  readonly ok: boolean
  readonly state: string
  readonly problem: string | null
  readonly seq: number
  readonly logSeq: number
  readonly block: number | null
  /** Unix seconds */
  readonly blockTime?: number | null
  readonly lag: { readonly blocks: number | null; readonly seconds: number | null }
  readonly gaps?: ReadonlyArray<{ readonly fromBlock: number; readonly toBlock: number }>
  readonly quarantined?: ReadonlyArray<{ readonly reason: string; readonly count: number }>
  readonly warnings?: ReadonlyArray<string>
  readonly source: {
    readonly kind: string
    readonly description: string
    readonly state: string
    readonly problem: string | null
    readonly headBlock: number | null
  } | null
}

/** What the page shows: kept in the address bar. */
export interface Selection {
  readonly chain: string | null
  readonly token: string | null
  readonly tf: string
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

/** A subscription of the live socket. */
export interface Topic {
  readonly channel: "trades" | "candles" | "prices"
  readonly chain: number
  readonly token: string
  readonly tf?: string
}

/** A frame from the server; which fields it has depends on `type`. */
export interface Frame {
  readonly type: string
  readonly channel?: string
  readonly chain?: number | string
  readonly token?: string | null
  readonly tf?: string
  readonly seq?: number
  readonly toSeq?: number
  /** of `subscribed`: id of the log that positions are of */
  readonly log?: string | null
  readonly at?: number
  readonly trade?: Trade
  readonly candle?: Candle
  readonly priceUsd?: number | null
  readonly error?: string
  readonly message?: string
}

export type ConnectionState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  | { readonly kind: "waiting"; readonly delayMs: number; readonly reason: string }

/** A leg of a route, in `GET /v1/quote`; raw units as decimal text. */
export interface RouteLeg {
  readonly percent: number
  readonly swapInfo: {
    readonly dex: string
    readonly pool: string
    readonly inputMint: string
    readonly outputMint: string
    readonly inputAmount: string
    readonly outputAmount: string
  }
}

/** What `GET /v1/quote` answers, as far as the page reads it; it is echoed whole. */
export interface Quote {
  readonly chain: number
  readonly inputMint: string
  readonly outputMint: string
  readonly inputAmount: string
  readonly outputAmount: string
  readonly otherAmountThreshold: string
  readonly slippageBps: number
  readonly priceImpactPct: string
  readonly routePlan: ReadonlyArray<RouteLeg>
  readonly routerLegs: string | null
  readonly noRouteReason?: string
  readonly gasEstimate: string
  readonly gasCostUSD: string | null
  readonly blockNumber: number
  readonly seq: number
  readonly warnings?: ReadonlyArray<string>
  /** Unix seconds, by the server's clock */
  readonly expiresAt: number
}

/** What a quote is asked of: raw units as decimal text, the native unit as the zero address. */
export interface SwapOrder {
  readonly chain: number
  readonly inputMint: string
  readonly outputMint: string
  readonly amount: string
  readonly slippageBps: number
}

/** A transaction without its signature. */
export interface UnsignedCall {
  readonly chainId: number
  readonly from: string
  readonly to: string
  readonly data: string
  /** raw native units as decimal text */
  readonly value: string
}

/** What `POST /v1/swap` answers. */
export interface BuiltSwap {
  readonly transaction: UnsignedCall
  readonly otherAmountThreshold: string
  readonly recipient: string
  readonly deadline: number
  readonly approval: {
    readonly token: string
    readonly spender: string
    readonly amount: string
    readonly needed: boolean | null
    readonly resetFirst: boolean | null
    readonly reset: UnsignedCall
    readonly approve: UnsignedCall
  } | null
}

/** What `POST /v1/swap/simulate` answers. */
export interface Simulation {
  readonly ok: boolean
  readonly outputAmount: string | null
  readonly revert: string | null
  readonly cause: string | null
  readonly assumed: ReadonlyArray<string>
}

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
