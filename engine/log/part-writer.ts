/**
 * The writer of a log whose batches follow no order of blocks: each is a part, checked by itself,
 * and on disk before the next is sent.
 */
import { randomBytes } from "node:crypto"
import { Effect, Semaphore } from "effect"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { EffectiveBlocks } from "./effective-blocks.ts"
import { ensureStream, type LogStream } from "./log-stream.ts"
import { admit, type LogWriter, type Sent, sendBatch } from "./log-writer.ts"
import { logEnd } from "./read-log.ts"
import { settle, settleAll } from "./settle-appends.ts"
import { HEADER_ROOM } from "./tape-log.ts"

const noBlocks = () => new EffectiveBlocks([], true, 1)

/** Opens such a log for appending, and creates it where there is none. */
export const openPartWriter = Effect.fnUntraced(function* (stream: LogStream) {
  yield* ensureStream(stream)
  const { position, header } = yield* logEnd(stream)
  const message = stream.jetStream.maxPayload() - HEADER_ROOM
  const writer: LogWriter = {
    stream,
    name: randomBytes(6).toString("hex"),
    limits: { several: message, message },
    keepBlocks: 1,
    lock: yield* Semaphore.make(1),
    acknowledged: position,
    tip: position,
    tipHeader: header,
    blocks: noBlocks(),
    sent: [],
    delay: null,
    failure: null
  }
  return writer
})

/**
 * Appends one part, waits until it is on disk, and returns its first and last seq, with the hash of
 * its last segment.
 *
 * @param rollbackTo the seq after which its leading `Rollback` takes all back; null without one
 */
export const appendPart = (writer: LogWriter, batch: EventBatch, rollbackTo: number | null) =>
  Effect.gen(function* () {
    const sent: ReadonlyArray<Sent> = yield* writer.lock.withPermit(
      Effect.gen(function* () {
        // of a call that was interrupted
        yield* settleAll(writer)
        const admitted = yield* admit(writer, batch, noBlocks(), rollbackTo)
        return yield* Effect.uninterruptible(sendBatch(writer, admitted))
      })
    )
    const [first, last] = [sent[0] as Sent, sent[sent.length - 1] as Sent]
    yield* settle(writer, last)
    const { lastSeq, hash } = last.segment.header
    return { firstSeq: first.segment.header.firstSeq, lastSeq, hash }
  })
