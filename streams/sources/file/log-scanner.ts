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

const key = (text: string): Uint8Array => Uint8Array.from(text, char => char.charCodeAt(0))

const ADDRESS = key("address")
const TOPICS = key("topics")
const DATA = key("data")
const BLOCK_NUMBER = key("blockNumber")
const BLOCK_TIMESTAMP = key("blockTimestamp")
const BLOCK_HASH = key("blockHash")
const TRANSACTION_HASH = key("transactionHash")
const TRANSACTION_INDEX = key("transactionIndex")
const LOG_INDEX = key("logIndex")
const CHAIN_ID = key("chainId")
const REMOVED = key("removed")

/** Bits of the fields that a log cannot do without. */
const REQUIRED = 0b111_1111
const HAS = {
  address: 1,
  topics: 2,
  data: 4,
  blockNumber: 8,
  transactionHash: 16,
  transactionIndex: 32,
  logIndex: 64
} as const

/** The answer of a value that is not of the plain shape. */
const UNUSUAL = -1

/** Above every logIndex and transactionIndex that a column can hold. */
const INDEX_LIMIT = 0xfffffffe

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d

export class LogScanner {
  private bytes: Uint8Array = new Uint8Array(0)
  /** the integer that `integer` read */
  private value = 0

  /** Fills `record` from the line `bytes[from..to)`; false where the line is not plain. */
  scan(bytes: Uint8Array, from: number, to: number, record: LogRecord): boolean {
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
    for (;;) {
      at = this.space(at + 1)
      if (bytes[at] !== QUOTE) return false
      const keyStart = at + 1
      const keyEnd = this.plainString(keyStart, to)
      if (keyEnd < 0) return false
      at = this.space(keyEnd + 1)
      if (bytes[at] !== COLON) return false
      at = this.space(at + 1)
      const field = this.field(keyStart, keyEnd)
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

  /** The field named by the key: a bit of `HAS`, another power of two, or 0 for an unknown one. */
  private field(at: number, end: number): number {
    switch (end - at) {
      case 4:
        return this.isKey(at, DATA) ? HAS.data : 0
      case 6:
        return this.isKey(at, TOPICS) ? HAS.topics : 0
      case 7:
        if (this.isKey(at, ADDRESS)) return HAS.address
        if (this.isKey(at, CHAIN_ID)) return 128
        return this.isKey(at, REMOVED) ? 256 : 0
      case 8:
        return this.isKey(at, LOG_INDEX) ? HAS.logIndex : 0
      case 9:
        return this.isKey(at, BLOCK_HASH) ? 512 : 0
      case 11:
        return this.isKey(at, BLOCK_NUMBER) ? HAS.blockNumber : 0
      case 14:
        return this.isKey(at, BLOCK_TIMESTAMP) ? 1024 : 0
      case 15:
        return this.isKey(at, TRANSACTION_HASH) ? HAS.transactionHash : 0
      case 16:
        return this.isKey(at, TRANSACTION_INDEX) ? HAS.transactionIndex : 0
      default:
        return 0
    }
  }

  /** Reads the value at `at` into the record; where it ends, or `UNUSUAL`. */
  private fieldValue(field: number, at: number, to: number, record: LogRecord): number {
    switch (field) {
      case HAS.address:
        return this.hex(at, record.raw.address, 0, 20)
      case HAS.topics:
        return this.topics(at, record)
      case HAS.data:
        return this.data(at, to, record)
      case HAS.transactionHash:
        return this.hex(at, record.txHash, 0, 32)
      case 512:
        record.hasBlockHash = true
        return this.hex(at, record.blockHash, 0, 32)
      case 0:
        return this.skip(at, to)
      case 256:
        return this.removed(at, record)
      default:
        return this.number(field, at, record)
    }
  }

  private number(field: number, at: number, record: LogRecord): number {
    const end = this.integer(at)
    if (end < 0) return UNUSUAL
    const value = this.value
    if (field === HAS.blockNumber) record.block = value
    else if (field === 1024) record.time = value
    else if (field === 128) record.chainId = value
    else if (value > INDEX_LIMIT) return UNUSUAL
    else if (field === HAS.logIndex) record.raw.logIndex = value
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
    let bad = 0
    for (let i = outAt; from < end; from += 2, i++) {
      const high = HEX[bytes[from] as number] as number
      const low = HEX[bytes[from + 1] as number] as number
      bad |= high | low
      out[i] = (high << 4) | low
    }
    return bad > 15 ? UNUSUAL : end + 1
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
    let from = at + 3
    let length = 0
    for (;;) {
      const high = HEX[bytes[from] as number] as number
      if (high > 15) break
      const low = HEX[bytes[from + 1] as number] as number
      if (low > 15 || length === MAX_LOG_DATA) return UNUSUAL
      out[length++] = (high << 4) | low
      from += 2
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
