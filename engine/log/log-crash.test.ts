import { Deferred, Effect, Fiber, Stream } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { JetStream } from "../../src/platform/jetstream.ts"
import { eventsOf } from "../../streams/event-objects.ts"
import { blocksBatch } from "../../test/support/block-batches.ts"
import { type CuttingProxy, startProxy } from "../../test/support/cutting-proxy.ts"
import { allEvents, type LogServer, startLogServer } from "../../test/support/log-server.ts"
import { random } from "../../test/support/seed.ts"
import { LOG_START, type LogPosition, type Segment } from "./segment.ts"
import { openTapeLog } from "./tape-log.ts"

const KILLS = process.env["SWAPTAPE_LONG"] === "1" ? 20 : 3

let server: LogServer
let proxy: CuttingProxy
beforeAll(async () => {
  server = await startLogServer()
  proxy = await startProxy(server.nats.url)
})
afterAll(async () => {
  proxy.close()
  await server.stop()
})

const batchesOf = (count: number) =>
  Array.from({ length: count }, (_, i) => blocksBatch(i + 1, i + 1, 20))

const serverPid = () => server.nats.status().pid ?? 0

/** Kills the server and waits for its successor. */
const killServer = Effect.gen(function* () {
  const { restarts } = server.nats.status()
  process.kill(serverPid(), "SIGKILL")
  while (server.nats.status().restarts === restarts) yield* Effect.sleep("5 millis")
  while (server.nats.status().state !== "ready") yield* Effect.sleep("5 millis")
})

it("loses and repeats nothing when nats-server is killed with appends in flight", async () => {
  const r = random("kills")
  const batches = batchesOf(80 * KILLS)
  const acknowledged: Array<LogPosition> = []
  const followed: Array<Segment> = []
  await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog("killed")
      const slow = Stream.fromIterable(batches).pipe(
        Stream.mapEffect((batch, i) =>
          i % 4 === 0 ? Effect.as(Effect.sleep("5 millis"), batch) : Effect.succeed(batch)
        )
      )
      const follower = yield* Effect.forkChild(
        log.read(LOG_START, { follow: true }).pipe(
          Stream.take(batches.length),
          Stream.runForEach(segment => Effect.sync(() => followed.push(segment)))
        )
      )
      const writer = yield* Effect.forkChild(
        Stream.runForEach(log.appendAll(slow), position =>
          Effect.sync(() => acknowledged.push(position))
        )
      )
      for (let kill = 0; kill < KILLS; kill++) {
        yield* Effect.sleep(r.integer(50, 400))
        const before = acknowledged.length
        yield* killServer
        // What was acknowledged before the kill is still there after it.
        const stored = yield* log.end
        expect(stored.streamSeq).toBeGreaterThanOrEqual(before)
      }
      yield* Fiber.join(writer)
      yield* Fiber.join(follower)
      expect(log.position()).toEqual(yield* log.end)
    })
  )
  expect(acknowledged.map(({ streamSeq }) => streamSeq)).toEqual(batches.map((_, i) => i + 1))
  const events = batches.flatMap(eventsOf)
  expect(await server.run(allEvents("killed"))).toEqual(events)
  expect(followed.flatMap(({ batch }) => eventsOf(batch))).toEqual(events)
})

/** An effect with a connection through the proxy. */
const throughProxy = <A, E>(effect: Effect.Effect<A, E, JetStream>, timeoutMs = 2_000) =>
  Effect.runPromise(
    effect.pipe(Effect.provide(JetStream.layer({ url: proxy.url, timeoutMs, patient: false })))
  )

it("does not repeat a segment whose acknowledgement was lost with the connection", async () => {
  await throughProxy(
    Effect.gen(function* () {
      const log = yield* openTapeLog("cut")
      yield* log.append(blocksBatch(1, 1))
      for (let i = 2; i <= 10; i++) {
        proxy.swallowAnswers()
        const pending = yield* Effect.forkChild(log.append(blocksBatch(i, i)))
        yield* Effect.sleep("30 millis")
        proxy.cut()
        expect(yield* Fiber.join(pending)).toMatchObject({ streamSeq: i })
      }
      const rest = Array.from({ length: 30 }, (_, i) => blocksBatch(i + 11, i + 11))
      proxy.swallowAnswers()
      const pending = yield* Effect.forkChild(
        Stream.runDrain(log.appendAll(Stream.fromIterable(rest)))
      )
      yield* Effect.sleep("50 millis")
      proxy.cut()
      yield* Fiber.join(pending)
      expect(log.position().streamSeq).toBe(40)
    })
  )
  const events = Array.from({ length: 40 }, (_, i) => eventsOf(blocksBatch(i + 1, i + 1))).flat()
  expect(await server.run(allEvents("cut"))).toEqual(events)
})

it("does not repeat a segment whose acknowledgement came too late", async () => {
  await throughProxy(
    Effect.gen(function* () {
      const log = yield* openTapeLog("stopped")
      yield* log.append(blocksBatch(1, 1))
      process.kill(serverPid(), "SIGSTOP")
      const pending = yield* Effect.forkChild(
        Stream.runDrain(log.appendAll(Stream.fromIterable(batchesOf(12).slice(1))))
      )
      // Longer than a request may take, so everything has been given up and asked again.
      yield* Effect.sleep("1200 millis")
      process.kill(serverPid(), "SIGCONT")
      yield* Fiber.join(pending)
      expect(log.position().streamSeq).toBe(12)
    }),
    500
  )
  const events = [blocksBatch(1, 1), ...batchesOf(12).slice(1)].flatMap(eventsOf)
  expect(await server.run(allEvents("stopped"))).toEqual(events)
})

it("goes on reading where it was when the connection breaks", async () => {
  await server.run(
    Effect.flatMap(openTapeLog("read"), log =>
      Stream.runDrain(log.appendAll(Stream.fromIterable(batchesOf(300))))
    )
  )
  const seen: Array<number> = []
  await throughProxy(
    Effect.gen(function* () {
      const log = yield* openTapeLog("read")
      const halfway = yield* Deferred.make<void>()
      const reader = yield* Effect.forkChild(
        log.read(LOG_START, { follow: true }).pipe(
          Stream.take(303),
          Stream.runForEach(({ header: { streamSeq } }) =>
            Effect.gen(function* () {
              seen.push(streamSeq)
              if (streamSeq % 40 === 0) {
                proxy.swallowAnswers()
                yield* Effect.sleep("5 millis")
                proxy.cut()
              }
              if (streamSeq === 300) yield* Deferred.succeed(halfway, undefined)
            })
          )
        )
      )
      yield* Deferred.await(halfway)
      for (let i = 301; i <= 303; i++) {
        yield* log.append(blocksBatch(i, i))
        proxy.cut()
      }
      yield* Fiber.join(reader)
    })
  )
  expect(seen).toEqual(Array.from({ length: 303 }, (_, i) => i + 1))
})
