/** Transactions as values, and builders for the plain ones. */
import { encodeFunctionData, maxUint256 } from "viem"
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import { erc20Abi, positionManagerAbi, v2RouterAbi } from "./abi.ts"
import type { Market, Pool, Token } from "./market.ts"

export interface Transaction {
  readonly from: Hex
  readonly to: Hex
  readonly data: Hex
  readonly value?: bigint
  readonly gas: number
}

/** Gas limits, well above what each kind of call has been seen to use. */
export const GAS = {
  token: 120_000,
  swap: 900_000,
  position: 1_200_000,
  createPool: 8_000_000,
  launch: 1_600_000
} as const

/** Deadline of every router call, seconds after the block it is meant for. */
export const DEADLINE_SECONDS = 600

export const approve = (from: Hex, token: Hex, spender: Hex): Transaction => ({
  from,
  to: token,
  gas: GAS.token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, maxUint256] })
})

export const mint = (treasury: Hex, token: Hex, to: Hex, value: bigint): Transaction => ({
  from: treasury,
  to: token,
  gas: GAS.token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "mint", args: [to, value] })
})

export const mintMany = (
  treasury: Hex,
  token: Hex,
  to: ReadonlyArray<Hex>,
  values: ReadonlyArray<bigint>
): Transaction => ({
  from: treasury,
  to: token,
  gas: GAS.token + 40_000 * to.length,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "mintMany", args: [to, values] })
})

export const burn = (from: Hex, token: Hex, value: bigint): Transaction => ({
  from,
  to: token,
  gas: GAS.token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "burn", args: [value] })
})

/** Wraps native units. */
export const deposit = (from: Hex, token: Hex, value: bigint): Transaction => ({
  from,
  to: token,
  gas: GAS.token,
  value,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "deposit" })
})

/** Adds to a V2 pool, which the router creates where it does not exist. */
export const addV2Liquidity = (
  market: Market,
  from: Hex,
  pool: Pool,
  amounts: readonly [bigint, bigint],
  deadline: bigint,
  gas: number
): Transaction => ({
  from,
  to: market.network.contracts.v2Router,
  gas,
  data: encodeFunctionData({
    abi: v2RouterAbi,
    functionName: "addLiquidity",
    args: [pool.token0.address, pool.token1.address, amounts[0], amounts[1], 0n, 0n, from, deadline]
  })
})

/** Several position manager calls in one transaction. */
export const positionCalls = (
  market: Market,
  from: Hex,
  calls: ReadonlyArray<Hex>,
  gas: number
): Transaction => ({
  from,
  to: market.network.contracts.positionManager,
  gas,
  data: encodeFunctionData({
    abi: positionManagerAbi,
    functionName: "multicall",
    args: [calls]
  })
})

/** Calldata that mints a V3 position for `recipient`. */
export const mintPosition = (
  pool: Pool,
  range: readonly [lower: number, upper: number],
  amounts: readonly [bigint, bigint],
  recipient: Hex,
  deadline: bigint
): Hex =>
  encodeFunctionData({
    abi: positionManagerAbi,
    functionName: "mint",
    args: [
      {
        token0: pool.token0.address,
        token1: pool.token1.address,
        fee: pool.fee,
        tickLower: range[0],
        tickUpper: range[1],
        amount0Desired: amounts[0],
        amount1Desired: amounts[1],
        amount0Min: 0n,
        amount1Min: 0n,
        recipient,
        deadline
      }
    ]
  })

/** Calldata that creates a V3 pool at a price, unless it exists. */
export const createPosition = (pool: Pool, sqrtPriceX96: bigint): Hex =>
  encodeFunctionData({
    abi: positionManagerAbi,
    functionName: "createAndInitializePoolIfNecessary",
    args: [pool.token0.address, pool.token1.address, pool.fee, sqrtPriceX96]
  })

/** The contract that takes a pool's tokens when liquidity is added. */
export const liquiditySpender = (market: Market, pool: Pool): Hex =>
  pool.kind === "v2" ? market.network.contracts.v2Router : market.network.contracts.positionManager

/** Which of the quote tokens a pool has, if any. */
export const quoteOf = (market: Market, pool: Pool): Token | undefined =>
  market.quotes.find(quote => quote === pool.token0 || quote === pool.token1)
