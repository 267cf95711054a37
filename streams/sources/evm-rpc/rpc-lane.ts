/** What the parts of an RPC source share while it runs. */
import { Clock, Effect, Queue } from "effect"
import { fromHex } from "../../../src/domain/address.ts"
import { assuranceOf, UNSEALED_GRADE } from "../../../src/domain/assurance.ts"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import type { EventBatch } from "../../batch/batch.ts"
import type { LogTapeWriter } from "../../evm/log-tape-writer.ts"
import type { PinnedTokens } from "../../evm/pinned-tokens.ts"
import { MAX_LOG_DATA, newRawLog, type RawLog } from "../../evm/raw-log.ts"
import type { FactBook } from "../../facts.ts"
import { type LogTail, SourceError } from "../../source.ts"
import type { StatusBoard } from "../../status-board.ts"
import type { BlockHead } from "../../tape-order.ts"
import { type BlockLogs, readHeaderOrNone } from "./block-logs.ts"
import { hexNumber } from "./block-number.ts"
import type { WireBlock } from "./block-proof.ts"
import type { Endpoints } from "./endpoints.ts"
import { type RecentBlocks, sealedBlockOf } from "./recent-blocks.ts"
import type { Watch } from "./watch.ts"
import { type Header, readHeader, type WireLog, type WireTx } from "./wire.ts"

/** What may go wrong in a part of the source: an error that retrying cannot help. */
export type LaneError = RpcError | SourceError

/** Tokens whose supply is to be read again. */
export interface Supplies {
  /** of all parts of a source */
  readonly noted: Set<string>
  /** this part reads them */
  readonly isLive: boolean
}

export interface RpcLane {
  readonly chain: ChainConfig
  readonly endpoints: Endpoints
  readonly blockLogs: BlockLogs
  /** what is asked for: may be more than what is written */
  readonly watch: Watch
  /** tokens whose transfers are written */
  readonly pins: PinnedTokens
  /** tokens that somebody wants pinned, since the start or now */
  readonly asked: PinnedTokens
  readonly supplies: Supplies
  /** all logs of ranges that one node alone tells are proven by receipts, where it has them; else
   *  some are */
  readonly provesWords: boolean
  readonly writer: LogTapeWriter
  readonly facts: FactBook
  readonly recent: RecentBlocks
  /** blocks of the log behind those; null where none can be had */
  readonly older: NonNullable<LogTail["older"]> | null
  /** the newest head behind those that was found to be of the log's own branch; null before one */
  agreedBehind: number | null
  readonly status: StatusBoard
  readonly out: Queue.Enqueue<EventBatch>
  /** emitters that do not tell what they are: they are asked once */
  readonly silent: Set<string>
  /** so many pools, tokens and silent emitters are remembered, the newest */
  readonly mostFacts: number
}

/** The header of a block, null where the node has none of that number. */
export const fetchHeader = (
  endpoints: Endpoints,
  number: number
): Effect.Effect<Header | null, LaneError> => {
  const call = { method: "eth_getBlockByNumber", params: [hexNumber(number), false] }
  return endpoints.request(call, readHeaderOrNone).pipe(
    Effect.map(header => (header === "none" ? null : header)),
    // Some nodes answer null for a block they do not have, others an error.
    Effect.catchIf(isNoState, () => Effect.succeed(null))
  )
}

/** The newest header; asked for until a node tells one. */
export const fetchHead = (endpoints: Endpoints): Effect.Effect<Header, LaneError> =>
  endpoints.request({ method: "eth_getBlockByNumber", params: ["latest", false] }, readHeader, {
    isHead: true
  })

/** Whether the node said that it does not have the block. */
export const isNoState = (error: LaneError): boolean =>
  error._tag === "RpcError" && error.kind === "no-state"

/** Whether an endpoint told none of a block's transactions, which it had once. */
export const isForgotten = (error: LaneError): boolean =>
  error._tag === "RpcError" && error.kind === "forgotten"

export const headOf = (header: Header): BlockHead => ({
  number: header.number,
  time: header.time,
  hash: fromHex(header.hash),
  parentHash: fromHex(header.parentHash)
})

/** A log's text as bytes, in `raw` or a larger one; data beyond `MAX_LOG_DATA` is cut. */
export const fillRawLog = (log: WireLog, raw: RawLog): RawLog => {
  raw.address.set(fromHex(log.address))
  raw.topicCount = log.topics.length
  log.topics.forEach((topic, i) => {
    raw.topics.set(fromHex(topic), i * 32)
  })
  const data = fromHex(log.data.slice(0, 2 + 2 * MAX_LOG_DATA))
  if (data.length > raw.data.length) raw.data = new Uint8Array(data.length)
  raw.data.set(data)
  raw.dataLength = data.length
  raw.logIndex = log.index
  return raw
}

const shared = newRawLog()

/**
 * How a block is known: a proof by its header is worth what the header is, and where that does not
 * give the block's hash it is a node's word, its time with it.
 */
const gradeOf = ({ header, grade, gap }: WireBlock): string =>
  header.sealed === true || gap !== null || assuranceOf(grade) === "word" ? grade : UNSEALED_GRADE

/**
 * Writes a block with its logs. Its parent has been checked. Where it is a gap, it is one from
 * `gapFrom` on.
 */
export const writeBlock = (
  lane: RpcLane,
  block: WireBlock,
  sealEmpty: boolean,
  gapFrom = block.header.number
): void => {
  const { writer } = lane
  const { header } = block
  const head = headOf(header)
  writer.beginBlock(head.number, head.time, head.hash, head.parentHash)
  let txIndex = -1
  for (const log of block.logs) {
    if (log.txIndex !== txIndex) {
      txIndex = log.txIndex
      const tx = block.txs.get(txIndex) as WireTx
      const to = tx.to === null ? null : fromHex(tx.to)
      writer.beginTx(fromHex(tx.hash), txIndex, fromHex(tx.from), to)
      lane.status.wroteSender(tx.isProven === true)
    }
    writer.log(fillRawLog(log, shared))
  }
  if (block.gap !== null) writer.gap(gapFrom, header.number, block.gap)
  const grade = gradeOf(block)
  writer.endBlock(grade, sealEmpty)
  lane.status.wrote(grade)
  if (sealEmpty || block.logs.length > 0) {
    lane.recent.push(sealedBlockOf(header))
  }
}

/** Hands finished batches on; waits while the engine is busy with earlier ones. */
export const emitReady = (lane: RpcLane): Effect.Effect<void, SourceError> =>
  Effect.gen(function* () {
    const { writer, status } = lane
    if (writer.problem !== null) {
      // Endpoints that contradict each other: the log's end is the place to begin again.
      return yield* new SourceError({ message: writer.problem.message, fatal: false })
    }
    for (let batch = writer.take(); batch !== null; batch = writer.take()) {
      yield* Queue.offer(lane.out, batch)
      const last = batch.blocks.number.get(batch.blocks.count - 1)
      status.emitted(last, writer.logs, writer.quarantined)
      status.reached(last, yield* Clock.currentTimeMillis)
    }
  })

/** Ends the open batch and hands it on. */
export const emitAll = (lane: RpcLane): Effect.Effect<void, SourceError> =>
  Effect.suspend(() => {
    lane.writer.flush()
    return emitReady(lane)
  })
