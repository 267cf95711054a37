/** Final history by ranges of logs: several ranges are fetched ahead, they are written in order. */
import { Clock, Effect, Stream } from "effect"
import { fetchRange, type WireRange } from "./fetch-range.ts"
import { learnFacts } from "./learn-facts.ts"
import { pinTokens, watchAsked } from "./pins.ts"
import { RangeSize } from "./range-size.ts"
import { emitAll, emitReady, type LaneError, type RpcLane, writeBlock } from "./rpc-lane.ts"

/** Ranges under way or waiting to be written. */
const RANGES_AHEAD = 3
const FIRST_RANGE = 500
const LARGEST_RANGE = 50_000

/** A part of a batch is handed on after so long: readers see progress, restarts repeat little. */
const EMIT_EVERY_MS = 1000

const writeRange = (
  lane: RpcLane,
  range: WireRange,
  pins: ReadonlyArray<string>
): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    yield* learnFacts(lane, range.blocks)
    yield* pinTokens(lane, pins, range.from)
    for (const block of range.blocks) {
      writeBlock(lane, block, true)
      yield* emitReady(lane)
    }
    const written = range.blocks[range.blocks.length - 1]?.header.number ?? -1
    // The seal of a range's last block says how far the log is complete.
    if (written !== range.to) {
      const header = range.last
      writeBlock(lane, { header, logs: [], txs: new Map(), grade: range.grade, gap: null }, true)
    }
    yield* emitReady(lane)
  })

/** Writes blocks `from..to`, which must be final: nothing here looks for reorgs. */
export const backfill = (
  lane: RpcLane,
  from: number,
  to: number
): Effect.Effect<void, LaneError> => {
  const size = new RangeSize(FIRST_RANGE, LARGEST_RANGE)
  // How far to go is decided when a range is begun: the size changes with every answer.
  const ranges = Stream.unfold(from, next =>
    Effect.sync(() => {
      if (next > to) return undefined
      const end = Math.min(to, next + size.blocksOf(lane.endpoints.labels()) - 1)
      return [{ from: next, to: end, pins: watchAsked(lane) }, end + 1] as const
    })
  )
  return Effect.gen(function* () {
    let emitted = yield* Clock.currentTimeMillis
    yield* ranges.pipe(
      Stream.rechunk(1),
      Stream.mapEffect(
        ({ from, to, pins }) =>
          Effect.map(fetchRange(lane, size, from, to), range => ({ range, pins })),
        { concurrency: RANGES_AHEAD }
      ),
      Stream.runForEach(({ range, pins }) =>
        Effect.gen(function* () {
          yield* writeRange(lane, range, pins)
          const now = yield* Clock.currentTimeMillis
          if (now - emitted < EMIT_EVERY_MS) return
          emitted = now
          yield* emitAll(lane)
        })
      )
    )
    yield* emitAll(lane)
  })
}
