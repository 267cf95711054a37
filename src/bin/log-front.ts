/** How far a log can be trusted, and its side log with it. */
import { Effect, Option, Stream } from "effect"
import type { LogBroken } from "../../engine/log/log-errors.ts"
import { type LogStream, sidePrefix } from "../../engine/log/log-stream.ts"
import { readSegments } from "../../engine/log/read-log.ts"
import { endOf, LOG_START, type LogPosition, startOf } from "../../engine/log/segment.ts"
import type { SideRange } from "../../engine/log/side-log.ts"
import { joinedIn } from "../../engine/runner/join-events.ts"
import { progressBar } from "./progress.ts"

/** The end of a segment. */
export interface Place extends LogPosition {
  /** its last block; null at the log's start */
  readonly block: number | null
}

/** What a log joins of its side log, and the place before the segment that says so. */
export interface Join extends SideRange {
  readonly before: Place
}

/** The good front part of a log. */
export interface Front extends Place {
  /** messages in the stream behind it */
  readonly behind: number
  /** what ended it; null where nothing is wrong as far as was read */
  readonly broken: LogBroken | null
  readonly joins: ReadonlyArray<Join>
  /** hash of each segment by its last seq; of a side log only, others are too long */
  readonly hashes: ReadonlyMap<number, string>
  readonly rollbacks: number
}

const START: Place = { ...LOG_START, block: null }

/** Of a stream that is not there. */
export const NO_FRONT: Front = {
  ...START,
  ...{ behind: 0, broken: null, joins: [], hashes: new Map(), rollbacks: 0 }
}

/** Reads a log with every check, up to a seq; none where there is no such stream. */
export const frontOf = (stream: LogStream, to = Number.MAX_SAFE_INTEGER) =>
  Effect.gen(function* () {
    const known = yield* stream.jetStream.stream(stream.name)
    if (Option.isNone(known)) return Option.none<Front>()
    const { lastSeq } = known.value
    const bar = progressBar(`checking ${stream.name}`, lastSeq)
    let at = START
    let rollbacks = 0
    const isSide = stream.name.startsWith(sidePrefix)
    const joins: Array<Join> = []
    const hashes = new Map<number, string>()
    const broken = yield* readSegments(stream, LOG_START, { follow: false }).pipe(
      Stream.takeWhile(({ header }) => header.lastSeq <= to),
      Stream.runForEach(({ header, batch }) =>
        Effect.sync(() => {
          const before: Place = { ...startOf(header), block: at.block }
          for (const range of joinedIn(batch, 0, batch.count)) joins.push({ ...range, before })
          at = { ...endOf(header), block: header.lastBlock }
          if (isSide) hashes.set(header.lastSeq, header.hash)
          if (header.rollbackTo !== null) rollbacks++
          bar.at(header.streamSeq)
        })
      ),
      Effect.as(null),
      Effect.catchTag("LogBroken", failure => Effect.succeed(failure)),
      Effect.ensuring(Effect.sync(bar.end))
    )
    const behind = lastSeq - at.streamSeq
    return Option.some<Front>({ ...at, behind, broken, joins, hashes, rollbacks })
  })

/** The first join of a log that its side log has not got as it was; null where it has all. */
export const unheldJoin = (log: Front, side: Front): Join | null =>
  log.joins.find(({ lastSeq, hash }) => side.hashes.get(lastSeq) !== hash) ?? null

/** What is wrong with a join. */
export const joinProblem = (chain: string, { firstSeq, lastSeq }: Join): string =>
  `the log of ${chain} joins events ${firstSeq}..${lastSeq} of its side log, which has not got them ` +
  "as they were: they hold transfers that pinned tokens had before"
