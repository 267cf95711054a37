/**
 * Pieces of which the laws of venue kinds make meanings: arguments as viem gives them, and fields
 * that most events do not tell. Only tests read it.
 */
import type { EventFields } from "./event.ts"
import type { EventMeaning } from "./venue-laws.ts"

/** An address or pool id, as events hold it. */
export const address = (value: unknown): string => (value as string).toLowerCase()

/** An integer; viem gives narrow ones as numbers. */
export const amount = (value: unknown): bigint => BigInt(value as bigint)

export const list = (value: unknown): ReadonlyArray<unknown> => value as ReadonlyArray<unknown>

export const amounts = (value: unknown): ReadonlyArray<bigint> => value as ReadonlyArray<bigint>

/** A swap of two tokens that tells their amounts, and neither names nor places them. */
export const plainSwap = {
  kind: "SwapExecuted",
  sqrtPriceX96: null,
  liquidity: null,
  tick: null,
  fee: null,
  token0: null,
  token1: null,
  index0: null,
  index1: null
} as const

/** A parameter; its value may be an address or a word too. */
export const parameter = (
  pool: string,
  name: string,
  value: unknown,
  index: number | null = null
): EventMeaning => ({ kind: "PoolParameterSet", pool, name, index, value: amount(value) })

/** A pool that its factory told of. */
export const createdPool = (
  venueKind: string,
  factory: string,
  pool: unknown,
  tokens: ReadonlyArray<unknown>,
  more: Partial<Pick<EventFields<"PoolCreated">, "fee" | "tickSpacing">> = {}
): EventMeaning => ({
  kind: "PoolCreated",
  pool: address(pool),
  venueKind,
  factory,
  tokens: tokens.map(address),
  fee: null,
  tickSpacing: null,
  source: "log",
  ...more
})
