/**
 * Reads a line of JSON that is one flat object, without making an object of it: keys are found in
 * the bytes and hex goes straight to where it belongs. `JSON.parse` of such lines alone takes
 * longer than all that is done with them. Only the plain shape is read here; for anything else
 * (escapes, nested values, unusual numbers) the answer is `UNUSUAL`, and the line goes through
 * `JSON.parse`, which also tells what is wrong with it.
 */

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const ZERO = 0x30
const NINE = 0x39
const LOWER_X = 0x78

/** Value of a hex digit, 0xff for any other byte. */
const HEX = new Uint8Array(256).fill(0xff)
for (let i = 0; i < 16; i++) {
  HEX[i.toString(16).charCodeAt(0)] = i
  HEX[i.toString(16).toUpperCase().charCodeAt(0)] = i
}

/**
 * Value of two hex digits, by the 16-bit little-endian number of their characters; above 0xff for
 * any others. A line is mostly hex, and a pair is one load and one look here.
 */
export const PAIR = new Uint16Array(65536).fill(0x100)
for (let high = 0; high < 256; high++) {
  for (let low = 0; low < 256; low++) {
    const digits = [HEX[high] as number, HEX[low] as number] as const
    if (digits[0] < 16 && digits[1] < 16) PAIR[(low << 8) | high] = (digits[0] << 4) | digits[1]
  }
}

const key = (text: string): Uint8Array => Uint8Array.from(text, char => char.charCodeAt(0))

/** A key with the quote behind it, and its field, one bit of a number: 0 for any other key. */
interface Key {
  readonly text: Uint8Array
  readonly field: number
}

/** The keys that are read, each with its field. */
export const keysOf = (fields: { readonly [name: string]: number }): ReadonlyArray<Key> =>
  Object.entries(fields).map(([name, field]) => ({ text: key(`${name}"`), field }))

/** Keys of a line that are remembered in their order, and the length up to which one is. */
const REMEMBERED = 32

/** The answer of a value that is not of the plain shape. */
export const UNUSUAL = -1

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d

export abstract class PlainLine {
  protected bytes: Uint8Array = new Uint8Array(0)
  protected view: DataView = new DataView(new ArrayBuffer(0))
  private readonly keys: ReadonlyArray<Key>
  /** the keys of the line before, in their order */
  private readonly order: Array<Key> = []
  /** the integer that `integer` read */
  protected number = 0

  constructor(keys: ReadonlyArray<Key>) {
    this.keys = keys
  }

  /** Reads the value at `at`; where it ends, or `UNUSUAL`. */
  protected abstract value(field: number, at: number, to: number): number

  /** Reads the line `bytes[from..to)`; the fields it has, or `UNUSUAL`. */
  protected fields(bytes: Uint8Array, from: number, to: number): number {
    if (this.bytes !== bytes) this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.bytes = bytes
    let at = this.space(from)
    let seen = 0
    if (at >= to || bytes[at] !== 0x7b) return UNUSUAL
    for (let place = 0; ; place++) {
      at = this.space(at + 1)
      if (bytes[at] !== QUOTE) return UNUSUAL
      const found = this.keyAt(at + 1, to, place)
      if (found === null) return UNUSUAL
      const { field } = found
      at = this.space(at + 1 + found.text.length)
      if (bytes[at] !== COLON) return UNUSUAL
      at = this.space(at + 1)
      const end = field === 0 ? this.skip(at, to) : this.value(field, at, to)
      if (end < 0) return UNUSUAL
      seen |= field
      at = this.space(end)
      if (bytes[at] === COMMA) continue
      return bytes[at] === 0x7d && this.space(at + 1) >= to && at < to ? seen : UNUSUAL
    }
  }

  protected space(at: number): number {
    let i = at
    while (isSpace(this.bytes[i] as number)) i++
    return i
  }

  /** Where the string beginning at `at` ends (its quote); `UNUSUAL` with escapes or no end. */
  private plainString(at: number, to: number): number {
    const bytes = this.bytes
    for (let i = at; i < to; i++) {
      const byte = bytes[i] as number
      if (byte === QUOTE) return i
      if (byte === BACKSLASH || byte < 0x20) return UNUSUAL
    }
    return UNUSUAL
  }

  protected isKey(at: number, text: Uint8Array): boolean {
    const bytes = this.bytes
    for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false
    return true
  }

  /** The key whose text begins at `at`; null where it does not end or has escapes. */
  private keyAt(at: number, to: number, place: number): Key | null {
    // lines of one file have their keys in one order
    const expected = this.order[place]
    if (expected !== undefined && this.isKey(at, expected.text)) return expected
    const end = this.plainString(at, to)
    if (end < 0) return null
    const found = this.keys.find(
      one => one.text.length === end + 1 - at && this.isKey(at, one.text)
    )
    const named = found ?? { text: this.bytes.slice(at, end + 1), field: 0 }
    if (place < REMEMBERED && named.text.length < REMEMBERED) this.order[place] = named
    return named
  }

  /** `count` bytes of hex in quotes. */
  protected hex(at: number, out: Uint8Array, outAt: number, count: number): number {
    const bytes = this.bytes
    if (bytes[at] !== QUOTE || bytes[at + 1] !== ZERO || bytes[at + 2] !== LOWER_X) return UNUSUAL
    let from = at + 3
    const end = from + 2 * count
    if (bytes[end] !== QUOTE) return UNUSUAL
    const { view } = this
    let bad = 0
    for (let i = outAt; from < end; from += 2, i++) {
      const value = PAIR[view.getUint16(from, true)] as number
      bad |= value
      out[i] = value
    }
    return bad > 0xff ? UNUSUAL : end + 1
  }

  /** A non-negative integer, as a JSON number or as a hex quantity in quotes; see `number`. */
  protected integer(at: number): number {
    const bytes = this.bytes
    let i = at
    let value = 0
    if (bytes[i] === QUOTE) {
      if (bytes[i + 1] !== ZERO || bytes[i + 2] !== LOWER_X) return UNUSUAL
      i += 3
      for (; (HEX[bytes[i] as number] as number) < 16; i++) {
        value = value * 16 + (HEX[bytes[i] as number] as number)
      }
      const digits = i - at - 3
      if (digits === 0 || digits > 13 || bytes[i] !== QUOTE) return UNUSUAL
      this.number = value
      return i + 1
    }
    for (let byte = bytes[i] as number; byte >= ZERO && byte <= NINE; byte = bytes[++i] as number) {
      value = value * 10 + byte - ZERO
    }
    const digits = i - at
    if (digits === 0 || digits > 15 || (bytes[at] === ZERO && digits > 1)) return UNUSUAL
    this.number = value
    return i
  }

  /** Where `true`, `false` or `null` ends. */
  protected literal(at: number): number {
    const bytes = this.bytes
    if (bytes[at] === 0x74) return this.isKey(at, TRUE) ? at + 4 : UNUSUAL
    if (bytes[at] === 0x66) return this.isKey(at, FALSE) ? at + 5 : UNUSUAL
    return this.isKey(at, NULL) ? at + 4 : UNUSUAL
  }

  /** Passes over a plain value of an unknown key. */
  private skip(at: number, to: number): number {
    const byte = this.bytes[at] as number
    if (byte === QUOTE) {
      const end = this.plainString(at + 1, to)
      return end < 0 ? UNUSUAL : end + 1
    }
    return byte >= ZERO && byte <= NINE ? this.integer(at) : this.literal(at)
  }
}

const TRUE = key("true")
const FALSE = key("false")
const NULL = key("null")
