/**
 * Signed integers in columns: `over` counts whole multiples of 2^256, `low` is the rest, 32 bytes
 * big-endian and never negative. So the value is `over * 2^256 + low`, and its sign is that of
 * `over`. Sums of 256-bit amounts are exact, whatever a token logs.
 */

const WIDTH = 32
const BITS = 256n

const viewOf = (bytes: Uint8Array, row: number): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset + row * WIDTH, WIDTH)

/** Returns the unsigned integer in the 32 bytes of a row. */
export const unsignedAt = (bytes: Uint8Array, row: number): bigint => {
  const view = viewOf(bytes, row)
  let at = 0
  // most values are far narrower, and each step makes numbers that nobody keeps
  while (at < WIDTH - 8 && view.getUint32(at) === 0 && view.getUint32(at + 4) === 0) at += 8
  let value = view.getBigUint64(at)
  for (at += 8; at < WIDTH; at += 8) value = (value << 64n) | view.getBigUint64(at)
  return value
}

/** Writes the lowest 256 bits of an integer into the 32 bytes of a row. */
export const setUnsigned = (bytes: Uint8Array, row: number, value: bigint): void => {
  const view = viewOf(bytes, row)
  let rest = value
  for (let at = WIDTH - 8; at >= 0; at -= 8) {
    view.setBigUint64(at, rest)
    rest >>= 64n
  }
}

/** Returns the signed integer of a row. */
export const wideAt = (over: Int32Array, low: Uint8Array, row: number): bigint =>
  over[row] === 0
    ? unsignedAt(low, row)
    : (BigInt(over[row] as number) << BITS) | unsignedAt(low, row)

/** Adds to the signed integer of a row. Returns the sum. */
export const addWide = (over: Int32Array, low: Uint8Array, row: number, by: bigint): bigint => {
  const value = wideAt(over, low, row) + by
  over[row] = Number(value >> BITS)
  setUnsigned(low, row, value)
  return value
}
