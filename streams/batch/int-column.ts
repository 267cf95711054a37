/**
 * Exact integers of up to 256 bits as sign and trimmed big-endian magnitude. `len[row]` is the
 * number of bytes (0 for zero), plus `NEGATIVE` where the value is below zero, or `NULL_LEN`.
 */
import { grown, NEGATIVE, NULL_LEN, roomLike } from "./columns.ts"

const POW8 = [1, 256, 65536, 16777216] as const

/** What columns without a value share; nobody writes to them. */
const NO_BYTES = new Uint8Array(0)
const NO_STARTS = new Uint32Array(1)

export class IntColumn {
  count = 0
  len: Uint8Array
  start: Uint32Array
  data: Uint8Array
  private words: DataView | null = null
  private wordsData: Uint8Array | null = null

  constructor(
    len: Uint8Array = NO_BYTES,
    start: Uint32Array = NO_STARTS,
    data: Uint8Array = NO_BYTES
  ) {
    this.len = len
    this.start = start
    this.data = data
  }

  /** Makes room, while empty, for as much as another holds. */
  roomLike({ count, start }: IntColumn): void {
    this.len = new Uint8Array(roomLike(count))
    this.start = new Uint32Array(this.len.length + 1)
    this.data = new Uint8Array(roomLike(start[count] as number) + 32)
  }

  /** Makes room for one more value of up to 32 bytes; where it begins in `data`. */
  private room(): number {
    if (this.count === this.len.length) this.growRows()
    const at = this.start[this.count] as number
    if (at + 32 > this.data.length) this.growData(at + 32)
    return at
  }

  private growRows(): void {
    const len = new Uint8Array(grown(this.len.length, this.count + 1))
    len.set(this.len)
    this.len = len
    const start = new Uint32Array(len.length + 1)
    start.set(this.start)
    this.start = start
  }

  private growData(needed: number): void {
    const data = new Uint8Array(grown(this.data.length, Math.max(needed, 512)))
    data.set(this.data)
    this.data = data
  }

  pushNull(): void {
    const at = this.room()
    this.len[this.count++] = NULL_LEN
    this.start[this.count] = at
  }

  pushZero(): void {
    const at = this.room()
    this.len[this.count++] = 0
    this.start[this.count] = at
  }

  /** The big-endian unsigned integer in `width` bytes at `from`. */
  pushUnsigned(bytes: Uint8Array, from: number, width = 32): void {
    const at = this.room()
    const data = this.data
    const end = from + width
    let i = from
    // most values are far narrower than their word: four zeros at a time
    while (
      i + 4 <= end &&
      ((bytes[i] as number) |
        (bytes[i + 1] as number) |
        (bytes[i + 2] as number) |
        (bytes[i + 3] as number)) ===
        0
    )
      i += 4
    while (i < end && bytes[i] === 0) i++
    const length = end - i
    for (let k = 0; k < length; k++) data[at + k] = bytes[i + k] as number
    this.len[this.count++] = length
    this.start[this.count] = at + length
  }

  /** The magnitude of the negative two's complement integer in the 32 bytes at `from`. */
  private pushMagnitude(bytes: Uint8Array, from: number, sign: number): void {
    const at = this.room()
    const data = this.data
    let i = from
    const end = from + 32
    while (i < end - 1 && bytes[i] === 0xff) i++
    // the byte before may be needed: 0xff..ff00 negates to one byte more than is left
    if (i > from && bytes[i] === 0) i--
    let length = end - i
    let carry = 1
    for (let k = length - 1; k >= 0; k--) {
      const value = (~(bytes[i + k] as number) & 0xff) + carry
      data[at + k] = value & 0xff
      carry = value >> 8
    }
    if (data[at] === 0 && length > 1) {
      let zeros = 1
      while (zeros < length - 1 && data[at + zeros] === 0) zeros++
      data.copyWithin(at, at + zeros, at + length)
      length -= zeros
    }
    this.len[this.count++] = length | sign
    this.start[this.count] = at + length
  }

