/** Types of the API's routes. Written by `npm run client` of what the API declares; a test holds both equal. */

import type { Answer, CallOptions, Chosen, Route } from "../client.d.ts"

/** Version of the contract that this is of, a date. */
export declare const CONTRACT_VERSION: string

export declare const ROUTES: { readonly [Name in keyof Routes]: Route }

export type Hello = {
  readonly type: "hello"
  readonly engine: string
  readonly chains: ReadonlyArray<{
    /** EIP-155 chain id; `solana`, which has none */
    readonly chain: number | "solana"
    readonly key: string
    readonly log: string | null
    readonly seq: number
    readonly oldestSeq: number
  }>
  readonly channels: ReadonlyArray<"trades" | "candles" | "prices" | "boards" | "status">
  readonly pingSeconds: number
  readonly names?: ReadonlyArray<string>
  readonly at: number
}

export type Subscribe = {
  readonly op: "subscribe"
  readonly id?: string | number
  readonly channel: "trades" | "candles" | "prices" | "boards" | "status"
  readonly chain: string | number
  readonly token?: string
  readonly pool?: string
  readonly wallet?: string
  readonly minUsd?: number
  readonly tf?: "1m" | "5m" | "15m" | "1h" | "4h" | "1d" | "1w"
  readonly sort?: "volume" | "trades" | "traders" | "change" | "mcap" | "new"
  readonly includeUnlisted?: 0 | 1
  /** the client's own name of the subscription, where it gave one */
  readonly sub?: string | number
  readonly from?: number
  readonly log?: string | null
}

export type Unsubscribe = {
  readonly op: "unsubscribe"
  readonly id?: string | number
  readonly channel: "trades" | "candles" | "prices" | "boards" | "status"
  readonly chain: string | number
  readonly token?: string
  readonly pool?: string
  readonly wallet?: string
  readonly minUsd?: number
  readonly tf?: "1m" | "5m" | "15m" | "1h" | "4h" | "1d" | "1w"
  readonly sort?: "volume" | "trades" | "traders" | "change" | "mcap" | "new"
  readonly includeUnlisted?: 0 | 1
}

export type Ping = {
  readonly op: "ping"
  readonly id?: string | number
}

/** a frame of `/v1/ws/live` and `/v1/stream/market` */
export type LiveFrame = {
  readonly type: "subscribed"
  /** that of the message which this answers, where it had one */
  readonly id?: string | number
  readonly channel: "trades" | "candles" | "prices" | "boards" | "status"
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly token?: string | null
  readonly pool?: string
  readonly wallet?: string
  readonly minUsd?: number
  readonly tf?: "1m" | "5m" | "15m" | "1h" | "4h" | "1d" | "1w"
  readonly sort?: "volume" | "trades" | "traders" | "change" | "mcap" | "new"
  readonly includeUnlisted?: 0 | 1
  /** the client's own name of the subscription, where it gave one */
  readonly sub?: string | number
  /** log position of the event behind the frame */
  readonly seq: number
  /** id of the log that positions are of; null while none is known */
  readonly log: string | null
} | {
  readonly type: "unsubscribed"
  /** that of the message which this answers, where it had one */
  readonly id?: string | number
  readonly channel: "trades" | "candles" | "prices" | "boards" | "status"
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly token?: string | null
  readonly pool?: string
  readonly wallet?: string
  readonly minUsd?: number
  readonly tf?: "1m" | "5m" | "15m" | "1h" | "4h" | "1d" | "1w"
  readonly sort?: "volume" | "trades" | "traders" | "change" | "mcap" | "new"
  readonly includeUnlisted?: 0 | 1
  /** the client's own name of the subscription, where it gave one */
  readonly sub?: string | number
} | {
  readonly type: "trade"
  readonly channel: "trades"
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** the client's own name of the subscription, where it gave one */
  readonly sub?: string | number
  /** address: lower-case hex, or base58 on Solana */
  readonly token: string
  /** where the topic named it */
  readonly minUsd?: number
  /** log position of the event behind the frame */
  readonly seq: number
  /** block time, Unix seconds */
  readonly at: number
  readonly trade: Trade_1
  /**
   * more frames of this position follow: resume from one position before, unless a frame without it
   * came
   */
  readonly more?: true
} | {
  readonly type: "trade"
  readonly channel: "trades"
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** the client's own name of the subscription, where it gave one */
  readonly sub?: string | number
  readonly pool?: string
  readonly wallet?: string
  /** where the topic named it */
  readonly minUsd?: number
  /** log position of the event behind the frame */
  readonly seq: number
  /** block time, Unix seconds */
  readonly at: number
  readonly trade: SwapRow
  /**
   * more frames of this position follow: resume from one position before, unless a frame without it
   * came
   */
  readonly more?: true
} | {
  readonly type: "candle"
  readonly channel: "candles"
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** the client's own name of the subscription, where it gave one */
  readonly sub?: string | number
  /** address: lower-case hex, or base58 on Solana */
  readonly token?: string
  readonly pool?: string
  readonly tf: "1m" | "5m" | "15m" | "1h" | "4h" | "1d" | "1w"
  /** log position of the event behind the frame */
  readonly seq: number
  /** block time, Unix seconds */
  readonly at: number
  readonly candle: Candle
  /**
   * more frames of this position follow: resume from one position before, unless a frame without it
   * came
   */
  readonly more?: true
} | {
  readonly type: "price"
  readonly channel: "prices"
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** the client's own name of the subscription, where it gave one */
  readonly sub?: string | number
  /** address: lower-case hex, or base58 on Solana */
  readonly token: string
  readonly symbol: string | null
  /** log position of the event behind the frame */
  readonly seq: number
  /** block time, Unix seconds */
  readonly at: number
  readonly priceUsd: number | null
  readonly depthUsd: number | null
  /** US dollars of its prints in the 24 hours that boards tell of */
  readonly volume24h: number
  readonly buyVolume24h: number
  readonly sellVolume24h: number
  readonly trades24h: number
  readonly buys24h: number
  readonly sells24h: number
  /** frames replaced by newer ones, never sent */
  readonly skipped?: number
} | {
  readonly type: "prices"
  readonly channel: "prices"
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** the client's own name of the subscription, where it gave one */
  readonly sub?: string | number
  readonly token: null
  /** log position of the event behind the frame */
  readonly seq: number
  /** Unix seconds */
  readonly at: number
  /** frames replaced by newer ones, never sent */
  readonly skipped: number
  readonly items: ReadonlyArray<{
    readonly type: "price"
    readonly channel: "prices"
    /** EIP-155 chain id; `solana`, which has none */
    readonly chain: number | "solana"
    /** the client's own name of the subscription, where it gave one */
    readonly sub?: string | number
    /** address: lower-case hex, or base58 on Solana */
    readonly token: string
    readonly symbol: string | null
    /** log position of the event behind the frame */
    readonly seq: number
    /** block time, Unix seconds */
    readonly at: number
    readonly priceUsd: number | null
    readonly depthUsd: number | null
    /** US dollars of its prints in the 24 hours that boards tell of */
    readonly volume24h: number
    readonly buyVolume24h: number
    readonly sellVolume24h: number
    readonly trades24h: number
    readonly buys24h: number
    readonly sells24h: number
  }>
} | {
  readonly type: "new"
  readonly channel: "prices"
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** the client's own name of the subscription, where it gave one */
  readonly sub?: string | number
  /** address: lower-case hex, or base58 on Solana */
  readonly token: string
  readonly symbol: string | null
  /** log position of the event behind the frame */
  readonly seq: number
  /** block time, Unix seconds */
  readonly at: number
  readonly name: string | null
  readonly decimals: number | null
  readonly totalSupply: string | null
} | {
  readonly type: "board"
  readonly channel: "boards"
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** the client's own name of the subscription, where it gave one */
  readonly sub?: string | number
  readonly sort: "volume" | "trades" | "traders" | "change" | "mcap" | "new"
  /** where tokens that are not listed are among them */
  readonly includeUnlisted?: 1
  /** log position of the event behind the frame */
  readonly seq: number
  /** block time, Unix seconds */
  readonly at: number
  /** true: all that there is, in place of what was told before */
  readonly all: boolean
  /** the board's tokens from the top, where that changed; others are off it */
  readonly order?: ReadonlyArray<string>
  /** rows that changed */
  readonly tokens: ReadonlyArray<TokenRow>
} | {
  readonly type: "status"
  readonly channel: "status"
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** the client's own name of the subscription, where it gave one */
  readonly sub?: string | number
  /** log position of the event behind the frame */
  readonly seq: number
  /** the server's clock, Unix seconds */
  readonly at: number
  /** true: all that there is, in place of what was told before */
  readonly all: boolean
  readonly key: string
  readonly ok: boolean
  readonly state: "starting" | "rebuilding" | "catching-up" | "live" | "stalled" | "history" | "failed"
  readonly problem: string | null
  readonly log: string | null
  readonly logSeq: number
  readonly block: number | null
  readonly blockTime: number | null
  readonly lag: {
    /** log positions that answers do not stand at yet */
    readonly events: number
    /** blocks behind the source's head */
    readonly blocks: number | null
  }
} | {
  readonly type: "undo"
  readonly channel: "trades" | "candles" | "prices" | "boards" | "status"
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly token?: string | null
  readonly pool?: string
  readonly wallet?: string
  readonly minUsd?: number
  readonly tf?: "1m" | "5m" | "15m" | "1h" | "4h" | "1d" | "1w"
  readonly sort?: "volume" | "trades" | "traders" | "change" | "mcap" | "new"
  readonly includeUnlisted?: 0 | 1
  /** the client's own name of the subscription, where it gave one */
  readonly sub?: string | number
  /** log position of the event behind the frame */
  readonly seq: number
  /** newest position that still stands */
  readonly toSeq: number
  /**
   * more frames of this position follow: resume from one position before, unless a frame without it
   * came
   */
  readonly more?: true
} | {
  readonly type: "error"
  /** that of the message which this answers, where it had one */
  readonly id?: string | number
  /** the client's own name of the subscription, where it gave one */
  readonly sub?: string | number
  readonly channel?: "trades" | "candles" | "prices" | "boards" | "status"
  /** as the message named it: the topic it is about, as far as it was told well */
  readonly chain?: number | string
  readonly token?: string | null
  readonly pool?: string
  readonly wallet?: string
  readonly minUsd?: number
  readonly tf?: "1m" | "5m" | "15m" | "1h" | "4h" | "1d" | "1w"
  readonly sort?: "volume" | "trades" | "traders" | "change" | "mcap" | "new"
  readonly includeUnlisted?: 0 | 1
  readonly error: string
  readonly message: string
  readonly oldestSeq?: number
  /** id of the log that positions are of; null while none is known */
  readonly log?: string | null
} | {
  readonly type: "pong"
  /** that of the message which this answers, where it had one */
  readonly id?: string | number
  /** Unix seconds */
  readonly at: number
}

export type TokenRow = {
  /** address: lower-case hex, or base58 on Solana */
  readonly address: string
  /** as on chain; untrusted */
  readonly symbol: string | null
  /** as on chain; untrusted */
  readonly name: string | null
  readonly decimals: number | null
  readonly logoURI: string
  /** the picture that a token list names; null where none does */
  readonly logoUriRaw: string | null
  /** `anchor`, `stable`, `native`, `stock`, and those of token lists */
  readonly tags: ReadonlyArray<string>
  /**
   * an anchor of the chain, or on one of its token lists; where no list covers the chain: it tells
   * symbol, name and decimals, has no flag, and a price with at least $10,000 behind it
   */
  readonly listed: boolean
  /** what its pool says, at the present price of what it is quoted in; null without */
  readonly priceUsd: number | null
  /**
   * time of the oldest pool state that the price goes back to: long ago is stale; null without a
   * price, and of a dollar that is $1 by rule (`/v1/prices/explain`)
   */
  readonly priceTs: number | null
  /**
   * newest print against the newest one before `sinceHour`, or against the first of all
   * (`/v1/rules`); null without a price
   */
  readonly change24hPct: number | null
  /**
   * from when the change counts: the window's first second, or the token's first print that counts;
   * null without a change
   */
  readonly changeSince: number | null
  /** US dollars */
  readonly volume24h: number
  /** US dollars */
  readonly buyVolume24h: number
  /** US dollars */
  readonly sellVolume24h: number
  readonly trades24h: number
  readonly buys24h: number
  readonly sells24h: number
  /**
   * distinct wallets of the trades whose sender the log names: at least so many where it names some
   * only, null where there are trades and it names nobody's
   */
  readonly traders: number | null
  /** of the trades that the log has */
  readonly firstTradeTs: number
  /** Unix seconds */
  readonly lastTradeTs: number
  /** smallest units, when it was last read */
  readonly totalSupply: string | null
  /** null where unknown */
  readonly marketCapUsd: number | null
  /** a listed venue has a pool of it that can be quoted: never on Solana */
  readonly routable: boolean
  readonly pools: {
    readonly v3: number
    readonly v2: number
    readonly v4: number
    readonly byDex: {
      readonly [name: string]: number
    }
  }
  readonly wash?: boolean
  readonly impostor?: boolean
}

/** prices in US dollars */
export type Candle = {
  /** bucket start, Unix seconds */
  readonly t: number
  readonly o: number
  readonly h: number
  readonly l: number
  readonly c: number
  /** volume of the trades that `n` counts, US dollars */
  readonly v: number
  /**
   * trades in the bucket that its prices are made of: those that tell a price and are believed;
   * with `raw=1` also those not believed. Trades whose dollars are unknown, of dust, or of a token
   * without decimals are in `trades` (`fields=trades`), which counts all; a bucket of these alone
   * is none, and is filled as one without a trade
   */
  readonly n: number
}

export type SwapRow = {
  /** base token: the print is as it sees it */
  readonly token: string
  /** as on chain; untrusted */
  readonly symbol: string | null
  /** null where it is unknown */
  readonly quoteToken: string | null
  /** as on chain; untrusted */
  readonly quoteSymbol: string | null
  /** transaction hash */
  readonly tx: string
  readonly logIndex: number
  /** venue id */
  readonly dex: string | null
  readonly side: "buy" | "sell"
  /** whole tokens; null while the decimals are unknown */
  readonly tokenAmt: number | null
  /**
   * whole tokens of the other token of the swap, the pool's quote or not; null while its decimals
   * are unknown
   */
  readonly quoteAmount: number | null
  /** null where no price is known */
  readonly usd: number | null
  /** null where no price is known */
  readonly priceUsd: number | null
  /** Unix seconds */
  readonly ts: number
  /** null for a router or an unattributed trade; never guessed */
  readonly wallet: string | null
  /**
   * how `wallet` was found, or why it is null. `no-transaction`: null: the sender is not known;
   * `direct`: the transaction's sender called the pool or got its output; `router`: the sender
   * called a known router; `entry-point`: the account whose operation (ERC-4337) the swap stands
   * in; `unknown-contract`: null: through a contract that is no known router; `settlement`: null:
   * through a contract that settles orders of others; `swapped-again`: null: the pool swaps the
   * same way again in the transaction; `no-operation`: null: outside of the accounts' operations,
   * or in one undone; `paymaster`: null: the paymaster's own; `unknown-caller`: null: it may be a
   * hook's; `owner`: on Solana: who signed and owns what was paid, where another paid the fee
   */
  readonly walletBy: "no-transaction" | "direct" | "router" | "entry-point" | "unknown-contract" | "settlement" | "swapped-again" | "no-operation" | "paymaster" | "unknown-caller" | "owner"
  readonly block: number
  /** address, or pool id where pools have none */
  readonly pool: string
  /**
   * present where the print's price or dollars are not believed: it stays on the tape, and out of
   * candles, volume and all-time highs
   */
  readonly outlier?: true
}

/** the print as the topic's token sees it */
export type Trade_1 = {
  /** transaction hash */
  readonly tx: string
  readonly logIndex: number
  /** venue id */
  readonly dex: string | null
  readonly side: "buy" | "sell"
  /** whole tokens; null while the decimals are unknown */
  readonly tokenAmt: number | null
  /**
   * whole tokens of the other token of the swap, the pool's quote or not; null while its decimals
   * are unknown
   */
  readonly quoteAmount: number | null
  /** null where no price is known */
  readonly usd: number | null
  /** null where no price is known */
  readonly priceUsd: number | null
  /** Unix seconds */
  readonly ts: number
  /** null for a router or an unattributed trade; never guessed */
  readonly wallet: string | null
  /**
   * how `wallet` was found, or why it is null. `no-transaction`: null: the sender is not known;
   * `direct`: the transaction's sender called the pool or got its output; `router`: the sender
   * called a known router; `entry-point`: the account whose operation (ERC-4337) the swap stands
   * in; `unknown-contract`: null: through a contract that is no known router; `settlement`: null:
   * through a contract that settles orders of others; `swapped-again`: null: the pool swaps the
   * same way again in the transaction; `no-operation`: null: outside of the accounts' operations,
   * or in one undone; `paymaster`: null: the paymaster's own; `unknown-caller`: null: it may be a
   * hook's; `owner`: on Solana: who signed and owns what was paid, where another paid the fee
   */
  readonly walletBy: "no-transaction" | "direct" | "router" | "entry-point" | "unknown-contract" | "settlement" | "swapped-again" | "no-operation" | "paymaster" | "unknown-caller" | "owner"
  readonly block: number
  /** address, or pool id where pools have none */
  readonly pool: string
  /**
   * present where the print's price or dollars are not believed: it stays on the tape, and out of
   * candles, volume and all-time highs
   */
  readonly outlier?: true
}

/** changes of the contract, day by day */
export type Changelog = {
  /** of the contract: the day of its newest change */
  readonly version: string
  /** newest first */
  readonly days: ReadonlyArray<{
    /** a day in UTC, as 2026-01-31 */
    readonly date: string
    readonly changes: ReadonlyArray<{
      /** what it asks of clients: `added` and `fixed` nothing */
      readonly kind: "added" | "changed" | "fixed" | "removed"
      /** paths as the contract has them; none where all are meant */
      readonly routes: ReadonlyArray<string>
      readonly text: string
    }>
  }>
}

/** what the MCP server is and offers */
export type ServerCard = {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly description: string
  readonly instructions: string
  /** newest protocol version spoken */
  readonly protocolVersion: string
  readonly protocolVersions: ReadonlyArray<string>
  readonly transport: {
    readonly type: "streamable-http"
    readonly endpoint: string
  }
  readonly capabilities: {
    readonly tools: unknown
    readonly resources: unknown
    readonly prompts: unknown
  }
  readonly auth: {
    readonly header: "X-API-Key"
    readonly required: false
  }
  readonly tools: ReadonlyArray<{
    readonly name: string
    readonly description: string
  }>
  readonly resources: ReadonlyArray<{
    readonly uri: string
    readonly description: string
  }>
  readonly prompts: ReadonlyArray<{
    readonly name: string
    readonly description: string
  }>
}

/** the tools as function-calling definitions */
export type ToolManifest = {
  readonly name: string
  readonly version: string
  readonly base_url: string
  /** address of the hosted MCP route */
  readonly mcp: string
  readonly auth: {
    readonly header: "X-API-Key"
    readonly required: false
  }
  readonly tools: ReadonlyArray<{
    readonly type: "function"
    readonly function: {
      readonly name: string
      readonly description: string
      readonly parameters: {
        readonly [name: string]: unknown
      }
    }
  }>
}

/** the JSON-RPC response to a request */
export type McpReply = {
  readonly jsonrpc: "2.0"
  readonly id: string | number
  readonly result?: {
    readonly [name: string]: unknown
  }
  readonly error?: {
    readonly code: number
    readonly message: string
    readonly data?: unknown
  }
}

/** one JSON-RPC message; no list of them */
export type McpMessage = {
  readonly jsonrpc: "2.0"
  readonly id?: string | number
  readonly method?: string
  readonly params?: {
    readonly [name: string]: unknown
  }
}

/** what agents asked of the MCP server of this process */
export type AgentStats = {
  /** from when the counts are: the process's start */
  readonly startedAt: number
  /** JSON-RPC requests of all methods, also those that call no tool */
  readonly requests: number
  readonly calls: number
  /** calls whose result is an error */
  readonly errors: number
  /** every tool, most called first */
  readonly tools: ReadonlyArray<{
    readonly tool: string
    readonly calls: number
    /** calls whose result is an error */
    readonly errors: number
  }>
  /** every chain served here, most asked first: calls that name it or mean it */
  readonly chains: ReadonlyArray<{
    /** EIP-155 chain id; `solana`, which has none */
    readonly id: number | "solana"
    readonly chain: string
    readonly calls: number
    /** calls whose result is an error */
    readonly errors: number
  }>
  /** Unix milliseconds */
  readonly updatedAt: number
}

/** a key, without what opens it */
export type AccountKey = {
  /** what tells keys apart; it opens nothing */
  readonly id: string
  readonly name: string
  readonly plan: string
  /** Unix seconds */
  readonly createdAt: number
  /** null where its secret is the first */
  readonly rotatedAt: number | null
  /** the minute that requests are counted in */
  readonly window: {
    /** Unix seconds */
    readonly since: number
    /** Unix seconds */
    readonly reset: number
  }
  /** limits and use, by bucket */
  readonly limits: {
    readonly default: KeyBucket
    readonly data: KeyBucket
    readonly logos: KeyBucket
    readonly bridge: KeyBucket
    readonly health: KeyBucket
    readonly metrics: KeyBucket
    readonly preflight: KeyBucket
    readonly upgrades: KeyBucket
  }
}

export type KeyBucket = {
  /** requests a minute */
  readonly limit: number
  /** requests in the present window */
  readonly used: number
  readonly remaining: number
}

export type WalletAnswer = {
  /** the wallet's only account */
  readonly account: string
  /** what the node answers, hex: of `eth_getBalance`, `eth_gasPrice`, `eth_call` */
  readonly value: string | null
  /** of what was sent */
  readonly hash: string | null
  /** null while the transaction is in no block */
  readonly receipt: {
    readonly status: string
    readonly blockNumber: string
  } | null
}

/** what is asked of the wallet: a chain's id and a method */
export type WalletBody = {
  readonly chainId: number
  readonly method: "eth_accounts" | "eth_getBalance" | "eth_gasPrice" | "eth_call" | "eth_sendTransaction" | "eth_getTransactionReceipt"
  /** what `eth_sendTransaction` sends, and `eth_call` tries */
  readonly call?: {
    readonly from: string
    readonly to: string
    readonly data: string
    readonly value: string
    /** its gas limit; half as much again as the node estimates unless told */
    readonly gas?: string
  }
  /** what `eth_getTransactionReceipt` asks about */
  readonly hash?: string
}

/** who was asked for a quote, in turn, what each answered, and why it was not used */
export type Why = {
  readonly quoteId: string
  /** EIP-155 chain id */
  readonly chain: number
  /** address: lower-case hex, or base58 on Solana */
  readonly inputMint: string
  /** address: lower-case hex, or base58 on Solana */
  readonly outputMint: string
  readonly inputAmount: string
  readonly otherAmountThreshold: string
  /** `swaptape` is the router itself, the others are third-party aggregators */
  readonly provider: "swaptape" | "kyberswap" | "lifi" | "openocean" | "zeroex"
  /** Unix milliseconds */
  readonly at: number
  readonly asked: ReadonlyArray<{
    /** `swaptape` is the router itself, the others are third-party aggregators */
    readonly provider: "swaptape" | "kyberswap" | "lifi" | "openocean" | "zeroex"
    /** whether anything was sent to it */
    readonly asked: boolean
    /** why it was not used; null of the one that was */
    readonly reason: "timeout" | "unreachable" | "provider-failed" | "rate-limited" | "bad-answer" | "misconfigured" | "mismatch" | "router-not-allowed" | "spender-not-allowed" | "recipient-changed" | "amount-changed" | "reverts" | "no-route" | "request-refused" | "price-moved" | "simulation-failed" | "not-simulated" | "breaker-open" | "call-budget" | "no-key" | "no-known-router" | "simulated-chain" | "no-node" | "chain-not-served" | "needs-taker" | "no-gas-price" | "slippage-unfit" | "conversion" | "not-needed" | "router-unavailable" | "no-router-contract" | null
    readonly message: string | null
    /** what it answered; null where nothing */
    readonly outputAmount: string | null
    readonly router: string | null
    /** milliseconds until it was used or passed over */
    readonly ms: number
  }>
  /** transactions that were asked for with the quote; the newest five */
  readonly swaps: ReadonlyArray<{
    /** Unix milliseconds */
    readonly at: number
    /** null where nobody gave one */
    readonly provider: "swaptape" | "kyberswap" | "lifi" | "openocean" | "zeroex" | null
    readonly asked: ReadonlyArray<{
      /** `swaptape` is the router itself, the others are third-party aggregators */
      readonly provider: "swaptape" | "kyberswap" | "lifi" | "openocean" | "zeroex"
      /** whether anything was sent to it */
      readonly asked: boolean
      /** why it was not used; null of the one that was */
      readonly reason: "timeout" | "unreachable" | "provider-failed" | "rate-limited" | "bad-answer" | "misconfigured" | "mismatch" | "router-not-allowed" | "spender-not-allowed" | "recipient-changed" | "amount-changed" | "reverts" | "no-route" | "request-refused" | "price-moved" | "simulation-failed" | "not-simulated" | "breaker-open" | "call-budget" | "no-key" | "no-known-router" | "simulated-chain" | "no-node" | "chain-not-served" | "needs-taker" | "no-gas-price" | "slippage-unfit" | "conversion" | "not-needed" | "router-unavailable" | "no-router-contract" | null
      readonly message: string | null
      /** what it answered; null where nothing */
      readonly outputAmount: string | null
      readonly router: string | null
      /** milliseconds until it was used or passed over */
      readonly ms: number
    }>
  }>
}

/** who answers on each chain, in turn */
export type Providers = {
  readonly policy: string
  readonly chains: ReadonlyArray<{
    /** EIP-155 chain id */
    readonly chain: number
    readonly key: string
    readonly first: "swaptape"
    /** in the order in which they are asked */
    readonly fallbacks: ReadonlyArray<{
      readonly provider: "kyberswap" | "lifi" | "openocean" | "zeroex"
      /**
       * its circuit breaker: closed lets calls through, open none, half-open waits for the end of
       * one
       */
      readonly breaker: "closed" | "open" | "half-open"
      /** null where it is not open */
      readonly openUntil: number | null
      /** whether it is asked here at all */
      readonly asked: boolean
      /** why it is not; null where it is */
      readonly reason: "timeout" | "unreachable" | "provider-failed" | "rate-limited" | "bad-answer" | "misconfigured" | "mismatch" | "router-not-allowed" | "spender-not-allowed" | "recipient-changed" | "amount-changed" | "reverts" | "no-route" | "request-refused" | "price-moved" | "simulation-failed" | "not-simulated" | "breaker-open" | "call-budget" | "no-key" | "no-known-router" | "simulated-chain" | "no-node" | "chain-not-served" | "needs-taker" | "no-gas-price" | "slippage-unfit" | "conversion" | "not-needed" | "router-unavailable" | "no-router-contract" | null
      readonly message: string | null
    }>
  }>
}

