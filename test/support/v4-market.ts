/**
 * Uniswap V4 on an Anvil: the PoolManager and the test routers, with the bytecode that their
 * package publishes, and pools of two tokens that a test trades as it likes.
 */
import { createRequire } from "node:module"
import {
  type Abi,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  keccak256
} from "viem"
import type { Hex, RpcReceipt } from "../../src/platform/anvil-rpc.ts"
import { erc20Abi } from "../../streams/sources/devchain/abi.ts"
import { creationCode } from "../../streams/sources/devchain/contract-code.ts"
import { openAnvilChain } from "./anvil-chain.ts"

/** What a swap may use: one through thousands of empty words of ticks uses more than most. */
const SWAP_GAS = 40_000_000
const MAX_UINT256 = 2n ** 256n - 1n
const SETTINGS = { takeClaims: false, settleUsingBurn: false }

export interface PoolKey {
  readonly currency0: Hex
  readonly currency1: Hex
  /** 1e-6 */
  readonly fee: number
  readonly tickSpacing: number
  readonly hooks: Hex
}

export interface SwapParams {
  readonly zeroForOne: boolean
  /** below zero: this much is sold; above: this much is bought */
  readonly amountSpecified: bigint
  readonly sqrtPriceLimitX96: bigint
}

const artifactOf = (name: string) => {
  const { abi, bytecode } = createRequire(import.meta.url)(
    `@uniswap/v4-core/out/${name}.sol/${name}.json`
  ) as { abi: Abi; bytecode: { object: Hex } }
  const code = (...args: ReadonlyArray<unknown>) =>
    encodeDeployData({ abi, bytecode: bytecode.object, args })
  const call = (functionName: string, ...args: ReadonlyArray<unknown>) =>
    encodeFunctionData({ abi, functionName, args })
  return { code, call }
}

const manager = artifactOf("PoolManager")
const swapTest = artifactOf("PoolSwapTest")
const liquidityTest = artifactOf("PoolModifyLiquidityTest")

/** `PoolIdLibrary.toId`. */
export const poolIdOf = (key: PoolKey): Hex =>
  keccak256(
    encodeAbiParameters(
      ["address", "address", "uint24", "int24", "address"].map(type => ({ type })),
      [key.currency0, key.currency1, key.fee, key.tickSpacing, key.hooks]
    )
  )

export type V4Market = Awaited<ReturnType<typeof openV4Market>>

type Chain = Awaited<ReturnType<typeof openAnvilChain>>

/** The PoolManager and its test routers on a chain, which the chain's owner controls. */
export const deployV4 = async (chain: Chain) => {
  const { send, mine, deploy, owner } = chain
  const poolManager = await deploy(manager.code(owner))
  const swaps = await deploy(swapTest.code(poolManager))
  const liquidity = await deploy(liquidityTest.code(poolManager))
  await send(poolManager, manager.call("setProtocolFeeController", owner))
  await mine()
  const initialize = async (key: PoolKey, sqrtPriceX96: bigint): Promise<void> => {
    await send(poolManager, manager.call("initialize", key, sqrtPriceX96))
    await mine()
  }
  /** The owner pays; native units, where the pool trades them, are sent along. */
  const addLiquidity = async (
    key: PoolKey,
    tickLower: number,
    tickUpper: number,
    liquidityDelta: bigint,
    value = 0n
  ): Promise<void> => {
    const params = { tickLower, tickUpper, liquidityDelta, salt: `0x${"00".repeat(32)}` }
    const call = liquidityTest.call("modifyLiquidity", key, params, "0x")
    await send(liquidity, call, undefined, value)
    await mine()
  }
  return { poolManager, swaps, liquidity, initialize, addLiquidity }
}

export const openV4Market = async () => {
  const chain = await openAnvilChain()
  const { send, mine, receipts, deploy, owner } = chain
  const { poolManager, swaps, liquidity, initialize, addLiquidity } = await deployV4(chain)
  const made = [await deploy(creationCode("BareToken")), await deploy(creationCode("BareToken"))]
  const [currency0, currency1] = made.sort() as [Hex, Hex]
  const token = (to: Hex, functionName: "mint" | "approve", args: readonly [Hex, bigint]) =>
    send(to, encodeFunctionData({ abi: erc20Abi, functionName, args }))
  for (const one of [currency0, currency1]) {
    await token(one, "mint", [owner, 2n ** 200n])
    for (const router of [swaps, liquidity]) await token(one, "approve", [router, MAX_UINT256])
  }
  await mine()
  const keyOf = (fee: number, tickSpacing: number): PoolKey => {
    const hooks: Hex = `0x${"00".repeat(20)}`
    return { currency0, currency1, fee, tickSpacing, hooks }
  }
  const setProtocolFee = async (key: PoolKey, fee: number): Promise<void> => {
    await send(poolManager, manager.call("setProtocolFee", key, fee))
    await mine()
  }
  /** The receipt of a swap; it may have failed. */
  const swap = async (key: PoolKey, params: SwapParams): Promise<RpcReceipt> => {
    await send(swaps, swapTest.call("swap", key, params, SETTINGS, "0x"), SWAP_GAS)
    return (await receipts())[0] as RpcReceipt
  }
  const { logs, close, call } = chain
  return { call, poolManager, keyOf, initialize, setProtocolFee, addLiquidity, swap, logs, close }
}
