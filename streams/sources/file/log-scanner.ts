/**
 * Reads a log's line without making an object of it: keys are found in the bytes and hex goes
 * straight into the record. `JSON.parse` of such lines alone takes longer than all the rest of
 * ingesting them. Only the plain shape is read here; for anything else (escapes, nested values,
 * null, unusual numbers) the scanner answers false and the line goes through `JSON.parse`, which
 * also tells what is wrong with it. A property test holds both ways equal.
 */
import { MAX_LOG_DATA } from "../../raw-log.ts"
import type { LogRecord } from "./log-record.ts"

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
const PAIR = new Uint16Array(65536).fill(0x100)
for (let high = 0; high < 256; high++) {
  for (let low = 0; low < 256; low++) {
    const digits = [HEX[high] as number, HEX[low] as number] as const
    if (digits[0] < 16 && digits[1] < 16) PAIR[(low << 8) | high] = (digits[0] << 4) | digits[1]
  }
}

const key = (text: string): Uint8Array => Uint8Array.from(text, char => char.charCodeAt(0))

/** A bit for each field that is read. */
const FIELD = {
  address: 1,
  topics: 2,
  data: 4,
  blockNumber: 8,
  transactionHash: 16,
  transactionIndex: 32,
  logIndex: 64,
  chainId: 128,
  removed: 256,
  blockHash: 512,
  blockTimestamp: 1024
} as const

/** The fields that a log cannot do without. */
const REQUIRED = 0b111_1111

/** A key with the quote behind it, and its field: 0 for one that is passed over. */
interface Key {
  readonly text: Uint8Array
  readonly field: number
}

const KEYS: ReadonlyArray<Key> = Object.entries(FIELD).map(([name, field]) => ({
  text: key(`${name}"`),
  field
}))

/** Keys of a line that are remembered in their order, and the length up to which one is. */
const REMEMBERED = 32

/** The answer of a value that is not of the plain shape. */
const UNUSUAL = -1

/** Above every logIndex and transactionIndex that a column can hold. */
const INDEX_LIMIT = 0xfffffffe

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d

export class LogScanner {
  private bytes: Uint8Array = new Uint8Array(0)
  private view: DataView = new DataView(new ArrayBuffer(0))
  /** the keys of the line before, in their order */
  private readonly order: Array<Key> = []
  /** the integer that `integer` read */
  private value = 0

  /** Fills `record` from the line `bytes[from..to)`; false where the line is not plain. */
  scan(bytes: Uint8Array, from: number, to: number, record: LogRecord): boolean {
    if (this.bytes !== bytes) this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.bytes = bytes
    record.chainId = -1
    record.time = -1
    record.hasBlockHash = false
    record.hasFrom = false
    record.hasTo = false
    record.removed = false
    let at = this.space(from)
    let seen = 0
    if (at >= to || bytes[at] !== 0x7b) return false
    for (let place = 0; ; place++) {
      at = this.space(at + 1)
      if (bytes[at] !== QUOTE) return false
      const found = this.keyAt(at + 1, to, place)
      if (found === null) return false
      const { field } = found
      at = this.space(at + 1 + found.text.length)
      if (bytes[at] !== COLON) return false
      at = this.space(at + 1)
      const end = this.fieldValue(field, at, to, record)
      if (end < 0) return false
      seen |= field
      at = this.space(end)
      if (bytes[at] === COMMA) continue
      if (bytes[at] !== 0x7d || this.space(at + 1) < to) return false
      return (seen & REQUIRED) === REQUIRED && at < to
    }
  }

