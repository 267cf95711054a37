/** Which token of a pool came in with a swap and which went out, and how much of each. */
import type { EventOf } from "../event.ts"
import type { SwapSides } from "../venue.ts"

/** Why a swap is none of one token for another, or of which ones is not known. */
export type Lopsided = "paid in or out in both tokens" | "one side is nothing" | "tokens not known"

type Swap = EventOf<"SwapExecuted">

/**
 * Place of one of a swap's two tokens in the pool's list: as told, by name, or simply `side` where
 * the pool has two; negative where the list lacks the name.
 */
export const placeOf = (swap: Swap, side: 0 | 1, tokens: ReadonlyArray<string>): number => {
  const index = side === 0 ? swap.index0 : swap.index1
  if (index !== null) return index
  const token = side === 0 ? swap.token0 : swap.token1
  return token === null ? side : tokens.indexOf(token)
}

/** The sides of one swap, or of several logs that make one (`amounts` are their sums). */
export const sidesOf = (
  swap: Swap,
  tokens: ReadonlyArray<string>,
  amounts: Pick<Swap, "amount0In" | "amount0Out" | "amount1In" | "amount1Out"> = swap
): SwapSides | Lopsided => {
  const { amount0In, amount0Out, amount1In, amount1Out } = amounts
  if (amount0In > 0n ? amount1In > 0n || amount0Out > 0n : amount1Out > 0n) {
    return "paid in or out in both tokens"
  }
  const sold = amount0In > 0n ? 0 : 1
  const amountIn = sold === 0 ? amount0In : amount1In
  const amountOut = sold === 0 ? amount1Out : amount0Out
  if (amountIn === 0n || amountOut === 0n) return "one side is nothing"
  const places = [placeOf(swap, 0, tokens), placeOf(swap, 1, tokens)] as const
  if (places[0] < 0 || places[1] < 0) return "tokens not known"
  return { tokenIn: places[sold], tokenOut: places[1 - sold] as number, amountIn, amountOut }
}
