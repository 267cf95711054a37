/**
 * A real EVM with real Uniswap contracts and seeded traders: the data source that needs nothing
 * from outside. It stands for a chain of the registry: factories, routers and anchor tokens have
 * their addresses there, so pools are found, decoded and priced as on that chain.
 */
import { join } from "node:path"
import { Clock, Deferred, Effect, type Scope } from "effect"
import type { AnvilRpc, Hex } from "../../../src/platform/anvil-rpc.ts"
import type { MinedBlock } from "./block-producer.ts"
import { openDevchain } from "./devchain-control.ts"
import type { DevchainFailure } from "./devchain-session.ts"
import { openDevchainStore } from "./devchain-store.ts"
import { mineByTheClock } from "./live-blocks.ts"
import { type Market, makeMarket } from "./market.ts"
import type { DevchainContracts } from "./network.ts"
import { arc } from "./networks/arc.ts"
import { base } from "./networks/base.ts"

export interface DevchainOptions {
  readonly chain: "arc" | "base"
  /** the chain is kept in `devchain/<chain>` below it, and continued by the next start */
  readonly dataDir: string
  /** decides prices, wallets and trades; a folder keeps the seed it began with */
  readonly seed?: string
  /** else a free one */
  readonly port?: number
  /** `live`: a block each second; `manual`: only what `step` and `fork` mine, at fixed times */
  readonly blocks?: "live" | "manual"
  /** blocks mined at the start of a new chain, ten seconds apart, the last one now */
  readonly history?: number
  /** code that creates the router contract: a new chain has it from its first block on */
  readonly router?: Hex
  /** manual only, Unix seconds: the time of the last block of the history */
  readonly startTimeSeconds?: number
}

export interface DevchainToken {
  readonly address: Hex
  readonly symbol: string
  readonly name: string
  /** null where the contract does not tell them */
  readonly decimals: number | null
}

export interface DevchainPool {
  readonly kind: "v2" | "v3"
  readonly address: Hex
  readonly token0: Hex
  readonly token1: Hex
  readonly fee: number
}

export interface Devchain {
  readonly chain: "arc" | "base"
  readonly chainId: number
  readonly rpcUrl: string
  readonly wsUrl: string
  /** tells one devchain from another: the hash of block 2, the first that depends on the seed */
  readonly identity: Hex
  readonly contracts: DevchainContracts
  /** contracts that trade for the sender of a transaction */
  readonly routers: ReadonlyArray<Hex>
  /** those of the first blocks; traders launch more */
  readonly tokens: ReadonlyArray<DevchainToken>
  readonly pools: ReadonlyArray<DevchainPool>
  readonly rpc: AnvilRpc
  readonly pid: () => number
  readonly head: () => MinedBlock
  /** mines one block of seeded trades now; manual: `time` in Unix seconds, else the parent's + 1 */
  readonly step: (time?: number) => Effect.Effect<MinedBlock, DevchainFailure>
  /** a real reorg: the newest `depth` blocks are replaced by `depth + 1` others, which it gives */
  readonly fork: (depth: number) => Effect.Effect<ReadonlyArray<MinedBlock>, DevchainFailure>
  /** fails when the chain has stopped for good; never succeeds */
  readonly failed: Effect.Effect<never, DevchainFailure>
}

const NETWORKS = { arc, base }

const DEFAULT_SEED = "swaptape"
const DEFAULT_HISTORY = 180
const HISTORY_SPACING_SECONDS = 10

/** More than the first blocks take. */
const GENESIS_SECONDS = 30

/** A fixed time for manual chains: 14 November 2023, 22:13:20 UTC. */
const DEFAULT_START_TIME = 1_700_000_000

/** Blocks with readable transactions: live, ten minutes of them; what a test steps stays. */
const KEEP_BLOCKS = { live: 600, manual: 5_000 } as const

/** Blocks with readable state: live, what a reader just behind the head needs. */
const KEEP_STATES = { live: 16, manual: 200 } as const

/** Half a second between the blocks of the two chains. */
const OFFSET_MS = { arc: 0, base: 500 } as const

const describeMarket = ({ network, tokens, pools }: Market) => ({
  chainId: network.chainId,
  contracts: network.contracts,
  routers: [network.contracts.v2Router, network.contracts.v3Router, network.contracts.router],
  tokens: tokens.map(({ address, symbol, name, decimals, contract }) =>
    contract === "bare"
      ? { address, symbol: "", name: "", decimals: null }
      : { address, symbol, name, decimals }
  ),
  pools: pools.map(({ kind, address, token0, token1, fee }) => ({
    kind,
    address,
    token0: token0.address,
    token1: token1.address,
    fee
  }))
})

/**
 * Starts or continues a devchain for the length of the scope. It answers, and its history is there,
 * when this succeeds. Only one may run on a data folder: the caller holds the folder's lock.
 */
export const startDevchain = Effect.fnUntraced(function* (
  options: DevchainOptions
): Effect.fn.Return<Devchain, DevchainFailure, Scope.Scope> {
  const { chain, seed = DEFAULT_SEED, blocks = "live" } = options
  const history = options.history ?? (blocks === "live" ? DEFAULT_HISTORY : 0)
  const nowSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const start = blocks === "live" ? nowSeconds : (options.startTimeSeconds ?? DEFAULT_START_TIME)
  const market = makeMarket(NETWORKS[chain], seed)
  const store = yield* openDevchainStore({
    folder: join(options.dataDir, "devchain", chain),
    seed,
    genesisTimeSeconds: start - history * HISTORY_SPACING_SECONDS - GENESIS_SECONDS,
    keepBlocks: KEEP_BLOCKS[blocks]
  })
  const control = yield* openDevchain({
    market,
    store,
    router: options.router,
    port: options.port,
    keepBlocks: KEEP_BLOCKS[blocks],
    keepStates: KEEP_STATES[blocks]
  })
  const head = () => control.session().head()
  const { rpc, anvil } = control.session()
  if (store.isNew) {
    for (let left = history - 1; left >= 0; left--) {
      yield* control.step(start - left * HISTORY_SPACING_SECONDS)
    }
  }
  const failure = yield* Deferred.make<never, DevchainFailure>()
  if (blocks === "live") {
    yield* mineByTheClock(control, OFFSET_MS[chain]).pipe(
      Effect.onError(cause => Deferred.failCause(failure, cause)),
      Effect.ignore,
      Effect.forkScoped
    )
  }
  const first = yield* rpc.call("eth_getBlockByNumber", "0x2", false)
  return {
    chain,
    ...describeMarket(market),
    rpcUrl: anvil.url,
    wsUrl: anvil.wsUrl,
    identity: first.hash,
    rpc,
    pid: () => control.session().anvil.pid,
    head,
    step: time => Effect.suspend(() => control.step(time ?? head().time + 1)),
    fork: control.fork,
    failed: Deferred.await(failure)
  }
})
