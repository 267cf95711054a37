/** A chain for tests: a dollar, a native token, one factory of each shape. */
import type { Address } from "../../src/domain/address.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"

const address = (byte: string): Address => `0x${byte.repeat(20)}` as Address

export const testChain: ChainConfig = {
  id: 8453,
  key: "base",
  name: "Base",
  native: { symbol: "ETH", decimals: 18 },
  nativeToken: address("11"),
  anchors: [
    { address: address("22"), symbol: "USDC", decimals: 6, kind: "usd" },
    { address: address("11"), symbol: "WETH", decimals: 18, kind: "native" }
  ],
  venues: [{ id: "uniswap_v2", kind: "uniswap-v2", factory: address("33") }],
  routers: [],
  finalityDepth: 64,
  blockTimeMs: 2000
}
