/**
 * The first blocks of a devchain: contracts at their canonical addresses, tokens, pools.
 *
 * A contract reaches its address by running its constructor there. The creation code is set as the
 * account's code and called: `address(this)`, storage and events are then those of the final
 * address, and what the call returns is the runtime code with every immutable filled in.
 */
import { concatHex, encodeAbiParameters, encodeFunctionData, stringToHex, zeroAddress } from "viem"
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import { v3FactoryAbi } from "./abi.ts"
import {
  addV2Liquidity,
  approve,
  createPosition,
  DEADLINE_SECONDS,
  deposit,
  GAS,
  mintMany,
  mintPosition,
  positionCalls,
  type Transaction
} from "./calls.ts"
import { type ContractName, creationCode } from "./contract-code.ts"
import type { Market, Pool, Token } from "./market.ts"
import { fullRange, priceOfAmounts, rangeAround, rawWorth, sqrtPriceX96Of } from "./pool-state.ts"
import { seededRandom } from "./random.ts"
import type { Wallets } from "./wallets.ts"

/** A contract to be put at an address by running its constructor there. */
export interface Planting {
  readonly address: Hex
  readonly creation: Hex
}

const withArguments = (name: ContractName, types: ReadonlyArray<string>, values: Array<unknown>) =>
  concatHex([
    creationCode(name),
    encodeAbiParameters(
      types.map(type => ({ type })),
      values
    )
  ])

const tokenCreation = (token: Token): Hex => {
  switch (token.contract) {
    case "weth9":
      return creationCode("WETH9")
    case "bare":
      return creationCode("BareToken")
    case "bytes32":
      return withArguments(
        "Bytes32Token",
        ["bytes32", "bytes32", "uint8"],
        [
          stringToHex(token.name, { size: 32 }),
          stringToHex(token.symbol, { size: 32 }),
          token.decimals
        ]
      )
    case "token":
      return withArguments(
        "Token",
        ["string", "string", "uint8"],
        [token.name, token.symbol, token.decimals]
      )
  }
}

/** Every contract of a devchain. The position descriptor is left out: no token URIs here. */
export const plantings = (market: Market): ReadonlyArray<Planting> => {
  const { contracts, routerWeth } = market.network
  const v3 = (name: ContractName): Hex =>
    withArguments(name, ["address", "address"], [contracts.v3Factory, routerWeth])
  return [
    {
      address: contracts.v2Factory,
      creation: withArguments("UniswapV2Factory", ["address"], [zeroAddress])
    },
    {
      address: contracts.v2Router,
      creation: withArguments(
        "UniswapV2Router02",
        ["address", "address"],
        [contracts.v2Factory, routerWeth]
      )
    },
    { address: contracts.v3Factory, creation: creationCode("UniswapV3Factory") },
    { address: contracts.v3Router, creation: v3("SwapRouter") },
    {
      address: contracts.positionManager,
      creation: withArguments(
        "NonfungiblePositionManager",
        ["address", "address", "address"],
        [contracts.v3Factory, routerWeth, zeroAddress]
      )
    },
    { address: contracts.quoter, creation: v3("Quoter") },
    { address: contracts.quoterV2, creation: v3("QuoterV2") },
    { address: contracts.tickLens, creation: creationCode("TickLens") },
    { address: contracts.lens, creation: creationCode("Lens") },
    { address: contracts.launcher, creation: creationCode("Launcher") },
    ...market.tokens.map(token => ({ address: token.address, creation: tokenCreation(token) }))
  ]
}

/** Dollars a token has on its side of all pools together. */
const pooledUsd = (market: Market, token: Token): number =>
  market.pools
    .filter(pool => pool.token0 === token || pool.token1 === token)
    .reduce((sum, pool) => sum + pool.depthUsd / 2, 0)

/** Dollars of the native unit's ERC-20 view that a visitor has where nothing wraps the unit. */
const VISITOR_USD = 10_000

/** What the visitor holds at first: what can be sold, where native units cannot be. */
const visitorsUsd = (market: Market, token: Token): ReadonlyArray<number> =>
  market.wrapped === null && token === market.quotes[0] ? [VISITOR_USD] : []

/** What everyone holds at first: the treasury what it will pool, makers and providers a lot. */
const distribution = (market: Market, wallets: Wallets, token: Token, time: number) => {
  const random = seededRandom(market.seed, market.network.key, "distribution", token.symbol)
  const pooled = pooledUsd(market, token)
  const traders = wallets.regulars.filter(() => random.chance(0.5))
  const visitors = visitorsUsd(market, token)
  const worth = [
    1.2 * pooled,
    ...wallets.providers.map(() => 0.3 * pooled),
    ...wallets.makers.map(() => 0.4 * pooled),
    ...traders.map(() => random.logNormal(0.01 * pooled, 1)),
    ...visitors
  ]
  const others = [wallets.treasury, ...wallets.providers, ...wallets.makers, ...traders]
  return {
    to: [...others, ...visitors.map(() => wallets.visitor)],
    values: worth.map(usd => rawWorth(token, usd, time))
  }
}

/** Fee tier 1 bp, which the factory does not open by itself, tokens for all, and approvals. */
export const fundingTransactions = (
  market: Market,
  wallets: Wallets,
  time: number
): ReadonlyArray<Transaction> => {
  const { contracts } = market.network
  const enable: Transaction = {
    from: wallets.treasury,
    to: contracts.v3Factory,
    gas: GAS.token,
    data: encodeFunctionData({
      abi: v3FactoryAbi,
      functionName: "enableFeeAmount",
      args: [100, 1]
    })
  }
  const tokens = market.tokens.flatMap(token => {
    const { to, values } = distribution(market, wallets, token, time)
    const given =
      token.contract === "weth9"
        ? to.map((wallet, i) => deposit(wallet, token.address, values[i] as bigint))
        : [mintMany(wallets.treasury, token.address, to, values)]
    const approvals = [contracts.v2Router, contracts.positionManager].map(spender =>
      approve(wallets.treasury, token.address, spender)
    )
    return [...given, ...approvals]
  })
  return [enable, ...tokens]
}

/** Half a pool's depth of each token at fair prices, in pool order. */
export const fairAmounts = (pool: Pool, time: number): readonly [bigint, bigint] => [
  rawWorth(pool.token0, pool.depthUsd / 2, time),
  rawWorth(pool.token1, pool.depthUsd / 2, time)
]

/**
 * Creates a pool whose first price is the ratio of these raw amounts, and puts them in. V3: one
 * half over all prices, one half within about 35 %.
 */
export const createPool = (
  market: Market,
  creator: Hex,
  pool: Pool,
  amounts: readonly [bigint, bigint],
  time: number
): Transaction => {
  const deadline = BigInt(time + DEADLINE_SECONDS)
  if (pool.kind === "v2") {
    return addV2Liquidity(market, creator, pool, amounts, deadline, GAS.createPool)
  }
  const price = priceOfAmounts(pool, amounts)
  const half = [amounts[0] / 2n, amounts[1] / 2n] as const
  const calls = [
    createPosition(pool, sqrtPriceX96Of(pool, price)),
    mintPosition(pool, fullRange(pool), half, creator, deadline),
    mintPosition(pool, rangeAround(pool, price, 0.35), half, creator, deadline)
  ]
  return positionCalls(market, creator, calls, GAS.createPool)
}
