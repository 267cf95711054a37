import { jetstreamManager } from "@nats-io/jetstream"
import { connect } from "@nats-io/transport-node"
import { Effect, Fiber, Option, Result, Stream } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { atRest } from "../../test/support/engine.ts"
import { startNats, type TestNats } from "../../test/support/nats.ts"
import { deleteStream, JetStream, misplaced } from "./jetstream.ts"
import { NatsRefused, serversOf } from "./nats.ts"

let nats: TestNats
beforeAll(async () => {
  nats = await startNats()
})
afterAll(() => nats.stop())

const run = <A, E>(effect: Effect.Effect<A, E, JetStream>): Promise<A> =>
  Effect.runPromise(effect.pipe(Effect.provide(JetStream.layer({ url: nats.url, patient: false }))))

const publication = (subject: string, seq: number, size: number, id = String(seq)) => ({
  subject,
  headers: { Number: String(seq) },
  data: new Uint8Array(size).fill(seq),
  messageId: id,
  expectedLastSeq: seq - 1,
  expectedLastId: null
})

it("is one stream with one id, however many create it at once", async () => {
  await run(
    Effect.gen(function* () {
      const jetStream = yield* JetStream
      const create = jetStream.ensureStream({ name: "ONE", subject: "one" })
      const all = Array.from({ length: 5 }, () => create)
      const made = yield* Effect.all(all, { concurrency: "unbounded" })
      const { id } = Option.getOrThrow(yield* jetStream.stream("ONE"))
      expect(made.map(one => one.id)).toEqual(all.map(() => id))
    })
  )
})

it("knows the streams there are, and none that is not", async () => {
  await run(
    Effect.gen(function* () {
      const jetStream = yield* JetStream
      expect(yield* jetStream.stream("A_1")).toEqual(Option.none())
      const state = yield* jetStream.ensureStream({ name: "A_1", subject: "a.1" })
      expect(state).toEqual({ name: "A_1", messages: 0, bytes: 0, lastSeq: 0, id: state.id })
      expect(state.id).toMatch(/^[0-9a-f]{16}$/)
      yield* jetStream.ensureStream({ name: "A_1", subject: "a.1" })
      yield* jetStream.ensureStream({ name: "B_1", subject: "b.1" })
      expect((yield* jetStream.streams("A_")).map(({ name }) => name)).toEqual(["A_1"])
      expect(yield* jetStream.message("A_1", 1)).toEqual(Option.none())
      expect(jetStream.maxPayload()).toBe(8 * 1024 * 1024)
    })
  )
})

it("deletes a stream for good, however soon one of its name is created", async () => {
  const connection = await connect(serversOf(nats.url))
  const manager = await jetstreamManager(connection)
  const rounds = async (name: string) => {
    for (let round = 0; round < 50; round++) {
      const { state } = await manager.streams.add({ name, subjects: [name] })
      expect(state.last_seq).toBe(0)
      for (let i = 0; i < 6; i++) await manager.jetstream().publish(name, new Uint8Array(4_000))
      await deleteStream(manager, name)
    }
  }
  // on a busy machine 6 of 100 streams came with messages of the one before
  await Promise.all(["GONE_1", "GONE_2", "GONE_3", "GONE_4"].map(rounds))
  await connection.close()
  await run(
    Effect.gen(function* () {
      const jetStream = yield* JetStream
      expect(yield* jetStream.streams("GONE")).toEqual([])
      yield* jetStream.dropStream("GONE_1")
    })
  )
})

