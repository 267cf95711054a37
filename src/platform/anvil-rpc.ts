/** The JSON-RPC methods of Anvil that the devchain and its tests use, with their types. */
import { Effect } from "effect"
import type { RpcAnswer } from "./rpc.ts"
import { answerReader, rpcDefaults } from "./rpc.ts"
import type { RpcError } from "./rpc-error.ts"
import { httpEndpoint } from "./rpc-http.ts"

export type Hex = `0x${string}`

export interface CallRequest {
  readonly from?: Hex
  readonly to?: Hex
  readonly data?: Hex
  readonly value?: Hex
  readonly gas?: Hex
}

export interface TransactionRequest extends CallRequest {
  readonly from: Hex
  readonly nonce: Hex
  readonly gas: Hex
  readonly maxFeePerGas: Hex
  readonly maxPriorityFeePerGas: Hex
}

export interface RpcBlock {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestamp: Hex
  readonly transactions: ReadonlyArray<Hex>
}

export interface RpcLog {
  readonly address: Hex
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly transactionHash: Hex
  readonly transactionIndex: Hex
  readonly logIndex: Hex
}

export interface RpcReceipt {
  readonly status: Hex
  readonly transactionHash: Hex
  readonly from: Hex
  readonly to: Hex | null
  readonly gasUsed: Hex
  readonly logs: ReadonlyArray<RpcLog>
}

export interface LogFilter {
  readonly fromBlock: Hex | "earliest" | "latest"
  readonly toBlock: Hex | "latest"
  readonly address?: Hex | ReadonlyArray<Hex>
  readonly topics?: ReadonlyArray<Hex | null | ReadonlyArray<Hex>>
}

/** Parameters and result of each method. */
export interface AnvilMethods {
  eth_accounts: [params: [], result: ReadonlyArray<Hex>]
  eth_blockNumber: [params: [], result: Hex]
  eth_call: [params: [CallRequest, Hex | "latest"], result: Hex]
  eth_getBlockByNumber: [params: [Hex | "latest", false], result: RpcBlock]
  eth_getBlockReceipts: [params: [Hex | "latest"], result: ReadonlyArray<RpcReceipt>]
  eth_getCode: [params: [Hex, "latest"], result: Hex]
  eth_getLogs: [params: [LogFilter], result: ReadonlyArray<RpcLog>]
  eth_getTransactionCount: [params: [Hex, "latest"], result: Hex]
  eth_sendRawTransaction: [params: [Hex], result: Hex]
  eth_sendTransaction: [params: [TransactionRequest], result: Hex]
  evm_mine: [params: [{ timestamp: number }], result: unknown]
  anvil_dropAllTransactions: [params: [], result: null]
  /** the whole chain as gzipped JSON */
  anvil_dumpState: [params: [], result: Hex]
  anvil_rollback: [params: [depth: number], result: null]
  anvil_setBalance: [params: [address: Hex, wei: Hex], result: null]
  anvil_setCode: [params: [Hex, Hex], result: null]
  anvil_setLoggingEnabled: [params: [boolean], result: null]
  anvil_setNextBlockBaseFeePerGas: [params: [Hex], result: null]
  anvil_setNonce: [params: [Hex, Hex], result: null]
}

/** A call in a batch: the method's name, then its parameters. */
export type MethodCall = {
  [M in keyof AnvilMethods]: readonly [method: M, ...params: AnvilMethods[M][0]]
}[keyof AnvilMethods]

type ResultOf<C extends MethodCall> = AnvilMethods[C[0]][1]

export interface AnvilRpc {
  readonly call: <M extends keyof AnvilMethods>(
    method: M,
    ...params: AnvilMethods[M][0]
  ) => Effect.Effect<AnvilMethods[M][1], RpcError>
  /** Sends one HTTP request, returns results in call order; fails with the first call's error. */
  readonly batch: <const C extends ReadonlyArray<MethodCall>>(
    calls: C
  ) => Effect.Effect<{ readonly [I in keyof C]: ResultOf<C[I]> }, RpcError>
  /** Sends one HTTP request, returns a result or an error for each call, in call order. */
  readonly attempt: (
    calls: ReadonlyArray<MethodCall>
  ) => Effect.Effect<ReadonlyArray<RpcAnswer>, RpcError>
}

/** Returns a client of the Anvil at an http URL. No answer is checked against its type. */
export const makeAnvilRpc = (url: string): AnvilRpc => {
  const endpoint = httpEndpoint(url, answerReader(url), rpcDefaults)
  const call = (method: string, ...params: ReadonlyArray<unknown>) =>
    endpoint.request({ method, params })
  const attempt: AnvilRpc["attempt"] = calls =>
    endpoint.batch(calls.map(([method, ...params]) => ({ method, params })))
  const batch = (calls: ReadonlyArray<MethodCall>) =>
    attempt(calls).pipe(Effect.flatMap(answers => Effect.forEach(answers, Effect.fromResult)))
  return { call: call as AnvilRpc["call"], batch: batch as unknown as AnvilRpc["batch"], attempt }
}
