/**
 * Writes the merged logs of files to the tape, with times and transactions from side files, and
 * without what the log already holds.
 */

import type { LogDecoder } from "../../evm/log-decoder.ts"
import type { LogTapeWriter } from "../../evm/log-tape-writer.ts"
import { type LogTail, SourceError } from "../../source.ts"
import type { BlockFacts } from "./block-facts.ts"
import type { LogCursor } from "./log-cursor.ts"
import { type LogRecord, newLogRecord } from "./log-record.ts"
import type { TxFacts } from "./tx-facts.ts"

export interface FileTapeParts {
  /** the writer's own */
  readonly decoder: LogDecoder
  readonly writer: LogTapeWriter
  readonly tail: LogTail
  readonly blocks: BlockFacts
  readonly txs: TxFacts
  /** whether logs whose block has no time are refused one by one, not all with the first */
  readonly skipUntimed: boolean
}

const fatal = (cursor: LogCursor, message: string): SourceError =>
  new SourceError({ message: `${cursor.file}:${cursor.line}: ${message}`, fatal: true })

const sameHash = (a: Uint8Array, b: Uint8Array): boolean => {
  for (let i = 0; i < 32; i++) if (a[i] !== b[i]) return false
  return true
}

export class FileTape {
  private readonly decoder: LogDecoder
  private readonly writer: LogTapeWriter
  private readonly blocks: BlockFacts
  private readonly txs: TxFacts
  private readonly skipUntimed: boolean
  private readonly overlap: Overlap
  /** last block of the log: what the files hold up to it was written by an earlier run */
  private readonly resumeAfter: number
  private block = -1
  private time = -1
  /** the block's hash; null while none was told */
  private hash: Uint8Array | null = null
  private txIndex = -1
  private readonly txHash = newLogRecord().txHash

  constructor(parts: FileTapeParts) {
    this.decoder = parts.decoder
    this.writer = parts.writer
    this.blocks = parts.blocks
    this.txs = parts.txs
    this.skipUntimed = parts.skipUntimed
    this.resumeAfter = parts.tail.blocks[parts.tail.blocks.length - 1]?.number ?? -1
    this.overlap = new Overlap(parts.tail)
  }

  /** Writes the log a cursor stands on; why it cannot be, else null. */
  log(cursor: LogCursor): SourceError | null {
    const { record } = cursor
    // Also of a log that nobody watches: which those are changes from version to version.
    if (record.time < 0 && !this.blocks.has(record.block)) {
      return this.untimed(cursor)
    }
    if (!this.decoder.watches(record.raw)) return null
    if (record.block <= this.resumeAfter) {
      this.overlap.saw(record)
      return null
    }
    const { writer } = this
    if (record.block !== this.block) {
      const problem = this.beginBlock(cursor)
      if (problem !== null) return problem
    } else if (record.time >= 0 && record.time !== this.time) {
      return fatal(cursor, `block ${record.block} has another time than in the lines before`)
    } else if (
      record.hasBlockHash &&
      this.hash !== null &&
      !sameHash(record.blockHash, this.hash)
    ) {
      return fatal(cursor, `block ${record.block} has another hash than in the lines before`)
    }
    if (record.txIndex !== this.txIndex) this.beginTx(record)
    else if (!sameHash(record.txHash, this.txHash)) {
      return fatal(cursor, `two hashes for transaction ${record.txIndex} of block ${record.block}`)
    }
    writer.watchedLog(record.raw)
    return writer.problem === null ? null : fatal(cursor, writer.problem.message)
  }

  private untimed(cursor: LogCursor): SourceError | null {
    const reason = `block ${cursor.record.block} has no timestamp`
    if (!this.skipUntimed) {
      const help = "give a file of block times with --blocks, or --skip-untimed to go without"
      return fatal(cursor, `${reason}: ${help}`)
    }
    cursor.refuse(reason)
    return null
  }

  /** Ends the last block; what an earlier run left unlike these files is an error. */
  finish(): SourceError | null {
    const problem = this.overlap.problem()
    if (problem !== null) return problem
    this.endBlock()
    this.writer.flush()
    return null
  }

  private endBlock(): void {
    if (this.block >= 0) this.writer.endBlock("file", false)
    this.block = -1
  }

  private beginBlock(cursor: LogCursor): SourceError | null {
    const { record } = cursor
    const fact = this.blocks.get(record.block)
    const time = record.time >= 0 ? record.time : (fact?.time ?? record.time)
    if (fact !== undefined && fact.time !== time) {
      return fatal(cursor, `block ${record.block} has another time in the file of block times`)
    }
    const told = fact?.hash ?? null
    if (record.hasBlockHash && told !== null && !sameHash(record.blockHash, told)) {
      return fatal(cursor, `block ${record.block} has another hash in the file of block times`)
    }
    const problem = this.overlap.problem()
    if (problem !== null) return problem
    this.endBlock()
    this.block = record.block
    this.time = time
    this.txIndex = -1
    this.hash = record.hasBlockHash ? record.blockHash.slice() : told
    this.writer.beginBlock(record.block, time, this.hash, fact?.parentHash ?? null)
    return null
  }

  private beginTx(record: LogRecord): void {
    this.txIndex = record.txIndex
    this.txHash.set(record.txHash)
    const place = record.hasFrom ? -1 : this.txs.find(record.txHash)
    const known = place >= 0
    const from = record.hasFrom ? record.from : known ? this.txs.from(place) : null
    const to = record.hasTo ? record.to : known ? this.txs.to(place) : null
    this.writer.beginTx(record.txHash, record.txIndex, from, to)
  }
}

/**
 * The blocks that both the log and the files hold. A run that was stopped is continued by giving
 * the same files again: then the log's newest blocks are exactly the files' blocks with events.
 * Other files would be passed over without a word, so they are refused.
 */
class Overlap {
  private readonly expected: ReadonlySet<number>
  private readonly from: number
  private readonly to: number
  private readonly seen = new Set<number>()
  private checked = false
  private any = false

  constructor(tail: LogTail) {
    const numbers = tail.blocks.map(block => block.number)
    this.expected = new Set(numbers)
    this.from = numbers[0] ?? 0
    this.to = numbers[numbers.length - 1] ?? -1
  }

  saw(record: LogRecord): void {
    this.any = true
    if (record.block >= this.from) this.seen.add(record.block)
  }

  /** Called once the files are past the log's end: whether they hold what the log holds. */
  problem(): SourceError | null {
    if (this.checked || !this.any) return null
    this.checked = true
    const odd =
      [...this.expected].find(block => !this.seen.has(block)) ??
      [...this.seen].find(block => !this.expected.has(block))
    if (odd === undefined) return null
    return new SourceError({
      message: `the log holds blocks up to ${this.to} from other input (block ${odd} differs): give all files at once, or another data folder`,
      fatal: true
    })
  }
}
