/** Finds the good front part of a log, and the joins that its side log no longer holds. */
import { Effect, Option, Stream } from "effect"
import { brokenFacts } from "../../engine/log/fact-log.ts"
import type { LogBroken } from "../../engine/log/log-errors.ts"
import { type LogPart, type LogStream, partOfStream } from "../../engine/log/log-stream.ts"
import { readSegments } from "../../engine/log/read-log.ts"
import { endOf, LOG_START, type LogPosition, startOf } from "../../engine/log/segment.ts"
import type { SideRange } from "../../engine/log/side-log.ts"
import { joinedIn } from "../../engine/runner/join-events.ts"
import { brokenMoves } from "../../engine/trade/meta/breaker-log.ts"
import { progressBar } from "./progress.ts"

/** The end of a segment. */
export interface Place extends LogPosition {
  /** number of the segment's last block; null at the log's start */
  readonly block: number | null
}

/** A range of side-log events that a log joins, and the place before the joining segment. */
export interface Join extends SideRange {
  readonly before: Place
}

/** The good front part of a log. */
export interface Front extends Place {
  /** number of messages in the stream behind the front */
  readonly behind: number
  /** last seq of the segment that holds the seq to keep and goes past it; null where none does */
  readonly crossedTo: number | null
  /** the damage that ends the front; null where the part that was read is good */
  readonly broken: LogBroken | null
  readonly joins: ReadonlyArray<Join>
  /** hash of each segment by its last seq, for side logs only; empty for logs, to save memory */
  readonly hashes: ReadonlyMap<number, string>
  readonly rollbacks: number
}

const START: Place = { ...LOG_START, block: null }

/** The front of a stream that does not exist. */
export const NO_FRONT: Front = {
  ...START,
  ...{ behind: 0, crossedTo: null, broken: null, joins: [], hashes: new Map(), rollbacks: 0 }
}

/** Reads a log up to seq `to` with every check and returns its front; none without a stream. */
export const frontOf = (stream: LogStream, to = Number.MAX_SAFE_INTEGER) =>
  Effect.gen(function* () {
    const known = yield* stream.jetStream.stream(stream.name)
    if (Option.isNone(known)) return Option.none<Front>()
    const { lastSeq } = known.value
    const bar = progressBar(`checking ${stream.name}`, lastSeq)
    let at = START
    let rollbacks = 0
    let crossedTo: number | null = null
    const isSide = partOfStream(stream.name)?.part === "side"
    const joins: Array<Join> = []
    const hashes = new Map<number, string>()
    const broken = yield* readSegments(stream, LOG_START, { follow: false }).pipe(
      Stream.takeWhile(({ header: { firstSeq, lastSeq } }) => {
        if (lastSeq <= to) return true
        if (firstSeq <= to) crossedTo = lastSeq
        return false
      }),
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
    return Option.some<Front>({ ...at, behind, crossedTo, broken, joins, hashes, rollbacks })
  })

/** Returns what to say of the damage that ends a log's front. */
export const brokenWords = (part: LogPart, { broken, seq }: Front): string => {
  if (broken === null) return ""
  if (part === "facts") return brokenFacts(broken, seq).message
  if (part === "trade") return brokenMoves(broken, seq).message
  return part === "log" ? broken.message : `the side log of ${broken.chain}: ${broken.message}`
}

/** Returns the first join whose events the side log lacks or has changed; null where all hold. */
export const unheldJoin = (log: Front, side: Front): Join | null =>
  log.joins.find(({ lastSeq, hash }) => side.hashes.get(lastSeq) !== hash) ?? null

/** Returns the message about a join that the side log does not hold. */
export const joinProblem = (chain: string, { firstSeq, lastSeq }: Join): string =>
  `the log of ${chain} joins events ${firstSeq}..${lastSeq} of its side log, which has not got them ` +
  "as they were: they hold transfers that pinned tokens had before"
