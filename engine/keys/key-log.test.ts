import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { JetStream } from "../../src/platform/jetstream.ts"
import { PLANS } from "../../src/rules/plans.ts"
import { type LogServer, startLogServer } from "../../test/support/log-server.ts"
import type { KeyEvent } from "./key-event.ts"
import { appendKeyEvent, KeysRefused, readKeys } from "./key-log.ts"
import { digestSecret } from "./key-text.ts"

let server: LogServer
beforeAll(async () => {
  server = await startLogServer()
})
afterAll(() => server.stop())

const creation = (number: number): KeyEvent => ({
  ...{ kind: "KeyCreated", id: `${number}`.padStart(12, "0"), name: `key ${number}` },
  ...{ plan: "basic", limits: PLANS["basic"] ?? {}, atMs: number, ...digestSecret("5a", "1b") }
})
const names = Effect.map(readKeys, keys => keys.map(({ name }) => name))

it("has no keys before the first", async () => {
  expect(await server.run(names)).toEqual([])
})

it("keeps what several append at once, each made of the keys before it", async () => {
  const counted = Effect.forEach(
    [1, 2, 3],
    () => appendKeyEvent(keys => Effect.succeed(creation(keys.length + 1))),
    { concurrency: "unbounded" }
  )
  await server.run(counted)
  expect(await server.run(names)).toEqual(["key 1", "key 2", "key 3"])
})

it("appends nothing where the change is refused", async () => {
  const refused = appendKeyEvent(() => Effect.fail(new KeysRefused({ message: "no" })))
  expect(await server.run(Effect.flip(refused))).toEqual(new KeysRefused({ message: "no" }))
  expect((await server.run(names)).length).toBe(3)
})

it("passes over a message that is no event, for the sake of those behind it", async () => {
  const garbage = Effect.gen(function* () {
    const { publish } = yield* JetStream
    yield* yield* publish({
      ...{ subject: "keys", headers: {}, data: Uint8Array.of(1), messageId: "x" },
      ...{ expectedLastSeq: 3, expectedLastId: null }
    })
  })
  await server.run(garbage)
  await server.run(appendKeyEvent(() => Effect.succeed(creation(4))))
  expect(await server.run(names)).toEqual(["key 1", "key 2", "key 3", "key 4"])
})
