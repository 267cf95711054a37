/** State and quotes of V2-shaped pairs: two reserves, known from every `Sync`. */
import { amountOutOf } from "../../../src/math/constant-product.ts"
import type { Event } from "../../event.ts"
import type { PoolFacts, PoolModel, Quote } from "../../venue.ts"

export interface PairState {
  /** raw units; null until the first `Sync` is seen */
  readonly reserves: readonly [bigint, bigint] | null
}

/** The pair contract keeps reserves in uint112; more is refused on `sync`. */
const MAX_UINT112 = 2n ** 112n - 1n

const fold = (state: PairState, event: Event): PairState =>
  event.kind === "ReservesSynced" ? { reserves: [event.reserve0, event.reserve1] } : state

const quote = (
  state: PairState,
  facts: PoolFacts,
  tokenIn: number,
  tokenOut: number,
  amountIn: bigint
): Quote => {
  if (state.reserves === null || facts.fee === null) return { ok: false, reason: "unknown-state" }
  const reserveIn = state.reserves[tokenIn]
  const reserveOut = state.reserves[tokenOut]
  if (reserveIn === undefined || reserveOut === undefined || tokenIn === tokenOut) {
    return { ok: false, reason: "unknown-state" }
  }
  if (reserveIn === 0n || reserveOut === 0n) return { ok: false, reason: "no-liquidity" }
  if (reserveIn + amountIn > MAX_UINT112) return { ok: false, reason: "too-large" }
  const amountOut = amountOutOf(amountIn, reserveIn, reserveOut, BigInt(facts.fee))
  return { ok: true, amountIn, amountOut }
}

export const pairModel: PoolModel<PairState> = {
  initial: () => ({ reserves: null }),
  fold,
  quote
}
