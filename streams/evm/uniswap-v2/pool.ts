/** State and quotes of V2-shaped pairs: two reserves, known from every `Sync`. */
import { amountInFor, amountOutOf } from "../../../src/math/constant-product.ts"
import { MAX_UINT112, PIPS } from "../../../src/math/fixed-point.ts"
import { type PriceCurve, productPiece } from "../../../src/math/price-curve/curve.ts"
import type { Event } from "../../event.ts"
import { type PoolFacts, type PoolModel, type Quote, refused } from "../../venue.ts"

export interface PairState {
  readonly pool: string
  /** raw units; null until the pair is seen to be created or synced */
  readonly reserves: readonly [bigint, bigint] | null
}

const fold = (state: PairState, event: Event): PairState => {
  switch (event.kind) {
    case "PoolCreated":
      // Found later (`call`, `create2`), a pair may hold anything. Known, anybody may claim it.
      return event.pool === state.pool && event.source === "log" && state.reserves === null
        ? { pool: state.pool, reserves: [0n, 0n] }
        : state
    case "ReservesSynced":
      return event.pool === state.pool
        ? { pool: state.pool, reserves: [event.reserve0, event.reserve1] }
        : state
    default:
      return state
  }
}

interface Side {
  readonly reserveIn: bigint
  readonly reserveOut: bigint
  readonly fee: bigint
}

/** The trade's two reserves and the fee, or why there is no quote. */
const sideOf = (
  { reserves }: PairState,
  { fee }: PoolFacts,
  tokenIn: number,
  tokenOut: number
): Side | "unknown-state" | "no-liquidity" => {
  const reserveIn = reserves?.[tokenIn]
  const reserveOut = reserves?.[tokenOut]
  if (reserveIn === undefined || reserveOut === undefined || tokenIn === tokenOut) {
    return "unknown-state"
  }
  if (fee === null || fee < 0 || fee >= Number(PIPS)) return "unknown-state"
  if (reserveIn === 0n || reserveOut === 0n) return "no-liquidity"
  return { reserveIn, reserveOut, fee: BigInt(fee) }
}

const quote = (
  state: PairState,
  facts: PoolFacts,
  tokenIn: number,
  tokenOut: number,
  amountIn: bigint
): Quote => {
  const side = sideOf(state, facts, tokenIn, tokenOut)
  if (typeof side === "string") return refused(side)
  // The pair keeps its balances in uint112 and refuses more.
  if (side.reserveIn + amountIn > MAX_UINT112) return refused("too-large")
  const amountOut = amountOutOf(amountIn, side.reserveIn, side.reserveOut, side.fee)
  return { ok: true, amountIn, amountOut }
}

/**
 * The input that buys exactly `amountOut`, as the periphery library computes it. `no-liquidity`
 * where the pair does not hold as much.
 */
export const quoteExactOutput = (
  state: PairState,
  facts: PoolFacts,
  tokenIn: number,
  tokenOut: number,
  amountOut: bigint
): Quote => {
  const side = sideOf(state, facts, tokenIn, tokenOut)
  if (typeof side === "string") return refused(side)
  const amountIn = amountInFor(amountOut, side.reserveIn, side.reserveOut, side.fee)
  if (amountIn === null) return refused("no-liquidity")
  return side.reserveIn + amountIn > MAX_UINT112
    ? refused("too-large")
    : { ok: true, amountIn, amountOut }
}

const curve = (
  state: PairState,
  facts: PoolFacts,
  tokenIn: number,
  tokenOut: number
): PriceCurve | null => {
  const side = sideOf(state, facts, tokenIn, tokenOut)
  if (typeof side === "string") return null
  const { reserveIn, reserveOut, fee } = side
  const most = Number(MAX_UINT112 - reserveIn)
  const kept = Number(PIPS - fee) / Number(PIPS)
  return [productPiece(Number(reserveIn), Number(reserveOut), kept, most)]
}

export const pairModel: PoolModel<PairState> = {
  initial: ({ pool }) => ({ pool, reserves: null }),
  fold,
  quote,
  quoteOutput: quoteExactOutput,
  curve,
  check: {
    lacks: ({ reserves }) => (reserves === null ? "state" : null),
    reserves: ({ reserves }) => reserves,
    paysWhatIsAsked: true
  }
}
