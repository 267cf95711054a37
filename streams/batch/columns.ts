/**
 * The columns a batch is made of. One class serves building (push) and reading (get): arrays are
 * plain typed arrays, longer than `count` while growing. Exact integers are kept as trimmed
 * big-endian bytes, so decoding copies bytes and only who needs a bigint makes one.
 */

/** The stored form of a null signed 32-bit value. */
export const NULL_I32 = -2147483648
/** Length byte of a null integer, and the flag of a negative one. */
export const NULL_LEN = 0xff
export const NEGATIVE = 0x80

/**
 * The next capacity of a full array: small ones grow fourfold, for a new array costs more than
 * the room that stays empty; large ones double.
 */
export const grown = (length: number, needed: number): number =>
  Math.max(needed, length < 4096 ? length * 4 : length * 2, 64)

/** Columns of kinds that a batch has none of share these: an empty array is never written. */
const NO_U32 = new Uint32Array(0)
const NO_I32 = new Int32Array(0)
const NO_F64 = new Float64Array(0)
const NO_BYTES = new Uint8Array(0)
/** Where nothing begins: the end of nought values is 0. Its one entry is only read. */
const NO_STARTS = new Uint32Array(1)

/** Room for as many values as a column like it came to hold, and some more. */
export const roomLike = (count: number): number => count + (count >> 3) + 16

const grownU32 = (values: Uint32Array, needed: number): Uint32Array => {
  const next = new Uint32Array(grown(values.length, needed))
  next.set(values)
  return next
}

export class RefColumn {
  count = 0
  values: Uint32Array

  constructor(values: Uint32Array = NO_U32) {
    this.values = values
  }

  /** Makes room, while empty, for as much as another holds. */
  roomLike({ count }: RefColumn): void {
    this.values = new Uint32Array(roomLike(count))
  }

  push(ref: number): void {
    if (this.count === this.values.length) this.values = grownU32(this.values, this.count + 1)
    this.values[this.count++] = ref
  }

  get(row: number): number {
    return this.values[row] as number
  }
}

export class I32Column {
  count = 0
  values: Int32Array

  constructor(values: Int32Array = NO_I32) {
    this.values = values
  }

  roomLike({ count }: I32Column): void {
    this.values = new Int32Array(roomLike(count))
  }

  /** `NULL_I32` is null. */
  push(value: number): void {
    if (this.count === this.values.length) {
      const next = new Int32Array(grown(this.values.length, this.count + 1))
      next.set(this.values)
      this.values = next
    }
    this.values[this.count++] = value
  }

  get(row: number): number | null {
    const value = this.values[row] as number
    return value === NULL_I32 ? null : value
  }
}

export class NumColumn {
  count = 0
  values: Float64Array

  constructor(values: Float64Array = NO_F64) {
    this.values = values
  }

  roomLike({ count }: NumColumn): void {
    this.values = new Float64Array(roomLike(count))
  }

  push(value: number): void {
    if (this.count === this.values.length) {
      const next = new Float64Array(grown(this.values.length, this.count + 1))
      next.set(this.values)
      this.values = next
    }
    this.values[this.count++] = value
  }

  get(row: number): number {
    return this.values[row] as number
  }
}

export class TextColumn {
  values: Array<string | null>

  constructor(values: Array<string | null> = []) {
    this.values = values
  }

  get count(): number {
    return this.values.length
  }

  push(value: string | null): void {
    this.values.push(value)
  }

  get(row: number): string | null {
    return this.values[row] ?? null
  }
}

/** Variable-length bytes behind each other. */
export class BytesColumn {
  count = 0
  start: Uint32Array
  data: Uint8Array

  constructor(start: Uint32Array = NO_STARTS, data: Uint8Array = NO_BYTES) {
    this.start = start
    this.data = data
  }

  push(bytes: Uint8Array): void {
    const at = this.start[this.count] as number
    if (at + bytes.length > this.data.length) {
      const next = new Uint8Array(grown(this.data.length, at + bytes.length))
      next.set(this.data)
      this.data = next
    }
    this.data.set(bytes, at)
    if (this.count + 1 === this.start.length) this.start = grownU32(this.start, this.count + 2)
    this.start[++this.count] = at + bytes.length
  }

  get(row: number): Uint8Array {
    return this.data.subarray(this.start[row] as number, this.start[row + 1] as number)
  }
}

/** Lists of references. */
export class RefListColumn {
  count = 0
  start: Uint32Array
  refs: RefColumn

  constructor(start: Uint32Array = NO_STARTS, refs = new RefColumn()) {
    this.start = start
    this.refs = refs
  }

  push(refs: ReadonlyArray<number>): void {
    for (const ref of refs) this.refs.push(ref)
    if (this.count + 1 === this.start.length) this.start = grownU32(this.start, this.count + 2)
    this.start[++this.count] = this.refs.count
  }

  get(row: number): ReadonlyArray<number> {
    const out: Array<number> = []
    const end = this.start[row + 1] as number
    for (let i = this.start[row] as number; i < end; i++) out.push(this.refs.get(i))
    return out
  }
}
