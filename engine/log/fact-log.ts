/**
 * The fact log of a chain: what the chain has proven of the registry's candidates, and whether it
 * is a simulated one, in a stream of its own beside the chain's log, of the same segments, chained
 * by the same hashes. Folds read a chain's venues and routers as facts, so whoever folds the log
 * reads these first: two engines with one log have the same tables. A fact holds for all blocks,
 * whenever it was proven, and is never taken back.
 */
import { Effect, Option, Stream } from "effect"
import type { JetStream } from "../../src/platform/jetstream.ts"
import type { EventOf } from "../../streams/event.ts"
import { batchOf, eventsOf } from "../../streams/event-objects.ts"
import { type AppendError, LogBroken, type LogUnusable, type ReadError } from "./log-errors.ts"
import { ensureStream, knownStream, logStream } from "./log-stream.ts"
import { appendPart, openPartWriter } from "./part-writer.ts"
import { endOf, LOG_START, type LogPosition } from "./segment.ts"
import { openLogReader } from "./tape-log.ts"

export type ChainFact = EventOf<"VenueProven"> | EventOf<"RouterProven"> | EventOf<"ChainSimulated">

/** The facts of a chain, and where they end. */
export interface ChainFacts {
  readonly facts: ReadonlyArray<ChainFact>
  readonly end: LogPosition
}

const isFact = (event: { readonly kind: string }): event is ChainFact =>
  event.kind === "VenueProven" || event.kind === "RouterProven" || event.kind === "ChainSimulated"

/** Returns the break of a fact log in its own words; `seq` is the last event before it. */
export const brokenFacts = ({ chain, streamSeq, reason }: LogBroken, seq: number): LogBroken =>
  new LogBroken({
    ...{ chain, streamSeq, reason, replayedTo: null },
    message:
      `the fact log of ${chain} is broken at message ${streamSeq}: ${reason}. Stop the engine, then ` +
      `"npm run log -- cut --chain ${chain} --facts --to ${seq} --yes" keeps the part before; the next ` +
      "start asks the chain again for the rest"
  })

/**
 * Lets the server know a chain's fact log that is on its disk; for who may write it. Elsewhere a
 * log whose description is lost would pass for one that was never there.
 */
export const adoptFacts = (chain: string): Effect.Effect<void, LogUnusable, JetStream> =>
  Effect.asVoid(Effect.flatMap(logStream(chain, "facts"), ensureStream))

/** Reads the facts of a chain; none where it has no fact log. */
export const readFacts = (chain: string): Effect.Effect<ChainFacts, ReadError, JetStream> =>
  Effect.gen(function* () {
    const known = yield* knownStream(yield* logStream(chain, "facts"))
    if (Option.isNone(known)) return { facts: [], end: LOG_START }
    const log = yield* openLogReader(chain, "facts")
    const facts: Array<ChainFact> = []
    let end = LOG_START
    yield* Stream.runForEach(log.read(LOG_START, { follow: false }), ({ header, batch }) =>
      Effect.sync(() => {
        facts.push(...eventsOf(batch).filter(isFact))
        end = endOf(header)
      })
    ).pipe(Effect.catchTag("LogBroken", error => Effect.fail(brokenFacts(error, end.seq))))
    return { facts, end }
  })

/** Milliseconds between two looks at whether a fact log has grown. */
const LOOK_MS = 5_000

/** Waits until a chain's fact log has more than it had at `end`. */
export const untilMoreFacts = (
  chain: string,
  end: LogPosition
): Effect.Effect<void, ReadError, JetStream> =>
  Effect.gen(function* () {
    const stream = yield* logStream(chain, "facts")
    for (;;) {
      const info = yield* knownStream(stream)
      if (Option.isSome(info) && info.value.lastSeq > end.streamSeq) return
      yield* Effect.sleep(LOOK_MS)
    }
  })

/** Appends facts to a chain's fact log, which is created where there is none. */
export const appendFacts = (
  chain: string,
  facts: ReadonlyArray<ChainFact>
): Effect.Effect<void, AppendError, JetStream> =>
  Effect.gen(function* () {
    const writer = yield* openPartWriter(yield* logStream(chain, "facts"))
    yield* appendPart(writer, batchOf(facts), null)
  })
