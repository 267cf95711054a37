/** Sends transactions and mines them: one block a call, in the given order, at the given time. */
import { Data, Effect, Result } from "effect"
import { numberToHex } from "viem"
import type { AnvilRpc, Hex, MethodCall } from "../../../src/platform/anvil-rpc.ts"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import { signTransaction } from "../../../src/platform/sign-transaction.ts"
import type { Transaction } from "./calls.ts"
import type { NetworkSpec } from "./network.ts"

/** The devchain could not be set up, or no longer does what it should. */
export class DevchainError extends Data.TaggedError("DevchainError")<{
  readonly message: string
  readonly cause?: unknown
}> {}

export interface MinedBlock {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  /** Unix seconds */
  readonly time: number
  /** its transactions are those that were sent, in that order: others made of the same are alike */
  readonly isAsSent: boolean
}

export interface BlockProducer {
  /** the newest block, known without asking */
  readonly head: () => MinedBlock
  /** a transaction that Anvil refuses is left out, with those of its sender that follow it */
  readonly mine: (
    transactions: ReadonlyArray<Transaction>,
    time: number
  ) => Effect.Effect<MinedBlock, RpcError>
  /** reads the head and forgets nonces and waiting transactions: after a rollback */
  readonly resync: Effect.Effect<MinedBlock, RpcError>
}

/** What every wallet has before it first acts, as Anvil's own accounts do: 10,000 native units. */
const FIRST_BALANCE = numberToHex(10n ** 22n)

/** Calls in one request. */
const BATCH = 200

/** Reads the head, of which these were sent; null where it is not known what was. */
const readHead = (rpc: AnvilRpc, sent: ReadonlyArray<unknown> | null) =>
  rpc.call("eth_getBlockByNumber", "latest", false).pipe(
    Effect.map(({ number, hash, parentHash, timestamp, transactions }): MinedBlock => {
      const place = { number: Number(number), time: Number(timestamp) }
      const isAsSent =
        sent?.length === transactions.length && sent.every((one, i) => one === transactions[i])
      return { ...place, hash, parentHash, isAsSent }
    })
  )

type Fees = Pick<NetworkSpec, "baseFeePerGas" | "chainId">

/** Returns the call that sends a transaction, signed where there is a key for it. */
const sending = (
  { from, to, data, value = 0n, gas }: Transaction,
  nonce: number,
  { baseFeePerGas, chainId }: Fees,
  key: Hex | undefined
): MethodCall => {
  const fees = { maxFeePerGas: baseFeePerGas * 2n, maxPriorityFeePerGas: baseFeePerGas / 10n }
  if (key !== undefined) {
    const transaction = { chainId, nonce, to, data, value, gas: BigInt(gas), ...fees }
    return ["eth_sendRawTransaction", signTransaction(transaction, key)]
  }
  const request = {
    ...{ from, to, data, value: numberToHex(value), gas: numberToHex(gas) },
    nonce: numberToHex(nonce),
    maxFeePerGas: numberToHex(fees.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(fees.maxPriorityFeePerGas)
  }
  return ["eth_sendTransaction", request]
}

/** A producer on top of an Anvil that mines on demand only, and signs where `keyOf` has no key. */
export const makeBlockProducer = Effect.fnUntraced(function* (
  rpc: AnvilRpc,
  network: Fees,
  keyOf: (wallet: Hex) => Hex | undefined
): Effect.fn.Return<BlockProducer, RpcError> {
  const nonces = new Map<Hex, number>()
  let head = yield* readHead(rpc, null)

  /** Returns those of the wallets that have never acted. */
  const loadNonces = Effect.fnUntraced(function* (wallets: ReadonlyArray<Hex>) {
    const unknown = [...new Set(wallets)].filter(wallet => !nonces.has(wallet))
    const counts = yield* rpc.batch(
      unknown.map(wallet => ["eth_getTransactionCount", wallet, "latest"] as const)
    )
    unknown.forEach((wallet, i) => {
      nonces.set(wallet, Number(counts[i]))
    })
    return unknown.filter(wallet => nonces.get(wallet) === 0)
  })

  const toCall = (transaction: Transaction): MethodCall => {
    const nonce = nonces.get(transaction.from) as number
    nonces.set(transaction.from, nonce + 1)
    return sending(transaction, nonce, network, keyOf(transaction.from))
  }

  /** Gives what Anvil answers to each transaction: its hash, or null where it is refused. */
  const submit = Effect.fnUntraced(function* (transactions: ReadonlyArray<Transaction>) {
    const fresh = yield* loadNonces(transactions.map(transaction => transaction.from))
    const calls: ReadonlyArray<MethodCall> = [
      ["anvil_setNextBlockBaseFeePerGas", numberToHex(network.baseFeePerGas)],
      ...fresh.map(wallet => ["anvil_setBalance", wallet, FIRST_BALANCE] as const),
      ...transactions.map(toCall)
    ]
    const hashes: Array<unknown> = []
    for (let at = 0; at < calls.length; at += BATCH) {
      const answers = yield* rpc.attempt(calls.slice(at, at + BATCH))
      const failure = answers.find(Result.isFailure)
      if (failure !== undefined) yield* Effect.logWarning(failure.failure.message)
      for (const answer of answers) hashes.push(Result.isSuccess(answer) ? answer.success : null)
    }
    return hashes.slice(calls.length - transactions.length)
  })

  const resync = Effect.gen(function* () {
    nonces.clear()
    yield* rpc.call("anvil_dropAllTransactions")
    head = yield* readHead(rpc, null)
    return head
  })

  const mine = Effect.fnUntraced(function* (
    transactions: ReadonlyArray<Transaction>,
    time: number
  ) {
    const sent = yield* submit(transactions)
    yield* rpc.call("evm_mine", { timestamp: time })
    // else the node's gas price is of a base fee that falls, which pays for no block here
    yield* rpc.call("anvil_setNextBlockBaseFeePerGas", numberToHex(network.baseFeePerGas))
    if (sent.includes(null)) return yield* resync
    head = yield* readHead(rpc, sent)
    return head
  })

  return { head: () => head, mine, resync }
})
