/** A devchain's tokens and pools with their addresses, fixed before the chain exists. */
import {
  concatHex,
  encodeAbiParameters,
  encodePacked,
  getContractAddress,
  keccak256,
  stringToHex
} from "viem"
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import { fairPrice } from "./fair-price.ts"
import {
  type NetworkSpec,
  type PoolSpec,
  TICK_SPACING,
  type TokenSpec,
  V2_INIT_CODE_HASH,
  V3_INIT_CODE_HASH
} from "./network.ts"

export interface Token extends TokenSpec {
  readonly address: Hex
  /** dollars the traders think it worth at a time in Unix seconds */
  readonly fairUsd: (timeSeconds: number) => number
}

export interface Pool {
  readonly kind: "v2" | "v3"
  readonly address: Hex
  readonly fee: number
  readonly tickSpacing: number
  /** in the pool's own order: by address */
  readonly token0: Token
  readonly token1: Token
  readonly depthUsd: number
}

export interface Market {
  readonly seed: string
  readonly network: NetworkSpec
  readonly tokens: ReadonlyArray<Token>
  readonly pools: ReadonlyArray<Pool>
  /** the dollar and the ether that pools are quoted in */
  readonly quotes: readonly [Token, Token]
  /** the token that wraps the native unit; null where nothing does */
  readonly wrapped: Token | null
}

const create2 = (from: Hex, salt: Hex, bytecodeHash: Hex): Hex =>
  getContractAddress({ opcode: "CREATE2", from, salt, bytecodeHash }).toLowerCase() as Hex

/** CREATE2 address of a V2 or V3 pool of two tokens in pool order. */
export const poolAddress = (
  network: NetworkSpec,
  kind: "v2" | "v3",
  token0: Hex,
  token1: Hex,
  fee: number
): Hex =>
  kind === "v2"
    ? create2(
        network.contracts.v2Factory,
        keccak256(encodePacked(["address", "address"], [token0, token1])),
        V2_INIT_CODE_HASH
      )
    : create2(
        network.contracts.v3Factory,
        keccak256(
          encodeAbiParameters(
            [{ type: "address" }, { type: "address" }, { type: "uint24" }],
            [token0, token1, fee]
          )
        ),
        V3_INIT_CODE_HASH
      )

/** A pool of two tokens given in any order. */
export const makePool = (
  network: NetworkSpec,
  spec: Omit<PoolSpec, "tokens">,
  a: Token,
  b: Token
): Pool => {
  const [token0, token1] = a.address < b.address ? [a, b] : [b, a]
  const { kind, fee, depthUsd } = spec
  return {
    kind,
    fee,
    depthUsd,
    tickSpacing: kind === "v3" ? (TICK_SPACING[fee] as number) : 0,
    token0,
    token1,
    address: poolAddress(network, kind, token0.address, token1.address, fee)
  }
}

/** A free address that depends on nothing but the words it is made from. */
const inventedAddress = (...words: ReadonlyArray<string>): Hex =>
  `0x${keccak256(concatHex(words.map(word => stringToHex(word)))).slice(-40)}`

/** Assets with one price on every devchain, whatever the chain calls them. */
const PRICE_NAME: { readonly [symbol: string]: string } = {
  wETH: "ETH",
  WETH: "ETH",
  cbBTC: "BTC",
  cirBTC: "BTC"
}

/** A token with its address and its price curve for this seed. */
export const makeToken = (seed: string, spec: TokenSpec & { readonly address: Hex }): Token => ({
  ...spec,
  fairUsd: fairPrice(seed, PRICE_NAME[spec.symbol] ?? spec.symbol, spec.priceUsd, spec.volatility)
})

/** Everything that exists on the devchain from its first blocks on. */
export const makeMarket = (network: NetworkSpec, seed: string): Market => {
  const tokens = network.tokens.map(spec =>
    makeToken(seed, {
      ...spec,
      address: spec.address ?? inventedAddress("devchain token", network.key, spec.symbol)
    })
  )
  const bySymbol = (symbol: string) => tokens.find(token => token.symbol === symbol) as Token
  return {
    seed,
    network,
    tokens,
    pools: network.pools.map(spec =>
      makePool(network, spec, bySymbol(spec.tokens[0]), bySymbol(spec.tokens[1]))
    ),
    quotes: [bySymbol(network.quotes[0]), bySymbol(network.quotes[1])],
    wrapped: tokens.find(token => token.contract === "weth9") ?? null
  }
}
