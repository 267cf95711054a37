/** A log that another thread reads ahead, against a real nats-server. */
import { Effect, Fiber, Queue, Result, Stream } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { logStream } from "../../engine/log/log-stream.ts"
import { endOf, LOG_START, type LogPosition, type Segment } from "../../engine/log/segment.ts"
import { openTapeLog } from "../../engine/log/tape-log.ts"
import { encodeSegment } from "../../streams/codec/segment-codec.ts"
import { blocksBatch } from "../../test/support/block-batches.ts"
import { type LogServer, openRaw, startLogServer } from "../../test/support/log-server.ts"
import { laneLog } from "./lane-log.ts"

let server: LogServer
beforeAll(async () => {
  server = await startLogServer()
})
afterAll(() => server.stop())

/** More than are on their way at once. */
const SEGMENTS = 100
const EVENTS_EACH = 20

const append = (chain: string, from: number, count: number) =>
  Effect.gen(function* () {
    const log = yield* openTapeLog(chain)
    for (let i = from; i < from + count; i++) yield* log.append(blocksBatch(i, i, EVENTS_EACH))
    return log.position()
  })

const opened = (chain: string, farEvents: number) =>
  Effect.map(logStream(chain), stream =>
    laneLog(stream, { natsUrl: server.nats.url, json: false, farEvents })
  )

const told = ({ header, batch, bytes }: Segment) => ({
  header,
  bytes,
  events: Buffer.from(encodeSegment(batch)).toString("hex")
})

it("gives what it gives without the thread, from any position, and goes on at the end", async () => {
  await server.run(
    Effect.gen(function* () {
      yield* append("far", 1, SEGMENTS)
      const plain = yield* opened("far", Number.POSITIVE_INFINITY)
      const ahead = yield* opened("far", 1)
      const all = yield* Stream.runCollect(plain.read(LOG_START, { follow: false }))
      expect(all.length).toBe(SEGMENTS)
      const read = (from: LogPosition, count: number) =>
        ahead.read(from, { follow: true }).pipe(Stream.take(count), Stream.runCollect)
      expect((yield* read(LOG_START, SEGMENTS)).map(told)).toEqual(all.map(told))
      const middle = endOf((all[69] as Segment).header)
      expect((yield* read(middle, 30)).map(told)).toEqual(all.slice(70).map(told))
      // what is appended after the thread has ended comes too
      const got = yield* Queue.unbounded<Segment>()
      const reader = yield* Effect.forkChild(
        Stream.runForEach(ahead.read(middle, { follow: true }), one => Queue.offer(got, one))
      )
      const first = yield* Queue.takeN(got, 30)
      yield* append("far", SEGMENTS + 1, 2)
      const later = yield* Queue.takeN(got, 2)
      yield* Fiber.interrupt(reader)
      expect([...first, ...later].map(({ header }) => header.streamSeq)).toEqual(
        Array.from({ length: 32 }, (_, i) => 71 + i)
      )
    })
  )
})

it("tells what is wrong with a log that the thread could not read on", async () => {
  const raw = await openRaw(server.nats.url)
  await server.run(append("broken", 1, 12))
  const messages = await raw.messages("broken")
  await raw.deleteStream("broken")
  await raw.create("broken")
  for (const [i, message] of messages.entries()) {
    const data = message.data.slice()
    if (i === 8) data[40] = (data[40] as number) ^ 1
    await raw.publish("broken", { ...message, data })
  }
  await raw.close()
  await server.run(
    Effect.gen(function* () {
      const log = yield* opened("broken", 1)
      const seen: Array<number> = []
      const ended = yield* Effect.result(
        Stream.runForEach(log.read(LOG_START, { follow: true }), ({ header }) =>
          Effect.sync(() => seen.push(header.streamSeq))
        )
      )
      expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      expect(Result.isFailure(ended) && ended.failure).toMatchObject({
        _tag: "LogBroken",
        streamSeq: 9,
        reason: "its content does not match its own hash"
      })
    })
  )
})
