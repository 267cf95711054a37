/** Creation bytecode: Uniswap's as published in its npm packages, ours from `contracts.json`. */
import { createRequire } from "node:module"
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import ownContracts from "./contracts.json" with { type: "json" }

const PUBLISHED = {
  UniswapV2Factory: "@uniswap/v2-core/build/UniswapV2Factory.json",
  UniswapV2Pair: "@uniswap/v2-core/build/UniswapV2Pair.json",
  UniswapV2Router02: "@uniswap/v2-periphery/build/UniswapV2Router02.json",
  WETH9: "@uniswap/v2-periphery/build/WETH9.json",
  UniswapV3Factory:
    "@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json",
  UniswapV3Pool: "@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json",
  SwapRouter: "@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json",
  NonfungiblePositionManager:
    "@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json",
  Quoter: "@uniswap/v3-periphery/artifacts/contracts/lens/Quoter.sol/Quoter.json",
  QuoterV2: "@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json",
  TickLens: "@uniswap/v3-periphery/artifacts/contracts/lens/TickLens.sol/TickLens.json"
} as const

export type ContractName = keyof typeof PUBLISHED | keyof typeof ownContracts.bytecode

const require = createRequire(import.meta.url)

/** The bytecode that creates this contract, without constructor arguments. */
export const creationCode = (name: ContractName): Hex => {
  if (name in ownContracts.bytecode) {
    return ownContracts.bytecode[name as keyof typeof ownContracts.bytecode] as Hex
  }
  const artifact = require(PUBLISHED[name as keyof typeof PUBLISHED]) as { bytecode: string }
  return artifact.bytecode.startsWith("0x") ? (artifact.bytecode as Hex) : `0x${artifact.bytecode}`
}
