/** Takes raw logs of an EVM chain to the tape: which are written, and what stands before. */

import { hexIds, idBytes } from "../../src/domain/ids.ts"
import type { BatchBuilder } from "../batch/builder.ts"
import { pushQuarantined, type Unread } from "../tape-events.ts"
import { TapeWriter, type TapeWriterOptions } from "../tape-writer.ts"
import type { LogDecoder } from "./log-decoder.ts"
import { OperationFilter } from "./operation-filter.ts"
import type { RawLog } from "./raw-log.ts"

export interface LogTapeWriterOptions extends Omit<TapeWriterOptions, "form"> {
  readonly decoder: LogDecoder
}

/** A log that does not decode, whole. */
const unreadOf = (log: RawLog, { ids }: BatchBuilder, reason: string): Unread => ({
  account: ids.account(log.account),
  topics: log.topics.subarray(0, log.topicCount * 32),
  data: log.data.subarray(0, log.dataLength),
  reason
})

export class LogTapeWriter extends TapeWriter {
  private readonly decoder: LogDecoder
  private readonly operations = new OperationFilter()

  constructor(options: LogTapeWriterOptions) {
    super({ ...options, form: hexIds })
    this.decoder = options.decoder
  }

  override beginTx(
    hash: Uint8Array,
    index: number,
    from: Uint8Array | null,
    to: Uint8Array | null
  ): void {
    this.operations.begin()
    super.beginTx(hash, index, from, to)
  }

  /** A log of the open transaction. Those of topics that nobody watches are passed over. */
  log(raw: RawLog): void {
    if (this.decoder.watches(raw)) this.watchedLog(raw)
  }

  /** Writes a log of the open transaction of which the caller knows that its topic is watched. */
  watchedLog(raw: RawLog): void {
    if (!this.follows(raw.logIndex)) return
    const operation = this.decoder.operation?.(raw) ?? null
    if (!this.operations.keeps(raw, operation)) return
    const begin = this.operations.takeBegin()
    if (begin !== null) this.write(begin)
    this.write(raw)
  }

  private write(raw: RawLog): void {
    if (!this.announcePool(raw.account)) this.announceNamed(raw)
    const out = this.events()
    const { pool } = out.columns.PoolCreated
    const created = pool.count
    const reason = this.decoder.decode(raw, out)
    if (reason !== null) pushQuarantined(out, unreadOf(raw, out, reason), raw.logIndex)
    else if (pool.count > created) this.created(this.decoder.isListed?.(out) ?? true)
    this.wrote(reason !== null)
  }

  /** Puts the facts of what a log itself names in front of it: its pool, and its tokens. */
  private announceNamed(raw: RawLog): void {
    const pool = this.decoder.poolOf?.(raw) ?? null
    if (pool !== null) this.announcePool(idBytes(pool))
    for (const token of this.decoder.tokensOf?.(raw) ?? []) this.announceToken(token)
  }
}
