/** The unsigned transaction that executes a quote's legs, and what has to be approved before it. */
import { encodeFunctionData, erc20Abi } from "viem"
import type { NodeCall } from "./chain-node.ts"
import { gasLimitOf } from "./contract/leg-gas.ts"
import {
  encodedCall,
  kindsOf,
  legsFromHex,
  NATIVE,
  type SignedPermit
} from "./contract/router-call.ts"

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
  /** units of gas that the quote tells */
  readonly gas: bigint
  /** how many of its tokens take something of their transfers */
  readonly taxed: number
}

/** What a permit may take beyond an allowance, reckoned: its signature, a first word of nonces. */
const PERMIT_GAS = 60_000n

/** Throws where `legs` are none. */
export const buildSwap = (asked: SwapOrder) => {
  const { router, taker, legs, deadline, permit, gas: told, taxed, ...order } = asked
  const encoded = { ...order, deadline: BigInt(deadline), legs: legsFromHex(legs) }
  const { data, value } = encodedCall(encoded, permit)
  const limit = gasLimitOf(told, { kinds: kindsOf(encoded.legs), taxed })
  const gas = limit + (permit === null ? 0n : PERMIT_GAS)
  return { from: taker, to: router, data, value, gas } satisfies NodeCall
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
