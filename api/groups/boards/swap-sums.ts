/** Sums of swaps, and the part that venues have in them. */

const MICRO = 1e6

/** Swaps and their micro-dollars. */
export interface Sum {
  trades: number
  usd: number
}

/** Adds to a sum, or takes off it where `sign` is -1. Returns the sum. */
export const add = (sum: Sum, { trades, usd }: Sum, sign: 1 | -1 = 1): Sum => {
  sum.trades += sign * trades
  sum.usd += sign * usd
  return sum
}

/** Adds to the sum of a key. */
export const addTo = <K>(sums: Map<K, Sum>, key: K, { trades, usd }: Sum): void => {
  const known = sums.get(key)
  if (known === undefined) sums.set(key, { trades, usd })
  else add(known, { trades, usd })
}

/** Returns the sum of all. */
export const totalOf = (sums: Iterable<Sum>): Sum => {
  const total = { trades: 0, usd: 0 }
  for (const sum of sums) add(total, sum)
  return total
}

/** Returns the swaps of a slot of a table; of one beyond its end there are none. */
export const sumAt = (
  c: { readonly trades: ArrayLike<number>; readonly usd: ArrayLike<number> },
  slot: number
): Sum => ({ trades: c.trades[slot] ?? 0, usd: c.usd[slot] ?? 0 })

/** Returns the dollars of a sum. */
export const volUsd = ({ usd }: Sum): number => usd / MICRO

/** Compares sums for sorting: most volume first. */
export const volumeFirst = (a: Sum, b: Sum): number => b.usd - a.usd || b.trades - a.trades

/** Returns a part of the volume in percent, to four places; 0 of nothing. */
export const shareOf = (part: Sum, whole: Sum): number =>
  whole.usd === 0 ? 0 : Math.round((part.usd / whole.usd) * 1e6) / 1e4
