/**
 * JSON-RPC answers as typed values. Every reader checks all it reads and answers null for what is
 * malformed, so that a node's nonsense becomes a retry on another one and never a wrong event.
 */
import { Predicate } from "effect"
import { fromHex } from "../../../src/domain/address.ts"
import { isYetToCome } from "../../../src/platform/wall-clock.ts"
import { isSealed } from "./header-hash.ts"
import { holdsTransactions, senderOf } from "./transactions-root.ts"

type Json = { readonly [name: PropertyKey]: unknown }

export interface WireTx {
  readonly hash: string
  readonly index: number
  readonly from: string
  readonly to: string | null
  /** its block commits to its hash and to who sent it; absent where they are a node's word */
  readonly isProven?: boolean
}

export interface Header {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** Unix seconds */
  readonly time: number
  /** 256 bytes; null where the node tells none */
  readonly bloom: Uint8Array | null
  readonly receiptsRoot: string | null
  /** whether its fields give its hash; null where the node leaves some out */
  readonly sealed: boolean | null
  /** hashes in order; null in a pushed head */
  readonly txHashes: ReadonlyArray<string> | null
  /** null where only hashes were asked for */
  readonly txs: ReadonlyArray<WireTx> | null
  /** transactions as the node told them, where they were shown to be the block's; else null */
  readonly body: ReadonlyArray<Json> | null
}

export interface WireLog {
  readonly address: string
  readonly topics: ReadonlyArray<string>
  readonly data: string
  readonly block: number
  readonly blockHash: string
  readonly txHash: string
  readonly txIndex: number
  readonly index: number
}

/** What of a receipt the block's receipts root commits to, besides the logs. */
export interface ConsensusReceipt {
  readonly type: number
  /** hex quantity; unused where there is a `root`, as before Byzantium */
  readonly status: string
  readonly root: string | null
  readonly cumulativeGasUsed: string
  readonly bloom: string
  /** nonce and version of an OP stack deposit */
  readonly deposit: readonly [string, string] | null
}

export interface Receipt {
  readonly tx: WireTx
  readonly blockHash: string
  readonly logs: ReadonlyArray<WireLog>
  /** null where the node leaves some of it out */
  readonly consensus: ConsensusReceipt | null
}

const HASH = /^0x[0-9a-fA-F]{64}$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const BLOOM = /^0x[0-9a-fA-F]{512}$/
/** Without a group: repeating one takes stack, and data of megabytes all of it. */
const DATA = /^0x[0-9a-fA-F]*$/
const QUANTITY = /^0x[0-9a-fA-F]{1,16}$/

const matching = (value: unknown, pattern: RegExp): string | null =>
  Predicate.isString(value) && pattern.test(value) ? value.toLowerCase() : null

/** A hex quantity up to 2^53. */
export const readQuantity = (value: unknown): number | null => {
  if (!Predicate.isString(value) || !QUANTITY.test(value)) return null
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : null
}

/** A block's time, Unix seconds; null where it is yet to come. */
const readTime = (value: unknown): number | null => {
  const time = readQuantity(value)
  return time === null || isYetToCome(time) ? null : time
}

/** All of a list, or null where one of it is null. */
const readAll = <A>(value: unknown, read: (item: unknown) => A | null): Array<A> | null => {
  if (!Array.isArray(value)) return null
  const out: Array<A> = []
  for (const item of value) {
    const read1 = read(item)
    if (read1 === null) return null
    out.push(read1)
  }
  return out
}

const readTx = (value: unknown): WireTx | null => {
  if (!Predicate.isObject(value)) return null
  const fields: Json = value
  const hash = matching(fields["hash"] ?? fields["transactionHash"], HASH)
  const index = readQuantity(fields["transactionIndex"])
  const from = matching(fields["from"], ADDRESS)
  const to = fields["to"] ?? null
  const toAddress = to === null ? null : matching(to, ADDRESS)
  if (hash === null || index === null || from === null) return null
  return to !== null && toAddress === null ? null : { hash, index, from, to: toAddress }
}

const hashOrTx = (item: unknown): string | null =>
  matching(Predicate.isObject(item) ? (item as Json)["hash"] : item, HASH)

/** A block's header with the hashes of its transactions, and these themselves where it has them. */
export const readHeader = (value: unknown): Header | null => {
  if (!Predicate.isObject(value)) return null
  const fields: Json = value
  const number = readQuantity(fields["number"])
  const hash = matching(fields["hash"], HASH)
  const parentHash = matching(fields["parentHash"], HASH)
  const time = readTime(fields["timestamp"])
  const bloom = matching(fields["logsBloom"], BLOOM)
  if (number === null || hash === null || parentHash === null || time === null) return null
  const list = fields["transactions"] ?? null
  const txHashes = list === null ? null : readAll(list, hashOrTx)
  if (list !== null && txHashes === null) return null
  const isFull = Array.isArray(list) && list.length > 0 && Predicate.isObject(list[0])
  const txs = isFull ? readAll(list, readTx) : null
  if (isFull && txs === null) return null
  const sealed = isSealed(fields)
  const isShown = isFull && sealed === true && holdsTransactions(fields) === true
  return {
    number,
    hash,
    parentHash,
    time,
    bloom: bloom === null ? null : fromHex(bloom),
    receiptsRoot: matching(fields["receiptsRoot"], HASH),
    sealed,
    txHashes,
    txs: txs ?? (txHashes?.length === 0 ? [] : null),
    body: isShown ? (list as ReadonlyArray<Json>) : null
  }
}

