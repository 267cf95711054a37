/** One log of a file: its bytes, its place and what the line tells of its block. */
import { newRawLog, type RawLog } from "../../evm/raw-log.ts"

export interface LogRecord {
  readonly raw: RawLog
  /** -1 where the line has none */
  chainId: number
  block: number
  /** Unix seconds, -1 where the line has none */
  time: number
  hasBlockHash: boolean
  readonly blockHash: Uint8Array
  readonly txHash: Uint8Array
  txIndex: number
  /** the transaction's sender and target, where a receipt or block told them */
  hasFrom: boolean
  readonly from: Uint8Array
  hasTo: boolean
  readonly to: Uint8Array
  /** the node said that a reorg took this log away */
  removed: boolean
}

export const newLogRecord = (): LogRecord => ({
  raw: newRawLog(),
  chainId: -1,
  block: 0,
  time: -1,
  hasBlockHash: false,
  blockHash: new Uint8Array(32),
  txHash: new Uint8Array(32),
  txIndex: 0,
  hasFrom: false,
  from: new Uint8Array(20),
  hasTo: false,
  to: new Uint8Array(20),
  removed: false
})

const equalBytes = (a: Uint8Array, b: Uint8Array, length: number): boolean => {
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Whether two records of one place tell the same log: address, topics, data and transaction. */
export const sameLog = (a: LogRecord, b: LogRecord): boolean =>
  a.raw.topicCount === b.raw.topicCount &&
  a.raw.dataLength === b.raw.dataLength &&
  a.txIndex === b.txIndex &&
  equalBytes(a.raw.address, b.raw.address, 20) &&
  equalBytes(a.raw.topics, b.raw.topics, a.raw.topicCount * 32) &&
  equalBytes(a.raw.data, b.raw.data, a.raw.dataLength) &&
  equalBytes(a.txHash, b.txHash, 32)

/** Log order: by block, then by position in the block; negative where `a` comes first. */
export const compareRecords = (a: LogRecord, b: LogRecord): number =>
  a.block !== b.block ? a.block - b.block : a.raw.logIndex - b.raw.logIndex