/** an unsigned transaction, and whose it is */
export type MetaSwap = {
  /** `swaptape` is the router itself, the others are third-party aggregators */
  readonly provider: "swaptape" | "kyberswap" | "lifi" | "openocean" | "zeroex"
  /** address: lower-case hex, or base58 on Solana */
  readonly router: string
  /** to be signed and sent by the taker */
  readonly transaction: {
    /** EIP-155 chain id */
    readonly chainId: number
    /** address: lower-case hex, or base58 on Solana */
    readonly from: string
    /** address: lower-case hex, or base58 on Solana */
    readonly to: string
    readonly data: string
    /** raw units of the native unit to send along */
    readonly value: string
    /**
     * the gas limit to send it with: `gasEstimate` with a margin; null where an aggregator tells no
     * gas, then the wallet estimates it
     */
    readonly gas: string | null
  }
  /** units of gas that it will take, about */
  readonly gasEstimate: string | null
  readonly inputAmount: string
  /** what the provider says it gives */
  readonly outputAmount: string
  /** the transaction reverts below this */
  readonly otherAmountThreshold: string
  /** address: lower-case hex, or base58 on Solana */
  readonly recipient: string
  /** the transaction reverts after this; null where the provider sets its own */
  readonly deadline: number | null
  /** what the provider's contract must be allowed; null for the native unit */
  readonly approval: {
    /** address: lower-case hex, or base58 on Solana */
    readonly token: string
    /** address: lower-case hex, or base58 on Solana */
    readonly spender: string
    readonly amount: string
    /** whether the allowance is less now; null where no node tells */
    readonly needed: boolean | null
    /**
     * whether the token refuses a new approval over the present one, so that `reset` is to be sent
     * first; null where no node tells
     */
    readonly resetFirst: boolean | null
    /** approves nothing */
    readonly reset: {
      /** EIP-155 chain id */
      readonly chainId: number
      /** address: lower-case hex, or base58 on Solana */
      readonly from: string
      /** address: lower-case hex, or base58 on Solana */
      readonly to: string
      readonly data: string
      /** raw units of the native unit to send along */
      readonly value: string
    }
    /** approves the amount */
    readonly approve: {
      /** EIP-155 chain id */
      readonly chainId: number
      /** address: lower-case hex, or base58 on Solana */
      readonly from: string
      /** address: lower-case hex, or base58 on Solana */
      readonly to: string
      readonly data: string
      /** raw units of the native unit to send along */
      readonly value: string
    }
  } | null
  /**
   * what the transaction did on the newest block, as the taker; null where no node answers, which
   * is so of the router's own alone
   */
  readonly simulation: {
    /** what arrives */
    readonly outputAmount: string
    /** of the taker, what was taken for granted */
    readonly assumed: ReadonlyArray<"balance" | "allowance">
  } | null
  /** who comes before `provider` and was not used, and why */
  readonly passedOver: ReadonlyArray<{
    /** `swaptape` is the router itself, the others are third-party aggregators */
    readonly provider: "swaptape" | "kyberswap" | "lifi" | "openocean" | "zeroex"
    readonly reason: "timeout" | "unreachable" | "provider-failed" | "rate-limited" | "bad-answer" | "misconfigured" | "mismatch" | "router-not-allowed" | "spender-not-allowed" | "recipient-changed" | "amount-changed" | "reverts" | "no-route" | "request-refused" | "price-moved" | "simulation-failed" | "not-simulated" | "breaker-open" | "call-budget" | "no-key" | "no-known-router" | "simulated-chain" | "no-node" | "chain-not-served" | "needs-taker" | "no-gas-price" | "slippage-unfit" | "conversion" | "not-needed" | "router-unavailable" | "no-router-contract"
    /** for people; what strangers say is cut */
    readonly message: string
  }>
}

/**
 * the quote as `GET /v1/meta/quote` answered it, unedited, with `taker` added; `slippageBps` may be
 * left out
 */
export type MetaSwapBody = {
  /** who signs and pays */
  readonly taker: string
  /** who gets the output; the taker unless told */
  readonly recipient?: string
  readonly slippageBps?: number
} & {
  readonly [name: string]: unknown
}

/** a quote of the router, or of the first aggregator that has one where it has none */
export type MetaQuote = {
  /** EIP-155 chain id */
  readonly chain: number
  /** `swaptape` is the router itself, the others are third-party aggregators */
  readonly provider: "swaptape" | "kyberswap" | "lifi" | "openocean" | "zeroex"
  /** address: lower-case hex, or base58 on Solana */
  readonly inputMint: string
  /** address: lower-case hex, or base58 on Solana */
  readonly outputMint: string
  readonly inputAmount: string
  /** what it buys; 0 without a route */
  readonly outputAmount: string
  /** least output that a swap of this quote accepts, whoever gives it in the end */
  readonly otherAmountThreshold: string
  readonly slippageBps: number
  /** the contract that would be called; null where it is not known yet */
  readonly router: string | null
  /** the contract to be approved; null for the native unit, or not known yet */
  readonly spender: string | null
  readonly gasEstimate: string | null
  /** the router's own quote, which `POST /v1/swap` takes, too; null of others */
  readonly quote: Quote | null
  /** why the router has no route; present where nobody has */
  readonly noRouteReason?: "no-pool" | "unknown-state" | "no-liquidity" | "too-large" | "amount-too-small" | "not-executable" | "suspect" | "transfer-tax" | "honeypot" | "one-sided" | "thin"
  /** who comes before `provider` and was not used, and why */
  readonly passedOver: ReadonlyArray<{
    /** `swaptape` is the router itself, the others are third-party aggregators */
    readonly provider: "swaptape" | "kyberswap" | "lifi" | "openocean" | "zeroex"
    readonly reason: "timeout" | "unreachable" | "provider-failed" | "rate-limited" | "bad-answer" | "misconfigured" | "mismatch" | "router-not-allowed" | "spender-not-allowed" | "recipient-changed" | "amount-changed" | "reverts" | "no-route" | "request-refused" | "price-moved" | "simulation-failed" | "not-simulated" | "breaker-open" | "call-budget" | "no-key" | "no-known-router" | "simulated-chain" | "no-node" | "chain-not-served" | "needs-taker" | "no-gas-price" | "slippage-unfit" | "conversion" | "not-needed" | "router-unavailable" | "no-router-contract"
    /** for people; what strangers say is cut */
    readonly message: string
  }>
  /** what this answer cannot tell, and why; absent where there is nothing of the kind */
  readonly warnings?: ReadonlyArray<string>
  /** a swap of the quote is not built after this */
  readonly expiresAt: number
  /**
   * proves to `POST /v1/meta/swap` that nothing was edited; `GET /v1/meta/why/{quoteId}` tells who
   * was asked
   */
  readonly quoteId: string
}

/** best route at a position of the chain's log */
export type Quote = {
  /** EIP-155 chain id */
  readonly chain: number
  /** address: lower-case hex, or base58 on Solana */
  readonly inputMint: string
  /** address: lower-case hex, or base58 on Solana */
  readonly outputMint: string
  /** what is sold, in raw units */
  readonly inputAmount: string
  /** what it buys; 0 without a route, in raw units */
  readonly outputAmount: string
  /** least output that a swap of this quote accepts, in raw units */
  readonly otherAmountThreshold: string
  readonly slippageBps: number
  readonly swapMode: "ExactIn" | "ExactOut"
  /**
   * percent by which the output is below that at the price of an infinitely small trade, fees
   * included in both: the price of the route's best path, where a split uses several; 0 without a
   * route
   */
  readonly priceImpactPct: string
  /** legs in the order in which they are executed; empty: no route at this size */
  readonly routePlan: ReadonlyArray<{
    /**
     * share of the input on this leg, of a further hop share of what is sold there; the amounts are
     * exact, this is rounded so that shares sum to 100
     */
    readonly percent: number
    readonly swapInfo: {
      /** venue id */
      readonly dex: string
      /** address, or pool id where pools have none */
      readonly pool: string
      /** address: lower-case hex, or base58 on Solana */
      readonly inputMint: string
      /** address: lower-case hex, or base58 on Solana */
      readonly outputMint: string
      /** what the pool is sold, in raw units */
      readonly inputAmount: string
      /**
       * what arrives of what the pool pays for it, by its state at the quote's position; of a token
       * with `transferTaxes` less than it pays, in raw units
       */
      readonly outputAmount: string
      /** the router contract that trades the leg; the zero address where the chain has none */
      readonly adapter: string
      /** what the contract is told of the leg, as hex */
      readonly extraData: string
    }
  }>
  /** the legs as the router contract takes them (ABI, hex); null without a route */
  readonly routerLegs: string | null
  /** why `routePlan` is empty; present where it is */
  readonly noRouteReason?: "no-pool" | "unknown-state" | "no-liquidity" | "too-large" | "amount-too-small" | "not-executable" | "suspect" | "transfer-tax" | "honeypot" | "one-sided" | "thin"
  /** of an empty `routePlan`: why pools of each venue give no quote */
  readonly causes?: ReadonlyArray<{
    readonly dex: string
    readonly reason: string
    readonly pools: number
  }>
  /**
   * about the gas of the whole transaction, as the choice of the route counts it; no limit to send,
   * for which a wallet asks its node
   */
  readonly gasEstimate: string
  /**
   * dollars of that gas; null where no node tells a gas price, or nothing a price of the native
   * unit. Only then do gas costs not count in the choice of the route
   */
  readonly gasCostUSD: string | null
  readonly gasPriceWei: string | null
  readonly blockNumber: number
  /** position in the chain's log */
  readonly seq: number
  /** milliseconds */
  readonly timeTaken: number
  readonly feeBps: 0
  readonly feeAmount: "0"
  /** address: lower-case hex, or base58 on Solana */
  readonly feeMint: string
  readonly feeTier: "none"
  /**
   * of one hop, and no safety gate has looked at it: to be replaced by a full quote, since no swap
   * is built of it (`fast=1`)
   */
  readonly preliminary?: true
  /** the pools considered, and why each takes no part (`why=1`) */
  readonly why?: ReadonlyArray<{
    readonly dex: string
    readonly pool: string
    /** address: lower-case hex, or base58 on Solana */
    readonly inputMint: string
    /** address: lower-case hex, or base58 on Solana */
    readonly outputMint: string
    /**
     * why it takes no part; null where it does. `worse-price`: others pay more, or leave more once
     * the gas of their legs is paid
     */
    readonly lost: string | null
  }>
  /**
   * what tokens of the order keep of their transfers beside a pool of the route, by a trial on the
   * newest block; the amounts are those that arrive
   */
  readonly transferTaxes?: ReadonlyArray<{
    /** address: lower-case hex, or base58 on Solana */
    readonly token: string
    /** contract that holds the pool's tokens */
    readonly pool: string
    /** percent of what is sent */
    readonly fromPoolPct: number
    /** percent of what is sent */
    readonly toTakerPct: number
    /** percent of what is sent */
    readonly fromTakerPct: number
    /** percent of what is sent */
    readonly toPoolPct: number
  }>
  /** what this answer cannot tell, and why; absent where there is nothing of the kind */
  readonly warnings?: ReadonlyArray<string>
  /** a swap of the quote is not built after this */
  readonly expiresAt: number
  /** proves to `POST /v1/swap` that nothing of the quote was edited */
  readonly quoteId: string
}

/** what the transaction would do now */
export type Simulation = {
  readonly ok: boolean
  /** what arrives; null where it reverts */
  readonly outputAmount: string | null
  /** what it reverts with and what to do, in words; null where it succeeds */
  readonly revert: string | null
  readonly cause: "router-not-approved" | "insufficient-balance" | "price-moved" | "deadline-passed" | "venue-refused" | "token-refused" | "out-of-gas" | "unknown" | null
  /** what was taken for granted (`assumeFunded`) */
  readonly assumed: ReadonlyArray<"balance" | "allowance">
}

/** a transaction as `POST /v1/swap` built it */
export type SimulateBody = {
  readonly chainId: number
  readonly from: string
  readonly to: string
  readonly data: string
  readonly value?: string
  readonly gas?: string
  /** as if the taker had the input and had approved it; unless told as things are */
  readonly assumeFunded?: boolean
}

/** an unsigned transaction that executes a quote */
export type Swap = {
  /** to be signed and sent by the taker */
  readonly transaction: {
    /** EIP-155 chain id */
    readonly chainId: number
    /** address: lower-case hex, or base58 on Solana */
    readonly from: string
    /** address: lower-case hex, or base58 on Solana */
    readonly to: string
    readonly data: string
    /** raw units of the native unit to send along */
    readonly value: string
    /**
     * the gas limit to send it with, in place of an estimate of the wallet's: `gasEstimate`, and
     * what pools that move until it is mined may add; what is not used is not paid
     */
    readonly gas: string
  }
  /** units of gas that it will take, about */
  readonly gasEstimate: string
  readonly inputAmount: string
  readonly outputAmount: string
  /** the transaction reverts below this */
  readonly otherAmountThreshold: string
  /** address: lower-case hex, or base58 on Solana */
  readonly recipient: string
  /** the transaction reverts after this */
  readonly deadline: number
  /** what the router must be allowed; null for the native unit and with `permit2` */
  readonly approval: {
    /** address: lower-case hex, or base58 on Solana */
    readonly token: string
    /** address: lower-case hex, or base58 on Solana */
    readonly spender: string
    readonly amount: string
    /** whether the allowance is less now; null where no node tells */
    readonly needed: boolean | null
    /**
     * whether the token refuses a new approval over the present one, so that `reset` is to be sent
     * first; null where no node tells
     */
    readonly resetFirst: boolean | null
    /** approves nothing */
    readonly reset: {
      /** EIP-155 chain id */
      readonly chainId: number
      /** address: lower-case hex, or base58 on Solana */
      readonly from: string
      /** address: lower-case hex, or base58 on Solana */
      readonly to: string
      readonly data: string
      /** raw units of the native unit to send along */
      readonly value: string
    }
    /** approves the amount */
    readonly approve: {
      /** EIP-155 chain id */
      readonly chainId: number
      /** address: lower-case hex, or base58 on Solana */
      readonly from: string
      /** address: lower-case hex, or base58 on Solana */
      readonly to: string
      readonly data: string
      /** raw units of the native unit to send along */
      readonly value: string
    }
  } | null
}

/**
 * the quote as `GET /v1/quote` answered it, unedited, with `taker` added; `slippageBps` may be left
 * out
 */
export type SwapBody = {
  /** who signs and pays */
  readonly taker: string
  /** who gets the output; the taker unless told */
  readonly recipient?: string
  /**
   * in place of an allowance of the router: a signature over Permit2's PermitTransferFrom of the
   * input token and amount, with the router as spender. Permit2 itself must be approved; a router
   * without it (of simulated chains) is refused with 400
   */
  readonly permit2?: {
    readonly nonce: string
    /** Unix seconds */
    readonly signedUntil: number
    readonly signature: string
  }
  readonly slippageBps?: number
} & {
  readonly [name: string]: unknown
}

export type FlagExplanation = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly token: string
  readonly rules: string
  readonly flags: ReadonlyArray<{
    readonly flag: "wash"
    readonly of: "token"
    readonly rule: {
      readonly id: string
      readonly version: number
      readonly text: string
    }
    readonly thresholds: {
      readonly minTrades: number
      readonly minUsd: number
      readonly minTradesPerWallet: number
      readonly minUsdPerWallet: number
    }
    readonly figures: {
      /** whose wallet is known */
      readonly trades: number
      readonly usd: number
      readonly wallets: number
      readonly tradesPerWallet: number
      readonly usdPerWallet: number
    }
    readonly window: {
      /** Unix seconds */
      readonly from: number
      /** Unix seconds */
      readonly to: number
    }
    /** who traded it, most trades first; 100 at most */
    readonly wallets: ReadonlyArray<{
      readonly wallet: string
      readonly trades: number
      readonly usd: number
    }>
    readonly prints: {
      /** all that the rule counted */
      readonly count: number
      /** 200 at most */
      readonly newest: ReadonlyArray<{
        /** position in the chain's log */
        readonly seq: number
        readonly block: number
        readonly logIndex: number
        readonly tx: string
        /** Unix seconds */
        readonly ts: number
        readonly wallet: string
        readonly usd: number | null
      }>
    }
  } | {
    readonly flag: "suspect"
    readonly of: "market"
    readonly pool: string
    readonly dex: string | null
    readonly token0: {
      readonly address: string
      readonly symbol: string | null
    } | null
    readonly token1: {
      readonly address: string
      readonly symbol: string | null
    } | null
    readonly rule: {
      readonly id: string
      readonly version: number
      readonly text: string
    }
    readonly thresholds: {
      readonly minTrades: number
      readonly minUsd: number
      readonly minTradesPerWallet: number
      readonly minUsdPerWallet: number
    }
    readonly figures: {
      /** whose wallet is known */
      readonly trades: number
      readonly usd: number
      readonly wallets: number
      readonly tradesPerWallet: number
      readonly usdPerWallet: number
    }
    readonly window: {
      /** Unix seconds */
      readonly from: number
      /** Unix seconds */
      readonly to: number
    }
    /** who traded it, most trades first; 100 at most */
    readonly wallets: ReadonlyArray<{
      readonly wallet: string
      readonly trades: number
      readonly usd: number
    }>
    readonly prints: {
      /** all that the rule counted */
      readonly count: number
      /** 200 at most */
      readonly newest: ReadonlyArray<{
        /** position in the chain's log */
        readonly seq: number
        readonly block: number
        readonly logIndex: number
        readonly tx: string
        /** Unix seconds */
        readonly ts: number
        readonly wallet: string
        readonly usd: number | null
      }>
    }
  } | {
    readonly flag: "impostor"
    readonly of: "token"
    readonly rule: {
      readonly id: string
      readonly version: number
      readonly text: string
    }
    readonly symbol: string | null
    /** the symbol as people read it */
    readonly readsAs: string
    /** the anchors whose symbol reads the same */
    readonly protects: ReadonlyArray<{
      readonly symbol: string
      /** null for a native unit without a token */
      readonly address: string | null
    }>
  }>
  /** markets of the token that bear a flag; 20 are explained, those that trade most */
  readonly suspectMarkets: number
  /** position in the chain's log */
  readonly asOf: number
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/** prints of a chain, newest first */
export type ChainPrints = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly prints: ReadonlyArray<{
    /** base token: the print is as it sees it */
    readonly token: string
    /** as on chain; untrusted */
    readonly symbol: string | null
    /** null where it is unknown */
    readonly quoteToken: string | null
    /** as on chain; untrusted */
    readonly quoteSymbol: string | null
    /** transaction hash */
    readonly tx: string
    readonly logIndex: number
    /** venue id */
    readonly dex: string | null
    readonly side: "buy" | "sell"
    /** whole tokens; null while the decimals are unknown */
    readonly tokenAmt: number | null
    /**
     * whole tokens of the other token of the swap, the pool's quote or not; null while its decimals
     * are unknown
     */
    readonly quoteAmount: number | null
    /** null where no price is known */
    readonly usd: number | null
    /** null where no price is known */
    readonly priceUsd: number | null
    /** Unix seconds */
    readonly ts: number
    /** null for a router or an unattributed trade; never guessed */
    readonly wallet: string | null
    /**
     * how `wallet` was found, or why it is null. `no-transaction`: null: the sender is not known;
     * `direct`: the transaction's sender called the pool or got its output; `router`: the sender
     * called a known router; `entry-point`: the account whose operation (ERC-4337) the swap stands
     * in; `unknown-contract`: null: through a contract that is no known router; `settlement`: null:
     * through a contract that settles orders of others; `swapped-again`: null: the pool swaps the
     * same way again in the transaction; `no-operation`: null: outside of the accounts' operations,
     * or in one undone; `paymaster`: null: the paymaster's own; `unknown-caller`: null: it may be a
     * hook's; `owner`: on Solana: who signed and owns what was paid, where another paid the fee
     */
    readonly walletBy: "no-transaction" | "direct" | "router" | "entry-point" | "unknown-contract" | "settlement" | "swapped-again" | "no-operation" | "paymaster" | "unknown-caller" | "owner"
    readonly block: number
    /** address, or pool id where pools have none */
    readonly pool: string
    /**
     * present where the print's price or dollars are not believed: it stays on the tape, and out of
     * candles, volume and all-time highs
     */
    readonly outlier?: true
    /** a rule calls what the token was traded in 24 hours wash trading */
    readonly wash?: true
    readonly impostor?: true
  }>
  /** cursor of the next page; null on the last */
  readonly nextBefore: string | null
  /** the oldest print looked at: a page with fewer rows than asked for stopped there */
  readonly searchedTo: {
    /** Unix seconds */
    readonly ts: number
    readonly block: number
  } | null
  readonly ingestFloor: IngestFloor
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/**
 * smallest trade counted, in dollars; `history` since when, 0 for the whole log, which is folded
 * anew when the floor changes
 */
export type IngestFloor = {
  readonly minTradeUsd: number
  readonly history: ReadonlyArray<{
    readonly usd: number
    /** Unix seconds */
    readonly fromTs: number
  }>
}

/** the wallets of the UTC day that made or traded most */
export type DayTraders = {
  readonly chain: "solana"
  readonly windowDays: number
  /** start of the window, Unix seconds */
  readonly from: number
  readonly sort: string
  /** who is left out */
  readonly botRule: string
  /** Unix seconds at which the board was built */
  readonly computedAt: number
  /**
   * why the board may be older than it should be, or show swaps that were taken back; null where
   * nothing is wrong
   */
  readonly problem: string | null
  readonly traders: ReadonlyArray<{
    /** base58, case-sensitive */
    readonly wallet: string
    /** US dollars */
    readonly realizedPnlUsd: number
    /** US dollars */
    readonly volumeUsd: number
    /** US dollars */
    readonly boughtUsd: number
    /** US dollars */
    readonly soldUsd: number
    readonly trades: number
    readonly tokens: number
    /** tokens bought and sold, outcome known */
    readonly closedTokens: number
    readonly winningTokens: number
    /** part of the tokens bought and sold that sold above their average buy */
    readonly winRate: number
    /** Unix seconds */
    readonly lastTrade: number
  }>
  /** Unix seconds of the newest block it reflects */
  readonly updatedAt: number
}

/** the wallets of a window that trade well, by the rules that it tells */
export type SmartTraders = {
  readonly chain: "solana"
  readonly windowDays: number
  /** start of the window, Unix seconds */
  readonly from: number
  /** Unix seconds from which on the index lacks nothing that is kept */
  readonly coverageSince: number
  /** of all wallets of the window */
  readonly population: {
    readonly profitable: number
    readonly cadence: number
    readonly sniper: number
  }
  /** what became of the candidates */
  readonly checked: {
    readonly candidates: number
    readonly kept: number
    /**
     * candidates by flag, one with several under each; of those with cadence or sniper no other is
     * looked for
     */
    readonly flags: {
      readonly cadence: number
      readonly sniper: number
      readonly burst: number
      readonly sameslot: number
      readonly arb: number
      readonly scalp: number
      readonly launch: number
    }
    /** candidates of which a position was left out */
    readonly suspect: number
    readonly ineligible: number
    /**
     * candidates left out since the swaps read of them are not as many as their sums count: a read
     * failed twice, or a table is damaged; else 0
     */
    readonly readErrors: number
    /** why they could not; null where all could */
    readonly readProblem: string | null
    /** wallets behind a better one of an operator */
    readonly clustered: number
  }
  /** Unix seconds at which the board was built */
  readonly computedAt: number
  /**
   * why the board may be older than it should be, or show swaps that were taken back; null where
   * nothing is wrong
   */
  readonly problem: string | null
  /** milliseconds that building it took */
  readonly tookMs: number
  /** one text per rule */
  readonly rules: ReadonlyArray<string>
  readonly sort: string
  readonly traders: ReadonlyArray<{
    /** base58, case-sensitive */
    readonly wallet: string
    /** rule 7 */
    readonly score: number
    /** US dollars */
    readonly realizedPnlUsd: number
    /** realized PnL over what the sold part had cost; null where that is 0 */
    readonly roi: number | null
    /** part of one */
    readonly winRate: number
    /** shrunk toward one half, as in the score */
    readonly winRateAdj: number
    /** tokens bought and sold */
    readonly closedTokens: number
    readonly winningTokens: number
    /** tokens traded, those that are left out as well */
    readonly tokens: number
    /** swaps in pools quoted in SOL, USDC or USDT */
    readonly trades: number
    /** US dollars */
    readonly volumeUsd: number
    /** UTC days with a swap */
    readonly activeDays: number
    /** UTC days on which what was sold had cost less */
    readonly profitableDays: number
    /** seconds from the average buy to a sell, of the middle sell */
    readonly medianHoldS: number | null
    /** by present prices; not ranked */
    readonly unrealizedPnlUsd: number
    /** US dollars */
    readonly heldValueUsd: number
    /** what was sold had cost */
    readonly costSoldUsd: number
    readonly bestToken: {
      readonly token: string
      /** as on chain; untrusted */
      readonly symbol: string | null
      /** as on chain; untrusted */
      readonly name: string | null
      readonly image: string
      /** US dollars */
      readonly realizedPnlUsd: number
    } | null
    /** part of realizedPnlUsd, 1 at most */
    readonly bestShare: number
    /** positions left out by rule 3 */
    readonly unpricedTokens: number
    /** positions left out by rule 3 */
    readonly suspectTokens: number
    /** closed positions first bought right at the pool's first swap */
    readonly launchTokens: number
    /** other wallets of the same operator */
    readonly siblings: number
    /** Unix seconds */
    readonly lastTrade: number
  }>
  /** Unix seconds of the newest block it reflects */
  readonly updatedAt: number
}

/** trades of a wallet, newest first */
export type WalletTrades = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly wallet: string
  readonly trades: ReadonlyArray<SwapRow>
  /** cursor of the next page; null on the last */
  readonly nextBefore: string | null
  readonly ingestFloor: IngestFloor
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** what this answer cannot tell, and why; absent where there is nothing of the kind */
  readonly warnings?: ReadonlyArray<string>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/** profit and loss at average cost inside the window */
