/** Adds a devchain's own facts to the registry's facts of its chain. */
import { join } from "node:path"
import { Effect } from "effect"
import { appendFacts, type ChainFact, readFacts } from "../../engine/log/fact-log.ts"
import type { AppendError } from "../../engine/log/log-errors.ts"
import { deploymentData, routerArguments } from "../../engine/trade/contract/deployment.ts"
import { NATIVE } from "../../engine/trade/contract/router-call.ts"
import { arc } from "../../streams/sources/devchain/networks/arc.ts"
import { base } from "../../streams/sources/devchain/networks/base.ts"
import type { Address } from "../domain/address.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { arc as arcChain } from "../domain/chains/arc.ts"
import { base as baseChain } from "../domain/chains/base.ts"
import { exists } from "../platform/files.ts"
import type { JetStream } from "../platform/jetstream.ts"

/** Keys of the chains that can be simulated; all of them run where no `RPC_<chainId>` is set. */
export const DEVCHAINS = ["arc", "base", "solana"] as const
export type DevchainKey = (typeof DEVCHAINS)[number]

/** Networks of contracts that are simulated. */
const NETWORKS = [arc, base]

/** Milliseconds from one block of a devchain to the next, whatever its chain's are. */
const BLOCK_TIME_MS = 1_000

/** No explorer shows a simulated chain. */
const withoutExplorer = ({ explorer: _, ...facts }: ChainConfig): ChainConfig => facts

/** Returns a chain as its devchain is: simulated, and where it has contracts, with their pace. */
export const withDevchainFacts = (chain: ChainConfig): ChainConfig => {
  const shown = { ...withoutExplorer(chain), simulated: true }
  const network = NETWORKS.find(({ key }) => key === chain.key)
  if (network === undefined) return shown
  const { v2Router, v3Router, router: ours } = network.contracts
  const own = [v2Router, v3Router, ours].map(router => router.toLowerCase() as Address)
  const routers = [...new Set([...chain.routers, ...own])]
  const swapRouter = ours.toLowerCase() as Address
  return { ...shown, blockTimeMs: BLOCK_TIME_MS, routers, swapRouter }
}

/** Returns the code that creates a devchain's router contract, without Permit2 and Uniswap V4. */
export const devchainRouter = (key: "arc" | "base"): `0x${string}` => {
  const chain = key === "arc" ? arcChain : baseChain
  const { wrappedNative } = routerArguments(chain)
  return deploymentData({ wrappedNative, permit2: NATIVE, poolManager: NATIVE })
}

/** Returns true where a folder holds the devchain of a chain, which can be read again. */
export const holdsDevchain = (folder: string, key: string) => exists(join(folder, "devchain", key))

const isSaid = (facts: ReadonlyArray<ChainFact>): boolean =>
  facts.some(({ kind }) => kind === "ChainSimulated")

/**
 * Returns true where a chain's log comes from a devchain. Its fact log says so, which goes wherever
 * the log goes; a folder of before it did has the devchain itself.
 */
export const isSimulated = (folder: string, key: string) =>
  Effect.gen(function* () {
    if (yield* holdsDevchain(folder, key)) return true
    // of damaged facts the lane says so, and serves nothing
    return yield* readFacts(key).pipe(
      Effect.map(({ facts }) => isSaid(facts)),
      Effect.orElseSucceed(() => false)
    )
  })

/** Adds a devchain's facts where the log comes from one: its tables depend on its routers. */
export const withDevchainOf = (chain: ChainConfig, folder: string) =>
  Effect.map(isSimulated(folder, chain.key), isIt => (isIt ? withDevchainFacts(chain) : chain))

/** Says in a chain's fact log that it is simulated, where it is and the log does not say so. */
export const saySimulated = (
  { key, simulated }: ChainConfig,
  facts: ReadonlyArray<ChainFact>
): Effect.Effect<void, AppendError, JetStream> => {
  if (simulated !== true || isSaid(facts)) return Effect.void
  const block = { number: 0, time: 0, hash: null, parentHash: null }
  const fact = { kind: "ChainSimulated", block, tx: null, logIndex: 0, network: key } as const
  return appendFacts(key, [fact])
}
