import { closeSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { FILE_GRADE } from "../../src/domain/assurance.ts"
import { JetStream } from "../../src/platform/jetstream.ts"
import { batchOf } from "../../streams/event-objects.ts"
import { blockEvents, blockRef, blocksBatch } from "../../test/support/block-batches.ts"
import { startProxy } from "../../test/support/cutting-proxy.ts"
import {
  type LogServer,
  openRaw,
  type RawMessage,
  type RawStreams,
  startLogServer
} from "../../test/support/log-server.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import type { LogBroken } from "./log-errors.ts"
import { LOG_START, type LogPosition } from "./segment.ts"
import { factsHeader, hashHeader } from "./segment-message.ts"
import { openLogReader, openTapeLog } from "./tape-log.ts"

let server: LogServer
let raw: RawStreams
/** a whole log of six segments, which the tests forge */
let whole: ReadonlyArray<RawMessage>
beforeAll(async () => {
  server = await startLogServer()
  raw = await openRaw(server.nats.url)
  await append("whole", 6)
  whole = await raw.messages("whole")
})
afterAll(async () => {
  await raw.close()
  await server.stop()
})

/** Appends one segment for each block. */
const append = (chain: string, blocks: number, on = server) =>
  on.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog(chain)
      const first = log.position().streamSeq + 1
      for (let i = first; i < first + blocks; i++) yield* log.append(blocksBatch(i, i, 20))
      return log.position()
    })
  )

/** How many segments can be read, and where and why it ends. */
const readAll = (chain: string, from: LogPosition = LOG_START, on = server) =>
  on.run(
    Effect.gen(function* () {
      const log = yield* openLogReader(chain)
      let read = 0
      const count = Effect.sync(() => {
        read++
      })
      const error = yield* Effect.flip(
        Stream.runForEach(log.read(from, { follow: true }), () => count)
      )
      return { read, error: error as LogBroken }
    })
  )

const logEndOf = (chain: string) => Effect.flatMap(openLogReader(chain), log => log.end)

/** Puts these messages in the place of the log of the chain "whole". */
const forge = async (messages: ReadonlyArray<RawMessage>) => {
  const chain = "whole"
  await raw.deleteStream(chain)
  await raw.create(chain)
  for (const message of messages) await raw.publish(chain, message)
  return chain
}

const withHeader = (message: RawMessage, name: string, change: (value: string) => string) => ({
  ...message,
  headers: message.headers.map(
    ([key, value]) => [key, key === name ? change(value) : value] as const
  )
})

const flipped = (message: RawMessage, at: number): RawMessage => {
  const data = message.data.slice()
  data[at] = (data[at] ?? 0) ^ 1
  return { ...message, data }
}

const at = (streamSeq: number, reason: string) => ({
  read: streamSeq - 1,
  error: { _tag: "LogBroken", chain: "whole", streamSeq, reason: expect.stringContaining(reason) }
})

it("stops at a damaged byte, wherever it is", async () => {
  const size = whole[2]?.data.length ?? 0
  for (const place of [0, Math.floor(size / 3), size - 1]) {
    const messages = whole.with(2, flipped(whole[2]!, place))
    expect(await readAll(await forge(messages))).toMatchObject(at(3, "its own hash"))
  }
  const shorter = { ...whole[3]!, data: whole[3]!.data.slice(0, -1) }
  expect(await readAll(await forge(whole.with(3, shorter)))).toMatchObject(at(4, "its own hash"))
})

it("stops at a header that was changed", async () => {
  const later = withHeader(whole[4]!, factsHeader, text => text.replace('"number":5', '"number":6'))
  expect(await readAll(await forge(whole.with(4, later)))).toMatchObject(at(5, "its own hash"))
  const other = withHeader(whole[4]!, hashHeader, () => "0".repeat(64))
  expect(await readAll(await forge(whole.with(4, other)))).toMatchObject(at(5, "its own hash"))
})

it("stops where a message is missing", async () => {
  const chain = await forge(whole)
  await raw.deleteMessage(chain, 4)
  expect(await readAll(chain)).toMatchObject(at(4, "missing"))
  await raw.deleteMessage(chain, 1)
  expect(await readAll(chain)).toMatchObject(at(1, "missing"))
  expect(await readAll(await forge(whole.toSpliced(2, 1)))).toMatchObject(at(3, "it follows"))
})

it("stops at the end where the last messages are missing", async () => {
  const chain = await forge(whole)
  await raw.deleteMessage(chain, 6)
  expect(await readAll(chain)).toMatchObject(at(6, "missing"))
  const opening = await server.run(Effect.flip(openTapeLog(chain)))
  expect(opening).toMatchObject({ _tag: "LogBroken", streamSeq: 6 })
})

it("says what helps where files were replayed, however many messages are missing", async () => {
  const chain = "files"
  const replayed = (number: number) =>
    batchOf(
      blockEvents(blockRef(number), 3).map(event =>
        event.kind === "BlockSealed" ? { ...event, grade: FILE_GRADE } : event
      )
    )
  await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog(chain)
      for (let number = 1; number <= 12; number++) yield* log.append(replayed(number))
    })
  )
  // so that messages may be deleted
  const messages = await raw.messages(chain)
  await raw.deleteStream(chain)
  await raw.create(chain)
  for (const message of messages) await raw.publish(chain, message)
  // as where the last file of messages is lost, which are read from the end
  for (let message = 12; message > 7; message--) await raw.deleteMessage(chain, message)
  expect(await server.run(Effect.flip(logEndOf(chain)))).toMatchObject({ replayedTo: 7 * 4 })
  expect(await readAll(chain)).toMatchObject({ read: 7, error: { replayedTo: 7 * 4 } })
  for (const message of [1, 2, 3]) await raw.deleteMessage(chain, message)
  expect(await readAll(chain)).toMatchObject({ read: 0, error: { streamSeq: 1, replayedTo: 0 } })
})