export type WalletPnl = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly wallet: string
  readonly windowDays: number
  /** Unix seconds */
  readonly since: number
  /** the wallet traded more than 10,000 times: the newest ones count, from `since` on */
  readonly truncated: boolean
  readonly tokens: number
  readonly trades: number
  /** trades whose dollars are unknown or not believed; in no sum of dollars */
  readonly unpricedTrades: number
  /** US dollars */
  readonly volumeUsd: number
  /** US dollars */
  readonly boughtUsd: number
  /** US dollars */
  readonly soldUsd: number
  /** US dollars */
  readonly realizedPnlUsd: number
  /** US dollars */
  readonly unrealizedPnlUsd: number
  /** US dollars */
  readonly heldValueUsd: number
  /** part of the tokens bought and sold, with a known outcome, that sold above cost */
  readonly winRate: number
  readonly partialTokens: number
  /** positions whose held value is unknown; in no sum of what is held */
  readonly unpricedTokens: number
  /** over 3,000 trades or 300 tokens on some UTC day */
  readonly likelyBot: boolean
  /** 200 at most, biggest first */
  readonly positions: ReadonlyArray<{
    readonly token: string
    /** as on chain; untrusted */
    readonly symbol: string | null
    /** as on chain; untrusted */
    readonly name: string | null
    readonly image: string
    /** null where unknown */
    readonly priceUsd: number | null
    /** US dollars */
    readonly boughtUsd: number
    /** US dollars */
    readonly soldUsd: number
    /** whole tokens; null while the decimals are unknown */
    readonly boughtAmount: number | null
    /** whole tokens; null while the decimals are unknown */
    readonly soldAmount: number | null
    readonly buys: number
    readonly sells: number
    /**
     * whole tokens bought less those sold, 0 where it sold more; null while the decimals are
     * unknown
     */
    readonly heldAmount: number | null
    /** null where unknown */
    readonly heldValueUsd: number | null
    /**
     * by the average of all buys of the window, later ones included; 0 where it sold nothing; null
     * where the position is partial, or where it sold and one of its prints has no believed price
     */
    readonly realizedPnlUsd: number | null
    /** null where unknown */
    readonly unrealizedPnlUsd: number | null
    /** sold more than it bought: what that had cost is not in the window */
    readonly partial: boolean
    /** prints whose dollars are unknown or not believed; in no sum of dollars */
    readonly unpriced: number
    /** Unix seconds */
    readonly lastDay: number
  }>
  readonly ingestFloor?: IngestFloor
  /** what this answer cannot tell, and why; absent where there is nothing of the kind */
  readonly warnings?: ReadonlyArray<string>
  /** position in the chain's log */
  readonly asOf: number
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/** a price with all that went into it */
export type PriceExplained = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** address: lower-case hex, or base58 on Solana */
  readonly token: string
  /** null where no pool may set a price */
  readonly priceUsd: number | null
  /**
   * time of the oldest pool state that the price goes back to: long ago is stale; null without a
   * price, and of a dollar that is $1 by rule (`/v1/prices/explain`)
   */
  readonly priceTs: number | null
  /** what its pools count for, with what is virtual of them; what they hold is in `backedUsd` */
  readonly depthUsd: number | null
  /** of an anchor: a price far from the one before, which must last to count */
  readonly pendingUsd: number | null
  readonly ts: number | null
  /** a dollar price may start from it */
  readonly anchor: boolean
  /** from the token to a dollar */
  readonly path: ReadonlyArray<{
    readonly token: string | null
    readonly priceUsd: number | null
    /**
     * time of the oldest pool state that the price goes back to: long ago is stale; null without a
     * price, and of a dollar that is $1 by rule (`/v1/prices/explain`)
     */
    readonly priceTs: number | null
    /** the deepest pool that prices it; null where `dollars` tells it, and without a price */
    readonly pool: string | null
  }>
  /** the deepest 50, deepest first */
  readonly pools: ReadonlyArray<{
    /** address, or pool id where pools have none */
    readonly pool: string
    /** venue id */
    readonly dex: string | null
    /** its venue stands in the chain's registry */
    readonly listed: boolean
    readonly quote: string | null
    /** what a quote token costs at present */
    readonly quotePriceUsd: number | null
    /** what it says a token costs, at that */
    readonly priceUsd: number | null
    /**
     * what it counts for, with what is virtual of it, as of a launch curve; null while its quote
     * has no price
     */
    readonly depthUsd: number | null
    /** its quote side, virtual where liquidity is ranged */
    readonly quoteUsd: number | null
    /** quote tokens that are in it; null where the log does not hold all of them */
    readonly backedUsd: number | null
    /** at its newest state; null where it was made before the log, or at its beginning */
    readonly ageSeconds: number | null
    /** time of its newest state */
    readonly ts: number
    readonly eligible: boolean
    /**
     * why it has no part in the price; `unlisted`: listed pools come first, `silent`: an anchor's
     * other pools told theirs a day later or more, `far`: from the weighted median of an anchor's
     * pools, `by-rule`: the dollar costs $1 whatever they say (`dollars`)
     */
    readonly reason: "no-price" | "thin" | "one-sided" | "new" | "unlisted" | "silent" | "far" | "by-rule" | null
    /**
     * its part in the price, 0 to 1: all parts times their prices are `priceUsd`, or `pendingUsd`
     * while that waits
     */
    readonly weight: number
  }>
  readonly poolsTotal: number
  readonly prints: {
    /** last accepted print, where no pool sets a price */
    readonly acceptedUsd: number | null
    /** another level that prints stand at */
    readonly otherUsd: number | null
    /** prints there, less those elsewhere */
    readonly votes: number
  }
  /** what the chain's dollars are worth; null in recipes that ask nobody */
  readonly dollars: {
    /** their median is $1; else each of them is */
    readonly applies: boolean
    readonly because: string
    readonly known: ReadonlyArray<{
      readonly token: string | null
      readonly priceUsd: number | null
      /** its price in the one that is 1 here */
      readonly inReference: number
      /** of its pools that tell so, in dollars */
      readonly depth: number
    }>
  } | null
  readonly recipe: PriceRecipe
  /** the log position it reflects */
  readonly seq: number
  readonly block: number
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/** the rules that every price follows; a change is a new version */
export type PriceRecipe = {
  readonly version: number
  /** that can be asked for */
  readonly versions: ReadonlyArray<number>
  readonly thresholds: {
    readonly [name: string]: number
  }
  readonly steps: ReadonlyArray<string>
}

/** trades, newest first */
export type TokenTrades = {
  readonly trades: ReadonlyArray<Trade>
  readonly total: number
  readonly page: number
  readonly pageSize: number
  /** venues seen */
  readonly dexes: ReadonlyArray<string>
  readonly stats24h: {
    readonly buys: number
    readonly sells: number
    readonly buyUsd: number
    readonly sellUsd: number
  }
  /** position in the chain's log */
  readonly asOf: number
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
}

export type Trade = {
  /** transaction hash */
  readonly tx: string
  readonly logIndex: number
  /** venue id */
  readonly dex: string | null
  readonly side: "buy" | "sell"
  /** whole tokens; null while the decimals are unknown */
  readonly tokenAmt: number | null
  /**
   * whole tokens of the other token of the swap, the pool's quote or not; null while its decimals
   * are unknown
   */
  readonly quoteAmount: number | null
  /** null where no price is known */
  readonly usd: number | null
  /** null where no price is known */
  readonly priceUsd: number | null
  /** Unix seconds */
  readonly ts: number
  /** null for a router or an unattributed trade; never guessed */
  readonly wallet: string | null
  /**
   * how `wallet` was found, or why it is null. `no-transaction`: null: the sender is not known;
   * `direct`: the transaction's sender called the pool or got its output; `router`: the sender
   * called a known router; `entry-point`: the account whose operation (ERC-4337) the swap stands
   * in; `unknown-contract`: null: through a contract that is no known router; `settlement`: null:
   * through a contract that settles orders of others; `swapped-again`: null: the pool swaps the
   * same way again in the transaction; `no-operation`: null: outside of the accounts' operations,
   * or in one undone; `paymaster`: null: the paymaster's own; `unknown-caller`: null: it may be a
   * hook's; `owner`: on Solana: who signed and owns what was paid, where another paid the fee
   */
  readonly walletBy: "no-transaction" | "direct" | "router" | "entry-point" | "unknown-contract" | "settlement" | "swapped-again" | "no-operation" | "paymaster" | "unknown-caller" | "owner"
  readonly block: number
  /** address, or pool id where pools have none */
  readonly pool: string
  /**
   * present where the print's price or dollars are not believed: it stays on the tape, and out of
   * candles, volume and all-time highs
   */
  readonly outlier?: true
}

/** tokens of the chain */
export type TokenList = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** false: no list covers the chain, or all tokens were wanted */
  readonly curated: boolean
  /** the token lists of the chain; none where no list covers it */
  readonly lists: ReadonlyArray<{
    readonly name: string
    readonly version: string
  }>
  readonly tokens: ReadonlyArray<{
    /** EIP-155 chain id; `solana`, which has none */
    readonly chainId: number | "solana"
    /** address: lower-case hex, or base58 on Solana */
    readonly address: string
    /** as on chain; untrusted; while it was not read, as the list has it */
    readonly symbol: string | null
    /** likewise */
    readonly name: string | null
    readonly decimals: number | null
    readonly logoURI: string
    /** the picture that a token list names; null where none does */
    readonly logoUriRaw: string | null
    /** `anchor`, `stable`, `native`, `stock`, and those of token lists */
    readonly tags: ReadonlyArray<string>
    /**
     * an anchor of the chain, or on one of its token lists; where no list covers the chain: it
     * tells symbol, name and decimals, has no flag, and a price with at least $10,000 behind it
     */
    readonly listed: boolean
    /** what its pool says, at the present price of what it is quoted in; null without */
    readonly priceUsd: number | null
    /**
     * time of the oldest pool state that the price goes back to: long ago is stale; null without a
     * price, and of a dollar that is $1 by rule (`/v1/prices/explain`)
     */
    readonly priceTs: number | null
    /**
     * newest print against the newest one before `sinceHour`, or against the first of all
     * (`/v1/rules`); null without a price
     */
    readonly change24hPct: number | null
    /**
     * from when the change counts: the window's first second, or the token's first print that
     * counts; null without a change
     */
    readonly changeSince: number | null
    /** US dollars */
    readonly volume24h: number
    /** US dollars */
    readonly buyVolume24h: number
    /** US dollars */
    readonly sellVolume24h: number
    readonly trades24h: number
    readonly buys24h: number
    readonly sells24h: number
    /**
     * distinct wallets of the trades whose sender the log names: at least so many where it names
     * some only, null where there are trades and it names nobody's
     */
    readonly traders: number | null
    /** null where it never traded */
    readonly firstTradeTs: number | null
    /** null where it never traded */
    readonly lastTradeTs: number | null
    /** smallest units, when it was last read */
    readonly totalSupply: string | null
    /** null where unknown */
    readonly marketCapUsd: number | null
    /** a listed venue has a pool of it that can be quoted: never on Solana */
    readonly routable: boolean
    readonly pools: {
      readonly v3: number
      readonly v2: number
      readonly v4: number
      readonly byDex: {
        readonly [name: string]: number
      }
    }
    readonly wash?: boolean
    readonly impostor?: boolean
    /** percent of a transfer that the token was seen to keep; null where none was followed */
    readonly transferFeePct: number | null
    /** dollars behind the price on its pool's anchor side */
    readonly depthUsd: number | null
    /** prints in the log */
    readonly trades: number
  }>
  readonly total: number
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/** the holder ledger of a token */
export type Holders = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** address: lower-case hex, or base58 on Solana */
  readonly token: string
  readonly tracked: boolean
  /**
   * whether the ledger is the whole truth: every transfer since the token's creation is in it, its
   * blocks are proven or told by two endpoints, what they make is the supply that the token tells,
   * nobody has less than nothing, and no sampled holder another balance on chain
   */
  readonly complete: boolean
  /** what speaks against it, in words; null where `complete` */
  readonly incompleteBecause: ReadonlyArray<string> | null
  readonly coverage: {
    /** the block from which on transfers are logged as they come */
    readonly addedBlock: number
    /** transfers from this block up to `addedBlock` are in the ledger, too */
    readonly floorBlock: number
    /** the block of the token's creation; null where it is not known (yet) */
    readonly createdBlock: number | null
    /**
     * how far the reading of earlier transfers is, upwards; they count once all are there. Null
     * where none is under way
     */
    readonly backfillCursor: number | null
    /** the newest block that counts */
    readonly forwardCursor: number
    /** transfers in the ledger */
    readonly logs: number
    /** runs of blocks since `addedBlock` that are not proven complete yet */
    readonly gaps: number
    /** runs of blocks since `addedBlock` that are one node's word */
    readonly words: number
    /**
     * why transfers from before `addedBlock` are missing; null where they are being read, or are
     * there
     */
    readonly problem: string | null
  }
  readonly audit: HolderAudit | null
  /**
   * why the ledger could not be compared with the contract when that was tried last; null where it
   * could, or was not tried
   */
  readonly unaudited: string | null
  readonly decimals: number | null
  /**
   * raw units: as of `forwardCursor` where `supplyMatches`, else as last read; null where it never
   * was
   */
  readonly totalSupply: string | null
  /** raw units minted less those burnt */
  readonly supplyFromTransfers: string
  /**
   * whether transfers explain the supply that was read; false for tokens that rebase or change
   * balances without a transfer; null where the past is missing, or was joined after the supply was
   * read
   */
  readonly supplyMatches: boolean | null
  /** addresses with more than nothing */
  readonly holders: number
  /**
   * addresses that sent more than the ledger saw them get, left out of `top`: the rest of the past
   * is missing, or the token gives without a transfer
   */
  readonly negativeHolders: number
  /** of `totalSupply`, 0 to 100; null while that is unknown */
  readonly heldByWalletsPct: number | null
  /** what the largest holders of any kind have together */
  readonly concentration: {
    /** of `totalSupply`, 0 to 100; null while that is unknown */
    readonly top1: number | null
    /** of `totalSupply`, 0 to 100; null while that is unknown */
    readonly top5: number | null
    /** of `totalSupply`, 0 to 100; null while that is unknown */
    readonly top10: number | null
    /** of `totalSupply`, 0 to 100; null while that is unknown */
    readonly top20: number | null
    /** of `totalSupply`, 0 to 100; null while that is unknown */
    readonly top50: number | null
    /** of `totalSupply`, 0 to 100; null while that is unknown */
    readonly top100: number | null
  }
  /** what the largest wallets have together */
  readonly walletConcentration: {
    /** of `totalSupply`, 0 to 100; null while that is unknown */
    readonly top1: number | null
    /** of `totalSupply`, 0 to 100; null while that is unknown */
    readonly top5: number | null
    /** of `totalSupply`, 0 to 100; null while that is unknown */
    readonly top10: number | null
    /** of `totalSupply`, 0 to 100; null while that is unknown */
    readonly top20: number | null
    /** of `totalSupply`, 0 to 100; null while that is unknown */
    readonly top50: number | null
    /** of `totalSupply`, 0 to 100; null while that is unknown */
    readonly top100: number | null
  }
  /** version of the list of addresses that nobody can send from */
  readonly burnSinksVersion: number
  /** largest first, then by address */
  readonly top: ReadonlyArray<{
    /** lower-case address */
    readonly holder: string
    /** raw units, exact */
    readonly balance: string
    /** whole tokens; null while the decimals are unknown */
    readonly amount: number | null
    /** of `totalSupply`, 0 to 100; null while that is unknown */
    readonly sharePct: number | null
    /** `pool`: a pool or vault that the chain knows; `burn`: nobody can send from it */
    readonly kind: "wallet" | "pool" | "burn"
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/**
 * the newest comparison of the ledger with `balanceOf`; one that found differences counts until
 * another finds none among as many. Null before the first
 */
export type HolderAudit = {
  /** balances were read as of the end of this block */
  readonly block: number
  /** addresses that were asked about: large receivers, and some by chance */
  readonly sampled: number
  /** those that have another balance by the ledger than the contract says */
  readonly differing: number
  /** Unix milliseconds */
  readonly at: number
}

/** swaps of one bucket, in the chain's order */
export type CandleProof = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** address: lower-case hex, or base58 on Solana */
  readonly token: string
  readonly pool?: string
  /** address: lower-case hex, or base58 on Solana */
  readonly quoteToken?: string
  readonly quote?: "usd" | "token" | "mcap"
  /** whole tokens there are, of quote=mcap */
  readonly supply?: number
  readonly tf: "1s" | "5s" | "15s" | "30s" | "1m" | "5m" | "15m" | "1h" | "4h" | "1d" | "1w"
  /** Unix seconds */
  readonly from: number
  /** Unix seconds */
  readonly to: number
  readonly candle: Candle | null
  /** of all trades: how many, also those without a price, of dust, or not believed */
  readonly trades?: number
  /** of all trades: those that bought the token */
  readonly buys?: number
  /** of all trades: those that sold the token */
  readonly sells?: number
  /**
   * US dollars of `n` that bought the token, with quote=token too; a trade whose dollars are
   * unknown adds nothing
   */
  readonly buyVol?: number
  /**
   * US dollars of `n` that sold the token, with quote=token too; a trade whose dollars are unknown
   * adds nothing
   */
  readonly sellVol?: number
  /** of all trades: those that are not believed, and in nothing else unless `raw=1` */
  readonly filtered?: number
  /**
   * 16 hex digits: sum of the hashes of all trades, which `GET /v1/candles/proof` lists; a wider
   * bucket's is the sum of its parts'. Null where `unavailable` says why, and of a proof where the
   * bucket's trades are not kept
   */
  readonly hash?: string | null
  /**
   * the bucket's end lies before a block that is as deep as the chain's finality, and no block of
   * it is missing
   */
  readonly final?: boolean
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  readonly swaps: ReadonlyArray<{
    /** transaction hash */
    readonly tx: string
    readonly logIndex: number
    /** venue id */
    readonly dex: string | null
    readonly side: "buy" | "sell"
    /** whole tokens; null while the decimals are unknown */
    readonly tokenAmt: number | null
    /**
     * whole tokens of the other token of the swap, the pool's quote or not; null while its decimals
     * are unknown
     */
    readonly quoteAmount: number | null
    /** null where no price is known */
    readonly usd: number | null
    /** null where no price is known */
    readonly priceUsd: number | null
    /** Unix seconds */
    readonly ts: number
    /** null for a router or an unattributed trade; never guessed */
    readonly wallet: string | null
    /**
     * how `wallet` was found, or why it is null. `no-transaction`: null: the sender is not known;
     * `direct`: the transaction's sender called the pool or got its output; `router`: the sender
     * called a known router; `entry-point`: the account whose operation (ERC-4337) the swap stands
     * in; `unknown-contract`: null: through a contract that is no known router; `settlement`: null:
     * through a contract that settles orders of others; `swapped-again`: null: the pool swaps the
     * same way again in the transaction; `no-operation`: null: outside of the accounts' operations,
     * or in one undone; `paymaster`: null: the paymaster's own; `unknown-caller`: null: it may be a
     * hook's; `owner`: on Solana: who signed and owns what was paid, where another paid the fee
     */
    readonly walletBy: "no-transaction" | "direct" | "router" | "entry-point" | "unknown-contract" | "settlement" | "swapped-again" | "no-operation" | "paymaster" | "unknown-caller" | "owner"
    readonly block: number
    /** address, or pool id where pools have none */
    readonly pool: string
    readonly priceQuote?: number | null
    /** in the candle's prices, `v` and `n` */
    readonly counted: boolean
    /**
     * why it is not counted: not believed; no dollars known; too little moved to tell a price, or
     * decimals unknown
     */
    readonly reason: "outlier" | "unpriced" | "too_little" | null
  }>
  /** cursor of the next page; null on the last */
  readonly nextAfter: string | null
}

/** candles, oldest first */
export type Candles = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** address: lower-case hex, or base58 on Solana */
  readonly token: string
  readonly tf: "1s" | "5s" | "15s" | "30s" | "1m" | "5m" | "15m" | "1h" | "4h" | "1d" | "1w"
  readonly source: "index"
  /** Unix seconds */
  readonly from: number
  /** Unix seconds */
  readonly to: number
  /** the newest bucket is still open */
  readonly forming: boolean
  readonly candles: ReadonlyArray<RichCandle>
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  readonly ingestFloor?: IngestFloor
  /** what this answer cannot tell, and why; absent where there is nothing of the kind */
  readonly warnings?: ReadonlyArray<string>
  readonly pool?: string
  /** address: lower-case hex, or base58 on Solana */
  readonly quoteToken?: string
  readonly quote?: "usd" | "token" | "mcap"
  /** whole tokens there are, of quote=mcap */
  readonly supply?: number
  readonly raw?: true
  /**
   * of frames below a minute: the tape begins here; 0: with the chain. Of frames from a minute to
   * below an hour where the window begins before what is kept of minutes: they begin here
   */
  readonly reachesFrom?: number
  /** fields that are null, all or some of them, and why */
  readonly unavailable?: ReadonlyArray<{
    readonly fields: ReadonlyArray<"buys" | "sells" | "buyVol" | "sellVol" | "buyers" | "sellers" | "trades" | "filtered" | "hash" | "final" | "state">
    readonly reason: string
  }>
  /** fields that are not exact, and how they were found */
  readonly estimated?: ReadonlyArray<{
    readonly fields: ReadonlyArray<"buys" | "sells" | "buyVol" | "sellVol" | "buyers" | "sellers" | "trades" | "filtered" | "hash" | "final" | "state">
    readonly reason: string
  }>
}

/** prices in what `quote` says; fields beyond `n` as `fields` asks for */
export type RichCandle = {
  /** bucket start, Unix seconds */
  readonly t: number
  readonly o: number
  readonly h: number
  readonly l: number
  readonly c: number
  /** volume of the trades that `n` counts, US dollars */
  readonly v: number
  /**
   * trades in the bucket that its prices are made of: those that tell a price and are believed;
   * with `raw=1` also those not believed. Trades whose dollars are unknown, of dust, or of a token
   * without decimals are in `trades` (`fields=trades`), which counts all; a bucket of these alone
   * is none, and is filled as one without a trade
   */
  readonly n: number
  /** of all trades: how many, also those without a price, of dust, or not believed */
  readonly trades?: number
  /** of all trades: those that bought the token */
  readonly buys?: number
  /** of all trades: those that sold the token */
  readonly sells?: number
  /**
   * US dollars of `n` that bought the token, with quote=token too; a trade whose dollars are
   * unknown adds nothing
   */
  readonly buyVol?: number
  /**
   * US dollars of `n` that sold the token, with quote=token too; a trade whose dollars are unknown
   * adds nothing
   */
  readonly sellVol?: number
  /** of all trades: those that are not believed, and in nothing else unless `raw=1` */
  readonly filtered?: number
  /**
   * 16 hex digits: sum of the hashes of all trades, which `GET /v1/candles/proof` lists; a wider
   * bucket's is the sum of its parts'. Null where `unavailable` says why, and of a proof where the
   * bucket's trades are not kept
   */
  readonly hash?: string | null
  /**
   * the bucket's end lies before a block that is as deep as the chain's finality, and no block of
   * it is missing
   */
  readonly final?: boolean
  /**
   * distinct wallets that bought, of the trades whose sender the log names, so at least so many
   * where it names some only; null where it names none of the bucket's. An estimate where
   * `estimated` says so; `unavailable` says why there are nulls
   */
  readonly buyers?: number | null
  /**
   * distinct wallets that sold, of the trades whose sender the log names, so at least so many where
   * it names some only; null where it names none of the bucket's. An estimate where `estimated`
   * says so; `unavailable` says why there are nulls
   */
  readonly sellers?: number | null
  /** unpriced: trades without a price; empty: proven to have no trade */
  readonly state?: "traded" | "unpriced" | "empty"
}

/** the rules behind prices, flags and lists */
export type Rules = {
  /**
   * over swaps of known wallets in 24 hours (boards) or a UTC day (`daily`), of a token for rows,
   * anchors excepted, and of a market for sums; every threshold of a rule must be met
   */
  readonly wash: {
    readonly version: number
    readonly rules: ReadonlyArray<{
      readonly id: string
      readonly text: string
      readonly minTrades: number
      readonly minUsd: number
      readonly minTradesPerWallet: number
      readonly minUsdPerWallet: number
    }>
  }
  readonly impostor: {
    readonly version: number
    readonly id: string
    readonly text: string
  }
  /** when a new launch is shown */
  readonly graduated: {
    readonly version: number
    readonly id: string
    readonly text: string
    readonly minTrades: number
    readonly minDepthUsd: number
  }
  /** which of the tokens that read alike these chains' boards show */
  readonly listing: {
    readonly version: number
    readonly id: string
    readonly chains: ReadonlyArray<number>
    readonly text: string
  }
  /** which tokens of lists are tokenised stocks */
  readonly stock: {
    readonly version: number
    readonly chain: number
    readonly tag: string
    readonly text: string
    readonly ticker: string
  }
  readonly price: PriceRecipe
  /** what every change of a price compares */
  readonly change: {
    readonly version: number
    readonly id: string
    readonly text: string
  }
  /** which wallets are likely bots (`likelyBot`) */
  readonly bot: {
    readonly version: number
    readonly id: string
    readonly tradesADay: number
    readonly tokensADay: number
    readonly text: string
  }
  /** whom the board of a day's traders leaves out */
  readonly dayTraders: {
    readonly version: number
    readonly id: string
    readonly minVolumeUsd: number
    readonly text: string
  }
  /** who is a smart trader, and by which score */
  readonly smartTraders: {
    readonly version: number
    readonly id: string
    readonly texts: ReadonlyArray<string>
    readonly thresholds: {
      readonly [name: string]: number | ReadonlyArray<{
        readonly above: number
        readonly factor: number
      }>
    }
  }
}

/** tokenised stocks, most volume first */
export type Stocks = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** Unix seconds */
  readonly sinceHour: number
  /** the token lists of the chain; none where no list covers it */
  readonly lists: ReadonlyArray<{
    readonly name: string
    readonly version: string
  }>
  readonly offset: number
  readonly stocks: ReadonlyArray<{
    /** address: lower-case hex, or base58 on Solana */
    readonly address: string
    /** as on chain; untrusted; while it was not read, as the list has it */
    readonly symbol: string | null
    /** likewise */
    readonly name: string | null
    readonly decimals: number | null
    readonly logoURI: string
    /** the picture that a token list names; null where none does */
    readonly logoUriRaw: string | null
    /** `anchor`, `stable`, `native`, `stock`, and those of token lists */
    readonly tags: ReadonlyArray<string>
    /**
     * an anchor of the chain, or on one of its token lists; where no list covers the chain: it
     * tells symbol, name and decimals, has no flag, and a price with at least $10,000 behind it
     */
    readonly listed: boolean
    /** what its pool says, at the present price of what it is quoted in; null without */
    readonly priceUsd: number | null
    /**
     * time of the oldest pool state that the price goes back to: long ago is stale; null without a
     * price, and of a dollar that is $1 by rule (`/v1/prices/explain`)
     */
    readonly priceTs: number | null
    /**
     * newest print against the newest one before `sinceHour`, or against the first of all
     * (`/v1/rules`); null without a price
     */
    readonly change24hPct: number | null
    /**
     * from when the change counts: the window's first second, or the token's first print that
     * counts; null without a change
     */
    readonly changeSince: number | null
    /** US dollars */
    readonly volume24h: number
    /** US dollars */
    readonly buyVolume24h: number
    /** US dollars */
    readonly sellVolume24h: number
    readonly trades24h: number
    readonly buys24h: number
    readonly sells24h: number
    /**
     * distinct wallets of the trades whose sender the log names: at least so many where it names
     * some only, null where there are trades and it names nobody's
     */
    readonly traders: number | null
    /** null where it never traded */
    readonly firstTradeTs: number | null
    /** null where it never traded */
    readonly lastTradeTs: number | null
    /** smallest units, when it was last read */
    readonly totalSupply: string | null
    /** null where unknown */
    readonly marketCapUsd: number | null
    /** a listed venue has a pool of it that can be quoted: never on Solana */
    readonly routable: boolean
    readonly pools: {
      readonly v3: number
      readonly v2: number
      readonly v4: number
      readonly byDex: {
        readonly [name: string]: number
      }
    }
    readonly wash?: boolean
    readonly impostor?: boolean
    /** percent of a transfer that the token was seen to keep; null where none was followed */
    readonly transferFeePct: number | null
    /** dollars behind the price on its pool's anchor side */
    readonly depthUsd: number | null
    /** prints in the log */
    readonly trades: number
  }>
  readonly total: number
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** Unix milliseconds */
  readonly updatedAt: number
}

