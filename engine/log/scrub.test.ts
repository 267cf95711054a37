/** What is remembered of a log that was looked through counts for that log alone. */
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Deferred, Effect, Fiber } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { streamsFolder } from "../../src/platform/stream-files.ts"
import { blocksBatch } from "../../test/support/block-batches.ts"
import { type LogServer, openRaw, startLogServer } from "../../test/support/log-server.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { logStream } from "./log-stream.ts"
import { filesLost } from "./lost-files.ts"
import { NO_MARK, type ScrubMark, type ScrubNews, scrub } from "./scrub.ts"
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

const HOUR_MS = 3_600_000

/** Scrubs a log, with an hour between passes, until news come that meet a condition. */
const newsFrom = (
  chain: string,
  from: ScrubMark,
  isAwaited: (news: ScrubNews) => boolean,
  before: Effect.Effect<unknown> = Effect.void,
  lost: Effect.Effect<string | null> = Effect.succeed(null)
) =>
  Effect.gen(function* () {
    const stream = yield* logStream(chain)
    const told: Array<ScrubNews> = []
    const awaited = yield* Deferred.make<ScrubNews>()
    const looking = yield* Effect.forkChild(
      scrub({
        ...{ stream, from, bytesPerSecond: 1e9, restMs: HOUR_MS, idleMs: 5 },
        filesLost: lost,
        tell: news => {
          told.push(news)
          return isAwaited(news) ? Deferred.succeed(awaited, news) : Effect.void
        }
      })
    )
    yield* before
    const news = yield* Deferred.await(awaited)
    yield* Fiber.interrupt(looking)
    return { news, told }
  })

const isWhole = ({ mark }: ScrubNews) => mark.isOver

it("earns no rest where it saw nothing, and sees what is written during a rest", async () => {
  await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog("empty")
      const began = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(
        newsFrom("empty", NO_MARK, isWhole, Deferred.succeed(began, undefined))
      )
      yield* Deferred.await(began)
      const at = yield* log.append(blocksBatch(1, 9, 4))
      const { news, told } = yield* Fiber.join(first)
      expect(news.mark).toMatchObject({ at, isOver: true })
      expect(told.filter(one => isWhole(one) && one.mark.at.streamSeq === 0)).toEqual([])
      // as older versions kept it of a log that was empty
      const none = { ...NO_MARK, isOver: true, wholeAtMs: Date.now() }
      expect((yield* newsFrom("empty", none, isWhole)).news.mark.at).toEqual(at)
      const more = yield* log.append(blocksBatch(10, 30, 4))
      const isMore = ({ mark }: ScrubNews) => mark.at.seq === more.seq
      const { news: after } = yield* newsFrom("empty", news.mark, isMore)
      expect(after.mark).toMatchObject({ at: more, isOver: true, wholeAtMs: news.mark.wholeAtMs })
    })
  )
})

it("tells of damage in what was written after the last whole pass", async () => {
  const raw = await openRaw(server.nats.url)
  const whole = await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog("hurt")
      yield* log.append(blocksBatch(1, 9, 4))
      const { news } = yield* newsFrom("hurt", NO_MARK, isWhole)
      yield* log.append(blocksBatch(10, 30, 4))
      return news.mark
    })
  )
  await raw.damage("TAPE_HURT", "tape.hurt")
  await raw.close()
  const { news } = await server.run(newsFrom("hurt", whole, ({ problem }) => problem !== null))
  expect(news.problem).toMatch(/^the log of hurt is broken at message 3: /)
})

it("tells of files that are gone while their server holds them open", async () => {
  const folder = temporaryFolder()
  const disk = await startLogServer(folder.path)
  const found = await disk.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog("gone")
      const stream = yield* logStream("gone")
      yield* log.append(blocksBatch(1, 9, 4))
      const before = yield* filesLost(folder.path, stream)
      const messages = join(streamsFolder(folder.path), stream.name, "msgs")
      for (const name of readdirSync(messages)) rmSync(join(messages, name))
      // the server answers from what it holds open
      yield* log.append(blocksBatch(10, 30, 4))
      const isLost = ({ problem }: ScrubNews) => problem !== null
      const { news } = yield* newsFrom(
        "gone",
        NO_MARK,
        isLost,
        Effect.void,
        filesLost(folder.path, stream)
      )
      return { before, news }
    })
  )
  await disk.stop()
  expect(found.before).toBeNull()
  expect(found.news.mark).toEqual(NO_MARK)
  expect(found.news.problem).toMatch(
    /^files are missing in .*msgs: of \d+ bytes 0 are left on disk/
  )
})
