import { Effect, Schedule } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { JetStream } from "../../src/platform/jetstream.ts"
import { emptyStream } from "../../test/support/emptied-stream.ts"
import { type LogServer, startLogServer } from "../../test/support/log-server.ts"
import { quoteSecret } from "./quote-secret.ts"

let server: LogServer
beforeAll(async () => {
  server = await startLogServer()
})
afterAll(() => server.stop())

const told = () => server.run(Effect.scoped(Effect.map(quoteSecret, ({ secret }) => secret)))

it("is one for all who ask at the same moment, and for those who come later", async () => {
  const [first, ...others] = await Promise.all([told(), told(), told(), told()])
  expect(first?.length).toBe(32)
  expect(await told()).toEqual(first)
  expect(others).toEqual([first, first, first])
})

it("is another one where the stream lost it, or has something else in its place", async () => {
  const lost = await told()
  await emptyStream(server.nats.url, "QUOTES")
  const next = await told()
  expect(next).not.toEqual(lost)
  await server.run(
    Effect.gen(function* () {
      const { publish } = yield* JetStream
      yield* yield* publish({
        ...{ subject: "quotes", headers: {}, data: new Uint8Array(3), messageId: "short" },
        ...{ expectedLastSeq: 1, expectedLastId: null }
      })
    })
  )
  const last = await told()
  expect(last.length).toBe(32)
  expect(last).not.toEqual(next)
  expect(await told()).toEqual(last)
})

it("is said not to be shared any more where the stream lost it, also when another is there", async () => {
  await emptyStream(server.nats.url, "QUOTES")
  const problems: Array<string | null> = []
  const following = Effect.gen(function* () {
    const { stream } = yield* quoteSecret
    const tell = (words: string) =>
      Effect.sync(() => stream().problem).pipe(
        Effect.repeat({
          until: problem => problem?.includes(words) === true,
          schedule: Schedule.spaced("20 millis")
        }),
        Effect.andThen(problem => Effect.sync(() => problems.push(problem)))
      )
    problems.push(stream().problem)
    // it has read what is there
    yield* Effect.repeat(Effect.sync(stream), {
      until: ({ seen }) => seen > 0,
      schedule: Schedule.spaced("20 millis")
    })
    yield* Effect.promise(() => emptyStream(server.nats.url, "QUOTES"))
    yield* tell("is shorter")
    yield* Effect.promise(told)
    yield* tell("has other messages")
  })
  await server.run(Effect.scoped(following))
  const remedy =
    "Engines on this server refuse swaps of each other's quotes (ROUTE_MISMATCH): restart them, so that all have " +
    "one secret again"
  expect(problems).toEqual([
    null,
    `stream QUOTES of the log's server is shorter than this engine saw it: 1 of 1 messages are gone. ${remedy}`,
    `stream QUOTES of the log's server has other messages than those that this engine read or wrote. ${remedy}`
  ])
})
