/** Transactions that change liquidity, as the V2 router and the V3 position manager take them. */
import { encodeFunctionData } from "viem"
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import { positionManagerAbi, v2RouterAbi } from "./abi.ts"
import {
  addV2Liquidity,
  approve,
  GAS,
  mintPosition,
  positionCalls,
  type Transaction
} from "./calls.ts"
import type { Holding, Position } from "./chain-reader.ts"
import type { PlanContext } from "./funds.ts"
import type { Pool } from "./market.ts"

/** Chance that a fully withdrawn position is burnt, which makes room for a new one. */
const BURN_CHANCE = 0.05

const MAX_UINT128 = 2n ** 128n - 1n

const submit = ({ market }: PlanContext, wallet: Hex, calls: ReadonlyArray<Hex>): Transaction =>
  positionCalls(market, wallet, calls, GAS.position)

export const addShares = (
  { market, deadline }: PlanContext,
  wallet: Hex,
  pool: Pool,
  amounts: readonly [bigint, bigint]
): Transaction => addV2Liquidity(market, wallet, pool, amounts, deadline, GAS.position)

/** Takes 30 to 100 % of the wallet's shares out. */
export const removeShares = (
  { market, random, deadline }: PlanContext,
  wallet: Hex,
  pool: Pool,
  shares: Holding
): ReadonlyArray<Transaction> => {
  const part = (shares.balance * BigInt(random.between(30, 100))) / 100n
  const router = market.network.contracts.v2Router
  const remove: Transaction = {
    from: wallet,
    to: router,
    gas: GAS.position,
    data: encodeFunctionData({
      abi: v2RouterAbi,
      functionName: "removeLiquidity",
      args: [pool.token0.address, pool.token1.address, part, 0n, 0n, wallet, deadline]
    })
  }
  return shares.allowance < part ? [approve(wallet, pool.address, router), remove] : [remove]
}

export const openPosition = (
  context: PlanContext,
  wallet: Hex,
  pool: Pool,
  range: readonly [lower: number, upper: number],
  amounts: readonly [bigint, bigint]
): Transaction =>
  submit(context, wallet, [mintPosition(pool, range, amounts, wallet, context.deadline)])

export const increasePosition = (
  context: PlanContext,
  wallet: Hex,
  position: Position,
  amounts: readonly [bigint, bigint]
): Transaction =>
  submit(context, wallet, [
    encodeFunctionData({
      abi: positionManagerAbi,
      functionName: "increaseLiquidity",
      args: [
        {
          tokenId: position.id,
          amount0Desired: amounts[0],
          amount1Desired: amounts[1],
          amount0Min: 0n,
          amount1Min: 0n,
          deadline: context.deadline
        }
      ]
    })
  ])

const collectAll = (id: bigint, recipient: Hex): Hex =>
  encodeFunctionData({
    abi: positionManagerAbi,
    functionName: "collect",
    args: [{ tokenId: id, recipient, amount0Max: MAX_UINT128, amount1Max: MAX_UINT128 }]
  })

export const collectPosition = (
  context: PlanContext,
  wallet: Hex,
  position: Position
): Transaction => submit(context, wallet, [collectAll(position.id, wallet)])

/** Takes part or all of a position out and collects it. */
export const decreasePosition = (
  context: PlanContext,
  wallet: Hex,
  position: Position
): Transaction => {
  const { random, deadline } = context
  const whole = random.chance(0.4)
  const percent = BigInt(random.between(20, 80))
  const decrease = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: "decreaseLiquidity",
    args: [
      {
        tokenId: position.id,
        liquidity: whole ? position.liquidity : (position.liquidity * percent) / 100n,
        amount0Min: 0n,
        amount1Min: 0n,
        deadline
      }
    ]
  })
  const calls = [decrease, collectAll(position.id, wallet)]
  if (!whole || !random.chance(BURN_CHANCE)) return submit(context, wallet, calls)
  const burn = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: "burn",
    args: [position.id]
  })
  return submit(context, wallet, [...calls, burn])
}