/** wallets */
export type LiquidityWallets = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly offset: number
  /** rows there are */
  readonly total: number
  /** most dollars added first */
  readonly wallets: ReadonlyArray<{
    readonly wallet: string
    readonly pools: number
    /** US dollars, each change at its own moment */
    readonly addedUsd: number
    /** US dollars, each change at its own moment */
    readonly removedUsd: number
    /** US dollars, each change at its own moment */
    readonly collectedUsd: number
    readonly positions: number
    readonly adds: number
    readonly removes: number
    readonly collects: number
    /** changes whose dollars are unknown: in no sum of dollars */
    readonly unpriced: number
    /** Unix seconds */
    readonly firstTs: number
    /** Unix seconds */
    readonly lastTs: number
  }>
  /** of changes that name no owner; times are null where there is none */
  readonly unowned: {
    readonly pools: number
    /** US dollars, each change at its own moment */
    readonly addedUsd: number
    /** US dollars, each change at its own moment */
    readonly removedUsd: number
    /** US dollars, each change at its own moment */
    readonly collectedUsd: number
    readonly positions: number
    readonly adds: number
    readonly removes: number
    readonly collects: number
    /** changes whose dollars are unknown: in no sum of dollars */
    readonly unpriced: number
    readonly firstTs: number | null
    readonly lastTs: number | null
  }
  /** there are so many positions that those are let go which have not changed for the longest */
  readonly forgets: boolean
  /** position in the chain's log */
  readonly asOf: number
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/** positions */
export type LiquidityPositions = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly offset: number
  /** rows there are */
  readonly total: number
  /** most dollars added first */
  readonly positions: ReadonlyArray<{
    readonly pool: string
    /** venue id */
    readonly dex: string | null
    /** null where it is unknown */
    readonly token0: {
      readonly address: string
      /** as on chain; untrusted */
      readonly symbol: string | null
    } | null
    /** null where it is unknown */
    readonly token1: {
      readonly address: string
      /** as on chain; untrusted */
      readonly symbol: string | null
    } | null
    /** wallet; null where the event names none */
    readonly owner: string | null
    /**
     * an owner's positions apart: its account, of Raydium CLMM its NFT's mint; null where no event
     * tells it
     */
    readonly position: string | null
    /** null where the range is not told, as venues of Solana do not */
    readonly tickLower: number | null
    /** null where the range is not told, as venues of Solana do not */
    readonly tickUpper: number | null
    /** the pool's own unit; null where no event tells it */
    readonly liquidity: number | null
    readonly adds: number
    readonly removes: number
    readonly collects: number
    /** whole tokens, of the changes that tell amounts */
    readonly added0: number
    readonly added1: number
    readonly removed0: number
    readonly removed1: number
    readonly collected0: number
    readonly collected1: number
    /** US dollars, each change at its own moment */
    readonly addedUsd: number
    /** US dollars, each change at its own moment */
    readonly removedUsd: number
    /** US dollars, each change at its own moment */
    readonly collectedUsd: number
    /** changes whose dollars are unknown: in no sum of dollars */
    readonly unpriced: number
    /** changes whose amounts are unknown: in no sum of tokens */
    readonly untold: number
    /** the log has the pool's making: where false, what it held before the log is in no sum here */
    readonly sinceCreation: boolean
    /** Unix seconds */
    readonly firstTs: number
    /** Unix seconds */
    readonly lastTs: number
  }>
  /** there are so many positions that those are let go which have not changed for the longest */
  readonly forgets: boolean
  /** position in the chain's log */
  readonly asOf: number
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/** newest first */
export type LiquidityEvents = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly events: ReadonlyArray<{
    readonly tx: string
    readonly logIndex: number
    /** slot */
    readonly block: number
    /** Unix seconds */
    readonly ts: number
    /** `collect`: paid to a position, what was removed before among it */
    readonly change: "add" | "remove" | "collect" | "rebalance"
    readonly pool: string
    /** venue id */
    readonly dex: string | null
    /** null where it is unknown */
    readonly token0: {
      readonly address: string
      /** as on chain; untrusted */
      readonly symbol: string | null
    } | null
    /** null where it is unknown */
    readonly token1: {
      readonly address: string
      /** as on chain; untrusted */
      readonly symbol: string | null
    } | null
    /** wallet; null where the event names none */
    readonly owner: string | null
    /** null where the range is not told, as venues of Solana do not */
    readonly tickLower: number | null
    /** null where the range is not told, as venues of Solana do not */
    readonly tickUpper: number | null
    /** the pool's own unit; null where no event tells it */
    readonly liquidity: number | null
    /** whole tokens; null where nobody told, or the decimals were unknown */
    readonly amount0: number | null
    /** whole tokens; null where nobody told, or the decimals were unknown */
    readonly amount1: number | null
    /** US dollars; null where unknown */
    readonly usd: number | null
  }>
  /** cursor of the next page; null on the last */
  readonly nextBefore: string | null
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/** pools */
export type LiquidityPools = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly offset: number
  /** position in the chain's log */
  readonly asOf: number
  /** rows there are */
  readonly total: number
  /** start of the 24 hours, Unix seconds */
  readonly since: number
  readonly pools: ReadonlyArray<{
    readonly pool: string
    /** venue id */
    readonly dex: string | null
    /** null where it is unknown */
    readonly token0: {
      readonly address: string
      /** as on chain; untrusted */
      readonly symbol: string | null
    } | null
    /** null where it is unknown */
    readonly token1: {
      readonly address: string
      /** as on chain; untrusted */
      readonly symbol: string | null
    } | null
    /**
     * whole tokens held when they were last told, of pools of ranges those of the vaults; of a
     * launch program's curve those for sale, less than its vault has, which holds the tokens of the
     * pool after it too; null where nobody told
     */
    readonly reserves: {
      /** whole tokens; null where nobody told, or the decimals were unknown */
      readonly amount0: number | null
      /** whole tokens; null where nobody told, or the decimals were unknown */
      readonly amount1: number | null
    } | null
    /**
     * US dollars that the pool holds of its quote side, as far as prices weigh it; null where it
     * sets none, as without an anchor among its tokens
     */
    readonly depthUsd: number | null
    readonly volumeUsd24h: number
    /** the log has the pool's making: where false, what it held before the log is in no sum here */
    readonly sinceCreation: boolean
    readonly adds24h: number
    readonly removes24h: number
    /** US dollars, each change at its own moment */
    readonly addedUsd24h: number
    /** US dollars, each change at its own moment */
    readonly removedUsd24h: number
    /** changes whose dollars are unknown: in no sum of dollars */
    readonly unpriced24h: number
  }>
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/** who launches */
export type Launchers = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** Unix seconds */
  readonly sinceHour: number
  readonly sort: string
  readonly offset: number
  readonly launchers: ReadonlyArray<{
    /** address: lower-case hex, or base58 on Solana */
    readonly address: string
    /**
     * `contract`: the sender called a contract of a launchpad, or of his own; `wallet`: he made the
     * pool himself, or through a venue's contracts or a router
     */
    readonly kind: "wallet" | "contract"
    /** what the chain's list calls it, else its address; never invented */
    readonly name: string
    /** tokens whose first pool it made */
    readonly launches: number
    /** of these, listed at `graduated` now */
    readonly graduated: number
    /** of these, traded in the last 24 hours */
    readonly trading: number
    /** of the traded ones, `wash` or `impostor` */
    readonly flagged: number
    /** US dollars, without flagged tokens */
    readonly volume24h: number
    /** without flagged tokens */
    readonly trades24h: number
    readonly lastLaunch: {
      /** address: lower-case hex, or base58 on Solana */
      readonly token: string
      /** as on chain; untrusted */
      readonly symbol: string | null
      readonly block: number
      /** Unix seconds */
      readonly ts: number
    }
  }>
  readonly total: number
  /** launches whose launcher the log does not tell */
  readonly unattributed: number
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** Unix milliseconds */
  readonly updatedAt: number
}

/** new launches, newest first */
export type Graduated = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** Unix seconds */
  readonly sinceHour: number
  readonly rule: {
    readonly version: number
    readonly id: string
    readonly text: string
    readonly minTrades: number
    readonly minDepthUsd: number
  }
  readonly tokens: ReadonlyArray<{
    /** address: lower-case hex, or base58 on Solana */
    readonly address: string
    /** as on chain; untrusted */
    readonly symbol: string | null
    /** as on chain; untrusted */
    readonly name: string | null
    readonly decimals: number | null
    readonly logoURI: string
    /** the picture that a token list names; null where none does */
    readonly logoUriRaw: string | null
    /** `anchor`, `stable`, `native`, `stock`, and those of token lists */
    readonly tags: ReadonlyArray<string>
    /**
     * an anchor of the chain, or on one of its token lists; where no list covers the chain: it
     * tells symbol, name and decimals, has no flag, and a price with at least $10,000 behind it
     */
    readonly listed: boolean
    /** what its pool says, at the present price of what it is quoted in; null without */
    readonly priceUsd: number | null
    /**
     * time of the oldest pool state that the price goes back to: long ago is stale; null without a
     * price, and of a dollar that is $1 by rule (`/v1/prices/explain`)
     */
    readonly priceTs: number | null
    /**
     * newest print against the newest one before `sinceHour`, or against the first of all
     * (`/v1/rules`); null without a price
     */
    readonly change24hPct: number | null
    /**
     * from when the change counts: the window's first second, or the token's first print that
     * counts; null without a change
     */
    readonly changeSince: number | null
    /** US dollars */
    readonly volume24h: number
    /** US dollars */
    readonly buyVolume24h: number
    /** US dollars */
    readonly sellVolume24h: number
    readonly trades24h: number
    readonly buys24h: number
    readonly sells24h: number
    /**
     * distinct wallets of the trades whose sender the log names: at least so many where it names
     * some only, null where there are trades and it names nobody's
     */
    readonly traders: number | null
    /** of the trades that the log has */
    readonly firstTradeTs: number
    /** Unix seconds */
    readonly lastTradeTs: number
    /** smallest units, when it was last read */
    readonly totalSupply: string | null
    /** null where unknown */
    readonly marketCapUsd: number | null
    /** a listed venue has a pool of it that can be quoted: never on Solana */
    readonly routable: boolean
    readonly pools: {
      readonly v3: number
      readonly v2: number
      readonly v4: number
      readonly byDex: {
        readonly [name: string]: number
      }
    }
    readonly wash?: boolean
    readonly impostor?: boolean
    /** on the quote side of the pools that price it */
    readonly liquidityUsd: number | null
    /** the making of its first pool in the log */
    readonly launch: {
      /** address, or pool id where pools have none */
      readonly pool: string
      /** venue id; null for an unknown one */
      readonly dex: string | null
      readonly block: number
      /** Unix seconds */
      readonly ts: number
      readonly logIndex: number
    }
    /** the making of its first pool of a listed venue, often the same */
    readonly listing: {
      /** address, or pool id where pools have none */
      readonly pool: string
      /** venue id; null for an unknown one */
      readonly dex: string | null
      readonly block: number
      /** Unix seconds */
      readonly ts: number
      readonly logIndex: number
    }
    /** null where the log does not tell; never guessed */
    readonly launcher: {
      /** address: lower-case hex, or base58 on Solana */
      readonly address: string
      /**
       * `contract`: the sender called a contract of a launchpad, or of his own; `wallet`: he made
       * the pool himself, or through a venue's contracts or a router
       */
      readonly kind: "wallet" | "contract"
      /** what the chain's list calls it, else its address; never invented */
      readonly name: string
    } | null
    /** who sent the first pool's transaction; null where unknown or sent for others */
    readonly wallet: string | null
    /** the launching contract; null where there is none */
    readonly contract: string | null
  }>
  /** null on the last page */
  readonly nextCursor: string | null
  readonly total: number
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** Unix milliseconds */
  readonly updatedAt: number
}

/** the wallets that traded a token most */
export type TokenTraders = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly token: string
  readonly windowHours: number
  /** Unix seconds: start of the window, or of what is kept of it */
  readonly since: number
  /** null where unknown */
  readonly priceUsd: number | null
  /** most dollars bought and sold first; of equal ones most trades */
  readonly traders: ReadonlyArray<{
    readonly wallet: string
    /** US dollars */
    readonly boughtUsd: number
    /** US dollars */
    readonly soldUsd: number
    /** US dollars: bought less sold */
    readonly netUsd: number
    readonly trades: number
    /** Unix seconds */
    readonly lastTrade: number
    /**
     * whole tokens bought less those sold inside the window: less than 0 where `partial`; null
     * while the decimals are unknown
     */
    readonly heldAmount: number | null
    /** of what is left: 0 where `partial`; null where unknown */
    readonly heldValueUsd: number | null
    /**
     * what was sold came to, less its part of what all buys of the window had cost on average,
     * later ones included; null where `partial`, or where a print has no believed price
     */
    readonly realizedPnlUsd: number | null
    /** null where unknown */
    readonly unrealizedPnlUsd: number | null
    /** sold more than it bought: what that had cost is not in the window */
    readonly partial: boolean
    /** trades whose dollars are unknown or not believed; in no sum of dollars */
    readonly unpriced: number
  }>
  /** trades of the window whose wallet is not known: no row has them */
  readonly unattributedTrades: number
  /** what this answer cannot tell, and why; absent where there is nothing of the kind */
  readonly warnings?: ReadonlyArray<string>
  /** position in the chain's log */
  readonly asOf: number
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

export type TokenSearch = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly q: string
  readonly tokens: ReadonlyArray<{
    /** address: lower-case hex, or base58 on Solana */
    readonly address: string
    /** as on chain; untrusted */
    readonly symbol: string | null
    /** as on chain; untrusted */
    readonly name: string | null
    readonly decimals: number | null
    readonly logoURI: string
    /** the picture that a token list names; null where none does */
    readonly logoUriRaw: string | null
    /** `anchor`, `stable`, `native`, `stock`, and those of token lists */
    readonly tags: ReadonlyArray<string>
    /**
     * an anchor of the chain, or on one of its token lists; where no list covers the chain: it
     * tells symbol, name and decimals, has no flag, and a price with at least $10,000 behind it
     */
    readonly listed: boolean
    /** what its pool says, at the present price of what it is quoted in; null without */
    readonly priceUsd: number | null
    /**
     * time of the oldest pool state that the price goes back to: long ago is stale; null without a
     * price, and of a dollar that is $1 by rule (`/v1/prices/explain`)
     */
    readonly priceTs: number | null
    /**
     * newest print against the newest one before `sinceHour`, or against the first of all
     * (`/v1/rules`); null without a price
     */
    readonly change24hPct: number | null
    /**
     * from when the change counts: the window's first second, or the token's first print that
     * counts; null without a change
     */
    readonly changeSince: number | null
    /** US dollars */
    readonly volume24h: number
    /** US dollars */
    readonly buyVolume24h: number
    /** US dollars */
    readonly sellVolume24h: number
    readonly trades24h: number
    readonly buys24h: number
    readonly sells24h: number
    /**
     * distinct wallets of the trades whose sender the log names: at least so many where it names
     * some only, null where there are trades and it names nobody's
     */
    readonly traders: number | null
    /** of the trades that the log has */
    readonly firstTradeTs: number
    /** Unix seconds */
    readonly lastTradeTs: number
    /** smallest units, when it was last read */
    readonly totalSupply: string | null
    /** null where unknown */
    readonly marketCapUsd: number | null
    /** a listed venue has a pool of it that can be quoted: never on Solana */
    readonly routable: boolean
    readonly pools: {
      readonly v3: number
      readonly v2: number
      readonly v4: number
      readonly byDex: {
        readonly [name: string]: number
      }
    }
    readonly wash?: boolean
    readonly impostor?: boolean
    readonly verified: boolean
  }>
  readonly total: number
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

export type PriceMap = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** Unix seconds */
  readonly sinceHour: number
  /** by address: lower-case hex, or base58 on Solana */
  readonly prices: {
    readonly [name: string]: {
      readonly priceUsd: number | null
      /**
       * time of the oldest pool state that the price goes back to: long ago is stale; null without
       * a price, and of a dollar that is $1 by rule (`/v1/prices/explain`)
       */
      readonly priceTs: number | null
      readonly change24hPct: number | null
      /**
       * from when the change counts: the window's first second, or the token's first print that
       * counts; null without a change
       */
      readonly changeSince: number | null
      /** US dollars */
      readonly volume24h: number
      readonly trades24h: number
      /** Unix seconds */
      readonly lastTradeTs: number
      readonly wash?: boolean
      readonly impostor?: boolean
    }
  }
  readonly total: number
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

export type TokenStats = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** address: lower-case hex, or base58 on Solana */
  readonly token: string
  readonly priceUsd: number | null
  /**
   * time of the oldest pool state that the price goes back to: long ago is stale; null without a
   * price, and of a dollar that is $1 by rule (`/v1/prices/explain`)
   */
  readonly priceTs: number | null
  /** the seconds that end with the newest block's */
  readonly windows: {
    readonly m5: {
      /**
       * percent, newest print against the newest one before the window, or against the first of all
       * (`/v1/rules`); null without a price
       */
      readonly change: number | null
      /**
       * from when the change counts: the window's first second, or the token's first print that
       * counts; null without a change
       */
      readonly changeSince: number | null
      readonly txns: number
      readonly buys: number
      readonly sells: number
      /** US dollars */
      readonly buyVol: number
      /** US dollars */
      readonly sellVol: number
      /**
       * distinct wallets of the trades whose sender the log names, as `buyers` and `sellers`; where
       * it names nobody's, which `warnings` says, 0
       */
      readonly makers: number
      readonly buyers: number
      readonly sellers: number
    }
    readonly h1: {
      /**
       * percent, newest print against the newest one before the window, or against the first of all
       * (`/v1/rules`); null without a price
       */
      readonly change: number | null
      /**
       * from when the change counts: the window's first second, or the token's first print that
       * counts; null without a change
       */
      readonly changeSince: number | null
      readonly txns: number
      readonly buys: number
      readonly sells: number
      /** US dollars */
      readonly buyVol: number
      /** US dollars */
      readonly sellVol: number
      /**
       * distinct wallets of the trades whose sender the log names, as `buyers` and `sellers`; where
       * it names nobody's, which `warnings` says, 0
       */
      readonly makers: number
      readonly buyers: number
      readonly sellers: number
    }
    readonly h6: {
      /**
       * percent, newest print against the newest one before the window, or against the first of all
       * (`/v1/rules`); null without a price
       */
      readonly change: number | null
      /**
       * from when the change counts: the window's first second, or the token's first print that
       * counts; null without a change
       */
      readonly changeSince: number | null
      readonly txns: number
      readonly buys: number
      readonly sells: number
      /** US dollars */
      readonly buyVol: number
      /** US dollars */
      readonly sellVol: number
      /**
       * distinct wallets of the trades whose sender the log names, as `buyers` and `sellers`; where
       * it names nobody's, which `warnings` says, 0
       */
      readonly makers: number
      readonly buyers: number
      readonly sellers: number
    }
    readonly h24: {
      /**
       * percent, newest print against the newest one before the window, or against the first of all
       * (`/v1/rules`); null without a price
       */
      readonly change: number | null
      /**
       * from when the change counts: the window's first second, or the token's first print that
       * counts; null without a change
       */
      readonly changeSince: number | null
      readonly txns: number
      readonly buys: number
      readonly sells: number
      /** US dollars */
      readonly buyVol: number
      /** US dollars */
      readonly sellVol: number
      /**
       * distinct wallets of the trades whose sender the log names, as `buyers` and `sellers`; where
       * it names nobody's, which `warnings` says, 0
       */
      readonly makers: number
      readonly buyers: number
      readonly sellers: number
    }
  }
  /**
   * on the quote side of the pools that price it, of an anchor without those that have been silent
   * for a day longer than the newest; null where none does
   */
  readonly liquidityUsd: number | null
  readonly ath: {
    readonly priceUsd: number
    /** Unix seconds */
    readonly ts: number
  } | null
  readonly range24h: {
    readonly high: number
    readonly low: number
  } | null
  /** Unix seconds */
  readonly firstTradeTs: number
  readonly totalTxns: number
  /** of the 24 hours, the 500 with most volume */
  readonly markets: ReadonlyArray<{
    readonly dex: string | null
    readonly pool: string
    readonly txns24h: number
    /** US dollars */
    readonly vol24h: number
    /**
     * distinct wallets of the trades whose sender the log names: at least so many where it names
     * some only, null where there are trades and it names nobody's
     */
    readonly makers24h: number | null
  }>
  /** how many there are, where there are more */
  readonly marketsTotal?: number
  /** what this answer cannot tell, and why; absent where there is nothing of the kind */
  readonly warnings?: ReadonlyArray<string>
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

export type Attention = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** Unix seconds */
  readonly sinceHour: number
  readonly formula: {
    readonly version: number
    readonly text: string
    readonly minMakers: number
    readonly minTrades?: number
    readonly minUsd?: number
  }
  readonly tokens: ReadonlyArray<{
    /** address: lower-case hex, or base58 on Solana */
    readonly address: string
    /** as on chain; untrusted */
    readonly symbol: string | null
    /** as on chain; untrusted */
    readonly name: string | null
    readonly decimals: number | null
    readonly logoURI: string
    /** the picture that a token list names; null where none does */
    readonly logoUriRaw: string | null
    /** `anchor`, `stable`, `native`, `stock`, and those of token lists */
    readonly tags: ReadonlyArray<string>
    /**
     * an anchor of the chain, or on one of its token lists; where no list covers the chain: it
     * tells symbol, name and decimals, has no flag, and a price with at least $10,000 behind it
     */
    readonly listed: boolean
    /** what its pool says, at the present price of what it is quoted in; null without */
    readonly priceUsd: number | null
    /**
     * time of the oldest pool state that the price goes back to: long ago is stale; null without a
     * price, and of a dollar that is $1 by rule (`/v1/prices/explain`)
     */
    readonly priceTs: number | null
    /**
     * newest print against the newest one before `sinceHour`, or against the first of all
     * (`/v1/rules`); null without a price
     */
    readonly change24hPct: number | null
    /**
     * from when the change counts: the window's first second, or the token's first print that
     * counts; null without a change
     */
    readonly changeSince: number | null
    /** US dollars */
    readonly volume24h: number
    /** US dollars */
    readonly buyVolume24h: number
    /** US dollars */
    readonly sellVolume24h: number
    readonly trades24h: number
    readonly buys24h: number
    readonly sells24h: number
    /**
     * distinct wallets of the trades whose sender the log names: at least so many where it names
     * some only, null where there are trades and it names nobody's
     */
    readonly traders: number | null
    /** of the trades that the log has */
    readonly firstTradeTs: number
    /** Unix seconds */
    readonly lastTradeTs: number
    /** smallest units, when it was last read */
    readonly totalSupply: string | null
    /** null where unknown */
    readonly marketCapUsd: number | null
    /** a listed venue has a pool of it that can be quoted: never on Solana */
    readonly routable: boolean
    readonly pools: {
      readonly v3: number
      readonly v2: number
      readonly v4: number
      readonly byDex: {
        readonly [name: string]: number
      }
    }
    readonly wash?: boolean
    readonly impostor?: boolean
    readonly attention: number
    readonly tradersPerHour: number
    readonly tradersPerHourBefore: number
  }>
  /** what this answer cannot tell, and why; absent where there is nothing of the kind */
  readonly warnings?: ReadonlyArray<string>
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

export type Trending = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** Unix seconds */
  readonly sinceHour: number
  readonly formula: {
    readonly version: number
    readonly text: string
    readonly minMakers: number
    readonly minTrades?: number
    readonly minUsd?: number
  }
  readonly tokens: ReadonlyArray<{
    /** address: lower-case hex, or base58 on Solana */
    readonly address: string
    /** as on chain; untrusted */
    readonly symbol: string | null
    /** as on chain; untrusted */
    readonly name: string | null
    readonly decimals: number | null
    readonly logoURI: string
    /** the picture that a token list names; null where none does */
    readonly logoUriRaw: string | null
    /** `anchor`, `stable`, `native`, `stock`, and those of token lists */
    readonly tags: ReadonlyArray<string>
    /**
     * an anchor of the chain, or on one of its token lists; where no list covers the chain: it
     * tells symbol, name and decimals, has no flag, and a price with at least $10,000 behind it
     */
    readonly listed: boolean
    /** what its pool says, at the present price of what it is quoted in; null without */
    readonly priceUsd: number | null
    /**
     * time of the oldest pool state that the price goes back to: long ago is stale; null without a
     * price, and of a dollar that is $1 by rule (`/v1/prices/explain`)
     */
    readonly priceTs: number | null
    /**
     * newest print against the newest one before `sinceHour`, or against the first of all
     * (`/v1/rules`); null without a price
     */
    readonly change24hPct: number | null
    /**
     * from when the change counts: the window's first second, or the token's first print that
     * counts; null without a change
     */
    readonly changeSince: number | null
    /** US dollars */
    readonly volume24h: number
    /** US dollars */
    readonly buyVolume24h: number
    /** US dollars */
    readonly sellVolume24h: number
    readonly trades24h: number
    readonly buys24h: number
    readonly sells24h: number
    /**
     * distinct wallets of the trades whose sender the log names: at least so many where it names
     * some only, null where there are trades and it names nobody's
     */
    readonly traders: number | null
    /** of the trades that the log has */
    readonly firstTradeTs: number
    /** Unix seconds */
    readonly lastTradeTs: number
    /** smallest units, when it was last read */
    readonly totalSupply: string | null
    /** null where unknown */
    readonly marketCapUsd: number | null
    /** a listed venue has a pool of it that can be quoted: never on Solana */
    readonly routable: boolean
    readonly pools: {
      readonly v3: number
      readonly v2: number
      readonly v4: number
      readonly byDex: {
        readonly [name: string]: number
      }
    }
    readonly wash?: boolean
    readonly impostor?: boolean
    readonly change2hPct: number
    /** Unix seconds */
    readonly change2hSince: number
    readonly trades2h: number
    /** US dollars */
    readonly volume2h: number
  }>
  /** what this answer cannot tell, and why; absent where there is nothing of the kind */
  readonly warnings?: ReadonlyArray<string>
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

export type TokenPools = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** address: lower-case hex, or base58 on Solana */
  readonly token: string
  readonly offset: number
  /** position of the order; the figures are present ones */
  readonly asOf: number
  readonly total: number
  readonly pools: ReadonlyArray<{
    /** address, or pool id where pools have none */
    readonly pool: string
    readonly dex: string | null
    readonly kind: string | null
    readonly feePct: number | null
    readonly token0: {
      /** address: lower-case hex, or base58 on Solana */
      readonly address: string
      readonly symbol: string | null
      readonly impostor?: boolean
    } | null
    readonly token1: {
      /** address: lower-case hex, or base58 on Solana */
      readonly address: string
      readonly symbol: string | null
      readonly impostor?: boolean
    } | null
    /** all of them, by place */
    readonly tokens: ReadonlyArray<string>
    /** of the side that is not the quote, by the pool's own state */
    readonly priceUsd: number | null
    /** what the pool counts for when it sets a price (`/v1/prices/explain`) */
    readonly depthUsd: number | null
    readonly txns24h: number
    /** US dollars */
    readonly vol24h: number
    /**
     * distinct wallets of the trades whose sender the log names: at least so many where it names
     * some only, null where there are trades and it names nobody's
     */
    readonly makers24h: number | null
    readonly suspect?: boolean
  }>
  /** what this answer cannot tell, and why; absent where there is nothing of the kind */
  readonly warnings?: ReadonlyArray<string>
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

