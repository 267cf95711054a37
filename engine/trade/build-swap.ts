/** The unsigned transaction that executes a quote's legs, and what has to be approved before it. */
import { encodeFunctionData, erc20Abi } from "viem"
import type { NodeCall } from "./chain-node.ts"
import { encodedCall, legsFromHex, NATIVE, type SignedPermit } from "./contract/router-call.ts"

type Hex = `0x${string}`

export interface SwapOrder {
  readonly router: Hex
  readonly taker: Hex
  readonly recipient: Hex
  /** the zero address is the native unit, here and in `tokenOut` */
  readonly tokenIn: Hex
  readonly tokenOut: Hex
  readonly amountIn: bigint
  readonly minimumOut: bigint
  /** Unix seconds */
  readonly deadline: number
  /** as `legsToHex` gives them */
  readonly legs: Hex
  readonly permit: SignedPermit | null
}

/** Throws where `legs` are none. */
export const buildSwap = ({ router, taker, legs, deadline, permit, ...order }: SwapOrder) => {
  const encoded = { ...order, deadline: BigInt(deadline), legs: legsFromHex(legs) }
  const { data, value } = encodedCall(encoded, permit)
  return { from: taker, to: router, data, value } satisfies NodeCall
}

/** A taker's approval of so much of a token to a spender. */
export const approvalCall = (token: Hex, taker: Hex, spender: Hex, amount: bigint): NodeCall => ({
  from: taker,
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] }),
  value: 0n
})

/** Whether a swap of this order takes its input by an allowance to the router. */
export const wantsAllowance = ({ tokenIn, permit }: SwapOrder): boolean =>
  tokenIn !== NATIVE && permit === null