it("stops at a foreign message", async () => {
  const foreign = { headers: [], data: new TextEncoder().encode("hello") }
  expect(await readAll(await forge(whole.toSpliced(2, 0, foreign)))).toMatchObject(
    at(3, "not a segment")
  )
  await append("other", 3)
  const [, , third] = await raw.messages("other")
  expect(await readAll(await forge(whole.with(2, third!)))).toMatchObject(
    at(3, "belongs to the log of other")
  )
})

it("stops at swapped and at repeated messages", async () => {
  const swapped = whole.with(2, whole[3]!).with(3, whole[2]!)
  expect(await readAll(await forge(swapped))).toMatchObject(at(3, "it follows"))
  const repeated = whole.toSpliced(3, 0, whole[2]!)
  expect(await readAll(await forge(repeated))).toMatchObject(at(4, "it follows"))
})

it("compares the position it starts from with the log", async () => {
  const chain = await forge(whole)
  const end = await server.run(logEndOf(chain))
  const other = { ...end, streamSeq: 5, seq: end.seq - 21 }
  expect(await readAll(chain, other)).toMatchObject({ read: 0, error: { streamSeq: 5 } })
  expect(await readAll(chain, { ...end, seq: end.seq + 1 })).toMatchObject({
    read: 0,
    error: { streamSeq: 6 }
  })
})

it("tells of a log that is shorter than it was", async () => {
  const before = await server.run(Effect.flatMap(openLogReader(await forge(whole)), log => log.end))
  const chain = await forge(whole.slice(0, 4))
  const now = await server.run(Effect.map(openTapeLog(chain), log => log.position()))
  expect(now).toMatchObject({ streamSeq: 4, seq: 4 * 21 })
  expect(await readAll(chain, before)).toMatchObject({
    read: 0,
    error: { streamSeq: 5, reason: expect.stringContaining("had reached message 6") }
  })
})

it("tells a follower of a log that becomes shorter behind it", async () => {
  const chain = await forge(whole)
  // the follower is deaf while the stream is made anew: it must not see the moment without one
  const proxy = await startProxy(server.nats.url)
  const shortened = Effect.gen(function* () {
    const log = yield* openLogReader(chain)
    const atEnd = yield* Deferred.make<void>()
    const follower = yield* log.read(LOG_START, { follow: true }).pipe(
      Stream.tap(({ header }) =>
        header.streamSeq === 6 ? Deferred.succeed(atEnd, undefined) : Effect.void
      ),
      Stream.runDrain,
      Effect.flip,
      Effect.forkChild
    )
    yield* Deferred.await(atEnd)
    proxy.swallowAnswers()
    yield* Effect.promise(() => forge(whole.slice(0, 4)))
    proxy.cut()
    return yield* Fiber.join(follower)
  }).pipe(Effect.provide(JetStream.layer({ url: proxy.url, timeoutMs: 500, patient: false })))
  expect(await Effect.runPromise(shortened)).toMatchObject({ _tag: "LogBroken", streamSeq: 5 })
  proxy.close()
})

/** The files in which nats-server keeps the messages of a stream. */
const blockFiles = (dataDirectory: string, chain: string) => {
  const folder = join(
    dataDirectory,
    ...["nats", "jetstream", "$G", "streams", `TAPE_${chain.toUpperCase()}`, "msgs"]
  )
  return readdirSync(folder)
    .filter(name => name.endsWith(".blk"))
    .map(name => join(folder, name))
}

const damage = (path: string, text: Uint8Array) => {
  const content = readFileSync(path)
  const place = content.indexOf(text)
  expect(place).toBeGreaterThan(0)
  const file = openSync(path, "r+")
  writeSync(file, Uint8Array.of((content[place] ?? 0) ^ 0xff), 0, 1, place)
  closeSync(file)
}

it("never passes a message whose bytes on disk have changed", async () => {
  const folder = temporaryFolder()
  let disk = await startLogServer(folder.path)
  await append("disk", 6, disk)
  const rawDisk = await openRaw(disk.nats.url)
  const third = (await rawDisk.messages("disk"))[2]!
  await rawDisk.close()
  await disk.stop()
  const [file = ""] = blockFiles(folder.path, "disk")
  damage(file, third.data.subarray(40, 80))
  disk = await startLogServer(folder.path)
  // The server starts without a word and still counts six messages.
  expect((await disk.run(logEndOf("disk"))).streamSeq).toBe(6)
  expect(await readAll("disk", LOG_START, disk)).toMatchObject({
    read: 2,
    error: { _tag: "LogBroken", streamSeq: 3 }
  })
  const opening = await disk.run(Effect.flip(openTapeLog("disk")))
  expect(opening).toMatchObject({ _tag: "LogBroken", streamSeq: 3 })
  await disk.stop()
  folder.remove()
})