export type TokenPage = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** Unix seconds */
  readonly sinceHour: number
  readonly token: TokenRow
  /** highest price of a print that counts; null while none does */
  readonly ath: {
    readonly priceUsd: number
    /** Unix seconds */
    readonly ts: number
  } | null
  /** Unix seconds */
  readonly firstTradeTs: number
  readonly hourly24: ReadonlyArray<{
    /** Unix seconds */
    readonly hour: number
    readonly trades: number
    readonly buys: number
    readonly sells: number
    /** US dollars */
    readonly buyUsd: number
    /** US dollars */
    readonly sellUsd: number
    /**
     * distinct wallets of the trades whose sender the log names: at least so many where it names
     * some only, null where there are trades and it names nobody's
     */
    readonly makers: number | null
    readonly close: number | null
  }>
  readonly venues24h: ReadonlyArray<{
    readonly dex: string | null
    /** US dollars */
    readonly volUsd: number
    readonly trades: number
    readonly sharePct: number
  }>
  /** what this answer cannot tell, and why; absent where there is nothing of the kind */
  readonly warnings?: ReadonlyArray<string>
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/** trades, newest first */
export type ChainTrades = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** address: lower-case hex, or base58 on Solana */
  readonly token: string
  readonly trades: ReadonlyArray<Trade>
  /** cursor of the next page; null on the last */
  readonly nextBefore: string | null
  readonly ingestFloor: IngestFloor | null
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/** how Solana is read; where `ok` is false the other routes lag */
export type SolanaStatus = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly ok: boolean
  /** why it is not `ok` */
  readonly problem: string | null
  /** a chain of this machine with small programs of ours: nothing on it is real */
  readonly simulated: boolean
  /** the newest slot in the tables */
  readonly cursor: number | null
  /** the first slot of the log */
  readonly genesisSlot: number | null
  /** the slot that was read again last, to compare it with what was logged */
  readonly auditCursor: number | null
  readonly lagSlots: number | null
  readonly blockAgeS: number | null
  readonly slotsPerMin: number | null
  readonly swapsPerMin: number | null
  /** Unix seconds */
  readonly startedAt: number
  readonly solUsd: number | null
  /**
   * by the number of the venue, 1 to 11; counted since the engine started, and not less where
   * blocks were taken back
   */
  readonly decode: {
    readonly [name: string]: {
      /** events of swaps, each as often as it was told */
      readonly events: number
      readonly swaps: number
      /** swaps whose amounts are what the vaults gained and lost */
      readonly ok: number
      /** swaps that the vaults speak against */
      readonly bad: number
      /** swaps whose vaults the transaction does not show */
      readonly unchecked: number
      /** events that belong to no swap instruction */
      readonly noParent: number
      /** events of the program that are of no swap */
      readonly otherEvents: number
    }
  }
  readonly totals: {
    /** blocks of the log */
    readonly slots: number
    readonly swaps: number
    /** blocks taken back since the engine started */
    readonly orphaned: number
    /** gaps that were filled since the engine started */
    readonly late: number
  }
  /** which venues the numbers are */
  readonly venues: string
  readonly notCovered: string
  readonly public: boolean
  readonly gate: {
    /**
     * a source reads the chain well, no swap is contradicted by its vaults, at most one in 10,000
     * cannot be read, an hour is whole and recounted without a difference, and none of the day is
     * missing or of files
     */
    readonly pass: boolean
    readonly at: number | null
    /** whole hours up to now without a missing block or one of a file */
    readonly liveHours: number
    /**
     * blocks of the last 24 hours that are known to be missing; of files nobody knows, as `reasons`
     * say
     */
    readonly missing24h: number
    /**
     * the newest hour that is over, recounted from rows of the tape, and not from the log, which
     * `npm run verify` holds those to; null where not all of it was read
     */
    readonly hourCheck: {
      /** Unix seconds */
      readonly hour: number
      /** markets whose sums are not those of their swaps */
      readonly hourlyDiff: number
      /** tokens whose candle is not that of their prints */
      readonly candleDiff: number
    } | null
    /** why it does not pass */
    readonly reasons: ReadonlyArray<string>
  }
}

/** the last 24 hours */
export type SolanaOverview = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly windowHours: number
  /** US dollars */
  readonly volumeUsd: number
  readonly trades: number
  /**
   * of `trades` those that bought a token beside SOL, USDC and USDT: none where two of these were
   * exchanged, one where two others were
   */
  readonly buys: number
  readonly tokensTraded: number
  readonly venues: ReadonlyArray<{
    readonly dex: string | null
    /** US dollars */
    readonly volumeUsd: number
    readonly trades: number
    /** of `volumeUsd`, 0 to 1 */
    readonly share: number
  }>
  readonly hourly: ReadonlyArray<{
    /** Unix seconds */
    readonly hour: number
    /** US dollars */
    readonly volumeUsd: number
    readonly trades: number
  }>
  /** from when on no block is missing */
  readonly coverageSince: number
  /** of the window, from `coverageSince` on: less than 24 is a part of a day */
  readonly coverageHours: number
  /** the newest slot that is counted */
  readonly cursor: number
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** Unix seconds */
  readonly updatedAt: number
}

/** freshness and depth of the index */
export type FamilyStatus = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly key: string
  /** live, and its newest block not too old; or a history, whole as it is */
  readonly ok: boolean
  readonly state: "starting" | "rebuilding" | "catching-up" | "live" | "stalled" | "history" | "failed"
  readonly problem: string | null
  readonly indexedToBlock: number | null
  readonly blockTime: number | null
  /** null of a history */
  readonly blockAgeS: number | null
  /** behind the chain's head */
  readonly lagBlocks: number | null
  /** log position that events, swaps and blocks are counted at */
  readonly seq: number
  readonly events: number
  readonly swaps: number
  readonly gaps: ReadonlyArray<{
    readonly fromBlock: number
    readonly toBlock: number
    readonly reason: string
  }>
  readonly assurance: Assurance | null
  readonly quotes: QuoteStatus
  /** history that is read beside the head; null where none is */
  readonly backfill: {
    readonly fromBlock: number
    readonly toBlock: number
    readonly complete: boolean
  } | null
  /**
   * start of the UTC day from which raw trades are kept (`RETENTION_RAW_DAYS`): tapes end there,
   * candles and sums reach further back; null while all trades are kept
   */
  readonly retentionCutoffDay: number | null
  /**
   * start of the UTC day from which candles of a minute are kept (`RETENTION_MINUTES_DAYS`): frames
   * from a minute to below an hour end there, those of an hour and more reach further back; null
   * while all minutes are kept
   */
  readonly minutesCutoffDay: number | null
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/** what the router can quote on the chain */
export type QuoteStatus = {
  /** behind: quotes are of an old block, since the router or the chain's lane lags */
  readonly state: "starting" | "live" | "behind" | "failed" | "off"
  /** why there are no quotes, in words; null where there are */
  readonly problem: string | null
  /** position of the log that quotes are of */
  readonly seq: number
  readonly block: number | null
  readonly pools: number
  /** pools whose state is known */
  readonly quotable: number
  /** why the others are not quoted */
  readonly unquoted: ReadonlyArray<{
    readonly reason: string
    readonly pools: number
  }>
  /** what came of states of pools that were read from their contracts */
  readonly reads: {
    /** told what the log tells */
    readonly agreed: number
    /** told another state: it was read again */
    readonly differed: number
    /** a swap was none of it: it was read again */
    readonly contradicted: number
  }
  /** what is wrong while quotes go on, in words */
  readonly warnings: ReadonlyArray<string>
}

/**
 * how the least known block is known, gaps aside: `proven` by receipts or a bloom that its header
 * commits to, `compared`: two endpoints tell the same (on Solana the same transactions, and not
 * what is in them), `word`: one endpoint or file does; null while nothing is read or counted
 */
export type Assurance = "proven" | "compared" | "word"

/** tokens that traded in the last 24 hours */
export type TokenBoard = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  /** Unix seconds */
  readonly sinceHour: number
  /** Unix seconds */
  readonly tradersSince: number
  readonly sort: string
  readonly offset: number
  /** version of the rules behind flags */
  readonly rules: string
  /** position of the order; the figures are present ones */
  readonly asOf: number
  readonly tokens: ReadonlyArray<TokenRow>
  readonly total: number
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/** venues by volume, with their days */
export type VenueShares = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly days: number
  /** Unix seconds */
  readonly since: number
  readonly venues: ReadonlyArray<{
    /** venue id; null for pools of an unknown one */
    readonly dex: string | null
    /** US dollars */
    readonly volUsd: number
    readonly trades: number
    /** percent of the volume */
    readonly sharePct: number
    readonly series: ReadonlyArray<{
      /** Unix seconds */
      readonly day: number
      /** US dollars */
      readonly volUsd: number
      readonly trades: number
      readonly tokens: number
    }>
  }>
  readonly totals: {
    /** US dollars */
    readonly volUsd: number
    readonly trades: number
  }
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
}

/** totals of a chain */
export type ChainOverview = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly last24h: {
    /** US dollars */
    readonly volUsd: number
    readonly swaps: number
    readonly tokens: number
    readonly venues: number
    /** start of the first of the 24 hours */
    readonly sinceHour: number
    /** what a wash-trading rule keeps out of every sum here (`/v1/rules`) */
    readonly excluded: {
      /** US dollars */
      readonly volUsd: number
      readonly swaps: number
      readonly markets: number
    }
  }
  readonly venues24h: ReadonlyArray<{
    /** venue id; null for pools of an unknown one */
    readonly dex: string | null
    /** US dollars */
    readonly volUsd: number
    readonly trades: number
    /** percent of the volume */
    readonly sharePct: number
    readonly tokens: number
  }>
  readonly hourly24: ReadonlyArray<{
    /** Unix seconds */
    readonly hour: number
    /** US dollars */
    readonly volUsd: number
    readonly swaps: number
  }>
  readonly daily: ReadonlyArray<{
    /** start of the UTC day */
    readonly day: number
    readonly swaps: number
    /** US dollars */
    readonly volUsd: number
    readonly tokens: number
    /**
     * distinct wallets of the trades whose sender the log names: at least so many where it names
     * some only, null where there are trades and it names nobody's
     */
    readonly wallets: number | null
    readonly venues: number
  }>
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** what this answer cannot tell, and why; absent where there is nothing of the kind */
  readonly warnings?: ReadonlyArray<string>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
  /**
   * distinct wallets per UTC day; `yesterday` is null too where the log begins after that day did,
   * or lacks blocks of it
   */
  readonly wallets: {
    /** Unix seconds */
    readonly day: number
    /**
     * distinct wallets of the trades whose sender the log names: at least so many where it names
     * some only, null where there are trades and it names nobody's
     */
    readonly today: number | null
    /**
     * distinct wallets of the trades whose sender the log names: at least so many where it names
     * some only, null where there are trades and it names nobody's
     */
    readonly yesterday: number | null
  }
  readonly coverage: {
    /** time of the newest block */
    readonly recentAt: number
    /**
     * true where that is too long ago for the chain's pace (`staleAfterSeconds` of `/v1/status`);
     * never of a history
     */
    readonly stale: boolean
  }
  readonly ingestFloor: IngestFloor
}

/** totals of Arc or chain 4663 */
export type OwnChainOverview = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly chain: number | "solana"
  readonly last24h: {
    /** US dollars */
    readonly volUsd: number
    readonly swaps: number
    readonly tokens: number
    readonly venues: number
    /** start of the first of the 24 hours */
    readonly sinceHour: number
    /** what a wash-trading rule keeps out of every sum here (`/v1/rules`) */
    readonly excluded: {
      /** US dollars */
      readonly volUsd: number
      readonly swaps: number
      readonly markets: number
    }
  }
  readonly venues24h: ReadonlyArray<{
    /** venue id; null for pools of an unknown one */
    readonly dex: string | null
    /** US dollars */
    readonly volUsd: number
    readonly trades: number
    /** percent of the volume */
    readonly sharePct: number
    readonly tokens: number
  }>
  readonly hourly24: ReadonlyArray<{
    /** Unix seconds */
    readonly hour: number
    /** US dollars */
    readonly volUsd: number
    readonly swaps: number
  }>
  readonly daily: ReadonlyArray<{
    /** start of the UTC day */
    readonly day: number
    readonly swaps: number
    /** US dollars */
    readonly volUsd: number
    readonly tokens: number
    /**
     * distinct wallets of the trades whose sender the log names: at least so many where it names
     * some only, null where there are trades and it names nobody's
     */
    readonly wallets: number | null
    readonly venues: number
  }>
  /**
   * stretches of the answer's windows, oldest first, the ends excluded, whose blocks the index
   * lacks, that are older than it, or of which it no longer keeps what the answer is made of:
   * nobody knows what was traded then, and sums and zeros are of the rest; empty where all is known
   */
  readonly unknown: ReadonlyArray<{
    /** Unix seconds */
    readonly from: number
    /** Unix seconds */
    readonly to: number
  }>
  /** what this answer cannot tell, and why; absent where there is nothing of the kind */
  readonly warnings?: ReadonlyArray<string>
  /** time of the newest block: Unix milliseconds, on Solana seconds */
  readonly updatedAt: number
  readonly coverage: {
    /** time of the newest block */
    readonly recentAt: number
    /**
     * true where that is too long ago for the chain's pace (`staleAfterSeconds` of `/v1/status`);
     * never of a history
     */
    readonly stale: boolean
    /** hour of the oldest swap */
    readonly floorHour: number | null
    /** hour of the chain's first swap; null while the history before is not read */
    readonly genesisHour: number | null
    readonly backfillComplete: boolean
  }
}

/** the chains served here */
export type Chains = {
  readonly chains: ReadonlyArray<Chain>
}

export type Chain = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly id: number | "solana"
  readonly key: string
  readonly name: string
  readonly native: {
    readonly symbol: string
    readonly decimals: number
  }
  /** block explorer with `/tx/{hash}` and `/address/{address}`; null where none is known */
  readonly explorer: string | null
  readonly nativeToken: string | null
  readonly anchors: ReadonlyArray<{
    /** address: lower-case hex, or base58 on Solana */
    readonly address: string
    readonly symbol: string
    readonly decimals: number
    readonly kind: "usd" | "native" | "asset"
  }>
  /** live, with blocks, and its newest one not too old; or a history, whole as it is */
  readonly ok: boolean
  /** of the chain's tables: `live` are those that hold all that its log does */
  readonly state: "starting" | "rebuilding" | "catching-up" | "live" | "stalled" | "history" | "failed"
  /** why it is not `ok` */
  readonly problem: string | null
  readonly source: "evm-rpc" | "solana-rpc" | "file" | "devchain" | null
  /** which route serves each capability; null where none does here */
  readonly routes: {
    readonly overview: string | null
    readonly venues: string | null
    readonly board: string | null
    readonly trending: string | null
    readonly candles: string
    readonly tokens: string
    readonly search: string
    readonly trades: string
    readonly holders: string | null
    readonly prints: string | null
    readonly wallet: string | null
    readonly quote: string | null
    readonly swap: string | null
    readonly live: string
    readonly status: string | null
  }
}

/** every lane as it stands */
export type Status = {
  readonly engine: string
  /** Unix seconds */
  readonly startedAt: number
  readonly uptimeSeconds: number
  readonly lanes: ReadonlyArray<{
    /** EIP-155 chain id; `solana`, which has none */
    readonly id: number | "solana"
    /** key of the chain */
    readonly chain: string
    readonly name: string
    /** the log is of a simulated chain, also while no source of it runs: nothing on it is real */
    readonly simulated: boolean
    /** the tables hold what the chain has, but for the last moments */
    readonly ok: boolean
    /**
     * `stalled`: what is there is served, but something that brings new blocks fails; `history`:
     * all of a log that no source writes, whose newest block is old on purpose
     */
    readonly state: "starting" | "rebuilding" | "catching-up" | "live" | "stalled" | "history" | "failed"
    /** why `ok` is false, in words; null where it is true */
    readonly problem: string | null
    /**
     * id of the log: another one where positions may stand for other events than they did, as after
     * a cut or a lost tail; null while none is known
     */
    readonly log: string | null
    /** log position that answers stand at */
    readonly seq: number
    /** newest log position */
    readonly logSeq: number
    readonly block: number | null
    readonly blockTime: number | null
    readonly lag: {
      /** log positions that answers do not stand at yet */
      readonly events: number
      /** blocks behind the source's head */
      readonly blocks: number | null
      /** age of the block that answers stand at; null of a history */
      readonly seconds: number | null
      /** age from which on the chain's data are stale: by how often it has a block */
      readonly staleAfterSeconds: number
    }
    /**
     * start of the UTC day from which raw trades are kept (`RETENTION_RAW_DAYS`): tapes end there,
     * candles and sums reach further back; null while all trades are kept
     */
    readonly retentionCutoffDay: number | null
    /**
     * start of the UTC day from which candles of a minute are kept (`RETENTION_MINUTES_DAYS`):
     * frames from a minute to below an hour end there, those of an hour and more reach further
     * back; null while all minutes are kept
     */
    readonly minutesCutoffDay: number | null
    readonly events: number
    readonly swaps: number
    /**
     * logs that were not read, by reason. On Solana also swaps that the balances of their vaults
     * contradict: they become no facts
     */
    readonly quarantined: ReadonlyArray<{
      readonly reason: string
      readonly count: number
    }>
    /** the newest 20 of them, newest first */
    readonly quarantinedLogs: ReadonlyArray<QuarantinedLog>
    readonly gaps: ReadonlyArray<{
      readonly fromBlock: number
      readonly toBlock: number
      /** `backfill` for history that is still to be read */
      readonly reason: string
    }>
    readonly assurance: Assurance | null
    readonly words: ReadonlyArray<WordRun>
    readonly rollbacks: number
    readonly lastRollbackDepth: number | null
    readonly memoryBytes: number
    readonly projections: ReadonlyArray<{
      readonly name: string
      readonly version: number
    }>
    readonly source: SourceStatus | null
    readonly venueChecks: ReadonlyArray<VenueCheck>
    readonly routerChecks: ReadonlyArray<RouterCheck>
    readonly warnings: ReadonlyArray<string>
    readonly quotes: QuoteStatus
  }>
  /** null while nothing is measured */
  readonly uptime: Uptime | null
  readonly streams: ReadonlyArray<SharedStream>
  /** Unix milliseconds */
  readonly updatedAt: number
}

/**
 * a small stream that engines on one log server share: `KEYS` has the API keys, `QUOTES` the secret
 * that seals quotes, `PROBES` what uptime is told of. What is lost is told until it is there again,
 * or the engine is started again
 */
export type SharedStream = {
  readonly stream: string
  /** number of the last message that this engine read */
  readonly seen: number
  /** messages that were read and are not there any more */
  readonly lost: number
  /** what that means and what to do, in words; null where nothing is lost */
  readonly problem: string | null
}

/**
 * what a process beside the engine found, which asks it every few seconds (`PROBER`). Time in which
 * that did not run either is not measured, and counts neither way
 */
export type Uptime = {
  /** the first probe */
  readonly since: number
  /** the newest probe in the log: five minutes old at most */
  readonly until: number
  /** the newest 30 with a probe, oldest first */
  readonly days: ReadonlyArray<{
    /** start of the UTC day */
    readonly day: number
    /** seconds of the day that were measured */
    readonly measuredS: number
    /** those in which the service answered in time */
    readonly okS: number
    readonly chains: ReadonlyArray<{
      readonly chain: string
      /** seconds of the day that were measured */
      readonly measuredS: number
      /** those in which `/v1/health/chains` found it well */
      readonly okS: number
    }>
  }>
}

/** a router that few sources tell of, and what the chain says; only proven ones are on */
export type RouterCheck = {
  readonly address: string
  readonly name: string
  /** whether it settles orders of others: who calls it is not the trader */
  readonly settles: boolean
  readonly state: "proven" | "refuted" | "unproven"
  readonly reason: string
}

/** a venue that few sources tell of, and what the chain says; only proven ones are on */
export type VenueCheck = {
  readonly id: string
  readonly kind: string
  readonly factory: string
  readonly state: "proven" | "refuted" | "unproven"
  readonly reason: string
}

export type SourceStatus = {
  /** `devchain` is a simulated market on a local node: nothing on it is real */
  readonly kind: "evm-rpc" | "solana-rpc" | "file" | "devchain"
  readonly description: string
  /**
   * `blocked` where what it reads cannot be stored for now, `stopped` for good, `failed` where it
   * died and is started again; `problem` says why
   */
  readonly state: "starting" | "backfill" | "live" | "retrying" | "blocked" | "ended" | "stopped" | "failed"
  readonly problem: string | null
  /** since when something has been asked without any answer */
  readonly waitingSinceMs: number | null
  readonly headBlock: number | null
  readonly emittedBlock: number | null
  readonly logs: number
  readonly quarantined: number
  readonly retries: number
  readonly reorgs: number
  /** blocks that the last reorg replaced */
  readonly lastReorgDepth: number | null
  /**
   * milliseconds from when it was found until the new branch was sent on as far as the old one
   * went; null while that lasts
   */
  readonly lastReorgRecoveryMs: number | null
  /**
   * blocks written since start, by how they are known: `root` and `bloom` are proven, `second` is
   * told by two endpoints (on Solana parent, height, time and signatures alone; what is in
   * transactions is one's word, of which samples are compared), `logs` and `range` by one, so are
   * `receipts` that do not give the root in their header, `unsealed` has a header that does not
   * give its hash, `unlogged` is told by two, but nobody tells the log of some transactions,
   * `unproven` are gaps
   */
  readonly grades: {
    readonly [name: string]: number
  }
  /**
   * transactions written since start: `proven` where the block commits to their hash and their
   * signature, or the deposit, tells who sent them; `word` where a node told it. Grades speak of
   * logs and times, never of senders
   */
  readonly senders: {
    readonly proven: number
    readonly word: number
  }
  readonly endpoints: ReadonlyArray<EndpointStatus>
  /** null where swaps are not checked so */
  readonly decode: DecodeStatus | null
  readonly history: HistoryStatus | null
  readonly repairs: RepairStatus | null
  readonly pins: ReadonlyArray<PinStatus>
}

/** a token whose transfers are logged */
export type PinStatus = {
  readonly token: string
  /**
   * `asked`: not in the log yet; `incomplete`: what can be had is there, `problem` says what
   * cannot; `unpinned`: whoever runs the engine took the pin back
   */
  readonly state: "asked" | "pinned" | "backfilling" | "complete" | "incomplete" | "unpinned"
  /** transfers are logged as they come from this block on */
  readonly addedBlock: number | null
  /** null while it is not known */
  readonly createdBlock: number | null
  /** from here up to `addedBlock` they are in the log too */
  readonly floorBlock: number | null
  /** how far earlier ones are read, oldest first */
  readonly reachedBlock: number | null
  /**
   * all blocks since the token's creation were read for its transfers; whether they are proven and
   * explain its holders, `complete` of the holders' answer tells
   */
  readonly complete: boolean
  readonly problem: string | null
  /** why holders could not be compared with the contract when that was tried last */
  readonly unaudited: string | null
}

/** blocks that could not be proven when they came; counters since start */
export type RepairStatus = {
  readonly open: number
  readonly filled: number
  readonly tries: number
  readonly problem: string | null
  /** what was asked for last; the reason of a gap is that of its finding */
  readonly lastTry: {
    readonly fromBlock: number
    readonly toBlock: number
    /** milliseconds since 1970 */
    readonly atMs: number
    /** why they are still missing; null where they are in the log or about to be */
    readonly problem: string | null
  } | null
}

/** how far the reading of history is */
export type HistoryStatus = {
  readonly order: "oldest" | "newest"
  readonly state: "reading" | "placing" | "done"
  readonly fromBlock: number
  readonly toBlock: number
  readonly doneBlocks: number
  readonly totalBlocks: number
  readonly blocksPerSecond: number | null
  readonly etaSeconds: number | null
  readonly problem: string | null
  /** blocks that no endpoint could prove when they were tried last; tried again */
  readonly unread: ReadonlyArray<{
    readonly fromBlock: number
    readonly toBlock: number
    /** `backfill` for history that is still to be read */
    readonly reason: string
  }>
}

/** what decoding came to, each swap checked against the vaults; since start */
export type DecodeStatus = {
  readonly venues: ReadonlyArray<{
    /** the venue's, as in `/v1/chains/solana/status` */
    readonly number: number
    /** events of swaps, each as often as it was told */
    readonly events: number
    readonly swaps: number
    /** swaps whose amounts are what the vaults gained and lost */
    readonly ok: number
    /** swaps that the vaults speak against */
    readonly bad: number
    /** swaps whose vaults the transaction does not show */
    readonly unchecked: number
    /** events that belong to no swap instruction */
    readonly noParent: number
    /** events of the program that are of no swap */
    readonly otherEvents: number
  }>
  /** changes of liquidity of which nothing tells the pool's tokens */
  readonly untold: number
  /** blocks that were given out and taken back */
  readonly orphaned: number
  /** the block that was read again last, to compare it with what was given out */
  readonly auditCursor: number | null
}

export type EndpointStatus = {
  readonly endpoint: string
  readonly state: "in-use" | "ready" | "resting" | "untried"
  /** what asking it costs in milliseconds: the lowest is asked first */
  readonly score: number
  readonly latencyMs: number | null
  /** share of failed calls, newest count most */
  readonly errorRate: number
  /** behind the best head told of */
  readonly lagBlocks: number | null
  readonly calls: number
  readonly errors: number
  /** answers that contradicted a proof */
  readonly wrongAnswers: number
  /** until it is asked again */
  readonly restMs: number
  /** each of a batch counted; errors are answers that say no, and no answers */
  readonly methods: ReadonlyArray<{
    readonly method: string
    readonly calls: number
    readonly errors: number
  }>
  readonly problem: string | null
}

/** a stretch with blocks that are not proven; of many the newest 100 are told */
export type WordRun = {
  readonly fromBlock: number
  readonly toBlock: number
  /**
   * `second` is told by two endpoints (on Solana parent, height, time and signatures alone; what is
   * in transactions is one's word, of which samples are compared), `logs` by one at the head,
   * `range` by one of history, `file` by a file; `unsealed` has a header that does not give its
   * hash
   */
  readonly grade: string
  /** blocks of this grade in the stretch */
  readonly blocks: number
}

/** a log that was not read, and why: nothing is folded of it */
export type QuarantinedLog = {
  /** number of the block; of Solana the slot */
  readonly block: number
  /** Unix seconds */
  readonly time: number
  /** hash or signature of the transaction; null of a log of the block alone */
  readonly tx: string | null
  /** who logged it; of Solana the program */
  readonly account: string
  /**
   * of a swap that balances contradict with the vault, the difference in its smallest units, and
   * what the swap says
   */
  readonly reason: string
}

/** health of every chain, one row each */
export type ChainsHealth = {
  /** whether all are */
  readonly ok: boolean
  readonly chains: ReadonlyArray<ChainHealth>
  /**
   * what is wrong beside the chains' data, in words: what streams lost that engines share
   * (`streams` of `/v1/status`)
   */
  readonly warnings: ReadonlyArray<string>
  /** Unix milliseconds */
  readonly updatedAt: number
}

export type ChainHealth = {
  /** EIP-155 chain id; `solana`, which has none */
  readonly id: number | "solana"
  /** key of the chain */
  readonly chain: string
  readonly name: string
  readonly ok: boolean
  /**
   * `stalled`: what is there is served, but something that brings new blocks fails; `history`: all
   * of a log that no source writes, whose newest block is old on purpose
   */
  readonly state: "starting" | "rebuilding" | "catching-up" | "live" | "stalled" | "history" | "failed"
  /** why `ok` is false, in words; null where it is true */
  readonly problem: string | null
  /** what is in trouble; null where nothing is, also while a chain only begins */
  readonly part: "lane" | "tables" | "log" | "log-server" | "source" | "chain" | null
  readonly source: "starting" | "backfill" | "live" | "retrying" | "blocked" | "ended" | "stopped" | "failed" | null
  readonly block: number | null
  readonly blockTime: number | null
  readonly blockAgeS: number | null
  /** age of the newest block from which on the data are stale */
  readonly staleAfterS: number
  readonly lagBlocks: number | null
}

