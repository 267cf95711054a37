/**
 * The trade log of a chain: how the breakers of its aggregators moved, in a stream of its own
 * beside the chain's log, of the same segments, chained by the same hashes. No fold reads it and
 * nothing of the chain depends on it; a start goes on from its last moves, so that a provider that
 * was down is not taken for well by whoever starts anew.
 */
import { Effect, Option, Stream } from "effect"
import type { JetStream } from "../../../src/platform/jetstream.ts"
import type { BlockRef, EventOf } from "../../../streams/event.ts"
import { batchOf, eventsOf } from "../../../streams/event-objects.ts"
import { type AppendError, LogBroken, type ReadError } from "../../log/log-errors.ts"
import { knownStream, logStream } from "../../log/log-stream.ts"
import { appendPart, openPartWriter } from "../../log/part-writer.ts"
import { endOf, LOG_START } from "../../log/segment.ts"
import { openLogReader } from "../../log/tape-log.ts"
import type { BreakerMove } from "./breakers.ts"
import { PROVIDER_IDS } from "./providers/all.ts"

type Moved = EventOf<"BreakerMoved">

const isMoved = (event: { readonly kind: string }): event is Moved => event.kind === "BreakerMoved"

const raw = (value: number | null): bigint | null => (value === null ? null : BigInt(value))

const eventOf = (move: BreakerMove, block: BlockRef): Moved => ({
  kind: "BreakerMoved",
  ...{ block, tx: null, logIndex: 0 },
  ...{ provider: move.provider, state: move.state, cause: move.cause, atMs: move.atMs },
  untilMs: raw(move.untilMs),
  coolDownMs: raw(move.coolDownMs)
})

const STATES = ["closed", "open", "half-open"] as const

/** The move that an event tells; null of a provider or a state that this version does not know. */
const moveOf = (chain: string, event: Moved): BreakerMove | null => {
  const provider = PROVIDER_IDS.find(id => id === event.provider)
  const state = STATES.find(one => one === event.state)
  if (provider === undefined || state === undefined) return null
  const { cause, atMs, untilMs, coolDownMs } = event
  return {
    ...{ chain, provider, state, cause, atMs },
    untilMs: untilMs === null ? null : Number(untilMs),
    coolDownMs: coolDownMs === null ? null : Number(coolDownMs)
  }
}

/** Returns the break of a trade log in its own words; `seq` is the last event before it. */
export const brokenMoves = ({ chain, streamSeq, reason }: LogBroken, seq: number): LogBroken =>
  new LogBroken({
    ...{ chain, streamSeq, reason, replayedTo: null },
    message:
      `the trade log of ${chain} is broken at message ${streamSeq}: ${reason}. Stop the engine, then ` +
      `"npm run log -- cut --chain ${chain} --trade --to ${seq} --yes" keeps the part before`
  })

/** Reads the last move of each breaker of a chain; none where it has no trade log. */
export const lastMoves = (
  chain: string
): Effect.Effect<ReadonlyArray<BreakerMove>, ReadError, JetStream> =>
  Effect.gen(function* () {
    const known = yield* knownStream(yield* logStream(chain, "trade"))
    if (Option.isNone(known)) return []
    const log = yield* openLogReader(chain, "trade")
    const moves = new Map<string, BreakerMove>()
    let seq = 0
    yield* Stream.runForEach(log.read(LOG_START, { follow: false }), ({ header, batch }) =>
      Effect.sync(() => {
        seq = endOf(header).seq
        for (const event of eventsOf(batch).filter(isMoved)) {
          const move = moveOf(chain, event)
          if (move !== null) moves.set(move.provider, move)
        }
      })
    ).pipe(Effect.catchTag("LogBroken", error => Effect.fail(brokenMoves(error, seq))))
    return [...moves.values()]
  })

/** Appends moves to their chain's trade log, which is created where there is none. */
export const appendMoves = (
  chain: string,
  moves: ReadonlyArray<BreakerMove>,
  block: BlockRef
): Effect.Effect<void, AppendError, JetStream> =>
  Effect.gen(function* () {
    const writer = yield* openPartWriter(yield* logStream(chain, "trade"))
    yield* appendPart(writer, batchOf(moves.map(move => eventOf(move, block))), null)
  })
