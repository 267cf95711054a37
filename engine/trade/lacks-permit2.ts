/** Whether a router contract was deployed without Permit2: then it takes no signatures of it. */
import { Effect } from "effect"
import { encodeFunctionData } from "viem"
import type { ChainNode } from "./chain-node.ts"
import { NATIVE, routerAbi } from "./contract/router-call.ts"

type Hex = `0x${string}`

/** The word that a contract answers of an address that is none. */
const NO_ADDRESS: Hex = `0x${"00".repeat(32)}`

/** False where no node tells. */
export const lacksPermit2 = (node: ChainNode | null, router: Hex): Effect.Effect<boolean> => {
  if (node === null) return Effect.succeed(false)
  const data = encodeFunctionData({ abi: routerAbi, functionName: "permit2" })
  return node.call({ from: NATIVE, to: router, data, value: 0n }).pipe(
    Effect.map(answer => answer === NO_ADDRESS),
    Effect.orElseSucceed(() => false)
  )
}
