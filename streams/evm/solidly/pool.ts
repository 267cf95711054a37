/**
 * State and quotes of Solidly-shaped pairs: two reserves known from every `Sync`, and which of the
 * two curves they keep.
 */
import { type CubicIteration, cubicAmountOut } from "../../../src/math/cubic-pair.ts"
import { MAX_UINT112, MAX_UINT256, PIPS } from "../../../src/math/fixed-point.ts"
import { type PriceCurve, productPiece } from "../../../src/math/price-curve/curve.ts"
import type { Event } from "../../event.ts"
import { type PoolFacts, type PoolModel, type Quote, refused } from "../../venue.ts"

export interface SolidlyState {
  readonly pool: string
  /** raw units; null until the pair is seen to be created or synced */
  readonly reserves: readonly [bigint, bigint] | null
  readonly isStable: boolean | null
  /** 1: Solidly's own events; 2: Velodrome v2's. Their contracts iterate differently */
  readonly version: 1 | 2 | null
}

type Parameter = Extract<Event, { kind: "PoolParameterSet" }>

/** Neither ever changes, so the first word counts: a later one comes from some other contract. */
const withParameter = (state: SolidlyState, { name, value }: Parameter): SolidlyState => {
  if (name === "stable" && state.isStable === null) return { ...state, isStable: value !== 0n }
  if (name === "version" && state.version === null && (value === 1n || value === 2n)) {
    return { ...state, version: value === 1n ? 1 : 2 }
  }
  return state
}

const fold = (state: SolidlyState, event: Event): SolidlyState => {
  if (!("pool" in event) || event.pool !== state.pool) return state
  switch (event.kind) {
    case "PoolCreated":
      // Found later (`call`), a pair may hold anything.
      return event.source === "log" && state.reserves === null
        ? { ...state, reserves: [0n, 0n] }
        : state
    case "PoolParameterSet":
      return withParameter(state, event)
    case "ReservesSynced":
      return { ...state, reserves: [event.reserve0, event.reserve1] }
    case "SwapExecuted":
      // The two generations log different swaps, which tells a pair whose creation was not seen.
      return state.version === null
        ? { ...state, version: event.venueKind === "uniswap-v2" ? 1 : 2 }
        : state
    default:
      return state
  }
}

/** `10^decimals` of both tokens; null where one is unknown. */
const wholes = ({ decimals }: PoolFacts): readonly [bigint, bigint] | null => {
  const [first = null, second = null] = decimals
  const isUsual = (value: number | null): value is number =>
    value !== null && Number.isInteger(value) && value >= 0 && value <= 77
  return isUsual(first) && isUsual(second) ? [10n ** BigInt(first), 10n ** BigInt(second)] : null
}

const stableQuote = (
  reserves: readonly [bigint, bigint],
  iteration: CubicIteration,
  facts: PoolFacts,
  tokenIn: 0 | 1,
  amountIn: bigint,
  counted: bigint
): Quote => {
  const ones = wholes(facts)
  if (ones === null) return refused("unknown-state")
  const sides = [
    { reserve: reserves[0], one: ones[0] },
    { reserve: reserves[1], one: ones[1] }
  ] as const
  const amountOut = cubicAmountOut(iteration, sides, tokenIn, counted)
  if (amountOut === "overflow") return refused("too-large")
  return amountOut === "no-solution" ? refused("no-liquidity") : { ok: true, amountIn, amountOut }
}

const quote = (
  { reserves, isStable, version }: SolidlyState,
  facts: PoolFacts,
  tokenIn: number,
  tokenOut: number,
  amountIn: bigint
): Quote => {
  if (tokenIn + tokenOut !== 1 || (tokenIn !== 0 && tokenIn !== 1)) return refused("unknown-state")
  const { fee } = facts
  if (fee === null || fee < 0 || fee >= Number(PIPS)) return refused("unknown-state")
  if (reserves === null || isStable === null || version === null) return refused("unknown-state")
  const [reserveIn, reserveOut] = tokenIn === 0 ? reserves : [reserves[1], reserves[0]]
  if (reserveIn === 0n || reserveOut === 0n) return refused("no-liquidity")
  if (amountIn * PIPS > MAX_UINT256) return refused("too-large")
  // The first generation keeps its balances in uint112.
  if (version === 1 && reserveIn + amountIn > MAX_UINT112) return refused("too-large")
  const counted = amountIn - (amountIn * BigInt(fee)) / PIPS
  if (isStable) {
    const iteration = version === 1 ? "base-v1" : "velodrome"
    return stableQuote(reserves, iteration, facts, tokenIn, amountIn, counted)
  }
  if ((reserveIn + counted) * reserveOut > MAX_UINT256) return refused("too-large")
  return { ok: true, amountIn, amountOut: (counted * reserveOut) / (reserveIn + counted) }
}

/** Of volatile pairs; the stable curve is no constant product. */
const curve = (
  { reserves, isStable, version }: SolidlyState,
  { fee }: PoolFacts,
  tokenIn: number,
  tokenOut: number
): PriceCurve | null => {
  const [reserveIn, reserveOut] = [reserves?.[tokenIn] ?? 0n, reserves?.[tokenOut] ?? 0n]
  if (isStable !== false || version === null || tokenIn === tokenOut) return null
  if (fee === null || fee < 0 || fee >= Number(PIPS)) return null
  if (reserveIn === 0n || reserveOut === 0n) return null
  const kept = 1 - fee / Number(PIPS)
  const limit = version === 1 ? MAX_UINT112 : MAX_UINT256 / reserveOut
  const most = Number(limit - reserveIn)
  return most <= 0 ? null : [productPiece(Number(reserveIn), Number(reserveOut), kept, most)]
}

export const solidlyModel: PoolModel<SolidlyState> = {
  initial: ({ pool }) => ({ pool, reserves: null, isStable: null, version: null }),
  fold,
  quote,
  curve,
  check: {
    lacks: ({ reserves }) => (reserves === null ? "state" : null),
    reserves: ({ reserves }) => reserves,
    paysWhatIsAsked: true
  }
}
