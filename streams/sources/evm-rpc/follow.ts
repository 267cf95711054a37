/**
 * Follows the head block by block. Every block must continue the one before; where it does not,
 * the chain was reorganised and the log is rolled back to the last block both have.
 */
import { Effect, Queue } from "effect"
import type { WireBlock } from "./block-proof.ts"
import { learnFacts } from "./learn-facts.ts"
import { pinTokens, watchAsked } from "./pins.ts"
import { isSame, type SealedBlock } from "./recent-blocks.ts"
import {
  emitAll,
  emitReady,
  fetchHeader,
  type LaneError,
  type RpcLane,
  writeBlock
} from "./rpc-lane.ts"
import { blockUpTo, unwind } from "./unwind.ts"
import type { Header } from "./wire.ts"
import { contradictedTime, isEarlier } from "./wrong-time.ts"

/** Blocks fetched at once while the log is behind the head. */
const WINDOW = 8

/** The next block to write. */
export const nextOf = (lane: RpcLane, start: number): number =>
  lane.recent.last === null ? start : lane.recent.last.number + 1

const fetchWhole = (
  lane: RpcLane,
  number: number,
  head: Header
): Effect.Effect<WireBlock | null, LaneError> =>
  Effect.gen(function* () {
    const header = number === head.number ? head : yield* fetchHeader(lane.endpoints, number)
    if (header === null || header.number !== number) return null
    return yield* lane.blockLogs.fetch(header)
  })

/** The log's block that a head at or below the log's end contradicts; null where it does not. */
const contradicted = (lane: RpcLane, head: Header): Effect.Effect<SealedBlock | null, LaneError> =>
  Effect.gen(function* () {
    const isBehind = head.number < (lane.recent.first?.number ?? 0)
    // A node that catches up is not asked at every step: each look behind reads the log.
    if (isBehind && lane.agreedBehind !== null && head.number >= lane.agreedBehind) return null
    const ours = yield* blockUpTo(lane, head.number)
    if (isBehind) lane.agreedBehind = head.number
    if (ours?.number !== head.number || ours.hash === null || isSame(ours, head)) return null
    // An old answer from somewhere looks the same: the chain itself is asked again.
    const again = yield* fetchHeader(lane.endpoints, head.number)
    return again !== null && !isSame(ours, again) ? ours : null
  })

/** Rolls back where a head shows that the chain has another branch. */
const leaveBranch = (lane: RpcLane, head: Header): Effect.Effect<boolean, LaneError> =>
  Effect.flatMap(contradicted(lane, head), ours =>
    ours === null ? Effect.succeed(false) : unwind(lane, ours)
  )

/** Writes the next blocks up to the head; false where it could not go on with what there is. */
const advance = (lane: RpcLane, head: Header, start: number): Effect.Effect<boolean, LaneError> =>
  Effect.gen(function* () {
    const next = nextOf(lane, start)
    const count = Math.min(WINDOW, head.number - next + 1)
    const numbers = Array.from({ length: count }, (_, i) => next + i)
    const pins = watchAsked(lane)
    const blocks = yield* Effect.forEach(numbers, number => fetchWhole(lane, number, head), {
      concurrency: WINDOW
    })
    const gone = blocks.indexOf(null)
    const found = blocks.slice(0, gone < 0 ? blocks.length : gone) as ReadonlyArray<WireBlock>
    yield* learnFacts(lane, found)
    if (found.length > 0) yield* pinTokens(lane, pins, next)
    for (const block of found) {
      const { header } = block
      const parent = lane.recent.last?.hash ?? null
      if (parent !== null && header.parentHash !== parent) return yield* unwind(lane)
      if (isEarlier(lane, header)) {
        if (yield* unwind(lane)) return true
        return yield* contradictedTime(lane, header)
      }
      writeBlock(lane, block, true)
      yield* emitReady(lane)
    }
    return gone < 0
  })

/**
 * Goes on from the log's end until it stands at `head`; false where the node cannot say, now, what
 * comes next.
 */
const catchUp = (lane: RpcLane, head: Header, start: number): Effect.Effect<boolean, LaneError> =>
  Effect.gen(function* () {
    for (;;) {
      const next = nextOf(lane, start)
      const more =
        head.number >= next ? yield* advance(lane, head, start) : yield* leaveBranch(lane, head)
      // A rollback waits for the first block of the new branch, to come in one batch with it.
      if (!more || head.number < nextOf(lane, start)) break
    }
    yield* emitAll(lane)
    return head.number < nextOf(lane, start)
  })

/** Blocks beyond the finality depth by which the log may lag: more is faster read by ranges. */
const FAR_BEHIND = 512

/**
 * Follows heads until the log is far behind one of them, as after a long sleep. A head that cannot
 * be reached is tried again after `retryMs`.
 */
export const follow = (
  lane: RpcLane,
  heads: Queue.Dequeue<Header, LaneError>,
  start: number,
  retryMs: number
): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    let head = yield* Queue.take(heads)
    for (;;) {
      const lag = head.number - nextOf(lane, start)
      if (lag > lane.chain.finalityDepth + FAR_BEHIND) return
      const reached = yield* catchUp(lane, head, start)
      lane.status.enter("live")
      const next = Queue.take(heads)
      head = yield* reached ? next : Effect.raceFirst(next, Effect.as(Effect.sleep(retryMs), head))
    }
  })
