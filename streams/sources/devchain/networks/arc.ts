/**
 * The devchain that stands for Arc: the native unit is USDC with 18 decimals, its ERC-20 view the
 * predeploy with 6, and nothing wraps the native unit. Unlike on Arc itself the predeploy keeps its
 * own balances (an EVM without Arc's precompiles cannot join the two), and native movements log
 * nothing.
 */
import { type NetworkSpec, type TokenSpec, v2Pool as v2, v3Pool as v3 } from "../network.ts"

const bridged = { contract: "token", bridged: true } as const
const issued = { contract: "token", bridged: false } as const

const tokens: ReadonlyArray<TokenSpec> = [
  {
    ...bridged,
    symbol: "USDC",
    name: "USDC",
    decimals: 6,
    address: "0x3600000000000000000000000000000000000000",
    priceUsd: 1,
    volatility: 0
  },
  {
    ...bridged,
    symbol: "wETH",
    name: "Wrapped Ether",
    decimals: 18,
    address: "0x128cc466b61f542da60c70e3aa11c10e19b84edb",
    priceUsd: 3000,
    volatility: 0.04
  },
  {
    ...bridged,
    symbol: "cirBTC",
    name: "cirBTC",
    decimals: 8,
    address: "0x171a4217b86a807a64eb94757db6849fb4bdbaa0",
    priceUsd: 64_000,
    volatility: 0.035
  },
  {
    ...bridged,
    symbol: "EURC",
    name: "EURC",
    decimals: 6,
    address: "0xbef5f6d51cb62b58e6a8f77868681825c6fe21c1",
    priceUsd: 1.08,
    volatility: 0.004
  },
  {
    ...bridged,
    symbol: "USYC",
    name: "US Yield Coin",
    decimals: 6,
    address: "0x8a5d989bbb96929f689b0200f435f53da42bf490",
    priceUsd: 1.11,
    volatility: 0.001
  },
  { ...issued, symbol: "ARBOR", name: "Arbor", decimals: 18, priceUsd: 0.62, volatility: 0.12 },
  { ...issued, symbol: "BASIN", name: "Basin", decimals: 18, priceUsd: 7.5, volatility: 0.1 },
  { ...issued, symbol: "CRAG", name: "Crag", decimals: 9, priceUsd: 0.004, volatility: 0.25 },
  { ...issued, symbol: "DELTA", name: "Delta", decimals: 18, priceUsd: 88, volatility: 0.09 },
  { ...issued, symbol: "FJORD", name: "Fjord", decimals: 6, priceUsd: 1.9, volatility: 0.1 },
  { ...issued, symbol: "GROVE", name: "Grove", decimals: 18, priceUsd: 0.0001, volatility: 0.4 },
  {
    symbol: "INLET",
    name: "Inlet",
    decimals: 18,
    contract: "bytes32",
    bridged: false,
    priceUsd: 410,
    volatility: 0.07
  },
  { ...issued, symbol: "MESA", name: "Mesa", decimals: 8, priceUsd: 23, volatility: 0.12 },
  { ...issued, symbol: "OXBOW", name: "Oxbow", decimals: 18, priceUsd: 0.0017, volatility: 0.35 },
  { ...issued, symbol: "REEF", name: "Coral Reef", decimals: 18, priceUsd: 0.09, volatility: 0.2 },
  {
    symbol: "HUSH",
    name: "",
    decimals: 18,
    contract: "bare",
    bridged: false,
    priceUsd: 2,
    volatility: 0.2
  }
]

export const arc: NetworkSpec = {
  key: "arc",
  chainId: 5042,
  contracts: {
    v2Factory: "0x89e5db8b5aa49aa85ac63f691524311aeb649eba",
    v2Router: "0x1f7d7550b1b028f7571e69a784071f0205fd2efa",
    v3Factory: "0xf0db7b58379503491d857db50ac9ece64c653918",
    v3Router: "0xde7c4a1000000000000000000000000000000004",
    positionManager: "0x39654a85a4c05127f5fd6ed22caec077a0fb1377",
    quoter: "0xde7c4a1000000000000000000000000000000001",
    quoterV2: "0x7dfd4f31be6814d2906bde155c3e1b146eac1468",
    tickLens: "0x9eb8600665b55d10c1eb2316ca5127a9ca6e2e76",
    lens: "0xde7c4a1000000000000000000000000000000002",
    launcher: "0xde7c4a1000000000000000000000000000000003",
    router: "0xde7c4a1000000000000000000000000000000005"
  },
  routerWeth: "0x8bceaa40b9acdfaedf85adf4ff01f5ad6517937f",
  baseFeePerGas: 20_000_000_000n,
  quotes: ["USDC", "wETH"],
  tokens,
  pools: [
    v3("wETH", "USDC", 500, 2_000_000),
    v3("wETH", "USDC", 3000, 1_000_000),
    v2("wETH", "USDC", 1_000_000),
    v3("cirBTC", "USDC", 3000, 900_000),
    v3("cirBTC", "wETH", 500, 300_000),
    v3("EURC", "USDC", 100, 900_000),
    v3("USYC", "USDC", 100, 600_000),
    v3("ARBOR", "USDC", 3000, 300_000),
    v3("ARBOR", "wETH", 3000, 120_000),
    v2("ARBOR", "USDC", 60_000),
    v3("BASIN", "USDC", 3000, 200_000),
    v2("BASIN", "wETH", 80_000),
    v3("CRAG", "USDC", 10000, 70_000),
    v2("CRAG", "USDC", 30_000),
    v3("DELTA", "USDC", 3000, 500_000),
    v3("DELTA", "wETH", 500, 100_000),
    v3("FJORD", "USDC", 500, 250_000),
    v2("FJORD", "USDC", 90_000),
    v2("GROVE", "USDC", 20_000),
    v3("GROVE", "wETH", 10000, 40_000),
    v3("INLET", "USDC", 3000, 400_000),
    v3("INLET", "wETH", 10000, 60_000),
    v3("MESA", "USDC", 3000, 180_000),
    v2("MESA", "wETH", 50_000),
    v3("OXBOW", "USDC", 10000, 50_000),
    v2("OXBOW", "wETH", 25_000),
    v3("REEF", "USDC", 3000, 150_000),
    v3("REEF", "wETH", 10000, 40_000),
    v2("HUSH", "USDC", 25_000)
  ]
}
