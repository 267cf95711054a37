/**
 * The log, read, checked and decoded on a thread of its own: for a lane that has far to go, whose
 * own thread folds meanwhile. It only runs ahead: where it ends, for whatever reason, whoever reads
 * goes on by itself from the last segment it was given, and meets the reason.
 */
import { type Cause, Effect, Queue, Stream } from "effect"
import { type ParentPort, spawnWorker } from "../../src/platform/worker.ts"
import { type PackedBatch, packBatch, unpackBatch } from "../../streams/batch/packed-batch.ts"
import type { LogStream } from "./log-stream.ts"
import { readSegments } from "./read-log.ts"
import type { LogPosition, Segment } from "./segment.ts"

/** What the thread is started with. */
export interface ReadingInput {
  readonly chain: string
  readonly natsUrl: string
  readonly from: LogPosition
  readonly json: boolean
}

/** `more`: one segment was taken, one more may come. */
export type ToReading = { readonly type: "more" | "stop" }

export type FromReading =
  | ({ readonly type: "segment"; readonly batch: PackedBatch } & Omit<Segment, "batch">)
  | { readonly type: "end" }

/** Segments on their way at most; up to 256 KiB each as stored, two to three times that decoded. */
const MOST_ON_THE_WAY = 8

/** It has nothing to lose, and whoever ends with it has. */
const STOP_GRACE_MS = 500

/** The segments after a position up to what is today the end of the log, or fewer. */
export const readAhead = (entry: URL, input: ReadingInput): Stream.Stream<Segment> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const arrived = yield* Queue.unbounded<Segment, Cause.Done>()
      const stop = { type: "stop" } as const
      const worker = yield* spawnWorker<ToReading, FromReading>(entry, input, stop, STOP_GRACE_MS)
      worker.onMessage(message => {
        if (message.type === "end") {
          Queue.endUnsafe(arrived)
          return
        }
        const { header, bytes, batch } = message
        Queue.offerUnsafe(arrived, { header, bytes, batch: unpackBatch(batch) })
      })
      yield* worker.ended.pipe(Effect.ignore, Effect.andThen(Queue.end(arrived)), Effect.forkScoped)
      return Stream.tap(Stream.fromQueue(arrived), () =>
        Effect.sync(() => worker.post({ type: "more" }))
      )
    })
  )

/** The thread's end of it: sends what it reads, as fast as it is taken. */
export const serveReading = (
  port: ParentPort<ToReading, FromReading>,
  stream: LogStream,
  from: LogPosition
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const room = yield* Queue.unbounded<void>()
    for (let i = 0; i < MOST_ON_THE_WAY; i++) yield* Queue.offer(room, undefined)
    port.onMessage(({ type }) => {
      if (type === "more") Queue.offerUnsafe(room, undefined)
    })
    const send = ({ header, bytes, batch }: Segment) =>
      Effect.map(Queue.take(room), () => {
        const packed = packBatch(batch)
        port.post({ type: "segment", header, bytes, batch: packed }, [packed.memory])
      })
    yield* Effect.ignore(Stream.runForEach(readSegments(stream, from, { follow: false }), send))
    port.post({ type: "end" })
  })
