import { readdirSync, statSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { Effect, Stream } from "effect"
import { afterEach, expect, it } from "vitest"
import { LOG_START } from "../../engine/log/segment.ts"
import { openTapeLog } from "../../engine/log/tape-log.ts"
import { blocksBatch } from "../../test/support/block-batches.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { JetStream } from "../platform/jetstream.ts"
import { openNats } from "./nats-choice.ts"

const folder = temporaryFolder()
afterEach(() => folder.remove())

/** Runs with the folder's server, which stops afterwards. */
const onFolder = <A, E>(use: Effect.Effect<A, E, JetStream>) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { url } = yield* openNats(folder.path)
      return yield* use.pipe(Effect.provide(JetStream.layer({ url })))
    }).pipe(Effect.scoped)
  )

const append = (first: number, last: number) =>
  onFolder(
    Effect.gen(function* () {
      const log = yield* openTapeLog("base")
      for (let i = first; i <= last; i++) yield* log.append(blocksBatch(i, i, 20))
      return log.position()
    })
  )

const blocks = () =>
  onFolder(
    Effect.gen(function* () {
      const log = yield* openTapeLog("base")
      const segments = yield* Stream.runCollect(log.read(LOG_START, { follow: false }))
      return segments.map(({ header }) => header.lastBlock)
    })
  )

it("goes back to the last whole message of a log whose end is torn off", async () => {
  const end = await append(1, 6)
  expect(end.streamSeq).toBe(6)
  const messages = join(folder.path, "nats/jetstream/$G/streams/TAPE_BASE/msgs")
  expect(readdirSync(messages).sort()).toEqual(["1.blk", "index.db"])
  const file = join(messages, "1.blk")
  truncateSync(file, statSync(file).size - 70)
  expect(await blocks()).toEqual([1, 2, 3, 4, 5])
  expect(await append(6, 8)).toMatchObject({ streamSeq: 8 })
  expect(await blocks()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})
