/**
 * The log alone: segments of about 200 KB appended with eight in flight and fsynced, read back
 * undecoded and decoded, and small segments appended one by one. The baseline publishes the same
 * bytes to JetStream and does nothing else.
 */
import { Effect, Stream } from "effect"
import { LOG_START, type RawSegment, type Segment } from "../engine/log/segment.ts"
import { openTapeLog } from "../engine/log/tape-log.ts"
import { JetStream } from "../src/platform/jetstream.ts"
import type { EventBatch } from "../streams/batch/batch.ts"
import { encodeSegment } from "../streams/codec/segment-codec.ts"
import { batchOf } from "../streams/event-objects.ts"
import { blockEvents, blockRef } from "../test/support/block-batches.ts"
import { startNats } from "../test/support/nats.ts"

const segments = 400
const blocksPerSegment = 20
const eventsPerBlock = 100
const smallSegments = 1_000

export interface LogMeasurement {
  readonly metric: string
  readonly value: number
  readonly unit: string
  readonly baseline: number | null
  readonly ratio: number | null
  readonly n: number
}

/** Whole blocks of swaps and syncs; their events are made once and repeated. */
const makeBatches = (
  count: number,
  blocks: number,
  events: number,
  from: number
): ReadonlyArray<EventBatch> => {
  const sample = blockEvents(blockRef(0), events)
  return Array.from({ length: count }, (_, i) =>
    batchOf(
      Array.from({ length: blocks }, (_, j) => {
        const block = blockRef(from + i * blocks + j)
        return sample.map(event => ({ ...event, block }))
      }).flat()
    )
  )
}

const seconds = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const start = performance.now()
    yield* effect
    return (performance.now() - start) / 1000
  })

const publishAll = (payloads: ReadonlyArray<Uint8Array>) =>
  Effect.gen(function* () {
    const jetStream = yield* JetStream
    yield* jetStream.ensureStream({ name: "BASELINE", subject: "baseline" })
    yield* Stream.fromIterable(payloads).pipe(
      Stream.mapEffect((data, i) =>
        jetStream.publish({
          subject: "baseline",
          headers: {},
          data,
          messageId: String(i),
          expectedLastSeq: i,
          expectedLastId: null
        })
      ),
      Stream.mapEffect(answer => answer, { concurrency: 8 }),
      Stream.runDrain
    )
  })

const program = Effect.gen(function* () {
  const batches = makeBatches(segments, blocksPerSegment, eventsPerBlock, 1)
  const small = makeBatches(smallSegments, 1, 20, segments * blocksPerSegment + 1)
  const payloads = batches.map(encodeSegment)
  const megabytes = payloads.reduce((sum, { length }) => sum + length, 0) / 1e6
  const events = batches.reduce((sum, { count }) => sum + count, 0)
  const log = yield* openTapeLog("bench")
  const measurements: Array<LogMeasurement> = []
  const note = (metric: string, took: number, baseline: number | null = null) => {
    const value = megabytes / took
    const ratio = baseline === null ? null : value / baseline
    measurements.push({ metric, value, unit: "MB/s", baseline, ratio, n: segments })
    const rates = `${Math.round(segments / took)} segments/s, ${Math.round(events / took)} events/s`
    const share = ratio === null ? "" : `, ${ratio.toFixed(2)} of the baseline`
    console.log(`log ${metric}: ${Math.round(value)} MB/s, ${rates}${share}`)
  }
  const published = yield* seconds(publishAll(payloads))
  note("baseline", published)
  const all = Stream.runDrain(log.appendAll(Stream.fromIterable(batches)))
  note("append", yield* seconds(all), megabytes / published)
  const drain = (read: Stream.Stream<RawSegment | Segment, unknown>) =>
    seconds(Stream.runDrain(read))
  note("read raw", yield* drain(log.readRaw(LOG_START, { follow: false })))
  note("read", yield* drain(log.read(LOG_START, { follow: false })))
  const took = yield* seconds(Effect.forEach(small, batch => log.append(batch), { discard: true }))
  const value = (took * 1000) / smallSegments
  console.log(`log append one by one: ${value.toFixed(2)} ms a segment of 21 events`)
  const metric = "append one by one"
  measurements.push({ metric, value, unit: "ms", baseline: null, ratio: null, n: smallSegments })
  return measurements
})

const run = async (): Promise<ReadonlyArray<LogMeasurement>> => {
  const nats = await startNats()
  try {
    const jetStream = JetStream.layer({ url: nats.url })
    return await Effect.runPromise(program.pipe(Effect.provide(jetStream)))
  } finally {
    await nats.stop()
  }
}

export const bench = { name: "log", run }
