/** The transaction that deploys the router on a chain, unsigned. */
import { encodeDeployData } from "viem"
import { type ChainConfig, wrappedNativeOf } from "../../../src/domain/chain.ts"
import compiled from "./router.json" with { type: "json" }
import { NATIVE, routerAbi } from "./router-call.ts"

type Hex = `0x${string}`

/**
 * Permit2 has one address on every chain that the registry names (npm @uniswap/permit2-sdk 1.4.0,
 * `PERMIT2_ADDRESS`).
 */
const PERMIT2: Hex = "0x000000000022d473030f116ddee9f6b43ac78ba3"

/** Constructor arguments in their order; the zero address stands for what a chain has not. */
export interface RouterArguments {
  readonly wrappedNative: Hex
  readonly permit2: Hex
  /** Uniswap V4's */
  readonly poolManager: Hex
}

/** Of candidates that the chain has not proven nothing is taken. */
export const routerArguments = (chain: ChainConfig): RouterArguments => ({
  wrappedNative: (wrappedNativeOf(chain) ?? NATIVE) as Hex,
  permit2: PERMIT2,
  poolManager: (chain.venues.find(({ kind }) => kind === "uniswap-v4")?.factory ?? NATIVE) as Hex
})

/** Creation code with these arguments: the `data` of the transaction. */
export const deploymentData = (given: RouterArguments): Hex =>
  encodeDeployData({
    abi: routerAbi,
    bytecode: compiled.bytecode as Hex,
    args: [given.wrappedNative, given.permit2, given.poolManager]
  })

/** What compiled the committed bytecode. */
export const routerCompiler: string = compiled.compiler
