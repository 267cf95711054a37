/** Final history by ranges of logs: several ranges are fetched ahead, they are written in order. */
import { Effect, Stream } from "effect"
import { steadyMillis } from "../../../src/platform/elapsed.ts"
import { SourceError } from "../../source.ts"
import { type WireBlock, wireBlock } from "./block-proof.ts"
import { fetchRange } from "./fetch-range.ts"
import { learnFacts } from "./learn-facts.ts"
import { pinTokens, watchAsked } from "./pins.ts"
import type { WireRange } from "./range-proof.ts"
import { RangeSize } from "./range-size.ts"
import { emitAll, emitReady, type LaneError, type RpcLane, writeBlock } from "./rpc-lane.ts"
import { contradictedTime, isEarlier } from "./wrong-time.ts"

/** Ranges under way or waiting to be written. */
const RANGES_AHEAD = 3
const FIRST_RANGE = 500
/** The headers of a range are a hundred times as many calls as its logs: more saves nothing. */
const LARGEST_RANGE = 5_000

/** A part of a batch is handed on after so long: readers see progress, restarts repeat little. */
const EMIT_EVERY_MS = 1000

/**
 * Writes blocks of a range. Those of a gap that have no logs are written with the next that has, or
 * the gap's last, which tells of them: a kill in between loses nothing.
 */
const writeBlocks = (
  lane: RpcLane,
  blocks: ReadonlyArray<WireBlock>
): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    let gapFrom: number | null = null
    for (const [i, block] of blocks.entries()) {
      const { number } = block.header
      const next = blocks[i + 1]
      const isGap = block.gap !== null
      if (isGap) gapFrom ??= number
      const goesOn = isGap && next?.header.number === number + 1 && next.gap === block.gap
      if (goesOn && block.logs.length === 0) continue
      writeBlock(lane, block, true, gapFrom ?? number)
      gapFrom = null
      yield* emitReady(lane)
    }
  })

const writeRange = (
  lane: RpcLane,
  range: WireRange,
  pins: ReadonlyArray<string>
): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    const { from, to, first, last, blocks } = range
    const before = lane.recent.last
    if (before?.number === from - 1 && before.hash !== null && before.hash !== first.parentHash) {
      const message = `block ${from} does not continue block ${from - 1} of the log`
      return yield* new SourceError({ message, fatal: false })
    }
    if (isEarlier(lane, first)) return yield* contradictedTime(lane, first)
    yield* learnFacts(lane, blocks)
    yield* pinTokens(lane, pins, from)
    // The seal of a log's first block says since when it is complete.
    if (before === null && from < to && blocks[0]?.header.number !== from) {
      writeBlock(lane, wireBlock(first, [], new Map(), "bloom"), true)
    }
    yield* writeBlocks(lane, blocks)
    // The seal of a range's last block says how far the log is complete.
    if (blocks[blocks.length - 1]?.header.number !== to) {
      writeBlock(lane, wireBlock(last, [], new Map(), "bloom"), true)
    }
    yield* emitReady(lane)
  })

/**
 * Writes blocks `from..to`, which must be final: nothing here looks for reorgs. With `must` none of
 * them may be a gap: it fails instead. It ends before `to` once `isOver` does.
 */
export const backfill = (
  lane: RpcLane,
  from: number,
  to: number,
  must = false,
  isOver: Effect.Effect<void, LaneError> = Effect.never
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
    let emitted = yield* steadyMillis
    yield* ranges.pipe(
      Stream.rechunk(1),
      Stream.mapEffect(
        ({ from, to, pins }) =>
          Effect.map(fetchRange(lane, size, { from, to, must }), range => ({ range, pins })),
        { concurrency: RANGES_AHEAD }
      ),
      // what is fetched is given up, what is being written is not
      Stream.interruptWhen(isOver),
      Stream.runForEach(({ range, pins }) =>
        Effect.gen(function* () {
          yield* writeRange(lane, range, pins)
          const now = yield* steadyMillis
          if (now - emitted < EMIT_EVERY_MS) return
          emitted = now
          yield* emitAll(lane)
        })
      )
    )
    yield* emitAll(lane)
  })
}
