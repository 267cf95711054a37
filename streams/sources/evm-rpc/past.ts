/**
 * Blocks of the past that come late into the log: a stretch of history by ranges, or blocks that
 * could not be proven when they came, each with a proof now.
 */
import { Effect } from "effect"
import { type BlockRange, type LateReading, SourceError } from "../../source.ts"
import { backfill } from "./backfill.ts"
import type { WireBlock } from "./block-proof.ts"
import { learnFacts } from "./learn-facts.ts"
import {
  emitAll,
  emitReady,
  fetchHeader,
  type LaneError,
  type RpcLane,
  writeBlock
} from "./rpc-lane.ts"

/** Blocks proven at once. */
const WINDOW = 8

const unproven = (number: number, reason: string): SourceError =>
  new SourceError({ message: `block ${number}: ${reason}`, fatal: false })

const provenBlock = (lane: RpcLane, number: number): Effect.Effect<WireBlock, LaneError> =>
  Effect.gen(function* () {
    const header = yield* fetchHeader(lane.endpoints, number)
    const block = header === null ? null : yield* lane.blockLogs.fetch(header)
    if (block === null) return yield* unproven(number, "not there")
    return block.gap === null ? block : yield* unproven(number, block.gap)
  })

const prove = (lane: RpcLane, from: number, to: number): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    for (let first = from; first <= to; first += WINDOW) {
      const count = Math.min(WINDOW, to - first + 1)
      const numbers = Array.from({ length: count }, (_, i) => first + i)
      const blocks = yield* Effect.forEach(numbers, number => provenBlock(lane, number), {
        concurrency: WINDOW
      })
      yield* learnFacts(lane, blocks)
      for (const block of blocks) {
        writeBlock(lane, block, true)
        yield* emitReady(lane)
      }
    }
    yield* emitAll(lane)
  })

/** Writes what the lane does not have yet of a range; its first and last block are sealed. */
export const readPast = (
  lane: RpcLane,
  { fromBlock, toBlock }: BlockRange,
  reading: LateReading
): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    const next = lane.recent.last === null ? fromBlock : lane.recent.last.number + 1
    if (reading === "proofs") return yield* prove(lane, next, toBlock)
    // The seal of the first block says where the part begins, whatever happens later.
    const begun = next === fromBlock && next <= toBlock
    if (begun) yield* backfill(lane, next, next)
    const rest = begun ? next + 1 : next
    if (rest <= toBlock) yield* backfill(lane, rest, toBlock)
  })
