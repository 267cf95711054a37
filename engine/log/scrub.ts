/**
 * Looks through logs that nobody reads any more, for ever and slowly: what has rotted on disk is
 * found while the rest of it, and the chain's source, are still there.
 */
import { Clock, Effect, Option, Stream } from "effect"
import type { ReadError } from "./log-errors.ts"
import type { LogStream } from "./log-stream.ts"
import { openSegment, readSegments } from "./read-log.ts"
import { endOf, LOG_START, type LogPosition } from "./segment.ts"

/** How far the looking through one stream is. */
export interface ScrubMark {
  /** everything up to there was found whole in this pass */
  readonly at: LogPosition
  /** bytes of this pass */
  readonly bytes: number
  /** whether the pass has reached the log's end: the next begins after a rest */
  readonly isOver: boolean
  /** when the last whole pass ended (ms since 1970); null before the first */
  readonly wholeAtMs: number | null
}

export const NO_MARK: ScrubMark = { at: LOG_START, bytes: 0, isOver: false, wholeAtMs: null }

/** The mark of a pass that begins anew. */
export const anew = ({ wholeAtMs }: ScrubMark): ScrubMark => ({ ...NO_MARK, wholeAtMs })

/** What is said of a stream as it is looked through; `problem` is null while nothing is wrong. */
export interface ScrubNews {
  readonly mark: ScrubMark
  readonly problem: string | null
}

export interface ScrubOptions {
  readonly stream: LogStream
  /** where an earlier look ended */
  readonly from: ScrubMark
  readonly bytesPerSecond: number
  /** between a whole pass and the next */
  readonly restMs: number
  /** between two looks at what is broken */
  readonly retryMs?: number
  /** between two looks for what is new */
  readonly idleMs?: number
  /** what is lost of the files of the stream, which its server may hold open; null where nothing */
  readonly filesLost?: Effect.Effect<string | null>
  readonly tell: (news: ScrubNews) => Effect.Effect<void>
}

const RETRY_MS = 30_000
/** A look at a time takes as much as may be read in this. */
const LOOK_SECONDS = 0.5
/** Between two looks for what is new, and for a log that is not there, as a side log may be. */
const IDLE_MS = 5_000

/** The mark, if the log is still the one that was looked through: it may have been mended. */
const validOf = ({ stream }: ScrubOptions, mark: ScrubMark): Effect.Effect<ScrubMark> =>
  mark.at.streamSeq === 0
    ? Effect.succeed(NO_MARK)
    : stream.jetStream.message(stream.name, mark.at.streamSeq).pipe(
        Effect.map(stored => {
          const opened = Option.map(stored, message => openSegment(stream, message))
          if (Option.isNone(opened) || opened.value._tag === "Failure") return NO_MARK
          return opened.value.success.header.hash === mark.at.hash ? mark : NO_MARK
        }),
        Effect.orElseSucceed(() => NO_MARK)
      )

/** The next segments, checked in every way: where they end, and how many bytes they have. */
const lookOn = (
  { stream, bytesPerSecond }: ScrubOptions,
  from: LogPosition
): Effect.Effect<{ readonly at: LogPosition; readonly bytes: number }, ReadError> =>
  Effect.gen(function* () {
    let [at, bytes] = [from, 0]
    yield* readSegments(stream, from, { follow: false }).pipe(
      Stream.takeUntil(({ header, bytes: size }) => {
        at = endOf(header)
        bytes += size
        return bytes >= bytesPerSecond * LOOK_SECONDS
      }),
      Stream.runDrain
    )
    return { at, bytes }
  })

/** Returns what is left, in milliseconds, of the rest after a whole pass. */
const restLeft = ({ wholeAtMs }: ScrubMark, restMs: number) =>
  Effect.map(Clock.currentTimeMillis, now =>
    wholeAtMs === null ? restMs : Math.min(restMs, Math.max(0, wholeAtMs + restMs - now))
  )

/**
 * Looks through a stream again and again, and tells of it. Only what a pass has seen is left alone
 * for the rest: segments that come meanwhile, or came while no engine ran, are looked at too.
 */
export const scrub = (options: ScrubOptions): Effect.Effect<never> =>
  Effect.gen(function* () {
    const { bytesPerSecond, restMs, retryMs, idleMs = IDLE_MS, tell } = options
    const { filesLost = Effect.succeed(null) } = options
    const lostNow = yield* Effect.cachedWithTTL(filesLost, idleMs)
    let mark = yield* validOf(options, options.from)
    yield* tell({ mark, problem: null })
    for (;;) {
      const lost = yield* lostNow
      if (lost !== null) {
        // what was found whole before may be gone
        mark = NO_MARK
        yield* tell({ mark, problem: lost })
        yield* Effect.sleep(idleMs)
        continue
      }
      if (mark.isOver && (yield* restLeft(mark, restMs)) === 0) mark = anew(mark)
      const looked = yield* Effect.result(lookOn(options, mark.at))
      if (looked._tag === "Failure") {
        const { failure } = looked
        const isBroken = failure._tag === "LogBroken"
        if (isBroken) yield* tell({ mark, problem: failure.message })
        yield* Effect.sleep(isBroken ? (retryMs ?? RETRY_MS) : idleMs)
        // mended meanwhile, it may be another
        if (isBroken) mark = yield* validOf(options, mark)
        continue
      }
      const { at, bytes } = looked.success
      if (at.streamSeq > mark.at.streamSeq) {
        mark = { ...mark, at, bytes: mark.bytes + bytes }
        yield* tell({ mark, problem: null })
        yield* Effect.sleep((1_000 * bytes) / bytesPerSecond)
        continue
      }
      // a pass over an empty log has seen nothing
      if (!mark.isOver && at.streamSeq > 0) {
        mark = { ...mark, isOver: true, wholeAtMs: yield* Clock.currentTimeMillis }
        yield* tell({ mark, problem: null })
      }
      yield* Effect.sleep(Math.min(idleMs, yield* restLeft(mark, restMs)))
    }
  })
