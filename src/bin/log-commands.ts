/** Prints, for `npm run log`, events and segments, and checks whether a log is whole. */
import { DateTime, Effect, Option, Schema, Stream } from "effect"
import {
  type LogStream,
  logStream,
  sideOf,
  sidePrefix,
  streamPrefix
} from "../../engine/log/log-stream.ts"
import {
  LOG_START,
  type RawSegment,
  type Segment,
  type SegmentHeader,
  startOf
} from "../../engine/log/segment.ts"
import { type LogReader, openLogReader, openSideReader } from "../../engine/log/tape-log.ts"
import { eventAt, eventToJson } from "../../streams/event-objects.ts"
import { JetStream } from "../platform/jetstream.ts"
import { frontOf, joinProblem, NO_FRONT, unheldJoin } from "./log-front.ts"

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

/** Opens the log of a chain or its side log. */
const opened = (chain: string, side: boolean) =>
  side ? openSideReader(chain) : openLogReader(chain)

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

/** Prints the events of a log or side log as JSON lines. */
export const cat = Effect.fnUntraced(function* (chain: string, options: CatOptions, side = false) {
  const log = yield* opened(chain, side)
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

/** Prints one line for each segment of a log or side log. */
export const listSegments = Effect.fnUntraced(function* (chain: string, side = false) {
  const log = yield* opened(chain, side)
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

/** Prints one line for each log and each side log of the server. */
export const listLogs = Effect.gen(function* () {
  const { streams } = yield* JetStream
  for (const prefix of [streamPrefix, sidePrefix]) {
    for (const { name, messages, bytes } of yield* streams(prefix)) {
      const chain = name.slice(prefix.length).toLowerCase()
      const isSide = prefix === sidePrefix
      const { seq } = yield* (yield* opened(chain, isSide)).end
      const what = isSide ? `${chain}, side log` : chain
      yield* write(`${what}: ${seq} events in ${messages} segments, ${bytes} bytes\n`)
    }
  }
})

/** A log is damaged; the message names the damage and what to do. */
class NotWhole extends Schema.TaggedError<NotWhole>()("NotWhole", {
  message: Schema.String
}) {}

const checkOne = Effect.fnUntraced(function* (stream: LogStream, what: string) {
  const front = yield* frontOf(stream)
  if (Option.isNone(front)) return NO_FRONT
  const { seq, streamSeq, block, rollbacks, hash, broken } = front.value
  if (broken !== null) {
    const isSide = stream.name.startsWith(sidePrefix)
    const message = isSide ? `${what}: ${broken.message}` : broken.message
    return yield* new NotWhole({ message })
  }
  const summary =
    seq === 0
      ? "it is empty"
      : `${seq} events in ${streamSeq} segments up to block ${block}, ${rollbacks} rollbacks, last hash ${hash}`
  yield* write(`${what} is whole: ${summary}\n`)
  return front.value
})

/**
 * Reads a whole log, and its side log where there is one, with every check. Prints that each is
 * whole; fails where one is broken or where the side log lacks events that the log joins.
 */
export const check = Effect.fnUntraced(function* (chain: string) {
  const stream = yield* logStream(chain)
  yield* (yield* openLogReader(chain)).end
  const log = yield* checkOne(stream, `the log of ${chain}`)
  const side = yield* checkOne(sideOf(stream), `the side log of ${chain}`)
  const unheld = unheldJoin(log, side)
  if (unheld === null) return
  const message =
    `${joinProblem(chain, unheld)}. Stop the engine, then "npm run log -- repair --chain ${chain} ` +
    '--from-source" keeps the log up to there, and reads the rest and those transfers again'
  return yield* new NotWhole({ message })
})
