/** Prints, for `npm run log`, events and segments, and checks whether a log is whole. */
import { DateTime, Effect, Option, Schema, Stream } from "effect"
import { allParts, type LogPart, logParts, logStream } from "../../engine/log/log-stream.ts"
import {
  LOG_START,
  type RawSegment,
  type Segment,
  type SegmentHeader,
  startOf
} from "../../engine/log/segment.ts"
import { type LogReader, openLogReader } from "../../engine/log/tape-log.ts"
import { eventAt, eventToJson } from "../../streams/event-objects.ts"
import { JetStream } from "../platform/jetstream.ts"
import { brokenWords, frontOf, joinProblem, NO_FRONT, unheldJoin } from "./log-front.ts"

/** Writes to standard output and waits until the text is flushed, so that memory stays bounded. */
const write = (text: string): Effect.Effect<void> =>
  Effect.callback(resume => {
    process.stdout.write(text, () => resume(Effect.void))
  })

export interface CatOptions {
  /** first and last seq to print */
  readonly from: number
  readonly to: number
  /** true: wait for new events at the end */
  readonly follow: boolean
}

const linesOf = ({ header, batch }: Segment, { from, to }: CatOptions): string => {
  let lines = ""
  const first = Math.max(0, from - header.firstSeq)
  for (let i = first; i < batch.count && header.firstSeq + i <= to; i++) {
    lines += `${eventToJson(eventAt(batch, i), header.firstSeq + i)}\n`
  }
  return lines
}

const placeBefore = (log: LogReader, seq: number) =>
  seq <= 1
    ? Effect.succeed(LOG_START)
    : Effect.flatMap(
        log.segmentAt(seq),
        Option.match({
          onNone: () => log.end,
          onSome: ({ header }) => Effect.succeed(startOf(header))
        })
      )

/** Prints the events of a log as JSON lines. */
export const cat = Effect.fnUntraced(function* (
  chain: string,
  options: CatOptions,
  part: LogPart = "log"
) {
  const log = yield* openLogReader(chain, part)
  const place = yield* placeBefore(log, options.from)
  yield* log.read(place, { follow: options.follow }).pipe(
    Stream.takeUntil(({ header }) => header.lastSeq >= options.to),
    Stream.runForEach(segment => write(linesOf(segment, options)))
  )
})

const isoTime = (seconds: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(seconds * 1000)).slice(0, 19)

const noteOf = ({ rollbackTo, continues }: SegmentHeader): string => {
  const notes = [
    ...(rollbackTo === null ? [] : [`rolls back to ${rollbackTo}`]),
    ...(continues ? ["block continues"] : [])
  ]
  return notes.join(", ")
}

const columns = [8, 12, 12, 10, 10, 20, 8, 10, 18] as const

const row = (cells: ReadonlyArray<string | number>): string =>
  `${cells
    .map((cell, i) => String(cell).padStart(columns[i] ?? 0))
    .join(" ")
    .trimEnd()}\n`

const segmentRow = ({ header, payload }: RawSegment): string => {
  const { firstSeq, lastSeq, firstBlock, lastBlock, lastBlockTime, streamSeq, hash } = header
  const time = isoTime(lastBlockTime)
  const events = lastSeq - firstSeq + 1
  const start = row([
    ...[streamSeq, firstSeq, lastSeq, firstBlock, lastBlock, time],
    ...[events, payload.length, hash.slice(0, 16)]
  ]).trimEnd()
  return `${start}  ${noteOf(header)}`.trimEnd().concat("\n")
}

/** Prints one line for each segment of a log. */
export const listSegments = Effect.fnUntraced(function* (chain: string, part: LogPart = "log") {
  const log = yield* openLogReader(chain, part)
  yield* log.end
  yield* write(
    row([
      ...["message", "first seq", "last seq", "block", "to block", "last block's time"],
      ...["events", "bytes", "hash"]
    ])
  )
  yield* log
    .readRaw(LOG_START, { follow: false })
    .pipe(Stream.runForEach(segment => write(segmentRow(segment))))
})

/** Prints one line for each log of the server. */
export const listLogs = Effect.gen(function* () {
  const { streams } = yield* JetStream
  for (const part of allParts) {
    const { prefix, word } = logParts[part]
    for (const { name, messages, bytes } of yield* streams(prefix)) {
      const chain = name.slice(prefix.length).toLowerCase()
      const { seq } = yield* (yield* openLogReader(chain, part)).end
      const what = part === "log" ? chain : `${chain}, ${word}`
      yield* write(`${what}: ${seq} events in ${messages} segments, ${bytes} bytes\n`)
    }
  }
})

/** A log is damaged; the message names the damage and what to do. */
class NotWhole extends Schema.TaggedError<NotWhole>()("NotWhole", {
  message: Schema.String
}) {}

const checkOne = Effect.fnUntraced(function* (chain: string, part: LogPart) {
  const front = yield* frontOf(yield* logStream(chain, part))
  const what = `the ${logParts[part].word} of ${chain}`
  if (Option.isNone(front)) return NO_FRONT
  const { seq, streamSeq, block, rollbacks, hash, broken } = front.value
  if (broken !== null) {
    return yield* new NotWhole({ message: brokenWords(part, front.value) })
  }
  const summary =
    seq === 0
      ? "it is empty"
      : `${seq} events in ${streamSeq} segments up to block ${block}, ${rollbacks} rollbacks, last hash ${hash}`
  yield* write(`${what} is whole: ${summary}\n`)
  return front.value
})

/**
 * Reads all logs of a chain that there are, with every check. Prints that each is whole; fails
 * where one is broken or where the side log lacks events that the log joins.
 */
export const check = Effect.fnUntraced(function* (chain: string) {
  yield* (yield* openLogReader(chain)).end
  yield* checkOne(chain, "facts")
  yield* checkOne(chain, "trade")
  const log = yield* checkOne(chain, "log")
  const side = yield* checkOne(chain, "side")
  const unheld = unheldJoin(log, side)
  if (unheld === null) return
  const message =
    `${joinProblem(chain, unheld)}. Stop the engine, then "npm run log -- repair --chain ${chain} ` +
    '--from-source" keeps the log up to there, and reads the rest and those transfers again'
  return yield* new NotWhole({ message })
})