  /** The two's complement integer in the 32 bytes at `from`. */
  pushSigned(bytes: Uint8Array, from: number): void {
    if ((bytes[from] as number) < 0x80) this.pushUnsigned(bytes, from)
    else this.pushMagnitude(bytes, from, NEGATIVE)
  }

  /** Adds the signed integer at `from` if it is positive, else zero: what a pool received. */
  pushPositivePart(bytes: Uint8Array, from: number): void {
    if ((bytes[from] as number) < 0x80) this.pushUnsigned(bytes, from)
    else this.pushZero()
  }

  /** Its magnitude if it is negative, else zero: what a pool paid. */
  pushNegativePart(bytes: Uint8Array, from: number): void {
    if ((bytes[from] as number) < 0x80) this.pushZero()
    else this.pushMagnitude(bytes, from, 0)
  }

  /** The negative of the big-endian unsigned integer in `width` bytes at `from`. */
  pushNegated(bytes: Uint8Array, from: number, width = 32): void {
    this.pushUnsigned(bytes, from, width)
    const row = this.count - 1
    const length = this.len[row] as number
    if (length !== 0) this.len[row] = length | NEGATIVE
  }

  push(value: bigint | null): void {
    if (value === null) return this.pushNull()
    const at = this.room()
    let rest = value < 0n ? -value : value
    const hex = rest.toString(16)
    const length = rest === 0n ? 0 : (hex.length + 1) >> 1
    for (let k = length - 1; k >= 0; k--) {
      this.data[at + k] = Number(rest & 0xffn)
      rest >>= 8n
    }
    this.len[this.count++] = value < 0n ? length | NEGATIVE : length
    this.start[this.count] = at + length
  }

  isNull(row: number): boolean {
    return this.len[row] === NULL_LEN
  }

  isZero(row: number): boolean {
    return this.len[row] === 0
  }

  get(row: number): bigint | null {
    const len = this.len[row] as number
    if (len === NULL_LEN) return null
    const end = this.start[row + 1] as number
    let i = this.start[row] as number
    const words = this.wordsOf(this.data)
    const odd = (end - i) & 7
    let value = odd === 0 ? 0n : this.bytesToBigInt(i, i + odd)
    for (i += odd; i < end; i += 8) {
      const word = words.getBigUint64(i)
      value = value === 0n ? word : (value << 64n) | word
    }
    return len & NEGATIVE ? -value : value
  }

  /** Reads eight bytes of the data at a time; made once for the data that stands. */
  private wordsOf(data: Uint8Array): DataView {
    if (this.words === null || this.wordsData !== data) {
      this.words = new DataView(data.buffer, data.byteOffset, data.byteLength)
      this.wordsData = data
    }
    return this.words
  }

  /** The big-endian integer in at most seven bytes; six are as many as a double holds. */
  private bytesToBigInt(from: number, to: number): bigint {
    const high = to - from === 7 ? BigInt(this.data[from] as number) << 48n : 0n
    let low = 0
    for (let i = Math.max(from, to - 6); i < to; i++) low = low * 256 + (this.data[i] as number)
    return high === 0n ? BigInt(low) : high | BigInt(low)
  }

  /** The nearest double, NaN for null. Not for money: for prices and depths. */
  toNumber(row: number): number {
    const len = this.len[row] as number
    if (len === NULL_LEN) return Number.NaN
    const data = this.data
    let i = this.start[row] as number
    const end = this.start[row + 1] as number
    let value = 0
    const odd = (end - i) & 3
    if (odd !== 0) {
      for (let k = 0; k < odd; k++) value = value * 256 + (data[i + k] as number)
      i += odd
    }
    for (; i < end; i += 4) {
      value =
        value * 4294967296 +
        ((data[i] as number) * POW8[3] +
          (data[i + 1] as number) * POW8[2] +
          (data[i + 2] as number) * POW8[1] +
          (data[i + 3] as number))
    }
    return len & NEGATIVE ? -value : value
  }
}
