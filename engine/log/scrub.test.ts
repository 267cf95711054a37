/** What is remembered of a log that was looked through counts for that log alone. */
import { Deferred, Effect, Fiber } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { blocksBatch } from "../../test/support/block-batches.ts"
import { type LogServer, startLogServer } from "../../test/support/log-server.ts"
import { logStream } from "./log-stream.ts"
import { NO_MARK, type ScrubMark, scrub } from "./scrub.ts"
import { openTapeLog } from "./tape-log.ts"

let server: LogServer
beforeAll(async () => {
  server = await startLogServer()
})
afterAll(() => server.stop())

/** The first mark that is told of a look that goes on from another, and the one of a whole pass. */
const marksFrom = (from: ScrubMark) =>
  Effect.gen(function* () {
    const stream = yield* logStream("base")
    const told: Array<ScrubMark> = []
    const whole = yield* Deferred.make<ScrubMark>()
    const looking = yield* Effect.forkChild(
      scrub({
        ...{ stream, from, bytesPerSecond: 1e9, restMs: 0 },
        tell: ({ mark }) => {
          told.push(mark)
          const isNew = mark.isOver && told.length > 1
          return isNew ? Deferred.succeed(whole, mark) : Effect.void
        }
      })
    )
    const over = yield* Deferred.await(whole)
    yield* Fiber.interrupt(looking)
    return { first: told[0], over }
  })

it("goes on where it was, also after a whole pass, but not in another log", async () => {
  const { whole, again, other } = await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog("base")
      const at = yield* log.append(blocksBatch(1, 9, 4))
      const { first, over } = yield* marksFrom(NO_MARK)
      expect(first).toEqual(NO_MARK)
      expect(over).toMatchObject({ at, isOver: true })
      const { first: again } = yield* marksFrom(over)
      // the same place of a log that was cut, and holds other blocks since
      const { first: other } = yield* marksFrom({ ...over, at: { ...at, hash: "ab".repeat(32) } })
      return { whole: over, again, other }
    })
  )
  expect(whole.wholeAtMs).toBeGreaterThan(0)
  expect(again).toEqual(whole)
  expect(other).toEqual(NO_MARK)
})
