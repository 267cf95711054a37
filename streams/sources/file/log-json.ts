/**
 * Logs out of parsed JSON: a log by itself, a receipt or block with its logs, a block with its
 * receipts, or the whole answer of an RPC call. Slower than the scanner and the reference for it.
 */
import { Predicate } from "effect"
import { isYetToCome } from "../../../src/platform/wall-clock.ts"
import { MAX_LOG_DATA } from "../../evm/raw-log.ts"
import type { LogRecord } from "./log-record.ts"

type JsonObject = { readonly [name: string]: unknown }

/** A log with what its receipt or block tells for it. */
export interface JsonLog {
  readonly log: JsonObject
  /** the transaction, where a receipt or block tells it */
  readonly tx: JsonObject | null
}

const isObject = (value: unknown): value is JsonObject =>
  Predicate.isObject(value) && !Array.isArray(value)

const objects = (value: unknown): ReadonlyArray<JsonObject> =>
  Array.isArray(value) ? value.filter(isObject) : []

/** The fields a log inherits from what contains it, under the log's own names. */
const inherited = (parent: JsonObject): JsonObject => {
  const isBlock = parent["transactionHash"] === undefined
  const fields: { [name: string]: unknown } = {
    chainId: parent["chainId"],
    blockNumber: parent["blockNumber"] ?? (isBlock ? parent["number"] : undefined),
    blockTimestamp: parent["blockTimestamp"] ?? (isBlock ? parent["timestamp"] : undefined),
    blockHash: parent["blockHash"] ?? (isBlock ? parent["hash"] : undefined),
    transactionHash: parent["transactionHash"],
    transactionIndex: parent["transactionIndex"]
  }
  return withoutNulls(fields)
}

const withoutNulls = (fields: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  )

const merge = (parent: JsonObject, child: JsonObject): JsonObject => ({
  ...inherited(parent),
  ...withoutNulls(child)
})

const logsOfBlock = (block: JsonObject): ReadonlyArray<JsonLog> => {
  const byHash = new Map(objects(block["transactions"]).map(tx => [tx["hash"], tx]))
  const own = objects(block["logs"]).map(log => ({
    log: merge(block, log),
    tx: byHash.get(log["transactionHash"]) ?? null
  }))
  return [
    ...own,
    ...objects(block["receipts"]).flatMap(receipt =>
      logsOfReceipt(merge(block, receipt), byHash.get(receipt["transactionHash"]) ?? null)
    )
  ]
}

const logsOfReceipt = (receipt: JsonObject, tx: JsonObject | null): ReadonlyArray<JsonLog> =>
  objects(receipt["logs"]).map(log => ({
    log: merge(receipt, log),
    tx: receipt["from"] === undefined ? tx : receipt
  }))

/** The logs of one line's value, in its order; empty where it is nothing of the kind. */
export const logsIn = (value: unknown): ReadonlyArray<JsonLog> => {
  if (Array.isArray(value)) return value.flatMap(logsIn)
  if (!isObject(value)) return []
  if (value["result"] !== undefined) return logsIn(value["result"])
  if (Array.isArray(value["receipts"])) return logsOfBlock(value)
  if (Array.isArray(value["logs"])) {
    return value["transactionHash"] === undefined ? logsOfBlock(value) : logsOfReceipt(value, null)
  }
  return [{ log: value, tx: null }]
}

/** A non-negative integer as a number or hex quantity; null where it is neither. */
export const quantity = (value: unknown): number | null => {
  const number =
    typeof value === "string" && /^0x[0-9a-f]{1,16}$/i.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : null
}

/** Writes `0x` hex of exactly `width` bytes; false where it is anything else. */
const hexInto = (value: unknown, out: Uint8Array, at: number, width: number): boolean => {
  if (typeof value !== "string" || value.length !== 2 + 2 * width) return false
  if (!/^0x[0-9a-f]*$/i.test(value)) return false
  for (let i = 0; i < width; i++) out[at + i] = Number.parseInt(value.substr(2 + i * 2, 2), 16)
  return true
}

const readTopics = (value: unknown, record: LogRecord): boolean => {
  if (!Array.isArray(value) || value.length > 4) return false
  record.raw.topicCount = value.length
  return value.every((topic, index) => hexInto(topic, record.raw.topics, index * 32, 32))
}

/** Data beyond `MAX_LOG_DATA` is cut: no event is that long, so that decoding refuses it. */
const readData = (value: unknown, record: LogRecord): boolean => {
  if (typeof value !== "string" || value.length % 2 !== 0) return false
  if (!/^0x[0-9a-f]*$/i.test(value)) return false
  const { raw } = record
  const length = Math.min((value.length - 2) >> 1, MAX_LOG_DATA)
  if (raw.data.length < length) raw.data = new Uint8Array(MAX_LOG_DATA)
  raw.dataLength = length
  return hexInto(value.slice(0, 2 + 2 * length), raw.data, 0, length)
}

const INDEX_LIMIT = 0xfffffffe

const isIndex = (value: number | null): value is number => value !== null && value <= INDEX_LIMIT

/** Before the first block of any chain that is read, Ethereum's of July 2015. */
const FIRST_TIME = 1_438_000_000

/** What is wrong with a time; null where nothing is. */
export const timeProblem = (time: number): string | null => {
  if (!isYetToCome(time)) return null
  const inSeconds = Math.floor(time / 1000)
  return inSeconds >= FIRST_TIME && !isYetToCome(inSeconds)
    ? `${time} is in milliseconds: times are Unix seconds, ${inSeconds} here`
    : `${time} is yet to come by this machine's clock: times are Unix seconds`
}

/** An optional field: -1 where absent or null, null where malformed. */
const optional = (value: unknown): number | null =>
  value === undefined || value === null ? -1 : quantity(value)

/** Fills `record`; null, or why this is not a log. */
export const readLog = ({ log, tx }: JsonLog, record: LogRecord): string | null => {
  if (!hexInto(log["address"], record.raw.address, 0, 20)) return "no 20-byte address"
  if (!readTopics(log["topics"], record)) return "topics are not up to four 32-byte words"
  if (!readData(log["data"], record)) return "data is not hex"
  if (!hexInto(log["transactionHash"], record.txHash, 0, 32)) return "no 32-byte transactionHash"
  const block = quantity(log["blockNumber"])
  if (block === null) return "no blockNumber"
  const txIndex = quantity(log["transactionIndex"])
  if (!isIndex(txIndex)) return "no transactionIndex"
  const logIndex = quantity(log["logIndex"])
  if (!isIndex(logIndex)) return "no logIndex"
  const time = optional(log["blockTimestamp"])
  if (time === null) return "blockTimestamp is not a number of seconds"
  const late = timeProblem(time)
  if (late !== null) return `blockTimestamp ${late}`
  const chainId = optional(log["chainId"])
  if (chainId === null) return "chainId is not a number"
  const hash = log["blockHash"] ?? null
  record.hasBlockHash = hash !== null
  if (hash !== null && !hexInto(hash, record.blockHash, 0, 32)) return "blockHash is not 32 bytes"
  record.removed = log["removed"] === true
  record.block = block
  record.txIndex = txIndex
  record.raw.logIndex = logIndex
  record.time = time
  record.chainId = chainId
  record.hasFrom = tx !== null && hexInto(tx["from"], record.from, 0, 20)
  record.hasTo = tx !== null && hexInto(tx["to"], record.to, 0, 20)
  return null
}
