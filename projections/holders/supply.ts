/**
 * A token's supply beside its transfers. As everywhere it is what the token was read to say; but
 * that reading may be a minute old, and balances are of now. Where transfers explain the reading,
 * they tell the supply of now, too; where they do not, units came or went without one, as of
 * tokens that rebase, wrap the native unit, or made their first units in silence.
 */
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import type { TokenColumns } from "./tables.ts"
import { wideValue } from "./wide-integer.ts"

/** What burns do to a supply: as in OpenZeppelin's tokens, or as in those of any other holder. */
export const BURNS_DESTROY = 1
export const BURNS_KEEP = 2

/** Units by their way. */
export interface Sums {
  readonly minted: bigint
  readonly burned: bigint
  readonly kept: bigint
}

/** Minted less burnt: what is there if burns destroy. */
export const supplyFromTransfers = ({ minted, burned, kept }: Sums): bigint =>
  minted + kept - burned

/** Which of the two gives this supply, as bits; 0 where neither does. */
export const fitsWith = (supply: bigint, sums: Sums): number =>
  (supply === supplyFromTransfers(sums) ? BURNS_DESTROY : 0) |
  (supply === sums.minted + sums.kept ? BURNS_KEEP : 0)

export const sumsOf = (columns: ColumnArrays<TokenColumns>, token: number): Sums => ({
  minted: wideValue(columns.minted_over, columns.minted, token),
  burned: wideValue(columns.burned_over, columns.burned, token),
  kept: wideValue(columns.kept_over, columns.kept, token)
})

const NOT_OVER = new Int32Array(1)

/** The supply that was read last, null where none was. */
export const supplyRead = (columns: ColumnArrays<TokenColumns>, token: number): bigint | null =>
  columns.has_supply[token] === 0
    ? null
    : wideValue(NOT_OVER, columns.supply.subarray(token * 32, token * 32 + 32), 0)

/** What explains the supply that was just read of a token. */
export const fitsOf = (columns: ColumnArrays<TokenColumns>, token: number): number =>
  fitsWith(supplyRead(columns, token) ?? -1n, sumsOf(columns, token))

export interface Supply {
  /** raw units; null where it was never read */
  readonly supply: bigint | null
  /** whether transfers explain what was read; null where that cannot be said */
  readonly matches: boolean | null
  /** what of it the zero address has */
  readonly atZero: bigint
}

/**
 * The supply as of the sums. `fits` is what explained the last reading when it was made; it is held
 * against the sums of now as well, since a reading may be of a later block than it stands in.
 */
export const supplyNow = (
  sums: Sums,
  read: bigint | null,
  fits: number,
  complete: boolean
): Supply => {
  if (read === null || !complete) return { supply: read, matches: null, atZero: sums.kept }
  const all = fits | fitsWith(read, sums)
  if ((all & BURNS_DESTROY) !== 0) {
    return { supply: supplyFromTransfers(sums), matches: true, atZero: sums.kept }
  }
  return (all & BURNS_KEEP) !== 0
    ? { supply: sums.minted + sums.kept, matches: true, atZero: sums.kept + sums.burned }
    : { supply: read, matches: false, atZero: sums.kept }
}
