/**
 * A token's supply beside its transfers. The supply is what the contract answered when it was read;
 * but a reading may be a minute old, while balances are of now. Where transfers explain the
 * reading, they also give the supply of now. Where they do not, units came or went without a
 * transfer, as for tokens that rebase or that made their first units without one.
 *
 * A reading belongs to the end of some block near the one that it stands in. It counts as explained
 * where it equals what transfers had minted less burnt at the end of one of the newest blocks that
 * changed that sum, or at any later moment.
 */
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { addWide, setUnsigned, unsignedAt, wideAt } from "../../engine/store/wide-integer.ts"
import type { MadeColumns, TokenColumns } from "./tables.ts"

/**
 * What a transfer to the zero address does to the supply: it lowers it (as in OpenZeppelin's
 * tokens), or it leaves it alone, as a transfer to any holder does. Bits of the column `fits`.
 */
const BURNS_DESTROY = 1
const BURNS_KEEP = 2
/**
 * The reading is of before transfers of the past were joined, and those do not explain it: more
 * blocks may have changed the sum since than are kept. Only a newer reading can be judged.
 */
export const READ_BEFORE = 4

/** Former sums that are kept of each token, one per block that changed the sum. */
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
  made: wideAt(columns.made_over, columns.made, token),
  burned: wideAt(columns.burned_over, columns.burned, token),
  kept: wideAt(columns.kept_over, columns.kept, token)
})

/** Adds to one of a token's sums. */
export const addToSum = (columns: Columns, name: keyof Sums, token: number, by: bigint): void => {
  addWide(columns[`${name}_over`], columns[name], token, by)
}

/** Returns the supply that was read last; null where none was. */
export const supplyRead = (columns: Columns, token: number): bigint | null =>
  columns.has_supply[token] === 0 ? null : unsignedAt(columns.supply, token)

/** Returns the slots of the former sums that are kept of a token. */
const formerOf = (columns: Columns, token: number): ReadonlyArray<number> =>
  Array.from(
    { length: Math.min(KEPT_SUMS, columns.changes[token] as number) },
    (_, i) => token * KEPT_SUMS + i
  )

/**
 * Keeps the present sum as a former one. Call it before a mint or burn of a block changes the sum.
 */
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
  setUnsigned(former.columns.made, slot, unsignedAt(columns.made, token))
  former.touch(slot)
  columns.changes[token] = changes + 1
}

/** Returns the bit of what the present sum explains a supply by; 0 where it does not. */
const fitOf = (columns: Columns, token: number, supply: bigint): number => {
  if (supply === unsignedAt(columns.made, token)) return BURNS_DESTROY
  const { made, burned } = sumsOf(columns, token)
  return burned > 0n && supply === made + burned ? BURNS_KEEP : 0
}

/** Notes whether the changed sum explains the supply. Call it after a mint or burn. */
export const compareSum = (columns: Columns, token: number): void => {
  const supply = supplyRead(columns, token)
  const fits = columns.fits[token] as number
  if (supply === null || (fits & BURNS_DESTROY) !== 0) return
  const fit = fitOf(columns, token, supply)
  if (fit === BURNS_DESTROY) columns.fits[token] = fits | fit
  else if (fit === BURNS_KEEP) columns.fits[token] = fit
}

/** Returns the bits of what explains the supply that was just read; 0 where nothing does. */
export const fitsOf = (columns: Columns, former: SlotTable<MadeColumns>, token: number): number => {
  const supply = unsignedAt(columns.supply, token)
  // this comes first: the sum of before the first burn is made + burned as well
  const fit = fitOf(columns, token, supply)
  if (fit !== 0) return fit
  const sums = formerOf(columns, token).map(slot => unsignedAt(former.columns.made, slot))
  if (sums.includes(supply)) return BURNS_DESTROY
  const { burned } = sumsOf(columns, token)
  return burned > 0n && sums.includes(supply - burned) ? BURNS_KEEP : 0
}

/**
 * Adds `by` to all former sums, after mints and burns of earlier blocks were joined, and looks
 * again for what explains the reading.
 */
export const moveSums = (
  columns: Columns,
  former: SlotTable<MadeColumns>,
  token: number,
  by: bigint
): void => {
  const { made } = former.columns
  for (const slot of formerOf(columns, token)) {
    setUnsigned(made, slot, unsignedAt(made, slot) + by)
    former.touch(slot)
  }
  if (columns.has_supply[token] === 0) return
  const fits = fitsOf(columns, former, token)
  columns.fits[token] = fits === 0 ? READ_BEFORE : fits
}

export interface Supply {
  /** raw units; null where it was never read */
  readonly supply: bigint | null
  /** whether transfers explain the reading; null where it cannot be judged */
  readonly matches: boolean | null
  /** whether it cannot be judged since it is of before transfers of the past were joined */
  readonly isReadBefore: boolean
  /** raw units of the supply that the zero address has */
  readonly atZero: bigint
}

/** Returns the present supply. `fits` are the bits of what explained the last reading until now. */
export const supplyNow = (
  { made, burned, kept }: Sums,
  read: bigint | null,
  fits: number,
  complete: boolean
): Supply => {
  const asRead = { supply: read, atZero: kept, isReadBefore: false }
  if (read === null || !complete) return { ...asRead, matches: null }
  if (read === made || (fits & BURNS_DESTROY) !== 0) {
    return { ...asRead, supply: made, matches: true }
  }
  if (read === made + burned || (fits & BURNS_KEEP) !== 0) {
    return { ...asRead, supply: made + burned, matches: true, atZero: kept + burned }
  }
  const isReadBefore = (fits & READ_BEFORE) !== 0
  return { ...asRead, matches: isReadBefore ? null : false, isReadBefore }
}
