/**
 * Blocks of the past that come late into the log: a stretch of history by ranges, or blocks that
 * could not be proven when they came, each with a proof now.
 */
import { Effect } from "effect"
import type { BlockRange, LateReading } from "../../source.ts"
import { backfill } from "./backfill.ts"
import type { WireBlock } from "./block-proof.ts"
import { learnFacts } from "./learn-facts.ts"
import { pinTokens, watchAsked } from "./pins.ts"
import { unproven } from "./require-block.ts"
import {
  emitAll,
  emitReady,
  fetchHeader,
  type LaneError,
  type RpcLane,
  writeBlock
} from "./rpc-lane.ts"
import { contradictedTime, isEarlier } from "./wrong-time.ts"

/** Blocks proven at once. */
const WINDOW = 8

const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 10_000

/** A final block; what cannot be proven is told as a gap, or fails where it must be proven. */
const provenBlock = (
  lane: RpcLane,
  number: number,
  must: boolean
): Effect.Effect<WireBlock, LaneError> =>
  Effect.gen(function* () {
    for (let tries = 1; ; tries++) {
      const header = yield* fetchHeader(lane.endpoints, number)
      const block = header === null ? null : yield* lane.blockLogs.fetch(header, true)
      const isProven = block !== null && block.gap === null && block.grade !== "logs"
      if (block !== null && (isProven || !must)) return block
      if (must) {
        const reason = block === null ? "not there" : (block.gap ?? "one endpoint's word alone")
        return yield* unproven(number, reason)
      }
      // a node that is behind, or lost what it had
      yield* lane.endpoints.distrust(lane.endpoints.current, `no block ${number}`)
      yield* lane.endpoints.pause(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries))
    }
  })

/** Writes final blocks `from..to`, each by itself. It ends before `to` once `isOver` does. */
export const prove = (
  lane: RpcLane,
  from: number,
  to: number,
  must: boolean,
  isOver: Effect.Effect<void, LaneError> = Effect.never
): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    for (let first = from; first <= to; first += WINDOW) {
      const count = Math.min(WINDOW, to - first + 1)
      const numbers = Array.from({ length: count }, (_, i) => first + i)
      const pins = watchAsked(lane)
      const reading = Effect.forEach(numbers, number => provenBlock(lane, number, must), {
        concurrency: WINDOW
      })
      const blocks = yield* Effect.raceFirst(reading, Effect.as(isOver, null))
      if (blocks === null) break
      const [{ header }] = blocks as [WireBlock]
      if (isEarlier(lane, header)) return yield* contradictedTime(lane, header)
      yield* learnFacts(lane, blocks)
      yield* pinTokens(lane, pins, first)
      for (const block of blocks) {
        writeBlock(lane, block, true)
        yield* emitReady(lane)
      }
    }
    yield* emitAll(lane)
  })

/**
 * Writes what the lane does not have yet of a range; its first and last block are sealed. Fails
 * where a block cannot be settled: what is put in its place late is whole.
 */
export const readPast = (
  lane: RpcLane,
  { fromBlock, toBlock }: BlockRange,
  reading: LateReading
): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    const next = lane.recent.last === null ? fromBlock : lane.recent.last.number + 1
    if (reading === "proofs") return yield* prove(lane, next, toBlock, true)
    // The seal of the first block says where the part begins, whatever happens later.
    const begun = next === fromBlock && next <= toBlock
    if (begun) yield* backfill(lane, next, next, true)
    const rest = begun ? next + 1 : next
    if (rest <= toBlock) yield* backfill(lane, rest, toBlock, true)
  })
