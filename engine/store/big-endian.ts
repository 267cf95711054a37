/** Fixed bytes as the numbers that the database holds of them: of 4, 12 or 16 bytes, high first. */

const LOW_BITS = 64n
const LOW_BYTES = 8

/** Returns a word with its bytes in the other order, signed. */
export const swapped = (word: number): number =>
  (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)

/** Returns the number in so many bytes: a bigint where they are more than four. */
export const numberAt = (bytes: DataView, from: number, width: number): number | bigint => {
  if (width === 4) return bytes.getUint32(from)
  const high = width === 12 ? BigInt(bytes.getUint32(from)) : bytes.getBigUint64(from)
  return (high << LOW_BITS) | bytes.getBigUint64(from + width - LOW_BYTES)
}

/** Writes a number to so many bytes, which are zero. */
export const writeNumber = (
  bytes: DataView,
  from: number,
  width: number,
  value: number | bigint
): void => {
  if (width === 4) {
    bytes.setUint32(from, Number(value))
    return
  }
  const whole = BigInt(value)
  // ids that are short leave whole columns empty
  if (whole === 0n) return
  const high = whole >> LOW_BITS
  if (width === 12) bytes.setUint32(from, Number(high))
  else bytes.setBigUint64(from, high)
  bytes.setBigUint64(from + width - LOW_BYTES, BigInt.asUintN(64, whole))
}
