/** What becomes of keys whose stream was shortened behind the engine's back. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Logger, Schedule } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { JetStream } from "../../src/platform/jetstream.ts"
import { PLANS } from "../../src/rules/plans.ts"
import { emptyStream } from "../../test/support/emptied-stream.ts"
import { type LogServer, startLogServer } from "../../test/support/log-server.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import type { KeyEvent } from "./key-event.ts"
import { appendKeyEvent, type FollowedKeys, followKeys } from "./key-log.ts"
import { digestSecret } from "./key-text.ts"

let server: LogServer
let folder: ReturnType<typeof temporaryFolder>
beforeEach(async () => {
  folder = temporaryFolder()
  server = await startLogServer()
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

const creation = (number: number): KeyEvent => ({
  ...{ kind: "KeyCreated", id: `${number}`.padStart(12, "0"), name: `key ${number}` },
  ...{ plan: "basic", limits: PLANS["basic"] ?? {}, atMs: number, ...digestSecret("5a", "1b") }
})
const append = (number: number) => appendKeyEvent(() => Effect.succeed(creation(number)))

const until = (isThere: () => boolean) =>
  Effect.sync(isThere).pipe(
    Effect.repeat({ until: found => found, schedule: Schedule.spaced("20 millis") })
  )

/** Makes keys, and follows them while `program` runs; the names that it ends with, and what was logged. */
const following = async (
  program: (
    names: () => ReadonlyArray<string>,
    stream: FollowedKeys["stream"]
  ) => Effect.Effect<void, unknown, JetStream>,
  made: ReadonlyArray<number> = [1, 2, 3],
  data = folder.path
) => {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => {
    lines.push(String(message))
  })
  const names = await server.run(
    Effect.gen(function* () {
      for (const number of made) yield* append(number)
      const { book, stream } = yield* followKeys(data)
      const names = () => book.keys.map(({ name }) => name)
      yield* program(names, stream)
      return names()
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
  )
  return { names, lines }
}

it("tells of a lost tail, keeps what was known, and follows what comes after", async () => {
  const { names, lines } = await following(names =>
    Effect.gen(function* () {
      // as a server that comes back without its newest writes: one event where there were three
      yield* Effect.promise(() => emptyStream(server.nats.url, "KEYS"))
      yield* append(1)
      yield* append(4)
      yield* until(() => names().includes("key 4"))
    })
  )
  expect(names).toEqual(["key 1", "key 2", "key 3", "key 4"])
  expect(lines.filter(line => line.includes("revoke that key again"))).not.toEqual([])
})

it("says how many are gone, what that means and what to do, until they are there again", async () => {
  const told: Array<readonly [number, string | null]> = []
  await following((_, stream) =>
    Effect.gen(function* () {
      const tell = (isIt: (lost: number) => boolean) =>
        Effect.andThen(
          until(() => isIt(stream().lost)),
          Effect.sync(() => told.push([stream().lost, stream().problem]))
        )
      yield* until(() => stream().lost === 0)
      yield* tell(lost => lost === 0)
      yield* Effect.promise(() => emptyStream(server.nats.url, "KEYS"))
      yield* append(1)
      yield* tell(lost => lost === 2)
      for (const number of [4, 5]) yield* append(number)
      yield* tell(lost => lost === 0)
    })
  )
  const words =
    "stream KEYS of the log's server is shorter than this engine saw it: 2 of 3 messages are gone. The newest " +
    "API keys, and the newest changes of keys, hold at this engine, and at no other one that has not read them: " +
    'compare "npm run keys -- list" with the keys that were given out; create again those that it lacks, and rotate or ' +
    "revoke again those that were rotated or revoked"
  expect(told).toEqual([
    [0, null],
    [2, words],
    [0, null]
  ])
})

it("is created again where it is gone, and told as shorter", async () => {
  const { names } = await following((_, stream) =>
    Effect.gen(function* () {
      yield* Effect.flatMap(JetStream, ({ dropStream }) => dropStream("KEYS"))
      yield* until(() => stream().lost === 3)
    })
  )
  expect(names).toEqual(["key 1", "key 2", "key 3"])
})

it("tells of a lost beginning at a start, and reads what is left", async () => {
  const { lines } = await following(() => Effect.void)
  expect(lines).toEqual([])
  await emptyStream(server.nats.url, "KEYS", { first_seq: 3 })
  const other = temporaryFolder()
  const { names, lines: told } = await following(() => Effect.void, [4], other.path)
  other.remove()
  expect(names).toEqual(["key 4"])
  const words = "is missing or cannot be read: where it revoked a key, revoke that key again"
  expect([...new Set(told)]).toEqual([1, 2].map(seq => `message ${seq} of stream KEYS ${words}`))
})

describe("what was read before a restart", () => {
  const revoked = (book: FollowedKeys["book"]) =>
    book.keys.flatMap(({ name, revokedAtMs }) => (revokedAtMs === null ? [] : [name]))
  /** What a new process knows, of the same data folder. */
  const again = () =>
    server.run(
      Effect.scoped(
        Effect.map(followKeys(folder.path), ({ book, stream }) => ({
          ...{ names: book.keys.map(({ name }) => name).sort(), revoked: revoked(book) },
          ...{ lost: stream().lost, isTold: stream().problem !== null }
        }))
      )
    )

  beforeEach(async () => {
    await following(() => Effect.void, [1, 2])
    await server.run(
      appendKeyEvent(() => Effect.succeed({ kind: "KeyRevoked", id: "000000000001", atMs: 7 }))
    )
    expect(await again()).toEqual({
      ...{ names: ["key 1", "key 2"], revoked: ["key 1"], lost: 0, isTold: false }
    })
  })

  it("holds where the server has lost it since, which is told until it is there again", async () => {
    await emptyStream(server.nats.url, "KEYS")
    await server.run(append(1))
    const known = { names: ["key 1", "key 2"], revoked: ["key 1"] }
    expect(await again()).toEqual({ ...known, lost: 2, isTold: true })
    await server.run(append(3))
    const three = { names: ["key 1", "key 2", "key 3"], revoked: ["key 1"] }
    expect(await again()).toEqual({ ...three, lost: 1, isTold: true })
    await server.run(append(4))
    const names = [...three.names, "key 4"]
    expect(await again()).toEqual({ ...three, names, lost: 0, isTold: false })
  })

  it("does not hold where another server is used", async () => {
    await emptyStream(server.nats.url, "KEYS")
    await server.run(append(9))
    const others = { names: ["key 9"], revoked: [], lost: 0, isTold: false }
    expect(await again()).toEqual(others)
    expect(await again()).toEqual(others)
  })

  it("is passed over where its copy is damaged, and kept again", async () => {
    const path = join(folder.path, "api-keys.log")
    const text = readFileSync(path, "utf8")
    // of the first line a digit of its key, and the end of the last one
    writeFileSync(path, text.replace("00000001", "00000008").slice(0, -20))
    const whole = { names: ["key 1", "key 2"], revoked: ["key 1"], lost: 0, isTold: false }
    expect(await again()).toEqual(whole)
    await emptyStream(server.nats.url, "KEYS")
    await server.run(append(1))
    expect(await again()).toEqual({ ...whole, lost: 2, isTold: true })
  })
})
