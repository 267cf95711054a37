/** Router calldata for a swap along a route: V2 and V3, exact input and output, native ends. */
import { concatHex, encodeFunctionData, numberToHex, zeroAddress } from "viem"
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import { v2RouterAbi, v3RouterAbi } from "./abi.ts"
import { GAS, type Transaction } from "./calls.ts"
import type { Market } from "./market.ts"
import { type Route, tokenIn, tokenOut } from "./routes.ts"

/** `nativeIn` pays and `nativeOut` receives the native unit instead of the token that wraps it. */
export type SwapStyle = "exactIn" | "exactOut" | "nativeIn" | "nativeOut"

export interface Swap {
  readonly wallet: Hex
  readonly route: Route
  readonly style: SwapStyle
  /** raw units: exact for every style but `exactOut`, there the most that may go in */
  readonly amountIn: bigint
  /** raw units: exact for `exactOut`, else the least that may come out */
  readonly amountOut: bigint
  readonly deadline: bigint
}

const v2Data = ({ wallet, route, style, amountIn, amountOut, deadline }: Swap): Hex => {
  const path = route.tokens.map(token => token.address)
  switch (style) {
    case "exactIn":
      return encodeFunctionData({
        abi: v2RouterAbi,
        functionName: "swapExactTokensForTokens",
        args: [amountIn, amountOut, path, wallet, deadline]
      })
    case "exactOut":
      return encodeFunctionData({
        abi: v2RouterAbi,
        functionName: "swapTokensForExactTokens",
        args: [amountOut, amountIn, path, wallet, deadline]
      })
    case "nativeIn":
      return encodeFunctionData({
        abi: v2RouterAbi,
        functionName: "swapExactETHForTokens",
        args: [amountOut, path, wallet, deadline]
      })
    case "nativeOut":
      return encodeFunctionData({
        abi: v2RouterAbi,
        functionName: "swapExactTokensForETH",
        args: [amountIn, amountOut, path, wallet, deadline]
      })
  }
}

/** Tokens and fees in turn, as V3 packs a path. */
const packPath = (route: Route): Hex =>
  concatHex(
    route.tokens.flatMap((token, i) => {
      const view = route.pools[i]
      return view === undefined
        ? [token.address]
        : [token.address, numberToHex(view.pool.fee, { size: 3 })]
    })
  )

const v3ExactInput = (swap: Swap, recipient: Hex): Hex => {
  const { route, amountIn, amountOut, deadline } = swap
  const first = route.pools[0]
  if (route.pools.length === 1 && first !== undefined) {
    return encodeFunctionData({
      abi: v3RouterAbi,
      functionName: "exactInputSingle",
      args: [
        {
          tokenIn: tokenIn(route).address,
          tokenOut: tokenOut(route).address,
          fee: first.pool.fee,
          recipient,
          deadline,
          amountIn,
          amountOutMinimum: amountOut,
          sqrtPriceLimitX96: 0n
        }
      ]
    })
  }
  return encodeFunctionData({
    abi: v3RouterAbi,
    functionName: "exactInput",
    args: [{ path: packPath(route), recipient, deadline, amountIn, amountOutMinimum: amountOut }]
  })
}

const v3Data = (swap: Swap): Hex => {
  const { wallet, route, style, amountIn, amountOut, deadline } = swap
  switch (style) {
    case "exactIn":
    case "nativeIn":
      return v3ExactInput(swap, wallet)
    case "exactOut": {
      // V3 walks an exact output from its end, so the path is packed backwards.
      const backwards = {
        pools: [...route.pools].reverse(),
        tokens: [...route.tokens].reverse()
      }
      return encodeFunctionData({
        abi: v3RouterAbi,
        functionName: "exactOutput",
        args: [
          {
            path: packPath(backwards),
            recipient: wallet,
            deadline,
            amountOut,
            amountInMaximum: amountIn
          }
        ]
      })
    }
    case "nativeOut":
      // The router keeps the wrapped output (recipient 0) and unwraps it for the wallet.
      return encodeFunctionData({
        abi: v3RouterAbi,
        functionName: "multicall",
        args: [
          [
            v3ExactInput(swap, zeroAddress),
            encodeFunctionData({
              abi: v3RouterAbi,
              functionName: "unwrapWETH9",
              args: [amountOut, wallet]
            })
          ]
        ]
      })
  }
}

/** The router that a route's pools belong to. */
export const routerOf = (market: Market, route: Route): Hex => {
  const { v2Router, v3Router } = market.network.contracts
  return route.pools[0]?.pool.kind === "v2" ? v2Router : v3Router
}

/** The transaction that makes the swap. */
export const swapTransaction = (market: Market, swap: Swap): Transaction => ({
  from: swap.wallet,
  to: routerOf(market, swap.route),
  data: swap.route.pools[0]?.pool.kind === "v2" ? v2Data(swap) : v3Data(swap),
  value: swap.style === "nativeIn" ? swap.amountIn : 0n,
  gas: GAS.swap
})
