/**
 * Reads a log's line without making an object of it. Where it answers false the line goes through
 * `JSON.parse`; a property test holds both ways equal.
 */
import { isYetToCome } from "../../../src/platform/wall-clock.ts"
import { MAX_LOG_DATA } from "../../evm/raw-log.ts"
import type { LogRecord } from "./log-record.ts"
import { newLogRecord } from "./log-record.ts"
import { keysOf, PAIR, PlainLine, UNUSUAL } from "./plain-line.ts"

const QUOTE = 0x22
const COMMA = 0x2c
const ZERO = 0x30
const LOWER_X = 0x78

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

/** Above every logIndex and transactionIndex that a column can hold. */
const INDEX_LIMIT = 0xfffffffe

export class LogScanner extends PlainLine {
  private record: LogRecord = newLogRecord()
  /** the latest time that the clock has let pass */
  private latest = 0

  constructor() {
    super(keysOf(FIELD))
  }

  /** Fills `record` from the line `bytes[from..to)`; false where the line is not plain. */
  scan(bytes: Uint8Array, from: number, to: number, record: LogRecord): boolean {
    this.record = record
    record.chainId = -1
    record.time = -1
    record.hasBlockHash = false
    record.hasFrom = false
    record.hasTo = false
    record.removed = false
    const seen = this.fields(bytes, from, to)
    return seen >= 0 && (seen & REQUIRED) === REQUIRED
  }

  protected value(field: number, at: number, to: number): number {
    const { record } = this
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
      case FIELD.removed:
        return this.removed(at, record)
      default:
        return this.numbered(field, at, record)
    }
  }

  private numbered(field: number, at: number, record: LogRecord): number {
    const end = this.integer(at)
    if (end < 0) return UNUSUAL
    const value = this.number
    if (field === FIELD.blockNumber) record.block = value
    else if (field === FIELD.blockTimestamp) return this.timed(value, end, record)
    else if (field === FIELD.chainId) record.chainId = value
    else if (value > INDEX_LIMIT) return UNUSUAL
    else if (field === FIELD.logIndex) record.raw.logIndex = value
    else record.txIndex = value
    return end
  }

  private timed(time: number, end: number, record: LogRecord): number {
    if (time > this.latest && isYetToCome(time)) return UNUSUAL
    if (time > this.latest) this.latest = time
    record.time = time
    return end
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

  private removed(at: number, record: LogRecord): number {
    const end = this.literal(at)
    record.removed = this.bytes[at] === 0x74
    return this.bytes[at] === 0x6e ? UNUSUAL : end
  }
}
