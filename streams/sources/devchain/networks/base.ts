/** The devchain that stands for Base: canonical Uniswap and anchor addresses, invented tokens. */
import { type NetworkSpec, type TokenSpec, v2Pool as v2, v3Pool as v3 } from "../network.ts"

const bridged = { contract: "token", bridged: true } as const
const issued = { contract: "token", bridged: false } as const

const tokens: ReadonlyArray<TokenSpec> = [
  {
    ...bridged,
    symbol: "USDC",
    name: "USD Coin",
    decimals: 6,
    address: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
    priceUsd: 1,
    volatility: 0
  },
  {
    symbol: "WETH",
    name: "Wrapped Ether",
    decimals: 18,
    contract: "weth9",
    bridged: false,
    address: "0x4200000000000000000000000000000000000006",
    priceUsd: 3000,
    volatility: 0.04
  },
  {
    ...bridged,
    symbol: "cbBTC",
    name: "Coinbase Wrapped BTC",
    decimals: 8,
    address: "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf",
    priceUsd: 64_000,
    volatility: 0.035
  },
  {
    ...bridged,
    symbol: "DAI",
    name: "Dai Stablecoin",
    decimals: 18,
    address: "0x50c5725949a6f0c72e6c4a641f24049a917db0cb",
    priceUsd: 1,
    volatility: 0.0008
  },
  {
    ...bridged,
    symbol: "EURC",
    name: "EURC",
    decimals: 6,
    address: "0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42",
    priceUsd: 1.08,
    volatility: 0.004
  },
  { ...issued, symbol: "ALDER", name: "Alder", decimals: 18, priceUsd: 2.4, volatility: 0.12 },
  { ...issued, symbol: "BRINE", name: "Brine", decimals: 18, priceUsd: 0.031, volatility: 0.2 },
  { ...issued, symbol: "CBLT", name: "Cobalt", decimals: 9, priceUsd: 14, volatility: 0.1 },
  { ...issued, symbol: "EMBR", name: "Ember", decimals: 18, priceUsd: 0.0004, volatility: 0.35 },
  { ...issued, symbol: "FINCH", name: "Finch", decimals: 6, priceUsd: 0.85, volatility: 0.08 },
  { ...issued, symbol: "GLAC", name: "Glacier", decimals: 18, priceUsd: 190, volatility: 0.09 },
  {
    symbol: "HRBR",
    name: "Harbor",
    decimals: 18,
    contract: "bytes32",
    bridged: false,
    priceUsd: 1200,
    volatility: 0.07
  },
  { ...issued, symbol: "JNPR", name: "Juniper", decimals: 18, priceUsd: 0.0001, volatility: 0.4 },
  {
    ...issued,
    symbol: "KELP",
    name: "Kelp Forest",
    decimals: 8,
    priceUsd: 0.007,
    volatility: 0.25
  },
  { ...issued, symbol: "LNTN", name: "Lantern", decimals: 18, priceUsd: 36, volatility: 0.12 },
  {
    symbol: "MUTE",
    name: "",
    decimals: 18,
    contract: "bare",
    bridged: false,
    priceUsd: 0.5,
    volatility: 0.2
  }
]

export const base: NetworkSpec = {
  key: "base",
  chainId: 8453,
  contracts: {
    v2Factory: "0x8909dc15e40173ff4699343b6eb8132c65e18ec6",
    v2Router: "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24",
    v3Factory: "0x33128a8fc17869897dce68ed026d694621f6fdfd",
    v3Router: "0xaee2b8d4a154e36f479daece3fb3e6c3c03d396e",
    positionManager: "0x03a520b32c04bf3beef7beb72e919cf822ed34f1",
    quoter: "0xde7c4a1000000000000000000000000000000001",
    quoterV2: "0x3d4e44eb1374240ce5f1b871ab261cd16335b76a",
    tickLens: "0x0cdee061c75d43c82520ed998c23ac2991c9ac6d",
    lens: "0xde7c4a1000000000000000000000000000000002",
    launcher: "0xde7c4a1000000000000000000000000000000003",
    router: "0xde7c4a1000000000000000000000000000000005"
  },
  routerWeth: "0x4200000000000000000000000000000000000006",
  baseFeePerGas: 10_000_000n,
  quotes: ["USDC", "WETH"],
  tokens,
  pools: [
    v3("WETH", "USDC", 500, 3_000_000),
    v3("WETH", "USDC", 3000, 1_500_000),
    v3("WETH", "USDC", 100, 1_000_000),
    v2("WETH", "USDC", 1_200_000),
    v3("cbBTC", "USDC", 3000, 800_000),
    v3("cbBTC", "WETH", 500, 600_000),
    v3("DAI", "USDC", 100, 1_000_000),
    v3("EURC", "USDC", 500, 500_000),
    v3("ALDER", "WETH", 3000, 300_000),
    v3("ALDER", "USDC", 3000, 150_000),
    v2("ALDER", "WETH", 60_000),
    v3("BRINE", "WETH", 10000, 120_000),
    v2("BRINE", "USDC", 50_000),
    v3("CBLT", "USDC", 3000, 200_000),
    v2("CBLT", "WETH", 80_000),
    v3("EMBR", "WETH", 10000, 40_000),
    v2("EMBR", "WETH", 20_000),
    v3("FINCH", "USDC", 500, 250_000),
    v3("FINCH", "WETH", 3000, 90_000),
    v3("GLAC", "WETH", 3000, 500_000),
    v2("GLAC", "USDC", 100_000),
    v3("HRBR", "WETH", 3000, 400_000),
    v3("HRBR", "USDC", 10000, 100_000),
    v2("JNPR", "WETH", 30_000),
    v3("JNPR", "USDC", 10000, 45_000),
    v3("KELP", "USDC", 10000, 60_000),
    v2("KELP", "USDC", 25_000),
    v3("LNTN", "WETH", 3000, 180_000),
    v2("LNTN", "WETH", 70_000),
    v3("LNTN", "USDC", 500, 50_000),
    v2("MUTE", "WETH", 25_000)
  ]
}
