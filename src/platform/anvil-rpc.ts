/** JSON-RPC to Anvil over keep-alive HTTP: the few methods the devchain uses, typed, and batches. */
import { Data, Effect } from "effect"

export type Hex = `0x${string}`

/** Anvil did not answer, or answered with an error. */
export class AnvilRpcError extends Data.TaggedError("AnvilRpcError")<{
  readonly method: string
  readonly message: string
  readonly cause?: unknown
}> {}

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

export interface RpcReceipt {
  readonly status: Hex
  readonly transactionHash: Hex
  readonly from: Hex
  readonly to: Hex | null
  readonly gasUsed: Hex
  readonly logs: ReadonlyArray<RpcLog>
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

export interface LogFilter {
  readonly fromBlock: Hex | "latest" | "earliest"
  readonly toBlock: Hex | "latest"
  readonly address?: Hex | ReadonlyArray<Hex>
  readonly topics?: ReadonlyArray<Hex | null | ReadonlyArray<Hex>>
}

/** Parameters and result of each method used. */
export interface AnvilMethods {
  eth_accounts: [params: [], result: ReadonlyArray<Hex>]
  eth_blockNumber: [params: [], result: Hex]
  eth_call: [params: [CallRequest, Hex | "latest"], result: Hex]
  eth_getBlockByNumber: [params: [Hex | "latest", false], result: RpcBlock | null]
  eth_getBlockReceipts: [params: [Hex | "latest"], result: ReadonlyArray<RpcReceipt>]
  eth_getCode: [params: [Hex, "latest"], result: Hex]
  eth_getLogs: [params: [LogFilter], result: ReadonlyArray<RpcLog>]
  eth_getTransactionCount: [params: [Hex, "latest"], result: Hex]
  eth_sendTransaction: [params: [TransactionRequest], result: Hex]
  evm_mine: [params: [{ timestamp: number }], result: unknown]
  anvil_dropAllTransactions: [params: [], result: null]
  anvil_dumpState: [params: [], result: Hex]
  anvil_rollback: [params: [number], result: null]
  anvil_setBalance: [params: [Hex, Hex], result: null]
  anvil_setCode: [params: [Hex, Hex], result: null]
  anvil_setNonce: [params: [Hex, Hex], result: null]
  anvil_setLoggingEnabled: [params: [boolean], result: null]
  anvil_setNextBlockBaseFeePerGas: [params: [Hex], result: null]
}

export type MethodCall = {
  [M in keyof AnvilMethods]: readonly [method: M, params: AnvilMethods[M][0]]
}[keyof AnvilMethods]

type ResultOf<C> = C extends readonly [infer M extends keyof AnvilMethods, unknown]
  ? AnvilMethods[M][1]
  : never

export interface AnvilRpc {
  readonly call: <M extends keyof AnvilMethods>(
    method: M,
    ...params: AnvilMethods[M][0]
  ) => Effect.Effect<AnvilMethods[M][1], AnvilRpcError>
  /** One HTTP request; the first error of any call fails the whole. Results in request order. */
  readonly batch: <const C extends ReadonlyArray<MethodCall>>(
    calls: C
  ) => Effect.Effect<{ readonly [I in keyof C]: ResultOf<C[I]> }, AnvilRpcError>
}

interface Answer {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

const resultOf = (method: string, answer: Answer | undefined) =>
  answer !== undefined && answer.error === undefined
    ? Effect.succeed(answer.result)
    : new AnvilRpcError({ method, message: answer?.error?.message ?? "no answer" })

/** A client of the Anvil at `url`. Requests are given up after `timeoutMs`. */
export const makeAnvilRpc = (url: string, timeoutMs = 60_000): AnvilRpc => {
  const post = (method: string, body: unknown) =>
    Effect.tryPromise({
      try: async signal => {
        const answer = await fetch(url, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
          signal
        })
        return (await answer.json()) as unknown
      },
      catch: cause => new AnvilRpcError({ method, message: `no answer from ${url}`, cause })
    }).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMs,
        orElse: () => new AnvilRpcError({ method, message: `no answer in ${timeoutMs} ms` })
      })
    )
  const call = (method: string, ...params: ReadonlyArray<unknown>) =>
    post(method, { jsonrpc: "2.0", id: 1, method, params }).pipe(
      Effect.flatMap(answer => resultOf(method, answer as Answer))
    )
  const batch = (calls: ReadonlyArray<MethodCall>) => {
    if (calls.length === 0) return Effect.succeed([])
    const body = calls.map(([method, params], id) => ({ jsonrpc: "2.0", id, method, params }))
    return post("batch", body).pipe(
      Effect.flatMap(answers => {
        // A refused batch comes back as one error object.
        const list = Array.isArray(answers) ? (answers as ReadonlyArray<Answer>) : []
        const byId = new Map(list.map(answer => [answer.id, answer]))
        return Effect.forEach(calls, ([method], id) => resultOf(method, byId.get(id)))
      })
    )
  }
  return { call: call as AnvilRpc["call"], batch: batch as AnvilRpc["batch"] }
}
