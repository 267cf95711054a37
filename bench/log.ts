/**
 * The log alone: segments of about 130 KB appended with eight in flight and fsynced, read back
 * undecoded and decoded, and small segments appended one by one. The baseline publishes the same
 * bytes to JetStream and does nothing else.
 */
import { Effect, Stream } from "effect"
import { LOG_START } from "../engine/log/segment.ts"
import { openTapeLog } from "../engine/log/tape-log.ts"
import { JetStream } from "../src/platform/jetstream.ts"
import type { EventBatch } from "../streams/batch/batch.ts"
import { encodeSegment } from "../streams/codec/segment-codec.ts"
import { batchOf } from "../streams/event-objects.ts"
import { blockEvents, blockRef } from "../test/support/block-batches.ts"
import { startNats } from "../test/support/nats.ts"
import type { Bench } from "./bench.ts"
import { optionsOf } from "./measure/words.ts"

const segments = 300
const blocksPerSegment = 20
const eventsPerBlock = 100
const smallSegments = 500
/** Other work on the machine only ever makes a round slower, so the best one counts. */
const rounds = 3

type Batches = ReadonlyArray<EventBatch>

/** Whole blocks of swaps and syncs; their events are made once and repeated. */
const makeBatches = (count: number, blocks: number, events: number, from: number): Batches => {
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

/** Publishes the log's bytes as the log does, in a stream of its kind. */
const publishAll = (name: string, payloads: ReadonlyArray<Uint8Array>) =>
  Effect.gen(function* () {
    const jetStream = yield* JetStream
    const subject = name.toLowerCase()
    yield* jetStream.ensureStream({ name, subject })
    yield* Stream.fromIterable(payloads).pipe(
      Stream.mapEffect((data, i) =>
        jetStream.publish({
          subject,
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

/** Seconds that each part of one round took. */
const measureRound = (round: number, batches: Batches, small: Batches) =>
  Effect.gen(function* () {
    const payloads = batches.map(encodeSegment)
    const log = yield* openTapeLog(`bench${round}`)
    const drain = <A, E>(stream: Stream.Stream<A, E>) => seconds(Stream.runDrain(stream))
    return {
      baseline: yield* seconds(publishAll(`BASELINE${round}`, payloads)),
      append: yield* drain(log.appendAll(Stream.fromIterable(batches))),
      "read raw": yield* drain(log.readRaw(LOG_START, { follow: false })),
      read: yield* drain(log.read(LOG_START, { follow: false })),
      single: yield* seconds(Effect.forEach(small, batch => log.append(batch), { discard: true }))
    }
  })

const program = Effect.gen(function* () {
  const batches = makeBatches(segments, blocksPerSegment, eventsPerBlock, 1)
  const small = makeBatches(smallSegments, 1, 20, segments * blocksPerSegment + 1)
  const took: Array<Effect.Success<ReturnType<typeof measureRound>>> = []
  for (let round = 0; round < rounds; round++) {
    took.push(yield* measureRound(round, batches, small))
  }
  const best = (part: keyof (typeof took)[number]) => Math.min(...took.map(each => each[part]))
  const megabytes = batches.reduce((sum, batch) => sum + encodeSegment(batch).length, 0) / 1e6
  const events = batches.reduce((sum, { count }) => sum + count, 0)
  for (const part of ["baseline", "append", "read raw", "read"] as const) {
    const perSecond = (count: number) => Math.round(count / best(part))
    console.log(
      `${part}: ${perSecond(megabytes)} MB/s, ${perSecond(segments)} segments/s, ` +
        `${perSecond(events)} events/s`
    )
  }
  const single = (best("single") * 1000) / smallSegments
  console.log(`append one by one: ${single.toFixed(2)} ms a segment of 21 events, on disk`)
  const value = Math.round(megabytes / best("append"))
  const baseline = Math.round(megabytes / best("baseline"))
  return {
    bench: "log",
    metric:
      "segments encoded, chained and appended, best round; baseline JetStream publishing them",
    value,
    unit: "MB/s",
    baseline,
    ratio: Number((value / baseline).toFixed(2)),
    n: segments
  }
})

export const bench: Bench = {
  name: "log",
  about: "appending to the log and reading it, beside JetStream publishing the same bytes",
  run: async args => {
    optionsOf(args, {})
    const nats = await startNats()
    try {
      const jetStream = JetStream.layer({ url: nats.url })
      return await Effect.runPromise(program.pipe(Effect.provide(jetStream)))
    } finally {
      await nats.stop()
    }
  }
}
