/**
 * What a third-party aggregator is to the engine: how it is asked for a quote and for a
 * transaction, how what it answers reads, and which contracts are its own. A file of `providers/`
 * each; nothing here believes what they answer (`check-call.ts`).
 */
import type { Effect } from "effect"
import type { HttpAnswer } from "../../../../src/platform/json-over-http.ts"
import type { RpcError } from "../../../../src/platform/rpc-error.ts"
import type { ChainNode } from "../../chain-node.ts"
import type { CallRate } from "./call-budget.ts"
import type { PassedOver } from "./passed-over.ts"

export type Hex = `0x${string}`

/** What is asked of a provider; tokens in lower case, the zero address for the native unit. */
export interface ProviderOrder {
  readonly chainId: number
  readonly tokenIn: Hex
  readonly tokenOut: Hex
  /** raw units sold */
  readonly amountIn: bigint
  readonly slippageBps: number
  /** null where nobody is named yet */
  readonly taker: Hex | null
  /** wei for a unit of gas; null where no node tells */
  readonly gasPrice: bigint | null
}

/** An order whose transaction is wanted. */
export interface BuildOrder extends ProviderOrder {
  readonly taker: Hex
  readonly recipient: Hex
}

export interface ProviderQuote {
  /** raw units bought, before slippage */
  readonly amountOut: bigint
  /** where the transaction would go and what would be approved; null where it does not tell yet */
  readonly router: Hex | null
  readonly spender: Hex | null
  readonly gas: bigint | null
}

/** A transaction as a provider answers it. */
export interface ProviderCall extends ProviderQuote {
  readonly router: Hex
  readonly data: Hex
  /** wei to send along */
  readonly value: bigint
  /** whether it says that the allowance must be set back first; null where it says nothing */
  readonly resetFirst: boolean | null
}

/** What a transaction's calldata does, as far as its words tell; null of what they do not. */
export interface DecodedCall {
  readonly tokenIn: Hex | null
  readonly tokenOut: Hex
  readonly amountIn: bigint | null
  readonly minimumOut: bigint
  readonly recipient: Hex
  /** a contract that the router calls in the taker's name, and that must be vouched for */
  readonly executor: Hex | null
}

/** Asks a provider at its configured address, with its key. Fails as `passed-over.ts` names it. */
export type Ask = (question: {
  /** below the base address, with a slash first */
  readonly path: string
  readonly query?: { readonly [name: string]: string }
  /** JSON; makes the question a `POST` */
  readonly body?: string
  /** milliseconds */
  readonly timeoutMs: number
}) => Effect.Effect<HttpAnswer, PassedOver>

/**
 * A contract that a transaction may go to and that may be approved, confirmed by the provider's own
 * publications or by two independent owners.
 */
export interface ConfirmedContract {
  readonly chains: ReadonlyArray<number>
  readonly address: Hex
  /** the day it was collected */
  readonly date: string
  readonly source: string
}

export interface Provider {
  /** its public address, without a slash at the end */
  readonly baseUrl: string
  readonly needsKey: boolean
  /** quotes for a named taker alone */
  readonly needsTaker: boolean
  /** header that carries the key */
  readonly keyHeader: string
  readonly headers: { readonly [name: string]: string }
  /** calls that it allows without a key, and with one */
  readonly rate: { readonly free: CallRate; readonly keyed: CallRate }
  /** slippage that it takes, in bps */
  readonly slippageBps: { readonly least: number; readonly most: number }
  /** what it calls a chain; null where it does not serve it */
  readonly chainName: (chainId: number) => string | null
  /** of each chain the one that is called, and approved to take the input */
  readonly contracts: ReadonlyArray<ConfirmedContract>
  readonly quote: (ask: Ask, order: ProviderOrder) => Effect.Effect<ProviderQuote, PassedOver>
  readonly build: (ask: Ask, order: BuildOrder) => Effect.Effect<ProviderCall, PassedOver>
  /** null where the function is none of those that are allowed, or its words do not read */
  readonly decode: (data: Hex) => DecodedCall | null
  /** whether an executor is the provider's own by what the chain says; absent where it has none */
  readonly vouches?: (node: ChainNode, executor: Hex) => Effect.Effect<boolean, RpcError>
}

/** Milliseconds that a provider has for a quote, and for a transaction. */
export const QUOTE_MS = 2000
export const BUILD_MS = 3000

/** How most providers name the native unit. */
export const NATIVE_PLACEHOLDER: Hex = `0x${"ee".repeat(20)}`