/** NOT_READY: a chain only begins; CHAIN_DATA_UNAVAILABLE: one is in trouble */
export type Unwell = {
  readonly error: "NOT_READY" | "CHAIN_DATA_UNAVAILABLE"
  /** what is wrong with which chain, in words */
  readonly message: string
  /** those that are not well */
  readonly chains: ReadonlyArray<{
    readonly chain: string
    /**
     * `stalled`: what is there is served, but something that brings new blocks fails; `history`:
     * all of a log that no source writes, whose newest block is old on purpose
     */
    readonly state: "starting" | "rebuilding" | "catching-up" | "live" | "stalled" | "history" | "failed"
    readonly problem: string
  }>
  /**
   * what is wrong beside the chains' data, in words: what streams lost that engines share
   * (`streams` of `/v1/status`)
   */
  readonly warnings: ReadonlyArray<string>
}

/** every chain's tables hold what the chain has, but for the last moments */
export type Health = {
  readonly ok: true
  readonly version: string
  readonly uptimeSeconds: number
  /**
   * what is wrong beside the chains' data, in words: what streams lost that engines share
   * (`streams` of `/v1/status`)
   */
  readonly warnings: ReadonlyArray<string>
}

export interface GetChainTradesInput<Field = keyof ChainTrades["trades"][number]> {
  /** avalanche, base, bnb, arbitrum, ethereum, solana or its id, in any letter case */
  readonly chain: string
  /** token; the zero address stands for the wrapped native token */
  readonly address: string
  /** trades a page (default 50) */
  readonly limit?: number | undefined
  /** exclusive cursor: the previous page's `nextBefore`, or a Unix second */
  readonly before?: string | undefined
  /**
   * fields of each of `trades` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ArcVenuesInput<Field = keyof VenueShares["venues"][number]> {
  /** UTC days, the present one included (default 30) */
  readonly days?: number | undefined
  /**
   * fields of each of `venues` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ArcTokensInput<Field = keyof TokenBoard["tokens"][number]> {
  /** rows (default 100) */
  readonly limit?: number | undefined
  /** rows to skip (default 0) */
  readonly offset?: number | undefined
  /**
   * largest first, of `new` the newest `firstTradeTs`; rows with a flag come last (default volume)
   */
  readonly sort?: "volume" | "trades" | "traders" | "change" | "mcap" | "new" | undefined
  /**
   * 1: also tokens that are not listed (see `listed`), as most of Solana's on curves of launch
   * programs are not, which have $10,000 behind their price late or never (default 0)
   */
  readonly includeUnlisted?: "0" | "1" | undefined
  /** version of the rules behind flags; the newest unless told (default v1) */
  readonly rules?: "v1" | undefined
  /** the `asOf` of the first page: the next ones are then of the same list */
  readonly asOf?: number | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface RhVenuesInput<Field = keyof VenueShares["venues"][number]> {
  /** UTC days, the present one included (default 30) */
  readonly days?: number | undefined
  /**
   * fields of each of `venues` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface RhTokensInput<Field = keyof TokenBoard["tokens"][number]> {
  /** rows (default 100) */
  readonly limit?: number | undefined
  /** rows to skip (default 0) */
  readonly offset?: number | undefined
  /**
   * largest first, of `new` the newest `firstTradeTs`; rows with a flag come last (default volume)
   */
  readonly sort?: "volume" | "trades" | "traders" | "change" | "mcap" | "new" | undefined
  /**
   * 1: also tokens that are not listed (see `listed`), as most of Solana's on curves of launch
   * programs are not, which have $10,000 behind their price late or never (default 0)
   */
  readonly includeUnlisted?: "0" | "1" | undefined
  /** version of the rules behind flags; the newest unless told (default v1) */
  readonly rules?: "v1" | undefined
  /** the `asOf` of the first page: the next ones are then of the same list */
  readonly asOf?: number | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ChainOverviewInput {
  /** avalanche, base, bnb, arbitrum, ethereum, solana or its id, in any letter case */
  readonly chain: string
}

export interface ChainVenuesInput<Field = keyof VenueShares["venues"][number]> {
  /** avalanche, base, bnb, arbitrum, ethereum, solana or its id, in any letter case */
  readonly chain: string
  /** UTC days, the present one included (default 30) */
  readonly days?: number | undefined
  /**
   * fields of each of `venues` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ChainTokensInput<Field = keyof TokenBoard["tokens"][number]> {
  /** avalanche, base, bnb, arbitrum, ethereum, solana or its id, in any letter case */
  readonly chain: string
  /** rows (default 100) */
  readonly limit?: number | undefined
  /** rows to skip (default 0) */
  readonly offset?: number | undefined
  /**
   * largest first, of `new` the newest `firstTradeTs`; rows with a flag come last (default volume)
   */
  readonly sort?: "volume" | "trades" | "traders" | "change" | "mcap" | "new" | undefined
  /**
   * 1: also tokens that are not listed (see `listed`), as most of Solana's on curves of launch
   * programs are not, which have $10,000 behind their price late or never (default 0)
   */
  readonly includeUnlisted?: "0" | "1" | undefined
  /** version of the rules behind flags; the newest unless told (default v1) */
  readonly rules?: "v1" | undefined
  /** the `asOf` of the first page: the next ones are then of the same list */
  readonly asOf?: number | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ChainStatusInput {
  /** avalanche, base, bnb, arbitrum, ethereum, solana or its id, in any letter case */
  readonly chain: string
}

export interface SolanaSearchInput<Field = keyof TokenSearch["tokens"][number]> {
  /** symbol, part of the name, or address */
  readonly q: string
  /** rows (default 20) */
  readonly limit?: number | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface SolanaCandlesInput {
  /** mint; letter case counts */
  readonly address: string
  /**
   * bucket length; weeks start on Monday 00:00 UTC. Below a minute candles are folded from trades,
   * as far back as the tape goes (`reachesFrom`) (default 1h)
   */
  readonly tf?: "1s" | "5s" | "15s" | "30s" | "1m" | "5m" | "15m" | "1h" | "4h" | "1d" | "1w" | undefined
  /** inclusive start, Unix seconds; by default `to` minus `limit` buckets */
  readonly from?: number | undefined
  /**
   * exclusive end, Unix seconds, snapped up to a bucket edge; by default the end of the open bucket
   */
  readonly to?: number | undefined
  /** buckets a page; of a wider range the newest are kept (default 300) */
  readonly limit?: number | undefined
  /**
   * 1 carries the previous close through buckets that are proven to be without a trade, with v and
   * n equal to 0; never into or across time whose blocks are missing, which `unknown` lists
   * (default 0)
   */
  readonly fill?: "0" | "1" | undefined
  /** 1 leaves out the open bucket (default 0) */
  readonly closed?: "0" | "1" | undefined
  /**
   * unit of prices: US dollars, the pool's quote token (with `pool` only; `v` is then in quote
   * tokens), or the market's worth, which is the price times the total supply as last read (default
   * usd)
   */
  readonly quote?: "usd" | "token" | "mcap" | undefined
  /** 1 counts prints that are not believed too: see `filtered` (default 0) */
  readonly raw?: "0" | "1" | undefined
  /**
   * more fields of each candle, separated by commas, of buys, sells, buyVol, sellVol, buyers,
   * sellers, trades, filtered, hash, final, state
   */
  readonly fields?: ReadonlyArray<"buys" | "sells" | "buyVol" | "sellVol" | "buyers" | "sellers" | "trades" | "filtered" | "hash" | "final" | "state"> | undefined
}

export interface ArcTokenPageInput {
  /** token; the zero address stands for the chain's native unit */
  readonly address: string
}

export interface ArcTokenPoolsInput<Field = keyof TokenPools["pools"][number]> {
  /** token; the zero address stands for the chain's native unit */
  readonly address: string
  /** rows (default 50) */
  readonly limit?: number | undefined
  /** rows to skip (default 0) */
  readonly offset?: number | undefined
  /** the `asOf` of the first page: the next ones are then of the same list */
  readonly asOf?: number | undefined
  /**
   * fields of each of `pools` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ArcTokenTradesInput<Field = keyof ChainTrades["trades"][number]> {
  /** token; the zero address stands for the chain's native unit */
  readonly address: string
  /** trades a page (default 50) */
  readonly limit?: number | undefined
  /** exclusive cursor: the previous page's `nextBefore`, or a Unix second */
  readonly before?: string | undefined
  /**
   * fields of each of `trades` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ArcTokenSearchInput<Field = keyof TokenSearch["tokens"][number]> {
  /** symbol, part of the name, or address */
  readonly q: string
  /** rows (default 20) */
  readonly limit?: number | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ArcTrendingInput<Field = keyof Trending["tokens"][number]> {
  /** rows (default 50) */
  readonly limit?: number | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ArcAttentionInput<Field = keyof Attention["tokens"][number]> {
  /** rows (default 50) */
  readonly limit?: number | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface RhTokenPageInput {
  /** token; the zero address stands for the chain's native unit */
  readonly address: string
}

export interface RhTokenPoolsInput<Field = keyof TokenPools["pools"][number]> {
  /** token; the zero address stands for the chain's native unit */
  readonly address: string
  /** rows (default 50) */
  readonly limit?: number | undefined
  /** rows to skip (default 0) */
  readonly offset?: number | undefined
  /** the `asOf` of the first page: the next ones are then of the same list */
  readonly asOf?: number | undefined
  /**
   * fields of each of `pools` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface RhTokenTradesInput<Field = keyof ChainTrades["trades"][number]> {
  /** token; the zero address stands for the chain's native unit */
  readonly address: string
  /** trades a page (default 50) */
  readonly limit?: number | undefined
  /** exclusive cursor: the previous page's `nextBefore`, or a Unix second */
  readonly before?: string | undefined
  /**
   * fields of each of `trades` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface RhTokenSearchInput<Field = keyof TokenSearch["tokens"][number]> {
  /** symbol, part of the name, or address */
  readonly q: string
  /** rows (default 20) */
  readonly limit?: number | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface RhTrendingInput<Field = keyof Trending["tokens"][number]> {
  /** rows (default 50) */
  readonly limit?: number | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface RhAttentionInput<Field = keyof Attention["tokens"][number]> {
  /** rows (default 50) */
  readonly limit?: number | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ChainTokenPageInput {
  /** avalanche, base, bnb, arbitrum, ethereum, solana or its id, in any letter case */
  readonly chain: string
  /** token; the zero address stands for the chain's native unit */
  readonly address: string
}

export interface ChainTokenPoolsInput<Field = keyof TokenPools["pools"][number]> {
  /** avalanche, base, bnb, arbitrum, ethereum, solana or its id, in any letter case */
  readonly chain: string
  /** token; the zero address stands for the chain's native unit */
  readonly address: string
  /** rows (default 50) */
  readonly limit?: number | undefined
  /** rows to skip (default 0) */
  readonly offset?: number | undefined
  /** the `asOf` of the first page: the next ones are then of the same list */
  readonly asOf?: number | undefined
  /**
   * fields of each of `pools` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ChainTokenSearchInput<Field = keyof TokenSearch["tokens"][number]> {
  /** avalanche, base, bnb, arbitrum, ethereum, solana or its id, in any letter case */
  readonly chain: string
  /** symbol, part of the name, or address */
  readonly q: string
  /** rows (default 20) */
  readonly limit?: number | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ChainTrendingInput<Field = keyof Trending["tokens"][number]> {
  /** avalanche, base, bnb, arbitrum, ethereum, solana or its id, in any letter case */
  readonly chain: string
  /** rows (default 50) */
  readonly limit?: number | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ChainAttentionInput<Field = keyof Attention["tokens"][number]> {
  /** avalanche, base, bnb, arbitrum, ethereum, solana or its id, in any letter case */
  readonly chain: string
  /** rows (default 50) */
  readonly limit?: number | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface GetTokenStatsInput {
  /** token; the zero address stands for the chain's native unit */
  readonly address: string
  /**
   * chain: its id or its key, in any letter case; by default the first on which the token trades
   */
  readonly chain?: string | undefined
}

export interface GetMarketInput {
  /** chain: its id or its key, in any letter case (default 143) */
  readonly chain?: string | undefined
  /** tokens, those with most volume (default 1000) */
  readonly limit?: number | undefined
}

export interface SearchTokensInput<Field = keyof TokenSearch["tokens"][number]> {
  /** chain: its id or its key, in any letter case (default 143) */
  readonly chain?: string | undefined
  /** symbol, part of the name, or address */
  readonly q: string
  /** rows (default 20) */
  readonly limit?: number | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface GetTokenChartInput {
  /** token; the zero address stands for the chain's native unit */
  readonly address: string
  /**
   * chain: its id or its key, in any letter case; by default the first on which the token trades
   */
  readonly chain?: string | undefined
  /**
   * bucket length; weeks start on Monday 00:00 UTC. Below a minute candles are folded from trades,
   * as far back as the tape goes (`reachesFrom`) (default 1h)
   */
  readonly tf?: "1s" | "5s" | "15s" | "30s" | "1m" | "5m" | "15m" | "1h" | "4h" | "1d" | "1w" | undefined
  /** inclusive start, Unix seconds; by default `to` minus `limit` buckets */
  readonly from?: number | undefined
  /**
   * exclusive end, Unix seconds, snapped up to a bucket edge; by default the end of the open bucket
   */
  readonly to?: number | undefined
  /** buckets a page; of a wider range the newest are kept (default 300) */
  readonly limit?: number | undefined
  /**
   * 1 carries the previous close through buckets that are proven to be without a trade, with v and
   * n equal to 0; never into or across time whose blocks are missing, which `unknown` lists
   * (default 0)
   */
  readonly fill?: "0" | "1" | undefined
}

export interface SolanaTokenTradersInput<Field = keyof TokenTraders["traders"][number]> {
  /** mint; the case of its letters counts */
  readonly address: string
  /** whole UTC hours before the newest block's, which is in the window too (default 24) */
  readonly hours?: number | undefined
  /** wallets to answer (default 30) */
  readonly limit?: number | undefined
  /**
   * fields of each of `traders` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ArcGraduatedInput<Field = keyof Graduated["tokens"][number]> {
  /** rows (default 50) */
  readonly limit?: number | undefined
  /** the previous page's `nextCursor` */
  readonly cursor?: string | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ArcLaunchersInput<Field = keyof Launchers["launchers"][number]> {
  /** rows (default 50) */
  readonly limit?: number | undefined
  /** rows to skip (default 0) */
  readonly offset?: number | undefined
  /** largest first, or by the newest launch (`last`) (default launches) */
  readonly sort?: "launches" | "trading" | "volume" | "last" | undefined
  /**
   * fields of each of `launchers` to answer, separated by commas: its rows have these alone then,
   * and all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface RhGraduatedInput<Field = keyof Graduated["tokens"][number]> {
  /** rows (default 50) */
  readonly limit?: number | undefined
  /** the previous page's `nextCursor` */
  readonly cursor?: string | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface RhLaunchersInput<Field = keyof Launchers["launchers"][number]> {
  /** rows (default 50) */
  readonly limit?: number | undefined
  /** rows to skip (default 0) */
  readonly offset?: number | undefined
  /** largest first, or by the newest launch (`last`) (default launches) */
  readonly sort?: "launches" | "trading" | "volume" | "last" | undefined
  /**
   * fields of each of `launchers` to answer, separated by commas: its rows have these alone then,
   * and all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface SolanaLiquidityPoolsInput<Field = keyof LiquidityPools["pools"][number]> {
  /** what comes first (default depth) */
  readonly sort?: "depth" | "volume" | undefined
  /** rows to answer (default 50) */
  readonly limit?: number | undefined
  /** rows to pass over (default 0) */
  readonly offset?: number | undefined
  /** the `asOf` of the first page: the next ones are then of the same list */
  readonly asOf?: number | undefined
  /**
   * fields of each of `pools` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface SolanaLiquidityEventsInput<Field = keyof LiquidityEvents["events"][number]> {
  /** rows to answer (default 50) */
  readonly limit?: number | undefined
  /** exclusive cursor: the previous page's `nextBefore`, or a Unix second */
  readonly before?: string | undefined
  /** changes of this pool alone */
  readonly pool?: string | undefined
  /** of this owner alone */
  readonly wallet?: string | undefined
  /** of pools of this mint alone; the account of zeros stands for SOL */
  readonly token?: string | undefined
  /**
   * fields of each of `events` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface SolanaLiquidityPositionsInput<Field = keyof LiquidityPositions["positions"][number]> {
  /** positions of this pool alone */
  readonly pool?: string | undefined
  /** of this owner alone */
  readonly wallet?: string | undefined
  /** rows to answer (default 50) */
  readonly limit?: number | undefined
  /** rows to pass over (default 0) */
  readonly offset?: number | undefined
  /**
   * fields of each of `positions` to answer, separated by commas: its rows have these alone then,
   * and all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface SolanaLiquidityWalletsInput<Field = keyof LiquidityWallets["wallets"][number]> {
  /** rows to answer (default 50) */
  readonly limit?: number | undefined
  /** rows to pass over (default 0) */
  readonly offset?: number | undefined
  /**
   * fields of each of `wallets` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface RhStocksInput<Field = keyof Stocks["stocks"][number]> {
  /** rows (default 500) */
  readonly limit?: number | undefined
  /** rows to skip (default 0) */
  readonly offset?: number | undefined
  /**
   * fields of each of `stocks` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface GetLogoInput {
  /** chain id, or the chain's key, in any letter case */
  readonly chain: string
  /** address of the token */
  readonly address: string
}

export interface GetCandlesInput {
  /** chain: its id or its key, in any letter case (default 143) */
  readonly chain?: string | undefined
  /**
   * token; the zero address stands for the chain's native unit. Required unless `pool` is given,
   * and then one that the pool prices
   */
  readonly token?: string | undefined
  /**
   * one pool only, by its address or id. Its candles are of its base token: the side that is no
   * anchor, or the lesser anchor. Of a pool of several pairs the first that traded counts, or the
   * first whose base is `token`
   */
  readonly pool?: string | undefined
  /**
   * bucket length; weeks start on Monday 00:00 UTC. Below a minute candles are folded from trades,
   * as far back as the tape goes (`reachesFrom`) (default 1h)
   */
  readonly tf?: "1s" | "5s" | "15s" | "30s" | "1m" | "5m" | "15m" | "1h" | "4h" | "1d" | "1w" | undefined
  /** inclusive start, Unix seconds; by default `to` minus `limit` buckets */
  readonly from?: number | undefined
  /**
   * exclusive end, Unix seconds, snapped up to a bucket edge; by default the end of the open bucket
   */
  readonly to?: number | undefined
  /** buckets a page; of a wider range the newest are kept (default 300) */
  readonly limit?: number | undefined
  /**
   * 1 carries the previous close through buckets that are proven to be without a trade, with v and
   * n equal to 0; never into or across time whose blocks are missing, which `unknown` lists
   * (default 0)
   */
  readonly fill?: "0" | "1" | undefined
  /** 1 leaves out the open bucket (default 0) */
  readonly closed?: "0" | "1" | undefined
  /**
   * unit of prices: US dollars, the pool's quote token (with `pool` only; `v` is then in quote
   * tokens), or the market's worth, which is the price times the total supply as last read (default
   * usd)
   */
  readonly quote?: "usd" | "token" | "mcap" | undefined
  /** 1 counts prints that are not believed too: see `filtered` (default 0) */
  readonly raw?: "0" | "1" | undefined
  /**
   * more fields of each candle, separated by commas, of buys, sells, buyVol, sellVol, buyers,
   * sellers, trades, filtered, hash, final, state
   */
  readonly fields?: ReadonlyArray<"buys" | "sells" | "buyVol" | "sellVol" | "buyers" | "sellers" | "trades" | "filtered" | "hash" | "final" | "state"> | undefined
}

export interface GetCandleProofInput {
  /** chain: its id or its key, in any letter case (default 143) */
  readonly chain?: string | undefined
  /**
   * token; the zero address stands for the chain's native unit. Required unless `pool` is given,
   * and then one that the pool prices
   */
  readonly token?: string | undefined
  /**
   * one pool only, by its address or id. Its candles are of its base token: the side that is no
   * anchor, or the lesser anchor. Of a pool of several pairs the first that traded counts, or the
   * first whose base is `token`
   */
  readonly pool?: string | undefined
  /**
   * bucket length; weeks start on Monday 00:00 UTC. Below a minute candles are folded from trades,
   * as far back as the tape goes (`reachesFrom`) (default 1h)
   */
  readonly tf?: "1s" | "5s" | "15s" | "30s" | "1m" | "5m" | "15m" | "1h" | "4h" | "1d" | "1w" | undefined
  /** a time within the bucket, Unix seconds */
  readonly t: number
  /** US dollars, or the pool's quote token (with `pool` only) (default usd) */
  readonly quote?: "usd" | "token" | undefined
  /** swaps a page (default 500) */
  readonly limit?: number | undefined
  /** exclusive cursor: the previous page's `nextAfter` */
  readonly after?: string | undefined
}

export interface GetArcHoldersInput<Field = keyof Holders["top"][number]> {
  /** token; the zero address stands for the chain's native unit */
  readonly address: string
  /** rows of `top` (default 50) */
  readonly limit?: number | undefined
  /**
   * fields of each of `top` to answer, separated by commas: its rows have these alone then, and all
   * unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface GetRhHoldersInput<Field = keyof Holders["top"][number]> {
  /** token; the zero address stands for the chain's native unit */
  readonly address: string
  /** rows of `top` (default 50) */
  readonly limit?: number | undefined
  /**
   * fields of each of `top` to answer, separated by commas: its rows have these alone then, and all
   * unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface GetChainHoldersInput<Field = keyof Holders["top"][number]> {
  /** avalanche, base, bnb, arbitrum, ethereum, solana or its id, in any letter case */
  readonly chain: string
  /** token; the zero address stands for the chain's native unit */
  readonly address: string
  /** rows of `top` (default 50) */
  readonly limit?: number | undefined
  /**
   * fields of each of `top` to answer, separated by commas: its rows have these alone then, and all
   * unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ListTokensInput<Field = keyof TokenList["tokens"][number]> {
  /** chain: its id or its key, in any letter case (default 143) */
  readonly chain?: string | undefined
  /** tokens; by default 1000, or 100 with `includeUnlisted=1` */
  readonly limit?: number | undefined
  /** 1: all tokens with trades, most traded first, in place of the curated list (default 0) */
  readonly includeUnlisted?: "0" | "1" | undefined
  /**
   * fields of each of `tokens` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface GetTokenTradesInput<Field = keyof TokenTrades["trades"][number]> {
  /** token; the zero address stands for the chain's native unit */
  readonly address: string
  /**
   * chain: its id or its key, in any letter case; by default the first on which the token trades
   */
  readonly chain?: string | undefined
  /** one side only */
  readonly side?: "buy" | "sell" | undefined
  /** one venue only, by its id */
  readonly dex?: string | undefined
  /** smallest trade, US dollars */
  readonly min?: number | undefined
  /** one wallet only */
  readonly wallet?: string | undefined
  /** trades a page (default 25) */
  readonly limit?: number | undefined
  /** page, from 1 (default 1) */
  readonly page?: number | undefined
  /** the `asOf` of the first page: the next ones are then of the same list */
  readonly asOf?: number | undefined
  /**
   * fields of each of `trades` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ExplainPriceInput {
  /** chain: its id or its key, in any letter case (default 143) */
  readonly chain?: string | undefined
  /** token; the zero address stands for the chain's native unit */
  readonly token: string
  /** version of the recipe: an older one tells what it would make of the same pools (default v5) */
  readonly recipe?: "v5" | "v4" | undefined
}

export interface ArcWalletPnlInput<Field = keyof WalletPnl["positions"][number]> {
  /** address of the wallet */
  readonly address: string
  /** UTC days, the newest block's included (default 7) */
  readonly days?: number | undefined
  /**
   * fields of each of `positions` to answer, separated by commas: its rows have these alone then,
   * and all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ArcWalletTradesInput<Field = keyof WalletTrades["trades"][number]> {
  /** address of the wallet */
  readonly address: string
  /** trades a page (default 50) */
  readonly limit?: number | undefined
  /** exclusive cursor: the previous page's `nextBefore`, or a Unix second */
  readonly before?: string | undefined
  /**
   * fields of each of `trades` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface RhWalletPnlInput<Field = keyof WalletPnl["positions"][number]> {
  /** address of the wallet */
  readonly address: string
  /** UTC days, the newest block's included (default 7) */
  readonly days?: number | undefined
  /**
   * fields of each of `positions` to answer, separated by commas: its rows have these alone then,
   * and all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface RhWalletTradesInput<Field = keyof WalletTrades["trades"][number]> {
  /** address of the wallet */
  readonly address: string
  /** trades a page (default 50) */
  readonly limit?: number | undefined
  /** exclusive cursor: the previous page's `nextBefore`, or a Unix second */
  readonly before?: string | undefined
  /**
   * fields of each of `trades` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ChainWalletPnlInput<Field = keyof WalletPnl["positions"][number]> {
  /** avalanche, base, bnb, arbitrum, ethereum, solana or its id, in any letter case */
  readonly chain: string
  /** address of the wallet */
  readonly address: string
  /** UTC days, the newest block's included (default 7) */
  readonly days?: number | undefined
  /**
   * fields of each of `positions` to answer, separated by commas: its rows have these alone then,
   * and all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ChainWalletTradesInput<Field = keyof WalletTrades["trades"][number]> {
  /** avalanche, base, bnb, arbitrum, ethereum, solana or its id, in any letter case */
  readonly chain: string
  /** address of the wallet */
  readonly address: string
  /** trades a page (default 50) */
  readonly limit?: number | undefined
  /** exclusive cursor: the previous page's `nextBefore`, or a Unix second */
  readonly before?: string | undefined
  /**
   * fields of each of `trades` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface SolanaSmartTradersInput<Field = keyof SmartTraders["traders"][number]> {
  /** days of the window, which ends with the newest block (default 7) */
  readonly days?: "1" | "3" | "7" | undefined
  /** what is greatest first (default score) */
  readonly sort?: "score" | "pnl" | "roi" | "winrate" | undefined
  /** most rows (default 50) */
  readonly limit?: number | undefined
  /**
   * fields of each of `traders` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface SolanaTradersInput<Field = keyof DayTraders["traders"][number]> {
  /** what is greatest first: realized PnL, or dollars traded (default pnl) */
  readonly sort?: "pnl" | "volume" | undefined
  /** UTC days, 1 for today, 2 for yesterday too (default 1) */
  readonly days?: number | undefined
  /** most rows (default 50) */
  readonly limit?: number | undefined
  /**
   * fields of each of `traders` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
}

export interface ArcPrintsInput<Field = keyof ChainPrints["prints"][number]> {
  /** trades a page (default 50) */
  readonly limit?: number | undefined
  /** exclusive cursor: the previous page's `nextBefore`, or a Unix second */
  readonly before?: string | undefined
  /**
   * fields of each of `prints` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
  /** smallest print, US dollars */
  readonly min?: number | undefined
}

export interface RhPrintsInput<Field = keyof ChainPrints["prints"][number]> {
  /** trades a page (default 50) */
  readonly limit?: number | undefined
  /** exclusive cursor: the previous page's `nextBefore`, or a Unix second */
  readonly before?: string | undefined
  /**
   * fields of each of `prints` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
  /** smallest print, US dollars */
  readonly min?: number | undefined
}

export interface ChainPrintsInput<Field = keyof ChainPrints["prints"][number]> {
  /** avalanche, base, bnb, arbitrum, ethereum, solana or its id, in any letter case */
  readonly chain: string
  /** trades a page (default 50) */
  readonly limit?: number | undefined
  /** exclusive cursor: the previous page's `nextBefore`, or a Unix second */
  readonly before?: string | undefined
  /**
   * fields of each of `prints` to answer, separated by commas: its rows have these alone then, and
   * all unless told
   */
  readonly fields?: ReadonlyArray<Field> | undefined
  /** smallest print, US dollars */
  readonly min?: number | undefined
}

export interface ExplainFlagsInput {
  /** chain: its id or its key, in any letter case */
  readonly chain: string
  /** token; the zero address stands for the chain's native unit */
  readonly token: string
  /** version of the rules behind flags; the newest unless told (default v1) */
  readonly rules?: "v1" | undefined
}

export interface GetQuoteInput {
  /** chain: its id or its key, in any letter case (default 143) */
  readonly chain?: string | undefined
  /**
   * token sold; the zero address is the native unit, on Arc the USDC predeploy, which has 6
   * decimals and is to be approved
   */
  readonly inputMint: string
  /**
   * token bought; the zero address is the native unit, on Arc the USDC predeploy, which has 6
   * decimals and is to be approved
   */
  readonly outputMint: string
  /** raw units sold (`swapMode=ExactOut`: bought) */
  readonly amount: string
  /** percent of a percent by which the output may be less than quoted (default 50) */
  readonly slippageBps?: number | undefined
  /**
   * whether `amount` is what is sold or what is bought at the quote's position. A swap of either
   * sells `inputAmount`, and accepts `otherAmountThreshold` (default ExactIn)
   */
  readonly swapMode?: "ExactIn" | "ExactOut" | undefined
  /** most hops of a path (default 2) */
  readonly maxHops?: number | undefined
  /** 1: one hop, past no safety gate, at once (`preliminary: true`) (default 0) */
  readonly fast?: "0" | "1" | undefined
  /** venue id: pools of it alone; needs `X-API-Key` */
  readonly only?: string | undefined
  /** 1: list the pools considered and why each lost (default 0) */
  readonly why?: "0" | "1" | undefined
}

export interface GetCalldataInput {
  /** chain: its id or its key, in any letter case (default 143) */
  readonly chain?: string | undefined
  /**
   * token sold; the zero address is the native unit, on Arc the USDC predeploy, which has 6
   * decimals and is to be approved
   */
  readonly inputMint: string
  /**
   * token bought; the zero address is the native unit, on Arc the USDC predeploy, which has 6
   * decimals and is to be approved
   */
  readonly outputMint: string
  /** raw units sold (`swapMode=ExactOut`: bought) */
  readonly amount: string
  /** percent of a percent by which the output may be less than quoted (default 50) */
  readonly slippageBps?: number | undefined
  /**
   * whether `amount` is what is sold or what is bought at the quote's position. A swap of either
   * sells `inputAmount`, and accepts `otherAmountThreshold` (default ExactIn)
   */
  readonly swapMode?: "ExactIn" | "ExactOut" | undefined
  /** most hops of a path (default 2) */
  readonly maxHops?: number | undefined
  /** venue id: pools of it alone; needs `X-API-Key` */
  readonly only?: string | undefined
  /** 1: list the pools considered and why each lost (default 0) */
  readonly why?: "0" | "1" | undefined
  /** who signs and pays */
  readonly taker: string
  /** who gets the output; the taker unless told */
  readonly recipient?: string | undefined
}

export interface GetMetaQuoteInput {
  /** chain: its id or its key, in any letter case (default 143) */
  readonly chain?: string | undefined
  /**
   * token sold; the zero address is the native unit, on Arc the USDC predeploy, which has 6
   * decimals and is to be approved
   */
  readonly inputMint: string
  /**
   * token bought; the zero address is the native unit, on Arc the USDC predeploy, which has 6
   * decimals and is to be approved
   */
  readonly outputMint: string
  /** raw units sold (`swapMode=ExactOut`: bought) */
  readonly amount: string
  /** percent of a percent by which the output may be less than quoted (default 50) */
  readonly slippageBps?: number | undefined
  /** who would sign and pay; some aggregators quote for a taker alone */
  readonly taker?: string | undefined
}

export interface GetMetaWhyInput {
  /** `quoteId` of a quote of `GET /v1/meta/quote` */
  readonly quoteId: string
}

/** A function for each route, by the name of its operation. */
export interface Routes {
  /**
   * Health of the service: `GET /v1/health`
   *
   * 200 while every chain is well. 503 within five seconds of the first reason to doubt that, with
   * the reasons: a source, the log's server, a lane or its tables died or hang, or a chain has had
   * no block for too long. Answers of other routes are true as of their own position also then.
   * What is wrong with anything else is in `warnings`, and makes no 503: no other engine on the
   * same log would be better.
   */
  readonly getHealth: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<Health>>
  }

  /**
   * Health of every chain: `GET /v1/health/chains`
   *
   * One row a chain, always with 200; `ok` and `problem` say how it is.
   */
  readonly getChainsHealth: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<ChainsHealth>>
  }

  /**
   * Status of every lane: `GET /v1/status`
   *
   * Position in log and chain, lag, source, quarantined logs by reason, open gaps and rollbacks.
   * Never cached.
   */
  readonly getStatus: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<Status>>
  }

  /**
   * Metrics for Prometheus: `GET /metrics`
   *
   * The numbers of `/v1/status` and the server's own counters.
   */
  readonly getMetrics: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<string>>
  }

  /**
   * Directory of chains: `GET /v1/chains`
   *
   * The chains served here, and which route serves each capability.
   */
  readonly listChains: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<Chains>>
  }

  /**
   * Trades of a token on a chain: `GET /v1/chains/{chain}/token/{address}/trades`
   *
   * The token's tape, newest first. Pass `nextBefore` back as `before`; it is null on the last
   * page. A token without trades has an empty page; of Solana a mint that never traded is 404
   * `TOKEN_NOT_FOUND`.
   */
  readonly getChainTrades: {
    <const Field extends keyof ChainTrades["trades"][number] = keyof ChainTrades["trades"][number]>(
      input: GetChainTradesInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<ChainTrades, "trades", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof ChainTrades["trades"][number] = keyof ChainTrades["trades"][number]>(
      input: GetChainTradesInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<ChainTrades, "trades", Field>>>
  }

  /**
   * Totals of Arc: `GET /v1/arc/overview`
   *
   * Swaps of the last 24 hours by venue and hour, and of days, from rollups. Wash trading is left
   * out of every sum and told in `last24h.excluded`.
   */
  readonly arcOverview: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<OwnChainOverview>>
  }

  /**
   * Venues of Arc: `GET /v1/arc/venues`
   *
   * Venues by volume over UTC days. The first day of a young tape is partial.
   */
  readonly arcVenues: {
    <const Field extends keyof VenueShares["venues"][number] = keyof VenueShares["venues"][number]>(
      input?: ArcVenuesInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<VenueShares, "venues", Field>>>
  }

  /**
   * Token board of Arc: `GET /v1/arc/tokens`
   *
   * Tokens that traded in the last 24 hours, hour-aligned. Rows with a flag come last and nothing
   * sums them. With the first page's `asOf` the next pages have the same order, with the present
   * figures.
   */
  readonly arcTokens: {
    <const Field extends keyof TokenBoard["tokens"][number] = keyof TokenBoard["tokens"][number]>(
      input?: ArcTokensInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<TokenBoard, "tokens", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof TokenBoard["tokens"][number] = keyof TokenBoard["tokens"][number]>(
      input?: ArcTokensInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<TokenBoard, "tokens", Field>>>
  }

  /**
   * Index of Arc: `GET /v1/arc/status`
   *
   * Freshness and depth of the index.
   */
  readonly arcStatus: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<FamilyStatus>>
  }

  /**
   * Totals of chain 4663: `GET /v1/rh/overview`
   *
   * Swaps of the last 24 hours by venue and hour, and of days, from rollups. Wash trading is left
   * out of every sum and told in `last24h.excluded`.
   */
  readonly rhOverview: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<OwnChainOverview>>
  }

  /**
   * Venues of chain 4663: `GET /v1/rh/venues`
   *
   * Venues by volume over UTC days. The first day of a young tape is partial.
   */
  readonly rhVenues: {
    <const Field extends keyof VenueShares["venues"][number] = keyof VenueShares["venues"][number]>(
      input?: RhVenuesInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<VenueShares, "venues", Field>>>
  }

  /**
   * Token board of chain 4663: `GET /v1/rh/tokens`
   *
   * Tokens that traded in the last 24 hours, hour-aligned. Rows with a flag come last and nothing
   * sums them. With the first page's `asOf` the next pages have the same order, with the present
   * figures. One token per symbol: an anchor's symbol is its own, a stock token owns its ticker, of
   * others the busiest stays (`/v1/rules`).
   */
  readonly rhTokens: {
    <const Field extends keyof TokenBoard["tokens"][number] = keyof TokenBoard["tokens"][number]>(
      input?: RhTokensInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<TokenBoard, "tokens", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof TokenBoard["tokens"][number] = keyof TokenBoard["tokens"][number]>(
      input?: RhTokensInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<TokenBoard, "tokens", Field>>>
  }

  /**
   * Index of chain 4663: `GET /v1/rh/status`
   *
   * Freshness and depth of the index.
   */
  readonly rhStatus: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<FamilyStatus>>
  }

  /**
   * Totals of a chain: `GET /v1/chains/{chain}/overview`
   *
   * Swaps of the last 24 hours by venue and hour, and of days, from rollups. Wash trading is left
   * out of every sum and told in `last24h.excluded`.
   */
  readonly chainOverview: {
    (
      input: ChainOverviewInput, options?: CallOptions
    ): Promise<Answer<ChainOverview>>
  }

  /**
   * Venues of a chain: `GET /v1/chains/{chain}/venues`
   *
   * Venues by volume over UTC days. The first day of a young tape is partial.
   */
  readonly chainVenues: {
    <const Field extends keyof VenueShares["venues"][number] = keyof VenueShares["venues"][number]>(
      input: ChainVenuesInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<VenueShares, "venues", Field>>>
  }

  /**
   * Token board of a chain: `GET /v1/chains/{chain}/tokens`
   *
   * Tokens that traded in the last 24 hours, hour-aligned. Rows with a flag come last and nothing
   * sums them. With the first page's `asOf` the next pages have the same order, with the present
   * figures.
   */
  readonly chainTokens: {
    <const Field extends keyof TokenBoard["tokens"][number] = keyof TokenBoard["tokens"][number]>(
      input: ChainTokensInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<TokenBoard, "tokens", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof TokenBoard["tokens"][number] = keyof TokenBoard["tokens"][number]>(
      input: ChainTokensInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<TokenBoard, "tokens", Field>>>
  }

  /**
   * Index of a chain: `GET /v1/chains/{chain}/status`
   *
   * Freshness and depth of the index.
   */
  readonly chainStatus: {
    (
      input: ChainStatusInput, options?: CallOptions
    ): Promise<Answer<FamilyStatus>>
  }

  /**
   * Totals of Solana: `GET /v1/chains/solana/overview`
   *
   * Swaps of the venues that are read, of the last 24 hours: by venue and by hour. Kept for 30
   * seconds. Proprietary AMMs and order books are not read, so major pairs show far less volume
   * than the whole market. No swap is left out as wash trading.
   */
  readonly solanaOverview: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<SolanaOverview>>
  }

  /**
   * Ingest of Solana: `GET /v1/chains/solana/status`
   *
   * How far Solana is read, how its swaps agree with the vaults, venue by venue (`decode`, which
   * counts since the engine started and is not less where blocks were taken back), and whether the
   * newest whole hour, recounted from the tape, is what the tables tell. Never cached.
   */
  readonly solanaStatus: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<SolanaStatus>>
  }

  /**
   * Search of tokens on Solana: `GET /v1/chains/solana/search`
   *
   * As `/v1/tokens/search?chain=solana`: by symbol, name or mint.
   */
  readonly solanaSearch: {
    <const Field extends keyof TokenSearch["tokens"][number] = keyof TokenSearch["tokens"][number]>(
      input: SolanaSearchInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<TokenSearch, "tokens", Field>>>
  }

  /**
   * Candles of a token on Solana: `GET /v1/chains/solana/token/{address}/candles`
   *
   * As `/v1/candles?chain=solana`, of a token over all its pools.
   */
  readonly solanaCandles: {
    (
      input: SolanaCandlesInput, options?: CallOptions
    ): Promise<Answer<Candles>>
  }

  /**
   * A token of Arc: `GET /v1/arc/token/{address}`
   *
   * A token's row, its 24 hours one by one, and its venues.
   */
  readonly arcTokenPage: {
    (
      input: ArcTokenPageInput, options?: CallOptions
    ): Promise<Answer<TokenPage>>
  }

  /**
   * Pools of a token of Arc: `GET /v1/arc/token/{address}/pools`
   *
   * The token's pools, those with most volume first. Pools that a wash-trading rule flags
   * (`suspect`) come last.
   */
  readonly arcTokenPools: {
    <const Field extends keyof TokenPools["pools"][number] = keyof TokenPools["pools"][number]>(
      input: ArcTokenPoolsInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<TokenPools, "pools", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof TokenPools["pools"][number] = keyof TokenPools["pools"][number]>(
      input: ArcTokenPoolsInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<TokenPools, "pools", Field>>>
  }

  /**
   * Trades of a token of Arc: `GET /v1/arc/token/{address}/trades`
   *
   * The token's tape, newest first. Pass `nextBefore` back as `before`; it is null on the last
   * page.
   */
  readonly arcTokenTrades: {
    <const Field extends keyof ChainTrades["trades"][number] = keyof ChainTrades["trades"][number]>(
      input: ArcTokenTradesInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<ChainTrades, "trades", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof ChainTrades["trades"][number] = keyof ChainTrades["trades"][number]>(
      input: ArcTokenTradesInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<ChainTrades, "trades", Field>>>
  }

  /**
   * Search of tokens of Arc: `GET /v1/arc/tokens/search`
   *
   * Tokens by symbol, by name, or by address. Of tokens whose symbols read alike one is `verified`
   * at most: an anchor, else the busiest listed one.
   */
  readonly arcTokenSearch: {
    <const Field extends keyof TokenSearch["tokens"][number] = keyof TokenSearch["tokens"][number]>(
      input: ArcTokenSearchInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<TokenSearch, "tokens", Field>>>
  }

  /**
   * Movers of Arc: `GET /v1/arc/trending`
   *
   * Tokens whose price moved most over the last two clock hours; the formula is in the answer.
   */
  readonly arcTrending: {
    <const Field extends keyof Trending["tokens"][number] = keyof Trending["tokens"][number]>(
      input?: ArcTrendingInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<Trending, "tokens", Field>>>
  }

  /**
   * Attention on Arc: `GET /v1/arc/attention`
   *
   * Tokens that more wallets trade than before, over the last two clock hours; the formula is in
   * the answer.
   */
  readonly arcAttention: {
    <const Field extends keyof Attention["tokens"][number] = keyof Attention["tokens"][number]>(
      input?: ArcAttentionInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<Attention, "tokens", Field>>>
  }

  /**
   * A token of chain 4663: `GET /v1/rh/token/{address}`
   *
   * A token's row, its 24 hours one by one, and its venues.
   */
  readonly rhTokenPage: {
    (
      input: RhTokenPageInput, options?: CallOptions
    ): Promise<Answer<TokenPage>>
  }

  /**
   * Pools of a token of chain 4663: `GET /v1/rh/token/{address}/pools`
   *
   * The token's pools, those with most volume first. Pools that a wash-trading rule flags
   * (`suspect`) come last.
   */
  readonly rhTokenPools: {
    <const Field extends keyof TokenPools["pools"][number] = keyof TokenPools["pools"][number]>(
      input: RhTokenPoolsInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<TokenPools, "pools", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof TokenPools["pools"][number] = keyof TokenPools["pools"][number]>(
      input: RhTokenPoolsInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<TokenPools, "pools", Field>>>
  }

  /**
   * Trades of a token of chain 4663: `GET /v1/rh/token/{address}/trades`
   *
   * The token's tape, newest first. Pass `nextBefore` back as `before`; it is null on the last
   * page.
   */
  readonly rhTokenTrades: {
    <const Field extends keyof ChainTrades["trades"][number] = keyof ChainTrades["trades"][number]>(
      input: RhTokenTradesInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<ChainTrades, "trades", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof ChainTrades["trades"][number] = keyof ChainTrades["trades"][number]>(
      input: RhTokenTradesInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<ChainTrades, "trades", Field>>>
  }

  /**
   * Search of tokens of chain 4663: `GET /v1/rh/tokens/search`
   *
   * Tokens by symbol, by name, or by address. Those that the board's listing rule leaves out are
   * `verified: false`, and here while they traded in the last 24 hours.
   */
  readonly rhTokenSearch: {
    <const Field extends keyof TokenSearch["tokens"][number] = keyof TokenSearch["tokens"][number]>(
      input: RhTokenSearchInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<TokenSearch, "tokens", Field>>>
  }

  /**
   * Movers of chain 4663: `GET /v1/rh/trending`
   *
   * Tokens whose price moved most over the last two clock hours; the formula is in the answer.
   */
  readonly rhTrending: {
    <const Field extends keyof Trending["tokens"][number] = keyof Trending["tokens"][number]>(
      input?: RhTrendingInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<Trending, "tokens", Field>>>
  }

  /**
   * Attention on chain 4663: `GET /v1/rh/attention`
   *
   * Tokens that more wallets trade than before, over the last two clock hours; the formula is in
   * the answer.
   */
  readonly rhAttention: {
    <const Field extends keyof Attention["tokens"][number] = keyof Attention["tokens"][number]>(
      input?: RhAttentionInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<Attention, "tokens", Field>>>
  }

  /**
   * A token of a chain: `GET /v1/chains/{chain}/token/{address}`
   *
   * A token's row, its 24 hours one by one, and its venues.
   */
  readonly chainTokenPage: {
    (
      input: ChainTokenPageInput, options?: CallOptions
    ): Promise<Answer<TokenPage>>
  }

  /**
   * Pools of a token of a chain: `GET /v1/chains/{chain}/token/{address}/pools`
   *
   * The token's pools, those with most volume first. Pools that a wash-trading rule flags
   * (`suspect`) come last.
   */
  readonly chainTokenPools: {
    <const Field extends keyof TokenPools["pools"][number] = keyof TokenPools["pools"][number]>(
      input: ChainTokenPoolsInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<TokenPools, "pools", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof TokenPools["pools"][number] = keyof TokenPools["pools"][number]>(
      input: ChainTokenPoolsInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<TokenPools, "pools", Field>>>
  }

  /**
   * Search of tokens of a chain: `GET /v1/chains/{chain}/tokens/search`
   *
   * Tokens by symbol, by name, or by address. Of tokens whose symbols read alike one is `verified`
   * at most: an anchor, else the busiest listed one.
   */
  readonly chainTokenSearch: {
    <const Field extends keyof TokenSearch["tokens"][number] = keyof TokenSearch["tokens"][number]>(
      input: ChainTokenSearchInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<TokenSearch, "tokens", Field>>>
  }

  /**
   * Movers of a chain: `GET /v1/chains/{chain}/trending`
   *
   * Tokens whose price moved most over the last two clock hours; the formula is in the answer.
   */
  readonly chainTrending: {
    <const Field extends keyof Trending["tokens"][number] = keyof Trending["tokens"][number]>(
      input: ChainTrendingInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<Trending, "tokens", Field>>>
  }

  /**
   * Attention on a chain: `GET /v1/chains/{chain}/attention`
   *
   * Tokens that more wallets trade than before, over the last two clock hours; the formula is in
   * the answer.
   */
  readonly chainAttention: {
    <const Field extends keyof Attention["tokens"][number] = keyof Attention["tokens"][number]>(
      input: ChainAttentionInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<Attention, "tokens", Field>>>
  }

  /**
   * Windows of a token: `GET /v1/tokens/stats/{address}`
   *
   * Trades, volume and wallets of the last 5 minutes, hour, 6 hours and 24 hours, exact to the
   * second; all-time high, 24-hour range and markets. Prints that are not believed are counted as
   * trades and in nothing else. An answer up to a second out of date may be given while a new one
   * is made; `X-Log-Seq` tells its position.
   */
  readonly getTokenStats: {
    (
      input: GetTokenStatsInput, options?: CallOptions
    ): Promise<Answer<TokenStats>>
  }

  /**
   * Price map: `GET /v1/tokens/market`
   *
   * Prices of the tokens that traded in the last 24 hours, up to the newest block.
   */
  readonly getMarket: {
    (
      input?: GetMarketInput, options?: CallOptions
    ): Promise<Answer<PriceMap>>
  }

  /**
   * Search of tokens: `GET /v1/tokens/search`
   *
   * By symbol, name or address. Of tokens whose symbols read alike one is `verified` at most.
   */
  readonly searchTokens: {
    <const Field extends keyof TokenSearch["tokens"][number] = keyof TokenSearch["tokens"][number]>(
      input: SearchTokensInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<TokenSearch, "tokens", Field>>>
  }

  /**
   * Chart of a token: `GET /v1/tokens/chart/{address}`
   *
   * Candles as `GET /v1/candles` answers them, by the token's path.
   */
  readonly getTokenChart: {
    (
      input: GetTokenChartInput, options?: CallOptions
    ): Promise<Answer<Candles>>
  }

  /**
   * Traders of a token on Solana: `GET /v1/chains/solana/token/{address}/traders`
   *
   * The wallets that traded a token most, by dollars, with what they made at average cost inside
   * the window: the average of all buys there, not of those ahead of each sell. Only trades
   * attributed to a wallet count, and transfers are not seen: a token received and then sold is a
   * sell without a buy (`partial`).
   */
  readonly solanaTokenTraders: {
    <const Field extends keyof TokenTraders["traders"][number] = keyof TokenTraders["traders"][number]>(
      input: SolanaTokenTradersInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<TokenTraders, "traders", Field>>>
  }

  /**
   * New launches of Arc: `GET /v1/arc/graduated`
   *
   * Tokens whose first pool the log shows being made and that have graduated; `rule` says what that
   * takes. Newest first, rows with a flag last. Pass `nextCursor` back as `cursor`.
   */
  readonly arcGraduated: {
    <const Field extends keyof Graduated["tokens"][number] = keyof Graduated["tokens"][number]>(
      input?: ArcGraduatedInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<Graduated, "tokens", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof Graduated["tokens"][number] = keyof Graduated["tokens"][number]>(
      input?: ArcGraduatedInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<Graduated, "tokens", Field>>>
  }

  /**
   * Launchers of Arc: `GET /v1/arc/launchers`
   *
   * Who made tokens' first pools, as far as their transactions tell: the contract that was called,
   * else the sender.
   */
  readonly arcLaunchers: {
    <const Field extends keyof Launchers["launchers"][number] = keyof Launchers["launchers"][number]>(
      input?: ArcLaunchersInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<Launchers, "launchers", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof Launchers["launchers"][number] = keyof Launchers["launchers"][number]>(
      input?: ArcLaunchersInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<Launchers, "launchers", Field>>>
  }

  /**
   * New launches of chain 4663: `GET /v1/rh/graduated`
   *
   * Tokens whose first pool the log shows being made and that have graduated; `rule` says what that
   * takes. Newest first, rows with a flag last. Pass `nextCursor` back as `cursor`.
   */
  readonly rhGraduated: {
    <const Field extends keyof Graduated["tokens"][number] = keyof Graduated["tokens"][number]>(
      input?: RhGraduatedInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<Graduated, "tokens", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof Graduated["tokens"][number] = keyof Graduated["tokens"][number]>(
      input?: RhGraduatedInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<Graduated, "tokens", Field>>>
  }

  /**
   * Launchers of chain 4663: `GET /v1/rh/launchers`
   *
   * Who made tokens' first pools, as far as their transactions tell: the contract that was called,
   * else the sender.
   */
  readonly rhLaunchers: {
    <const Field extends keyof Launchers["launchers"][number] = keyof Launchers["launchers"][number]>(
      input?: RhLaunchersInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<Launchers, "launchers", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof Launchers["launchers"][number] = keyof Launchers["launchers"][number]>(
      input?: RhLaunchersInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<Launchers, "launchers", Field>>>
  }

  /**
   * Pools of Solana by liquidity: `GET /v1/chains/solana/liquidity/pools`
   *
   * Pools that set a price or were traded in 24 hours, by depth or volume, with what was added and
   * removed in these. Pass `asOf` back for pages of one list.
   */
  readonly solanaLiquidityPools: {
    <const Field extends keyof LiquidityPools["pools"][number] = keyof LiquidityPools["pools"][number]>(
      input?: SolanaLiquidityPoolsInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<LiquidityPools, "pools", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof LiquidityPools["pools"][number] = keyof LiquidityPools["pools"][number]>(
      input?: SolanaLiquidityPoolsInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<LiquidityPools, "pools", Field>>>
  }

  /**
   * Changes of liquidity on Solana: `GET /v1/chains/solana/liquidity/events`
   *
   * What was added to pools and removed from them, newest first. Pass `nextBefore` back as
   * `before`; it is null on the last page.
   */
  readonly solanaLiquidityEvents: {
    <const Field extends keyof LiquidityEvents["events"][number] = keyof LiquidityEvents["events"][number]>(
      input?: SolanaLiquidityEventsInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<LiquidityEvents, "events", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof LiquidityEvents["events"][number] = keyof LiquidityEvents["events"][number]>(
      input?: SolanaLiquidityEventsInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<LiquidityEvents, "events", Field>>>
  }

  /**
   * Positions in pools of Solana: `GET /v1/chains/solana/liquidity/positions`
   *
   * What each owner added to a pool and removed, of a pool, of a wallet, or of all. Dollars of one
   * position are of different moments: their difference is no profit.
   */
  readonly solanaLiquidityPositions: {
    <const Field extends keyof LiquidityPositions["positions"][number] = keyof LiquidityPositions["positions"][number]>(
      input?: SolanaLiquidityPositionsInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<LiquidityPositions, "positions", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof LiquidityPositions["positions"][number] = keyof LiquidityPositions["positions"][number]>(
      input?: SolanaLiquidityPositionsInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<LiquidityPositions, "positions", Field>>>
  }

  /**
   * Liquidity wallets of Solana: `GET /v1/chains/solana/liquidity/wallets`
   *
   * The wallets that added most liquidity, by dollars of the moment, since the log began.
   */
  readonly solanaLiquidityWallets: {
    <const Field extends keyof LiquidityWallets["wallets"][number] = keyof LiquidityWallets["wallets"][number]>(
      input?: SolanaLiquidityWalletsInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<LiquidityWallets, "wallets", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof LiquidityWallets["wallets"][number] = keyof LiquidityWallets["wallets"][number]>(
      input?: SolanaLiquidityWalletsInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<LiquidityWallets, "wallets", Field>>>
  }

  /**
   * Stocks of chain 4663: `GET /v1/rh/stocks`
   *
   * The tokenised stocks that the chain's token lists name, also those that never traded;
   * `/v1/rules` says what makes one a stock. Most volume first, rows with a flag last.
   */
  readonly rhStocks: {
    <const Field extends keyof Stocks["stocks"][number] = keyof Stocks["stocks"][number]>(
      input?: RhStocksInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<Stocks, "stocks", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof Stocks["stocks"][number] = keyof Stocks["stocks"][number]>(
      input?: RhStocksInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<Stocks, "stocks", Field>>>
  }

  /**
   * Logo of a token: `GET /v1/logo/{chain}/{address}`
   *
   * A picture drawn from the address: nobody's artwork, the same everywhere, and different for two
   * tokens of one symbol.
   */
  readonly getLogo: {
    (
      input: GetLogoInput, options?: CallOptions
    ): Promise<Answer<string>>
  }

  /**
   * Rules of prices, flags and lists: `GET /v1/rules`
   *
   * The rules by which tokens are priced, rows are flagged `wash` or `impostor`, launches are
   * shown, and one token of a symbol is listed, with thresholds and versions. On Solana no row is
   * flagged.
   */
  readonly getRules: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<Rules>>
  }

  /**
   * Candles of a token or a pool: `GET /v1/candles`
   *
   * Open, high, low, close, volume and trades by bucket, from the service's own index of swaps.
   * Buckets without a trade are absent unless `fill=1`; a range without a bucket is an empty page.
   * The previous page is the one with `to` equal to this page's `from`. NOT_FOUND: no such pool, or
   * no supply for quote=mcap.
   */
  readonly getCandles: {
    (
      input?: GetCandlesInput, options?: CallOptions
    ): Promise<Answer<Candles>>
  }

  /**
   * Swaps behind a candle: `GET /v1/candles/proof`
   *
   * Every swap of one bucket in the chain's order, by pages, with what the bucket says of them.
   * From the counted ones anybody can compute the candle: first, highest, lowest and last price,
   * the sum of dollars in whole micro-dollars, and how many. `hash` is the sum over all, counted or
   * not, of 64 bits each, in two 32-bit words that are summed by themselves mod 2^32: of the words
   * of `tx` (big-endian: eight of a hash, sixteen of a signature on Solana), `block` mod 2^32 and
   * `logIndex`, h = seed; for each word h = (h xor word) * factor, h = h xor h >> 15; then h = (h
   * xor h >> 16) * 0x85ebca6b, h = (h xor h >> 13) * 0xc2b2ae35, h = h xor h >> 16, all mod 2^32;
   * seed and factor are 0x243f6a88 and 0x9e3779b1 of the high word, 0x85a308d3 and 0x85ebca77 of
   * the low one. It shows what is missing, double or other; it is no signature.
   */
  readonly getCandleProof: {
    (
      input: GetCandleProofInput, options?: CallOptions
    ): Promise<Answer<CandleProof>>
    /** Pages from the asked one on, to the last. */
    pages(
      input: GetCandleProofInput, options?: CallOptions
    ): AsyncIterable<Answer<CandleProof>>
  }

  /**
   * Holders of a token on Arc: `GET /v1/arc/token/{address}/holders`
   *
   * Who has how much of a token, by its transfers. The first request of a token pins it and answers
   * 503 `HOLDERS_PENDING` until the next blocks are logged: retry after `Retry-After`. Then
   * `complete` is false until all transfers since its creation are there; what is shown until then
   * is what the known transfers leave. 503 `HOLDERS_UNAVAILABLE` says that the token will not be
   * pinned, and why: too many are, or its pin was taken back.
   */
  readonly getArcHolders: {
    <const Field extends keyof Holders["top"][number] = keyof Holders["top"][number]>(
      input: GetArcHoldersInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<Holders, "top", Field>>>
  }

  /**
   * Holders of a token on chain 4663: `GET /v1/rh/token/{address}/holders`
   *
   * Who has how much of a token, by its transfers. The first request of a token pins it and answers
   * 503 `HOLDERS_PENDING` until the next blocks are logged: retry after `Retry-After`. Then
   * `complete` is false until all transfers since its creation are there; what is shown until then
   * is what the known transfers leave. 503 `HOLDERS_UNAVAILABLE` says that the token will not be
   * pinned, and why: too many are, or its pin was taken back.
   */
  readonly getRhHolders: {
    <const Field extends keyof Holders["top"][number] = keyof Holders["top"][number]>(
      input: GetRhHoldersInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<Holders, "top", Field>>>
  }

  /**
   * Holders of a token on a chain: `GET /v1/chains/{chain}/token/{address}/holders`
   *
   * Who has how much of a token, by its transfers. The first request of a token pins it and answers
   * 503 `HOLDERS_PENDING` until the next blocks are logged: retry after `Retry-After`. Then
   * `complete` is false until all transfers since its creation are there; what is shown until then
   * is what the known transfers leave. 503 `HOLDERS_UNAVAILABLE` says that the token will not be
   * pinned, and why: too many are, or its pin was taken back.
   */
  readonly getChainHolders: {
    <const Field extends keyof Holders["top"][number] = keyof Holders["top"][number]>(
      input: GetChainHoldersInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<Holders, "top", Field>>>
  }

  /**
   * Tokens of a chain: `GET /v1/tokens`
   *
   * The chain's curated tokens as its token lists have them, with what is known of each, also those
   * that never traded; may be kept for an hour. Where no list covers the chain: the tokens with
   * indexed trades. Most traded first.
   */
  readonly listTokens: {
    <const Field extends keyof TokenList["tokens"][number] = keyof TokenList["tokens"][number]>(
      input?: ListTokensInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<TokenList, "tokens", Field>>>
  }

  /**
   * Trades of a token: `GET /v1/tokens/trades/{address}`
   *
   * The token's tape, newest first, by pages. With the first page's `asOf` the next pages are of
   * the same tape, whatever has come since.
   */
  readonly getTokenTrades: {
    <const Field extends keyof TokenTrades["trades"][number] = keyof TokenTrades["trades"][number]>(
      input: GetTokenTradesInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<TokenTrades, "trades", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof TokenTrades["trades"][number] = keyof TokenTrades["trades"][number]>(
      input: GetTokenTradesInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<TokenTrades, "trades", Field>>>
  }

  /**
   * Why a token costs what it costs: `GET /v1/prices/explain`
   *
   * The price recipe with its version and thresholds, the pools considered with the reason why each
   * counts or not, their weights, and the way to dollars, all as of one log position.
   */
  readonly explainPrice: {
    (
      input: ExplainPriceInput, options?: CallOptions
    ): Promise<Answer<PriceExplained>>
  }

  /**
   * A wallet on Arc: `GET /v1/arc/wallet/{address}`
   *
   * What the wallet made with each token, at average cost inside the window: what is sold has cost
   * the average of all its buys of the window, those after the sale included, on Solana as
   * elsewhere. Only trades attributed to it count, transfers are not seen, and the chain's anchors
   * are money, not positions. A wallet that was never seen has zeros.
   */
  readonly arcWalletPnl: {
    <const Field extends keyof WalletPnl["positions"][number] = keyof WalletPnl["positions"][number]>(
      input: ArcWalletPnlInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<WalletPnl, "positions", Field>>>
  }

  /**
   * Trades of a wallet on Arc: `GET /v1/arc/wallet/{address}/trades`
   *
   * The swaps attributed to the wallet, newest first, each as its base token sees it. Pass
   * `nextBefore` back as `before`; it is null on the last page.
   */
  readonly arcWalletTrades: {
    <const Field extends keyof WalletTrades["trades"][number] = keyof WalletTrades["trades"][number]>(
      input: ArcWalletTradesInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<WalletTrades, "trades", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof WalletTrades["trades"][number] = keyof WalletTrades["trades"][number]>(
      input: ArcWalletTradesInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<WalletTrades, "trades", Field>>>
  }

  /**
   * A wallet on chain 4663: `GET /v1/rh/wallet/{address}`
   *
   * What the wallet made with each token, at average cost inside the window: what is sold has cost
   * the average of all its buys of the window, those after the sale included, on Solana as
   * elsewhere. Only trades attributed to it count, transfers are not seen, and the chain's anchors
   * are money, not positions. A wallet that was never seen has zeros.
   */
  readonly rhWalletPnl: {
    <const Field extends keyof WalletPnl["positions"][number] = keyof WalletPnl["positions"][number]>(
      input: RhWalletPnlInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<WalletPnl, "positions", Field>>>
  }

  /**
   * Trades of a wallet on chain 4663: `GET /v1/rh/wallet/{address}/trades`
   *
   * The swaps attributed to the wallet, newest first, each as its base token sees it. Pass
   * `nextBefore` back as `before`; it is null on the last page.
   */
  readonly rhWalletTrades: {
    <const Field extends keyof WalletTrades["trades"][number] = keyof WalletTrades["trades"][number]>(
      input: RhWalletTradesInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<WalletTrades, "trades", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof WalletTrades["trades"][number] = keyof WalletTrades["trades"][number]>(
      input: RhWalletTradesInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<WalletTrades, "trades", Field>>>
  }

  /**
   * A wallet on a chain: `GET /v1/chains/{chain}/wallet/{address}`
   *
   * What the wallet made with each token, at average cost inside the window: what is sold has cost
   * the average of all its buys of the window, those after the sale included, on Solana as
   * elsewhere. Only trades attributed to it count, transfers are not seen, and the chain's anchors
   * are money, not positions. A wallet that was never seen has zeros.
   */
  readonly chainWalletPnl: {
    <const Field extends keyof WalletPnl["positions"][number] = keyof WalletPnl["positions"][number]>(
      input: ChainWalletPnlInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<WalletPnl, "positions", Field>>>
  }

  /**
   * Trades of a wallet on a chain: `GET /v1/chains/{chain}/wallet/{address}/trades`
   *
   * The swaps attributed to the wallet, newest first, each as its base token sees it. Pass
   * `nextBefore` back as `before`; it is null on the last page.
   */
  readonly chainWalletTrades: {
    <const Field extends keyof WalletTrades["trades"][number] = keyof WalletTrades["trades"][number]>(
      input: ChainWalletTradesInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<WalletTrades, "trades", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof WalletTrades["trades"][number] = keyof WalletTrades["trades"][number]>(
      input: ChainWalletTradesInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<WalletTrades, "trades", Field>>>
  }

  /**
   * Smart traders of Solana: `GET /v1/chains/solana/smart-traders`
   *
   * Wallets with the highest realized PnL of the window, without bots, snipers and what else the
   * rules remove, best score first. The board is rebuilt every 10 minutes and when swaps of it are
   * taken back; `computedAt` tells when, `updatedAt` as of which block. While the chain is behind,
   * the last board stands.
   */
  readonly solanaSmartTraders: {
    <const Field extends keyof SmartTraders["traders"][number] = keyof SmartTraders["traders"][number]>(
      input?: SolanaSmartTradersInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<SmartTraders, "traders", Field>>>
  }

  /**
   * Traders of the day on Solana: `GET /v1/chains/solana/traders`
   *
   * Wallets by realized PnL or volume since the UTC day began. The board is built when it is asked
   * for, and kept for 5 minutes; it is short early in the day. A cold board may answer 503: ask
   * again.
   */
  readonly solanaTraders: {
    <const Field extends keyof DayTraders["traders"][number] = keyof DayTraders["traders"][number]>(
      input?: SolanaTradersInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<DayTraders, "traders", Field>>>
  }

  /**
   * Prints of Arc: `GET /v1/arc/prints`
   *
   * The newest prints of the whole chain, each as its base token sees it. Pass `nextBefore` back as
   * `before`; it is null on the last page. A page looks through 65,536 positions of the log at
   * most, so with `min` it may hold few rows or none and still have a next page; `searchedTo` says
   * how far it looked.
   */
  readonly arcPrints: {
    <const Field extends keyof ChainPrints["prints"][number] = keyof ChainPrints["prints"][number]>(
      input?: ArcPrintsInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<ChainPrints, "prints", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof ChainPrints["prints"][number] = keyof ChainPrints["prints"][number]>(
      input?: ArcPrintsInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<ChainPrints, "prints", Field>>>
  }

  /**
   * Prints of chain 4663: `GET /v1/rh/prints`
   *
   * The newest prints of the whole chain, each as its base token sees it. Pass `nextBefore` back as
   * `before`; it is null on the last page. A page looks through 65,536 positions of the log at
   * most, so with `min` it may hold few rows or none and still have a next page; `searchedTo` says
   * how far it looked.
   */
  readonly rhPrints: {
    <const Field extends keyof ChainPrints["prints"][number] = keyof ChainPrints["prints"][number]>(
      input?: RhPrintsInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<ChainPrints, "prints", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof ChainPrints["prints"][number] = keyof ChainPrints["prints"][number]>(
      input?: RhPrintsInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<ChainPrints, "prints", Field>>>
  }

  /**
   * Prints of a chain: `GET /v1/chains/{chain}/prints`
   *
   * The newest prints of the whole chain, each as its base token sees it. Pass `nextBefore` back as
   * `before`; it is null on the last page. A page looks through 65,536 positions of the log at
   * most, so with `min` it may hold few rows or none and still have a next page; `searchedTo` says
   * how far it looked.
   */
  readonly chainPrints: {
    <const Field extends keyof ChainPrints["prints"][number] = keyof ChainPrints["prints"][number]>(
      input: ChainPrintsInput<Field>, options?: CallOptions
    ): Promise<Answer<Chosen<ChainPrints, "prints", Field>>>
    /** Pages from the asked one on, to the last. */
    pages<const Field extends keyof ChainPrints["prints"][number] = keyof ChainPrints["prints"][number]>(
      input: ChainPrintsInput<Field>, options?: CallOptions
    ): AsyncIterable<Answer<Chosen<ChainPrints, "prints", Field>>>
  }

  /**
   * Flags of a token, explained: `GET /v1/flags/explain`
   *
   * Each flag that the token or one of its markets bears: the rule with its version and thresholds,
   * what it was judged by, the wallets that make it true, and the prints behind it by their
   * positions in the log. The rules are at `/v1/rules`.
   */
  readonly explainFlags: {
    (
      input: ExplainFlagsInput, options?: CallOptions
    ): Promise<Answer<FlagExplanation>>
  }

  /**
   * Quote: `GET /v1/quote`
   *
   * The best route for an order over all venues of the chain, split across pools and through anchor
   * tokens where that pays for its gas. Computed from the pools' states as the log tells them, to
   * the raw unit: the same position gives the same route. An empty `routePlan` with `outputAmount`
   * 0 means no route at this size, and `noRouteReason` says why. Good for 30 seconds.
   */
  readonly getQuote: {
    (
      input: GetQuoteInput, options?: CallOptions
    ): Promise<Answer<Quote>>
  }

  /**
   * Build a swap: `POST /v1/swap`
   *
   * Turns a quote, echoed without edits, into an unsigned transaction for the router contract. Its
   * least output is the quote's `otherAmountThreshold`. Says what is to be approved first.
   */
  readonly postSwap: {
    (
      body: SwapBody, options?: CallOptions
    ): Promise<Answer<Swap>>
  }

  /**
   * Quote and build in one call: `GET /v1/swap/calldata`
   *
   * What `GET /v1/quote` and `POST /v1/swap` answer one after the other.
   */
  readonly getCalldata: {
    (
      input: GetCalldataInput, options?: CallOptions
    ): Promise<Answer<{
  readonly quote: Quote
  readonly swap: Swap
}>>
  }

  /**
   * Simulate a built swap: `POST /v1/swap/simulate`
   *
   * Runs a transaction of `POST /v1/swap` on the newest block, as the taker, before it is signed.
   * `revert` names the cause and what to do. 503 where the chain has no node to ask.
   */
  readonly postSimulate: {
    (
      body: SimulateBody, options?: CallOptions
    ): Promise<Answer<Simulation>>
  }

  /**
   * Quote, with aggregators behind the router: `GET /v1/meta/quote`
   *
   * The router's own quote. Third-party aggregators are asked, one after the other, only where the
   * router has no route or does not answer, never for a better price. `provider` says whose the
   * quote is, `passedOver` who was not used and why. Good for 30 seconds.
   */
  readonly getMetaQuote: {
    (
      input: GetMetaQuoteInput, options?: CallOptions
    ): Promise<Answer<MetaQuote>>
  }

  /**
   * Build a swap, with aggregators behind the router: `POST /v1/meta/swap`
   *
   * Turns a quote, echoed without edits, into an unsigned transaction that gives at least the
   * quote's `otherAmountThreshold`. An aggregator's transaction is answered only where it goes to a
   * contract on the allow-list, asks no approval for another, pays the recipient, sells what was
   * quoted, and gave that much when it was run on the newest block as the taker.
   */
  readonly postMetaSwap: {
    (
      body: MetaSwapBody, options?: CallOptions
    ): Promise<Answer<MetaSwap>>
  }

  /**
   * Providers of each chain: `GET /v1/meta/providers`
   *
   * Who answers `/v1/meta/quote` on each chain that is served: the router first, then aggregators,
   * with their circuit breakers, and why some are not asked.
   */
  readonly getMetaProviders: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<Providers>>
  }

  /**
   * Why a quote is whose it is: `GET /v1/meta/why/{quoteId}`
   *
   * Who was asked for a quote of `/v1/meta/quote` and for its swaps: what each answered, in what
   * time, and why it was not used. The newest 10,000 quotes are kept, 8 MiB at most, while the
   * process runs: 404 where one is gone.
   */
  readonly getMetaWhy: {
    (
      input: GetMetaWhyInput, options?: CallOptions
    ): Promise<Answer<Why>>
  }

  /**
   * Wallet of a simulated chain: `POST /v1/devchain/wallet`
   *
   * One account of a devchain, whose node signs for it, so that the page's swap panel can be tried
   * without a wallet. The engine holds no key. 404 on every other chain.
   */
  readonly postDevchainWallet: {
    (
      body: WalletBody, options?: CallOptions
    ): Promise<Answer<WalletAnswer>>
  }

  /**
   * Your API key: `GET /v1/account/key`
   *
   * The key that the request came with: its plan, its limits by bucket, and what is used of them in
   * this minute. This request counts, too.
   */
  readonly getKey: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<AccountKey>>
  }

  /**
   * Agent traffic: `GET /v1/agent/stats`
   *
   * Calls of the MCP server's tools since the process began, by tool and by chain. A call that is
   * about no chain, or about one that is not served here, counts by its tool alone.
   */
  readonly getAgentStats: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<AgentStats>>
  }

  /**
   * MCP server: `POST /v1/mcp`
   *
   * Model Context Protocol over streamable HTTP, without sessions: one JSON-RPC message a request,
   * its response as JSON, 202 for a notification. A message that is answered within JSON-RPC has
   * status 200, also where it is an error.
   */
  readonly postMcp: {
    (
      body: McpMessage, options?: CallOptions
    ): Promise<Answer<McpReply>>
  }

  /**
   * Tools of the MCP server: `GET /v1/mcp/tools.json`
   *
   * The tools as function-calling definitions, always those that the server lists.
   */
  readonly getTools: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<ToolManifest>>
  }

  /**
   * Card of the MCP server: `GET /v1/mcp/server-card`
   *
   * What the server is, where it answers and what it offers.
   */
  readonly getServerCard: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<ServerCard>>
  }

  /**
   * Changes of the contract: `GET /v1/changelog`
   *
   * What was added, changed, fixed and removed in routes, parameters, fields, codes and frames,
   * newest first. Its `version` is `info.version` of `/v1/openapi.json`.
   */
  readonly getChangelog: {
    (
      input?: Record<string, never>, options?: CallOptions
    ): Promise<Answer<Changelog>>
  }

}

/** Codes that each route may be refused with. */
export interface Codes {
  readonly getHealth: "CHAIN_DATA_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED"
  readonly getChainsHealth: "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "RATE_LIMIT_EXCEEDED"
  readonly getStatus: "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "RATE_LIMIT_EXCEEDED"
  readonly getMetrics: "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "RATE_LIMIT_EXCEEDED"
  readonly listChains: "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "RATE_LIMIT_EXCEEDED"
  readonly getChainTrades: "BAD_ADDRESS" | "BAD_BEFORE" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNSUPPORTED_CHAIN"
  readonly arcOverview: "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly arcVenues: "BAD_DAYS" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly arcTokens: "AS_OF_GONE" | "BAD_LIMIT" | "BAD_SORT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly arcStatus: "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly rhOverview: "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly rhVenues: "BAD_DAYS" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly rhTokens: "AS_OF_GONE" | "BAD_LIMIT" | "BAD_SORT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly rhStatus: "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly chainOverview: "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly chainVenues: "BAD_DAYS" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly chainTokens: "AS_OF_GONE" | "BAD_LIMIT" | "BAD_SORT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly chainStatus: "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly solanaOverview: "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly solanaStatus: "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly solanaSearch: "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly solanaCandles: "BAD_ADDRESS" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly arcTokenPage: "BAD_ADDRESS" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly arcTokenPools: "AS_OF_GONE" | "BAD_ADDRESS" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly arcTokenTrades: "BAD_ADDRESS" | "BAD_BEFORE" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly arcTokenSearch: "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly arcTrending: "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly arcAttention: "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly rhTokenPage: "BAD_ADDRESS" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly rhTokenPools: "AS_OF_GONE" | "BAD_ADDRESS" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly rhTokenTrades: "BAD_ADDRESS" | "BAD_BEFORE" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly rhTokenSearch: "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly rhTrending: "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly rhAttention: "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly chainTokenPage: "BAD_ADDRESS" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly chainTokenPools: "AS_OF_GONE" | "BAD_ADDRESS" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly chainTokenSearch: "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly chainTrending: "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly chainAttention: "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly getTokenStats: "CHAIN_DATA_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly getMarket: "CHAIN_DATA_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly searchTokens: "CHAIN_DATA_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly getTokenChart: "CHAIN_DATA_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly solanaTokenTraders: "BAD_ADDRESS" | "BAD_HOURS" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNSUPPORTED_CHAIN"
  readonly arcGraduated: "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly arcLaunchers: "BAD_LIMIT" | "BAD_SORT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly rhGraduated: "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly rhLaunchers: "BAD_LIMIT" | "BAD_SORT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly solanaLiquidityPools: "AS_OF_GONE" | "BAD_LIMIT" | "BAD_SORT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly solanaLiquidityEvents: "BAD_ADDRESS" | "BAD_BEFORE" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly solanaLiquidityPositions: "BAD_ADDRESS" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly solanaLiquidityWallets: "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly rhStocks: "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly getLogo: "BAD_ADDRESS" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly getRules: "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "RATE_LIMIT_EXCEEDED"
  readonly getCandles: "CHAIN_DATA_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_FOUND" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly getCandleProof: "CHAIN_DATA_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_FOUND" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly getArcHolders: "BAD_ADDRESS" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "HOLDERS_PENDING" | "HOLDERS_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly getRhHolders: "BAD_ADDRESS" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "HOLDERS_PENDING" | "HOLDERS_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly getChainHolders: "BAD_ADDRESS" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "HOLDERS_PENDING" | "HOLDERS_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly listTokens: "CHAIN_DATA_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly getTokenTrades: "AS_OF_GONE" | "CHAIN_DATA_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly explainPrice: "CHAIN_DATA_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly arcWalletPnl: "BAD_ADDRESS" | "BAD_DAYS" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly arcWalletTrades: "BAD_ADDRESS" | "BAD_BEFORE" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly rhWalletPnl: "BAD_ADDRESS" | "BAD_DAYS" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly rhWalletTrades: "BAD_ADDRESS" | "BAD_BEFORE" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly chainWalletPnl: "BAD_ADDRESS" | "BAD_DAYS" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly chainWalletTrades: "BAD_ADDRESS" | "BAD_BEFORE" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly solanaSmartTraders: "BAD_DAYS" | "BAD_LIMIT" | "BAD_SORT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly solanaTraders: "BAD_DAYS" | "BAD_LIMIT" | "BAD_SORT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly arcPrints: "BAD_BEFORE" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly rhPrints: "BAD_BEFORE" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly chainPrints: "BAD_BEFORE" | "BAD_LIMIT" | "CHAIN_DATA_UNAVAILABLE" | "CHAIN_NOT_ENABLED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "UNSUPPORTED_CHAIN"
  readonly explainFlags: "CHAIN_DATA_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "TOKEN_NOT_FOUND" | "UNKNOWN_TOKEN" | "UNSUPPORTED_CHAIN"
  readonly getQuote: "CHAIN_DATA_UNAVAILABLE" | "ENGINE_ERROR" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_ENABLED" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "ROUTE_ERROR" | "UNSUPPORTED_CHAIN"
  readonly postSwap: "BODY_UNAVAILABLE" | "CHAIN_DATA_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_ENABLED" | "NOT_READY" | "NO_ROUTE" | "PAYLOAD_TOO_LARGE" | "QUOTE_EXPIRED" | "RATE_LIMIT_EXCEEDED" | "REQUEST_TIMEOUT" | "ROUTE_MISMATCH" | "SLIPPAGE_MISMATCH" | "UNSUPPORTED_CHAIN" | "UNSUPPORTED_MEDIA_TYPE"
  readonly getCalldata: "CHAIN_DATA_UNAVAILABLE" | "ENGINE_ERROR" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_ENABLED" | "NOT_READY" | "NO_ROUTE" | "RATE_LIMIT_EXCEEDED" | "ROUTE_ERROR" | "UNSUPPORTED_CHAIN"
  readonly postSimulate: "BODY_UNAVAILABLE" | "CHAIN_DATA_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_ENABLED" | "NOT_READY" | "PAYLOAD_TOO_LARGE" | "RATE_LIMIT_EXCEEDED" | "REQUEST_TIMEOUT" | "TRADE_UNAVAILABLE" | "UNSUPPORTED_CHAIN" | "UNSUPPORTED_MEDIA_TYPE"
  readonly getMetaQuote: "CHAIN_DATA_UNAVAILABLE" | "ENGINE_ERROR" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_ENABLED" | "NOT_READY" | "RATE_LIMIT_EXCEEDED" | "ROUTE_ERROR" | "UNSUPPORTED_CHAIN"
  readonly postMetaSwap: "BODY_UNAVAILABLE" | "CHAIN_DATA_UNAVAILABLE" | "ENGINE_ERROR" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_ENABLED" | "NOT_READY" | "NO_ROUTE" | "PAYLOAD_TOO_LARGE" | "QUOTE_EXPIRED" | "RATE_LIMIT_EXCEEDED" | "REQUEST_TIMEOUT" | "ROUTE_ERROR" | "ROUTE_MISMATCH" | "SLIPPAGE_MISMATCH" | "TRADE_UNAVAILABLE" | "UNSUPPORTED_CHAIN" | "UNSUPPORTED_MEDIA_TYPE"
  readonly getMetaProviders: "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "RATE_LIMIT_EXCEEDED"
  readonly getMetaWhy: "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NOT_FOUND" | "RATE_LIMIT_EXCEEDED"
  readonly postDevchainWallet: "BODY_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "NODE_REFUSED" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "RATE_LIMIT_EXCEEDED" | "REQUEST_TIMEOUT" | "TRADE_UNAVAILABLE" | "UNSUPPORTED_CHAIN" | "UNSUPPORTED_MEDIA_TYPE"
  readonly getKey: "API_KEY_REQUIRED" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "RATE_LIMIT_EXCEEDED"
  readonly getAgentStats: "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "RATE_LIMIT_EXCEEDED"
  readonly postMcp: "BODY_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "ORIGIN_REFUSED" | "PAYLOAD_TOO_LARGE" | "RATE_LIMIT_EXCEEDED" | "REQUEST_TIMEOUT" | "UNSUPPORTED_MEDIA_TYPE"
  readonly getTools: "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "RATE_LIMIT_EXCEEDED"
  readonly getServerCard: "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "RATE_LIMIT_EXCEEDED"
  readonly getChangelog: "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_PARAMS" | "RATE_LIMIT_EXCEEDED"
}
