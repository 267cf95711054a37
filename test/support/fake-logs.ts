/** Logs of V2 and V3 pools as their contracts emit them, for scripted chains. */
import {
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  parseAbi,
  parseAbiParameters
} from "viem"

export interface FakeLog {
  readonly address: Hex
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
}

const abi = parseAbi([
  "event Sync(uint112 reserve0, uint112 reserve1)",
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
  "event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count)",
  "event Transfer(address indexed from, address indexed to, uint256 value)"
])

const v3Abi = parseAbi([
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)"
])

const topicsOf = (topics: ReadonlyArray<Hex | ReadonlyArray<Hex> | null>): ReadonlyArray<Hex> =>
  topics as ReadonlyArray<Hex>

export const syncLog = (pool: Hex, reserve0: bigint, reserve1: bigint): FakeLog => ({
  address: pool,
  topics: topicsOf(encodeEventTopics({ abi, eventName: "Sync" })),
  data: encodeAbiParameters(parseAbiParameters("uint112, uint112"), [reserve0, reserve1])
})

export const v2SwapLog = (
  pool: Hex,
  sender: Hex,
  to: Hex,
  amounts: readonly [in0: bigint, in1: bigint, out0: bigint, out1: bigint]
): FakeLog => ({
  address: pool,
  topics: topicsOf(encodeEventTopics({ abi, eventName: "Swap", args: { sender, to } })),
  data: encodeAbiParameters(parseAbiParameters("uint256, uint256, uint256, uint256"), amounts)
})

export const pairCreatedLog = (factory: Hex, token0: Hex, token1: Hex, pair: Hex): FakeLog => ({
  address: factory,
  topics: topicsOf(encodeEventTopics({ abi, eventName: "PairCreated", args: { token0, token1 } })),
  data: encodeAbiParameters(parseAbiParameters("address, uint256"), [pair, 1n])
})

export const transferLog = (token: Hex, from: Hex, to: Hex, value: bigint): FakeLog => ({
  address: token,
  topics: topicsOf(encodeEventTopics({ abi, eventName: "Transfer", args: { from, to } })),
  data: encodeAbiParameters(parseAbiParameters("uint256"), [value])
})

export const v3SwapLog = (
  pool: Hex,
  sender: Hex,
  recipient: Hex,
  amount0: bigint,
  amount1: bigint,
  state: readonly [sqrtPriceX96: bigint, liquidity: bigint, tick: number]
): FakeLog => ({
  address: pool,
  topics: topicsOf(
    encodeEventTopics({ abi: v3Abi, eventName: "Swap", args: { sender, recipient } })
  ),
  data: encodeAbiParameters(parseAbiParameters("int256, int256, uint160, uint128, int24"), [
    amount0,
    amount1,
    ...state
  ])
})

export const poolCreatedLog = (
  factory: Hex,
  token0: Hex,
  token1: Hex,
  fee: number,
  tickSpacing: number,
  pool: Hex
): FakeLog => ({
  address: factory,
  topics: topicsOf(
    encodeEventTopics({ abi: v3Abi, eventName: "PoolCreated", args: { token0, token1, fee } })
  ),
  data: encodeAbiParameters(parseAbiParameters("int24, address"), [tickSpacing, pool])
})
