/**
 * Signed integers in columns: `over` counts whole multiples of 2^256, `low` is the rest, 32 bytes
 * big-endian and never negative. So the value is `over * 2^256 + low`, its sign is that of `over`,
 * and rows sort by (over, low). Sums of 256-bit amounts are exact, whatever a token logs.
 */
import { toHex } from "../../src/domain/address.ts"

const WIDTH = 32
const MODULUS = 2n ** 256n

/** Adds to a row the unsigned big-endian integer in `length` bytes at `from`, 32 bytes at most. */
export const addUnsigned = (
  over: Int32Array,
  low: Uint8Array,
  row: number,
  data: Uint8Array,
  from: number,
  length: number
): void => {
  const first = row * WIDTH
  let at = first + WIDTH - 1
  let carry = 0
  for (let i = from + length - 1; i >= from; i--) {
    const sum = (low[at] as number) + (data[i] as number) + carry
    low[at--] = sum
    carry = sum >> 8
  }
  for (; carry !== 0 && at >= first; at--) {
    const sum = (low[at] as number) + 1
    low[at] = sum
    carry = sum >> 8
  }
  over[row] = (over[row] as number) + carry
}

/** Subtracts from a row the unsigned big-endian integer in `length` bytes at `from`, 32 at most. */
export const subtractUnsigned = (
  over: Int32Array,
  low: Uint8Array,
  row: number,
  data: Uint8Array,
  from: number,
  length: number
): void => {
  const first = row * WIDTH
  let at = first + WIDTH - 1
  let borrow = 0
  for (let i = from + length - 1; i >= from; i--) {
    const difference = (low[at] as number) - (data[i] as number) - borrow
    low[at--] = difference
    borrow = difference < 0 ? 1 : 0
  }
  for (; borrow !== 0 && at >= first; at--) {
    const difference = (low[at] as number) - 1
    low[at] = difference
    borrow = difference < 0 ? 1 : 0
  }
  over[row] = (over[row] as number) - borrow
}

/** Returns the unsigned big-endian integer in 32 bytes at a place. */
export const unsignedAt = (bytes: Uint8Array, from: number): bigint => {
  const end = from + WIDTH
  let at = from
  while (at < end && bytes[at] === 0) at++
  return at === end ? 0n : BigInt(toHex(bytes.subarray(at, end)))
}

/** Returns the integer of a row. */
export const wideValue = (over: Int32Array, low: Uint8Array, row: number): bigint => {
  const rest = unsignedAt(low, row * WIDTH)
  const high = over[row] as number
  return high === 0 ? rest : BigInt(high) * MODULUS + rest
}

/**
 * Returns the double nearest to the integer of a row, or one beside it. A larger integer never has
 * a smaller rank: each step rounds 256 times the former value plus a byte, and rounding keeps
 * order.
 */
export const wideRank = (over: Int32Array, low: Uint8Array, row: number): number => {
  const end = row * WIDTH + WIDTH
  let value = 0
  for (let at = row * WIDTH; at < end; at++) value = value * 256 + (low[at] as number)
  return (over[row] as number) * 2 ** 256 + value
}

/** Whether two rows of two columns hold equal 32 bytes. */
export const sameBytes = (a: Uint8Array, row: number, b: Uint8Array, other: number): boolean => {
  for (let i = 0; i < WIDTH; i++) if (a[row * WIDTH + i] !== b[other * WIDTH + i]) return false
  return true
}

/** Compares the bytes of two rows of a column: negative, zero or positive, as for sorting. */
export const compareBytes = (bytes: Uint8Array, width: number, a: number, b: number): number => {
  for (let i = 0; i < width; i++) {
    const difference = (bytes[a * width + i] as number) - (bytes[b * width + i] as number)
    if (difference !== 0) return difference
  }
  return 0
}
