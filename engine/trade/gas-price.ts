/** What gas costs in tokens, by the pools' own prices. */
import { ZERO_ADDRESS } from "../../src/domain/address.ts"
import { type ChainConfig, wrappedNativeOf } from "../../src/domain/chain.ts"
import type { PoolMarket } from "./pools/pool-market.ts"
import { findRoute } from "./route/find-route.ts"
import type { PoolCurves } from "./route/pool-curves.ts"

/** The token whose price is the native unit's, and how many raw units of it one whole is. */
interface NativeToken {
  readonly token: string
  readonly decimals: number
}

/** Null where the chain has no token of its native unit. */
const nativeTokenOf = (chain: ChainConfig): NativeToken | null => {
  const wrapped = wrappedNativeOf(chain)
  if (wrapped !== null) return { token: wrapped, decimals: chain.native.decimals }
  const { nativeToken, anchors } = chain
  const anchor = anchors.find(({ address }) => address === nativeToken)
  if (nativeToken === null || nativeToken === ZERO_ADDRESS || anchor === undefined) return null
  return { token: nativeToken, decimals: anchor.decimals }
}

/** So much of the native unit is what its price is asked for: a hundredth of a whole one. */
const SHARE_DECIMALS = 2

/** Raw units of tokens for wei, at the prices of one position. */
export class NativePrices {
  private readonly chain: ChainConfig
  private readonly market: PoolMarket
  private readonly curves: PoolCurves
  private readonly native: NativeToken | null
  private readonly known = new Map<string, number | null>()

  constructor(chain: ChainConfig, market: PoolMarket, curves: PoolCurves) {
    this.chain = chain
    this.market = market
    this.curves = curves
    this.native = nativeTokenOf(chain)
  }

  /** Raw units of a token that a wei is worth; null where nothing tells. */
  perWei(token: string): number | null {
    const known = this.known.get(token)
    if (known !== undefined) return known
    const price = this.find(token)
    this.known.set(token, price)
    return price
  }

  /** Dollars of wei; null where no dollar token has a price. */
  dollars(wei: bigint): number | null {
    for (const { address, decimals, kind } of this.chain.anchors) {
      const price = kind === "usd" ? this.perWei(address) : null
      if (price !== null) return (Number(wei) * price) / 10 ** decimals
    }
    return null
  }

  private find(token: string): number | null {
    const { native, chain, market } = this
    if (native === null) return null
    const wei = 10 ** (chain.native.decimals - SHARE_DECIMALS)
    const amount = 10n ** BigInt(Math.max(0, native.decimals - SHARE_DECIMALS))
    if (token === native.token) return Number(amount) / wei
    const route = findRoute(
      market,
      { tokenIn: native.token, tokenOut: token, amount, exact: "in" },
      { anchors: anchorsOf(chain), gas: null, onlyDex: null },
      this.curves
    )
    return route.ok
      ? (Number(route.amountOut) * Number(amount)) / Number(route.amountIn) / wei
      : null
  }
}

/** Tokens that routes of a chain lead through. */
export const anchorsOf = ({ anchors }: ChainConfig): ReadonlyArray<string> =>
  anchors.map(({ address }) => address)
