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
}

/** A row of `GET /v1/tokens`; symbol and name are written by the token's creator: untrusted. */
export interface Token {
  readonly address: string
  readonly symbol: string | null
  readonly name: string | null
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
