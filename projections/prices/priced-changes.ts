/**
 * The changes of liquidity of the slice in hand, in whole tokens and in dollars of their moment: as
 * of the event itself, wherever the slice ends. The columns are overwritten with each slice.
 */

import { NONE } from "../../streams/batch/id-table.ts"
import type { Books } from "./books.ts"
import { SliceRows } from "./slice-rows.ts"
import { anchorUsd, tokenUsd } from "./worth.ts"

/** What tells a change: `LiquidityChanged`, `FeesCollected`, `ReserveChanged`. */
export const CHANGE = { liquidity: 0, fees: 1, reserve: 2 } as const

export class PricedChanges extends SliceRows {
  /** place of the event in the batch */
  event = new Uint32Array(256)
  /** of `CHANGE` */
  kind = new Uint8Array(256)
  pool = new Uint32Array(256)
  /** token ids, `NONE` where unknown; of `reserve` the first alone */
  token0 = new Uint32Array(256)
  token1 = new Uint32Array(256)
  /** whole tokens as the event signs them; NaN where it has none, or decimals are unknown */
  amount0 = new Float64Array(256)
  amount1 = new Float64Array(256)
  /** micro-dollars, an integer of the sign of the amounts; NaN where unknown */
  usdMicro = new Float64Array(256)
}

/** Returns whole tokens of a raw amount; nothing of a token is nothing whatever its decimals. */
const wholeOf = ({ scales }: Books, token: number, raw: number): number =>
  raw === 0 ? 0 : raw / scales.of(token)

/** Returns the dollars of whole tokens now; NaN where their price is unknown. */
const usdOf = (books: Books, token: number, other: number, amount: number): number => {
  if (amount === 0) return 0
  if (token === NONE) return Number.NaN
  const { anchors } = books.pair
  const as = other === NONE ? token : anchors.as(token, other)
  return amount * (anchors.isAnchor(as) ? anchorUsd(books, as) : tokenUsd(books, as))
}

const add = (
  books: Books,
  place: { readonly event: number; readonly kind: number; readonly pool: number },
  [token0, raw0]: readonly [number, number],
  [token1, raw1]: readonly [number, number]
): void => {
  const { changes } = books
  const row = changes.next()
  const [amount0, amount1] = [wholeOf(books, token0, raw0), wholeOf(books, token1, raw1)]
  const usd = usdOf(books, token0, token1, amount0) + usdOf(books, token1, token0, amount1)
  const micro = Math.round(usd * 1e6)
  changes.event[row] = place.event
  changes.kind[row] = place.kind
  changes.pool[row] = place.pool
  changes.token0[row] = token0
  changes.token1[row] = token1
  changes.amount0[row] = amount0
  changes.amount1[row] = amount1
  changes.usdMicro[row] = Number.isSafeInteger(micro) ? micro : Number.NaN
}

/** Notes a change of a pool's first two tokens, in raw units; NaN where the event tells none. */
export const addChange = (
  books: Books,
  event: number,
  kind: number,
  pool: number,
  raw0: number,
  raw1: number
): void => {
  if (pool < 0) return
  const { token0, token1 } = books.pools.columns()
  const [first, second] = [token0[pool] as number, token1[pool] as number]
  add(books, { event, kind, pool }, [first, raw0], [second, raw1])
}

/** Notes a change of one token of a pool; one that nobody knows has no amount. */
export const addChangeOf = (
  books: Books,
  event: number,
  pool: number,
  token: number,
  raw: number
): void => {
  if (pool < 0) return
  const amount = token === NONE ? Number.NaN : raw
  add(books, { event, kind: CHANGE.reserve, pool }, [token, amount], [NONE, 0])
}