it("refuses what does not continue the stream, and drops what it has", async () => {
  await run(
    Effect.gen(function* () {
      const jetStream = yield* JetStream
      yield* jetStream.ensureStream({ name: "C", subject: "c" })
      const send = (one: Parameters<typeof jetStream.publish>[0]) =>
        Effect.result(Effect.flatten(jetStream.publish(one)))
      expect(yield* send(publication("c", 1, 10))).toEqual(
        Result.succeed({ streamSeq: 1, duplicate: false })
      )
      expect(yield* send(publication("c", 1, 10))).toEqual(
        Result.succeed({ streamSeq: 1, duplicate: true })
      )
      for (const wrong of [
        publication("c", 3, 10),
        publication("c", 1, 10, "other"),
        { ...publication("c", 2, 10), expectedLastId: "other" }
      ]) {
        const refused = yield* send(wrong)
        expect(
          Result.isFailure(refused) &&
            refused.failure instanceof NatsRefused &&
            misplaced(refused.failure)
        ).toBe(true)
      }
      const tooLarge = yield* send(publication("c", 2, 9_000_000))
      expect(tooLarge).toMatchObject({ failure: { _tag: "NatsRefused", code: 0 } })
      const message = Option.getOrThrow(yield* jetStream.message("C", 1))
      expect(message.data).toEqual(new Uint8Array(10).fill(1))
      expect(message.header("Number")).toBe("1")
      expect(message.header("None")).toBe("")
    })
  )
})

it("reads small messages and then large ones, of which too many would cut the connection", async () => {
  const sizes = [...Array.from({ length: 300 }, () => 20), ...Array.from({ length: 24 }, () => 7e6)]
  await run(
    Effect.gen(function* () {
      const jetStream = yield* JetStream
      yield* jetStream.ensureStream({ name: "D", subject: "d" })
      for (const [i, size] of sizes.entries()) {
        yield* Effect.flatten(jetStream.publish(publication("d", i + 1, size)))
      }
      const read = yield* jetStream.read("D", { from: 1, follow: false }).pipe(
        Stream.map(({ streamSeq, data }) => [streamSeq, data.length, data.at(-1)]),
        Stream.runCollect
      )
      expect(read).toEqual(sizes.map((size, i) => [i + 1, size, (i + 1) % 256]))
      const part = yield* Stream.runCollect(
        jetStream.read("D", { from: 99, to: 102, follow: true }).pipe(Stream.take(4))
      )
      expect(part.map(({ streamSeq }) => streamSeq)).toEqual([99, 100, 101, 102])
      const none = yield* Stream.runCollect(jetStream.read("D", { from: 400, follow: false }))
      expect(none).toEqual([])
    })
  )
})

it("lets go of a dead server when its scope ends, also in the middle of a request", async () => {
  const dying = await startNats()
  const work = Effect.gen(function* () {
    const jetStream = yield* JetStream
    yield* jetStream.ensureStream({ name: "E", subject: "e" })
    yield* Effect.promise(dying.stop)
    const reading = yield* Effect.forkChild(
      Stream.runDrain(jetStream.read("E", { from: 1, follow: true }))
    )
    yield* Effect.sleep("200 millis")
    yield* Fiber.interrupt(reading)
    return yield* Effect.timeoutOption(jetStream.stream("E"), "200 millis")
  })
  const layer = JetStream.layer({ url: dying.url, patient: false })
  const asked = performance.now()
  expect(await Effect.runPromise(Effect.provide(work, layer))).toEqual(Option.none())
  expect(performance.now() - asked).toBeLessThan(atRest(5_000))
})

it("fails at once where no server answers, unless it is told to be patient", async () => {
  const gone = JetStream.layer({ url: "nats://127.0.0.1:1", patient: false })
  const failure = await Effect.runPromise(
    Effect.flip(Effect.provide(Effect.asVoid(JetStream), gone))
  )
  expect(failure).toMatchObject({
    _tag: "NatsUnavailable",
    message: expect.stringContaining("set NATS_URL")
  })
  const patient = JetStream.layer({ url: "nats://secret:word@127.0.0.1:1" })
  const waited = await Effect.runPromise(
    Effect.provide(Effect.asVoid(JetStream), patient).pipe(Effect.timeoutOption("500 millis"))
  )
  expect(waited).toEqual(Option.none())
})
