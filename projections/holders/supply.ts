/**
 * A token's supply beside its transfers. As everywhere it is what the token was read to say; but
 * that reading may be a minute old, and balances are of now. Where transfers explain the reading,
 * they tell the supply of now, too; where they do not, units came or went without one, as of
 * tokens that rebase, or made their first units in silence.
 *
 * A reading is of the end of a block or some before the one that it stands in, or after it. So it
 * counts as explained where it is what transfers had made at the end of one of the newest blocks
 * that changed that, or at any later moment.
 */
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { fromHex } from "../../src/domain/address.ts"
import type { MadeColumns, TokenColumns } from "./tables.ts"
import { sameBytes, unsignedAt, wideValue } from "./wide-integer.ts"

/** What burns do to a supply: as in OpenZeppelin's tokens, or as in those of any other holder. */
const BURNS_DESTROY = 1
const BURNS_KEEP = 2

/** Former sums that are kept of each token, each of another block. */
export const KEPT_SUMS = 16

export interface Sums {
  /** minted less burnt, whoever got it */
  readonly made: bigint
  /** sent to the zero address by others */
  readonly burned: bigint
  /** minted to the zero address */
  readonly kept: bigint
}

type Columns = ColumnArrays<TokenColumns>

export const sumsOf = (columns: Columns, token: number): Sums => ({
  made: wideValue(columns.made_over, columns.made, token),
  burned: wideValue(columns.burned_over, columns.burned, token),
  kept: wideValue(columns.kept_over, columns.kept, token)
})

const NOT_OVER = new Int32Array(1)

/** The supply that was read last, null where none was. */
export const supplyRead = (columns: Columns, token: number): bigint | null =>
  columns.has_supply[token] === 0
    ? null
    : wideValue(NOT_OVER, columns.supply.subarray(token * 32, token * 32 + 32), 0)

/** To be called before the sum of what was made changes in a block. */
export const keepSum = (
  columns: Columns,
  former: SlotTable<MadeColumns>,
  token: number,
  block: number
): void => {
  if (columns.changed_block[token] === block) return
  columns.changed_block[token] = block
  const changes = columns.changes[token] as number
  const slot = token * KEPT_SUMS + (changes % KEPT_SUMS)
  former.columns.made.set(columns.made.subarray(token * 32, token * 32 + 32), slot * 32)
  former.touch(slot)
  columns.changes[token] = changes + 1
}

/** To be called after it changed. */
export const compareSum = (columns: Columns, token: number): void => {
  const { has_supply: has, fits, supply, made } = columns
  if (has[token] === 0 || ((fits[token] as number) & BURNS_DESTROY) !== 0) return
  if (sameBytes(supply, token, made, token)) fits[token] = (fits[token] as number) | BURNS_DESTROY
  else if (fits[token] === 0 && isKept(columns, token)) fits[token] = BURNS_KEEP
}

/** Whether the supply that was read is what was made, with what the zero address was sent. */
const isKept = (columns: Columns, token: number): boolean => {
  const { made, burned } = sumsOf(columns, token)
  return burned > 0n && supplyRead(columns, token) === made + burned
}

/** What explains the supply that was just read; 0 where nothing does. */
export const fitsOf = (columns: Columns, former: SlotTable<MadeColumns>, token: number): number => {
  const { supply } = columns
  if (sameBytes(supply, token, columns.made, token)) return BURNS_DESTROY
  // a former sum is this too, but only until the first burn
  if (isKept(columns, token)) return BURNS_KEEP
  const known = Math.min(KEPT_SUMS, columns.changes[token] as number)
  const first = token * KEPT_SUMS
  for (let slot = first; slot < first + known; slot++) {
    if (sameBytes(supply, token, former.columns.made, slot)) return BURNS_DESTROY
  }
  const { burned } = sumsOf(columns, token)
  if (burned <= 0n) return 0
  const rest = (supplyRead(columns, token) ?? 0n) - burned
  for (let slot = first; slot < first + known; slot++) {
    if (unsignedAt(former.columns.made, slot * 32) === rest) return BURNS_KEEP
  }
  return 0
}

/**
 * Mints and burns of earlier blocks were added to what was made: former sums are what they would
 * have been with them, and the reading is explained anew.
 */
export const moveSums = (
  columns: Columns,
  former: SlotTable<MadeColumns>,
  token: number,
  by: bigint
): void => {
  const known = Math.min(KEPT_SUMS, columns.changes[token] as number)
  for (let slot = token * KEPT_SUMS; slot < token * KEPT_SUMS + known; slot++) {
    const moved = BigInt.asUintN(256, unsignedAt(former.columns.made, slot * 32) + by)
    former.columns.made.set(fromHex(`0x${moved.toString(16).padStart(64, "0")}`), slot * 32)
    former.touch(slot)
  }
  if (columns.has_supply[token] === 1) columns.fits[token] = fitsOf(columns, former, token)
}

export interface Supply {
  /** raw units; null where it was never read */
  readonly supply: bigint | null
  /** whether transfers explain what was read; null where that cannot be said */
  readonly matches: boolean | null
  /** what of it the zero address has */
  readonly atZero: bigint
}

/** The supply as of the sums; `fits` is what explained the last reading until now. */
export const supplyNow = (
  { made, burned, kept }: Sums,
  read: bigint | null,
  fits: number,
  complete: boolean
): Supply => {
  if (read === null || !complete) return { supply: read, matches: null, atZero: kept }
  if (read === made || (fits & BURNS_DESTROY) !== 0) {
    return { supply: made, matches: true, atZero: kept }
  }
  return read === made + burned || (fits & BURNS_KEEP) !== 0
    ? { supply: made + burned, matches: true, atZero: kept + burned }
    : { supply: read, matches: false, atZero: kept }
}
