/** What a devchain is made of: contracts, tokens, pools. The values are in `networks/`. */
import type { Hex } from "../../../src/platform/anvil-rpc.ts"

/** Contract behind a token. `bare` has neither name, symbol nor decimals. */
export type TokenContract = "token" | "bytes32" | "bare" | "weth9"

export interface TokenSpec {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly contract: TokenContract
  /** the address it has on the chain that this devchain stands for */
  readonly address?: Hex
  readonly priceUsd: number
  /** half width of the price band in log terms (see fair-price.ts) */
  readonly volatility: number
  /** comes from a bridge: the treasury mints it to whoever needs it, and buys it back */
  readonly bridged: boolean
}

export interface PoolSpec {
  readonly kind: "v2" | "v3"
  /** 1e-6 of the input; 3000 on every V2 pool */
  readonly fee: number
  readonly tokens: readonly [string, string]
  /** dollars on both sides together, at the start */
  readonly depthUsd: number
}

/** A V2 pool of two symbols; the fee is V2's own. */
export const v2Pool = (a: string, b: string, depthUsd: number): PoolSpec => ({
  kind: "v2",
  fee: 3000,
  tokens: [a, b],
  depthUsd
})

/** A V3 pool of two symbols with a fee in 1e-6. */
export const v3Pool = (a: string, b: string, fee: number, depthUsd: number): PoolSpec => ({
  kind: "v3",
  fee,
  tokens: [a, b],
  depthUsd
})

/** Addresses of the real chain where it has the contract, else free ones. */
export interface DevchainContracts {
  readonly v2Factory: Hex
  readonly v2Router: Hex
  readonly v3Factory: Hex
  readonly v3Router: Hex
  readonly positionManager: Hex
  readonly quoter: Hex
  readonly quoterV2: Hex
  readonly tickLens: Hex
  /** our own: bulk reads for the traders, and the creator of new tokens */
  readonly lens: Hex
  readonly launcher: Hex
  /** our own: executes swaps, on a devchain that was begun with its code */
  readonly router: Hex
}

export interface NetworkSpec {
  readonly key: "arc" | "base"
  readonly chainId: number
  readonly contracts: DevchainContracts
  /** the `WETH9` the routers were built with: a token on Base, a placeholder without code on Arc */
  readonly routerWeth: Hex
  /** wei of the native unit per gas, the same in every block */
  readonly baseFeePerGas: bigint
  /** symbols of the two assets pools are quoted in, dollar first */
  readonly quotes: readonly [string, string]
  readonly tokens: ReadonlyArray<TokenSpec>
  readonly pools: ReadonlyArray<PoolSpec>
}

/** Tick spacing of the standard V3 fee tiers. */
export const TICK_SPACING: { readonly [fee: number]: number } = {
  100: 1,
  500: 10,
  3000: 60,
  10000: 200
}

/** Init code hashes of the canonical pool contracts, for CREATE2 addresses. */
export const V2_INIT_CODE_HASH: Hex =
  "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f"
export const V3_INIT_CODE_HASH: Hex =
  "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54"
