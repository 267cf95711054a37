/** Calls of the router's as attackers make them, and legs that the encoder would not write. */
import { encodeAbiParameters, encodeFunctionData } from "viem"
import { NATIVE, routerAbi } from "../../engine/trade/contract/router-call.ts"
import type { Hex } from "../../src/platform/anvil-rpc.ts"

export interface RawLeg {
  readonly adapter: number
  readonly pool: Hex
  readonly tokenIn: Hex
  readonly tokenOut: Hex
  readonly share: bigint
  readonly amount: bigint
  readonly data: Hex
}

export interface Step {
  readonly target: Hex
  readonly data: Hex
}

export const words = (types: string, ...values: ReadonlyArray<unknown>): Hex =>
  encodeAbiParameters(
    types.split(" ").map(type => ({ type })),
    values
  )

export const callback = (
  name: "uniswapV3" | "pancakeV3" | "algebra",
  owed: bigint,
  data: Hex
): Hex =>
  encodeFunctionData({
    abi: routerAbi,
    functionName: `${name}SwapCallback`,
    args: [owed, -1n, data]
  })

export const unlocked = (tokenIn: Hex, tokenOut: Hex): Hex => {
  const key = [tokenIn, tokenOut, 3000, 60, NATIVE]
  const types = "address address uint24 int24 address bool"
  const data = `${words(types, ...key, true)}${words("bytes", "0x").slice(2)}` as Hex
  return encodeFunctionData({ abi: routerAbi, functionName: "unlockCallback", args: [data] })
}

export const vaulted = (pool: Hex, tokenOut: Hex): Hex =>
  encodeFunctionData({ abi: routerAbi, functionName: "balancerV3Callback", args: [pool, tokenOut] })