  private space(at: number): number {
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

  private isKey(at: number, text: Uint8Array): boolean {
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
    const found = KEYS.find(one => one.text.length === end + 1 - at && this.isKey(at, one.text))
    const named = found ?? { text: this.bytes.slice(at, end + 1), field: 0 }
    if (place < REMEMBERED && named.text.length < REMEMBERED) this.order[place] = named
    return named
  }

  /** Reads the value at `at` into the record; where it ends, or `UNUSUAL`. */
  private fieldValue(field: number, at: number, to: number, record: LogRecord): number {
    switch (field) {
      case FIELD.address:
        return this.hex(at, record.raw.address, 0, 20)
      case FIELD.topics:
        return this.topics(at, record)
      case FIELD.data:
        return this.data(at, to, record)
      case FIELD.transactionHash:
        return this.hex(at, record.txHash, 0, 32)
      case FIELD.blockHash:
        record.hasBlockHash = true
        return this.hex(at, record.blockHash, 0, 32)
      case 0:
        return this.skip(at, to)
      case FIELD.removed:
        return this.removed(at, record)
      default:
        return this.number(field, at, record)
    }
  }

  private number(field: number, at: number, record: LogRecord): number {
    const end = this.integer(at)
    if (end < 0) return UNUSUAL
    const value = this.value
    if (field === FIELD.blockNumber) record.block = value
    else if (field === FIELD.blockTimestamp) record.time = value
    else if (field === FIELD.chainId) record.chainId = value
    else if (value > INDEX_LIMIT) return UNUSUAL
    else if (field === FIELD.logIndex) record.raw.logIndex = value
    else record.txIndex = value
    return end
  }

  /** `count` bytes of hex in quotes. */
  private hex(at: number, out: Uint8Array, outAt: number, count: number): number {
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

  private topics(at: number, record: LogRecord): number {
    const bytes = this.bytes
    const { raw } = record
    if (bytes[at] !== 0x5b) return UNUSUAL
    raw.topicCount = 0
    let next = this.space(at + 1)
    if (bytes[next] === 0x5d) return next + 1
    for (let count = 0; count < 4; count++) {
      const end = this.hex(next, raw.topics, count * 32, 32)
      if (end < 0) return UNUSUAL
      raw.topicCount = count + 1
      next = this.space(end)
      if (bytes[next] === 0x5d) return next + 1
      if (bytes[next] !== COMMA) return UNUSUAL
      next = this.space(next + 1)
    }
    return UNUSUAL
  }

  private data(at: number, to: number, record: LogRecord): number {
    const bytes = this.bytes
    const { raw } = record
    if (bytes[at] !== QUOTE || bytes[at + 1] !== ZERO || bytes[at + 2] !== LOWER_X) return UNUSUAL
    const room = Math.min((to - at) >> 1, MAX_LOG_DATA)
    if (raw.data.length < room) raw.data = new Uint8Array(MAX_LOG_DATA)
    const out = raw.data
    const { view } = this
    let from = at + 3
    let length = 0
    // the line ends with a brace or later: two bytes can be read wherever a digit stands
    for (; from < to - 1; from += 2, length++) {
      const value = PAIR[view.getUint16(from, true)] as number
      if (value > 0xff) break
      if (length === MAX_LOG_DATA) return UNUSUAL
      out[length] = value
    }
    raw.dataLength = length
    return bytes[from] === QUOTE && from < to ? from + 1 : UNUSUAL
  }

  /** A non-negative integer, as a JSON number or as a hex quantity in quotes; see `value`. */
  private integer(at: number): number {
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
      this.value = value
      return i + 1
    }
    for (let byte = bytes[i] as number; byte >= ZERO && byte <= NINE; byte = bytes[++i] as number) {
      value = value * 10 + byte - ZERO
    }
    const digits = i - at
    if (digits === 0 || digits > 15 || (bytes[at] === ZERO && digits > 1)) return UNUSUAL
    this.value = value
    return i
  }

  private removed(at: number, record: LogRecord): number {
    const end = this.literal(at)
    record.removed = this.bytes[at] === 0x74
    return this.bytes[at] === 0x6e ? UNUSUAL : end
  }

  /** Where `true`, `false` or `null` ends. */
  private literal(at: number): number {
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
