import { Effect } from "effect"
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

const told = () => server.run(quoteSecret)

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