/**
 * Transactions at these places as the block commits to them: of those that are in a full block that
 * holds them, and whose sender they tell themselves. Each sender takes about a millisecond, so that
 * no more than `most` are found out.
 */
export const provenTxs = (
  { body, txs }: Header,
  places: ReadonlySet<number>,
  most = Number.POSITIVE_INFINITY
): ReadonlyMap<number, WireTx> => {
  const proven = new Map<number, WireTx>()
  for (const place of places) {
    const [tx, told] = [body?.[place], txs?.[place]]
    if (tx === undefined || told === undefined || proven.size >= most) continue
    const from = senderOf(tx)
    if (from !== null) proven.set(place, { ...told, from, isProven: true })
  }
  return proven
}

/** A log of a sealed block; null for pending and removed ones. */
export const readLog = (value: unknown): WireLog | null => {
  if (!Predicate.isObject(value)) return null
  const fields: Json = value
  const address = matching(fields["address"], ADDRESS)
  const topics = readAll(fields["topics"], topic => matching(topic, HASH))
  const data = matching(fields["data"], DATA)
  const block = readQuantity(fields["blockNumber"])
  const blockHash = matching(fields["blockHash"], HASH)
  const txHash = matching(fields["transactionHash"], HASH)
  const txIndex = readQuantity(fields["transactionIndex"])
  const index = readQuantity(fields["logIndex"])
  if (address === null || topics === null || topics.length > 4) return null
  if (data === null || data.length % 2 !== 0) return null
  if (block === null || blockHash === null || txHash === null) return null
  if (txIndex === null || index === null || fields["removed"] === true) return null
  return { address, topics, data, block, blockHash, txHash, txIndex, index }
}

export const readLogs = (value: unknown): ReadonlyArray<WireLog> | null => readAll(value, readLog)

const readConsensus = (fields: Json): ConsensusReceipt | null => {
  const type = fields["type"] === undefined ? 0 : readQuantity(fields["type"])
  const root = matching(fields["root"], HASH)
  const status = matching(fields["status"], QUANTITY)
  const cumulativeGasUsed = matching(fields["cumulativeGasUsed"], QUANTITY)
  const bloom = matching(fields["logsBloom"], BLOOM)
  const nonce = matching(fields["depositNonce"], QUANTITY)
  const version = matching(fields["depositReceiptVersion"], QUANTITY)
  if (type === null || type > 0x7f || cumulativeGasUsed === null || bloom === null) return null
  if (status === null && root === null) return null
  const deposit = nonce === null || version === null ? null : ([nonce, version] as const)
  return { type, status: status ?? "0x0", root, cumulativeGasUsed, bloom, deposit }
}

const readReceipt = (value: unknown): Receipt | null => {
  if (!Predicate.isObject(value)) return null
  const fields: Json = value
  const tx = readTx(value)
  const blockHash = matching(fields["blockHash"], HASH)
  const logs = readLogs(fields["logs"])
  if (tx === null || blockHash === null || logs === null) return null
  return { tx, blockHash, logs, consensus: readConsensus(fields) }
}

export const readReceipts = (value: unknown): ReadonlyArray<Receipt> | null =>
  readAll(value, readReceipt)

/** One receipt of a transaction; "none" where the node has none, as of one that a reorg undid. */
export const readOneReceipt = (value: unknown): Receipt | "none" | null =>
  value === null ? "none" : readReceipt(value)

/** Whether two endpoints' logs are one. */
const sameWireLog = (a: WireLog, b: WireLog): boolean =>
  a.address === b.address &&
  a.data === b.data &&
  a.txHash === b.txHash &&
  a.txIndex === b.txIndex &&
  a.blockHash === b.blockHash &&
  a.topics.length === b.topics.length &&
  a.topics.every((topic, i) => topic === b.topics[i])

export const sameLogs = (a: ReadonlyArray<WireLog>, b: ReadonlyArray<WireLog>): boolean =>
  a.length === b.length &&
  a.every((log, i) => log.index === b[i]?.index && sameWireLog(log, b[i] as WireLog))

/**
 * Logs in order of block and index, each once. Null where two different logs claim one place or
 * a later log belongs to an earlier transaction: then the whole answer is worth nothing.
 */
export const inOrder = (logs: ReadonlyArray<WireLog>): ReadonlyArray<WireLog> | null => {
  const sorted = [...logs].sort((a, b) => a.block - b.block || a.index - b.index)
  const out: Array<WireLog> = []
  for (const log of sorted) {
    const last = out[out.length - 1]
    if (last === undefined || last.block !== log.block) out.push(log)
    else if (last.index === log.index) {
      if (!sameWireLog(last, log)) return null
    } else if (log.txIndex < last.txIndex || log.blockHash !== last.blockHash) return null
    else out.push(log)
  }
  return out
}

/** All that two tell; where they contradict each other, what the one tells that has more. */
export const joined = (
  a: ReadonlyArray<WireLog>,
  b: ReadonlyArray<WireLog>
): ReadonlyArray<WireLog> => inOrder([...a, ...b]) ?? (b.length > a.length ? b : a)
