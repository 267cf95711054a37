/** One life of a devchain's Anvil: started, brought to where the chain was, traded on, stopped. */
import { Clock, Effect, type Scope } from "effect"
import { type Anvil, type AnvilError, startAnvil } from "../../../src/platform/anvil.ts"
import { type AnvilRpc, type Hex, makeAnvilRpc } from "../../../src/platform/anvil-rpc.ts"
import type { FileError } from "../../../src/platform/files.ts"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import { type BlockToPlan, planBlock, type Trading } from "./block-plan.ts"
import {
  type BlockProducer,
  type DevchainError,
  type MinedBlock,
  makeBlockProducer
} from "./block-producer.ts"
import { makeChainReader } from "./chain-reader.ts"
import type { DevchainStore } from "./devchain-store.ts"
import { runGenesis } from "./genesis-run.ts"
import { makeLaunches } from "./launches.ts"
import type { Market } from "./market.ts"
import { ACCOUNTS, assignWallets } from "./wallets.ts"

export type DevchainFailure = DevchainError | FileError | AnvilError | RpcError

export interface SessionOptions {
  readonly market: Market
  readonly store: DevchainStore
  /** code that creates the router contract; without it a new chain has none */
  readonly router: Hex | undefined
  /** else a free one */
  readonly port: number | undefined
  readonly keepBlocks: number
  readonly keepStates: number
}

export interface DevchainSession {
  readonly anvil: Anvil
  readonly rpc: AnvilRpc
  readonly head: () => MinedBlock
  /** mines the next block of seeded trades; journalled first */
  readonly step: (time: number) => Effect.Effect<MinedBlock, DevchainFailure>
  /** takes the newest blocks off the chain; what is mined from then on differs from them */
  readonly rollback: (depth: number) => Effect.Effect<MinedBlock, DevchainFailure>
  /** stores the state at the head */
  readonly snapshot: Effect.Effect<void, DevchainFailure>
}

const BLOCK_GAS_LIMIT = 120_000_000
/** Between two lines on blocks that are mined again. */
const TOLD_EVERY_MS = 5000

/** Mines planned blocks. */
const minerOf = (trading: Trading, producer: BlockProducer) => (block: BlockToPlan) =>
  Effect.flatMap(planBlock(trading, block), planned => producer.mine(planned, block.time))

/**
 * Starts Anvil from the last snapshot, or makes the chain from its seed, and mines the journalled
 * blocks again. The scope's end stops Anvil without a snapshot.
 */
export const openSession = Effect.fnUntraced(function* ({
  market,
  store,
  router,
  port,
  keepBlocks,
  keepStates
}: SessionOptions): Effect.fn.Return<DevchainSession, DevchainFailure, Scope.Scope> {
  const loadState = yield* store.loadState
  const anvil = yield* startAnvil({
    chainId: market.network.chainId,
    folder: store.folder,
    genesisTimeSeconds: store.genesisTimeSeconds,
    accounts: ACCOUNTS,
    blockGasLimit: BLOCK_GAS_LIMIT,
    keepBlocks,
    keepStates,
    ...(port === undefined ? {} : { port }),
    ...(loadState === undefined ? {} : { loadState })
  })
  yield* store.dropLoaded
  const rpc = makeAnvilRpc(anvil.url)
  yield* rpc.call("anvil_setLoggingEnabled", false)
  const wallets = assignWallets(yield* rpc.call("eth_accounts"))
  const producer = yield* makeBlockProducer(rpc, market.network, wallets.keyOf)
  const launches = makeLaunches(market)
  const reader = makeChainReader(rpc, market, launches)
  const trading: Trading = { market, launches, wallets, reader }
  const mine = minerOf(trading, producer)
  if (producer.head().number === 0) {
    yield* runGenesis(rpc, producer, market, wallets, store.genesisTimeSeconds + 1, router)
  }
  let branch = store.branch()
  const journal = yield* store.journal
  const last = journal.at(-1)?.number ?? 0
  const key = `${market.network.key}: the simulated chain`
  let toldMs = yield* Clock.currentTimeMillis
  for (const block of journal) {
    branch = block.branch
    if (block.number === producer.head().number + 1) yield* mine(block)
    const nowMs = yield* Clock.currentTimeMillis
    if (nowMs - toldMs < TOLD_EVERY_MS) continue
    toldMs = nowMs
    yield* Effect.logInfo(`${key} is mined again: block ${block.number} of ${last}`)
  }

  const step = Effect.fnUntraced(function* (time: number) {
    const block = { number: producer.head().number + 1, time, branch }
    yield* store.append(block)
    const mined = yield* mine(block)
    // The journal cannot make again what a visitor sent, nor what Anvil refused or put in disorder.
    if (!mined.isAsSent) yield* snapshot
    return mined
  })
  const snapshot = Effect.gen(function* () {
    const { number } = producer.head()
    const state = yield* rpc.call("anvil_dumpState")
    yield* store.snapshot(number, branch, Buffer.from(state.slice(2), "hex"))
  })
  const rollback = Effect.fnUntraced(function* (depth: number) {
    yield* rpc.call("anvil_rollback", depth)
    const head = yield* producer.resync
    branch += 1
    // The journal cannot go back behind its snapshot.
    yield* snapshot
    return head
  })
  return { anvil, rpc, head: producer.head, step, rollback, snapshot }
})
