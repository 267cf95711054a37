/** What the kinds of pairs tell the laws alike: events, reserves and a swap's amounts. */
import { address, amount, plainSwap } from "../law-meanings.ts"
import type { EventArgs, EventMeaning, LawPool, LawSwap } from "../venue-laws.ts"

export const swapMeaning =
  (venueKind: string) =>
  (args: EventArgs, pool: string): EventMeaning => ({
    ...plainSwap,
    pool,
    venueKind,
    sender: address(args["sender"]),
    recipient: address(args["to"]),
    amount0In: amount(args["amount0In"]),
    amount0Out: amount(args["amount0Out"]),
    amount1In: amount(args["amount1In"]),
    amount1Out: amount(args["amount1Out"])
  })

export const syncMeaning = (args: EventArgs, pool: string): EventMeaning => ({
  kind: "ReservesSynced",
  pool,
  reserve0: amount(args["reserve0"]),
  reserve1: amount(args["reserve1"])
})

/** `Mint` and `Burn`; a burn's owner is who gets the tokens, a mint's is not told. */
const liquidityMeaning =
  (venueKind: string, owner: (args: EventArgs) => string | null, sign: bigint) =>
  (args: EventArgs, pool: string): EventMeaning => ({
    kind: "LiquidityChanged",
    pool,
    venueKind,
    owner: owner(args),
    sender: address(args["sender"]),
    tickLower: null,
    tickUpper: null,
    liquidity: null,
    amount0: sign * amount(args["amount0"]),
    amount1: sign * amount(args["amount1"])
  })

export const mintMeaning = (venueKind: string) => liquidityMeaning(venueKind, () => null, 1n)

export const burnMeaning = (venueKind: string) =>
  liquidityMeaning(venueKind, args => address(args["to"]), -1n)

/** The reserves of the last `Sync`. */
export const holdings = ({ history }: LawPool): readonly [bigint, bigint] => {
  const last = history.at(-1)
  return last?.kind === "ReservesSynced" ? [last.reserve0, last.reserve1] : [0n, 0n]
}

export const swapAmounts = ({ tokenIn, amountIn, amountOut }: LawSwap) => ({
  amount0In: tokenIn === 0 ? amountIn : 0n,
  amount1In: tokenIn === 0 ? 0n : amountIn,
  amount0Out: tokenIn === 0 ? 0n : amountOut,
  amount1Out: tokenIn === 0 ? amountOut : 0n
})
