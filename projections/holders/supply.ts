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
import { fromHex } from "../../src/domain/address.ts"
import type { MadeColumns, TokenColumns } from "./tables.ts"
import { sameBytes, unsignedAt, wideValue } from "./wide-integer.ts"

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
  made: wideValue(columns.made_over, columns.made, token),
  burned: wideValue(columns.burned_over, columns.burned, token),
  kept: wideValue(columns.kept_over, columns.kept, token)
})

const NOT_OVER = new Int32Array(1)

/** Returns the supply that was read last; null where none was. */
export const supplyRead = (columns: Columns, token: number): bigint | null =>
  columns.has_supply[token] === 0
    ? null
    : wideValue(NOT_OVER, columns.supply.subarray(token * 32, token * 32 + 32), 0)

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
  former.columns.made.set(columns.made.subarray(token * 32, token * 32 + 32), slot * 32)
  former.touch(slot)
  columns.changes[token] = changes + 1
}

/** Notes whether the changed sum explains the supply. Call it after a mint or burn. */
export const compareSum = (columns: Columns, token: number): void => {
  const { has_supply: has, fits, supply, made } = columns
  if (has[token] === 0 || ((fits[token] as number) & BURNS_DESTROY) !== 0) return
  if (sameBytes(supply, token, made, token)) fits[token] = (fits[token] as number) | BURNS_DESTROY
  else if (((fits[token] as number) & BURNS_KEEP) === 0 && isKept(columns, token))
    fits[token] = BURNS_KEEP
}

/** Whether the supply that was read is the sum together with what was sent to the zero address. */
const isKept = (columns: Columns, token: number): boolean => {
  const { made, burned } = sumsOf(columns, token)
  return burned > 0n && supplyRead(columns, token) === made + burned
}

/** Returns the bits of what explains the supply that was just read; 0 where nothing does. */
export const fitsOf = (columns: Columns, former: SlotTable<MadeColumns>, token: number): number => {
  const { supply } = columns
  if (sameBytes(supply, token, columns.made, token)) return BURNS_DESTROY
  // this comes first: the sum of before the first burn is made + burned as well
  if (isKept(columns, token)) return BURNS_KEEP
  const keptCount = Math.min(KEPT_SUMS, columns.changes[token] as number)
  const first = token * KEPT_SUMS
  for (let slot = first; slot < first + keptCount; slot++) {
    if (sameBytes(supply, token, former.columns.made, slot)) return BURNS_DESTROY
  }
  const { burned } = sumsOf(columns, token)
  if (burned <= 0n) return 0
  const rest = (supplyRead(columns, token) ?? 0n) - burned
  for (let slot = first; slot < first + keptCount; slot++) {
    if (unsignedAt(former.columns.made, slot * 32) === rest) return BURNS_KEEP
  }
  return 0
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
  const keptCount = Math.min(KEPT_SUMS, columns.changes[token] as number)
  for (let slot = token * KEPT_SUMS; slot < token * KEPT_SUMS + keptCount; slot++) {
    const moved = BigInt.asUintN(256, unsignedAt(former.columns.made, slot * 32) + by)
    former.columns.made.set(fromHex(`0x${moved.toString(16).padStart(64, "0")}`), slot * 32)
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
