/** Sends transactions and mines them: one block a call, in the given order, at the given time. */
import { Data, Effect } from "effect"
import { numberToHex } from "viem"
import type {
  AnvilRpc,
  AnvilRpcError,
  Hex,
  MethodCall,
  TransactionRequest
} from "../../../src/platform/anvil-rpc.ts"
import type { Transaction } from "./calls.ts"

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
  /** transactions in the block */
  readonly size: number
}

export interface BlockProducer {
  /** the newest block, known without asking */
  readonly head: () => MinedBlock
  readonly mine: (
    transactions: ReadonlyArray<Transaction>,
    time: number
  ) => Effect.Effect<MinedBlock, AnvilRpcError>
  /** reads the head and forgets all nonces: after a rollback or a failure */
  readonly resync: Effect.Effect<MinedBlock, AnvilRpcError | DevchainError>
}

/** Anvil takes this many calls in one request without delay or trouble. */
const BATCH = 200

const readHead = (rpc: AnvilRpc) =>
  rpc.call("eth_getBlockByNumber", "latest", false).pipe(
    Effect.flatMap(block =>
      block === null
        ? new DevchainError({ message: "anvil has no latest block" })
        : Effect.succeed<MinedBlock>({
            number: Number(block.number),
            hash: block.hash,
            parentHash: block.parentHash,
            time: Number(block.timestamp),
            size: block.transactions.length
          })
    )
  )

/** A producer on top of an Anvil that mines on demand only. */
export const makeBlockProducer = Effect.fnUntraced(function* (
  rpc: AnvilRpc,
  baseFeePerGas: bigint
): Effect.fn.Return<BlockProducer, AnvilRpcError | DevchainError> {
  const nonces = new Map<Hex, number>()
  let head = yield* readHead(rpc)

  const loadNonces = Effect.fnUntraced(function* (wallets: ReadonlyArray<Hex>) {
    const unknown = [...new Set(wallets)].filter(wallet => !nonces.has(wallet))
    const counts = yield* rpc.batch(
      unknown.map(wallet => ["eth_getTransactionCount", [wallet, "latest"]] as const)
    )
    unknown.forEach((wallet, i) => {
      nonces.set(wallet, Number(counts[i]))
    })
  })

  const toRequest = (transaction: Transaction): TransactionRequest => {
    const nonce = nonces.get(transaction.from) as number
    nonces.set(transaction.from, nonce + 1)
    return {
      from: transaction.from,
      to: transaction.to,
      data: transaction.data,
      value: numberToHex(transaction.value ?? 0n),
      gas: numberToHex(transaction.gas),
      nonce: numberToHex(nonce),
      maxFeePerGas: numberToHex(baseFeePerGas * 2n),
      maxPriorityFeePerGas: numberToHex(baseFeePerGas / 10n)
    }
  }

  const submit = Effect.fnUntraced(function* (transactions: ReadonlyArray<Transaction>) {
    yield* loadNonces(transactions.map(transaction => transaction.from))
    const calls: ReadonlyArray<MethodCall> = transactions.map(
      transaction => ["eth_sendTransaction", [toRequest(transaction)]] as const
    )
    for (let at = 0; at < calls.length; at += BATCH) yield* rpc.batch(calls.slice(at, at + BATCH))
  })

  const resync = Effect.gen(function* () {
    nonces.clear()
    yield* rpc.call("anvil_dropAllTransactions")
    head = yield* readHead(rpc)
    return head
  })

  const mine = (transactions: ReadonlyArray<Transaction>, time: number) =>
    Effect.gen(function* () {
      yield* rpc.call("anvil_setNextBlockBaseFeePerGas", numberToHex(baseFeePerGas))
      yield* submit(transactions)
      yield* rpc.call("evm_mine", { timestamp: time })
      head = yield* readHead(rpc).pipe(Effect.catchTag("DevchainError", Effect.die))
      return head
    }).pipe(Effect.tapError(() => Effect.ignore(resync)))

  return { head: () => head, mine, resync }
})
