/**
 * Repairs blocks that could not be proven when they came: each is read again until some endpoint
 * gives a proof, and then put into its place in the log. The head waits only during that last step.
 */
import { Effect, Stream } from "effect"
import { steadyMillis } from "../../src/platform/elapsed.ts"
import type { Event } from "../../streams/event.ts"
import { transferTokenOf } from "../../streams/pinned-transfers.ts"
import { BACKFILL_GAP, type BlockRange } from "../../streams/source.ts"
import { staysInPlace } from "../log/merge-late.ts"
import {
  isLateTransfer,
  type LateOptions,
  type LateStatus,
  pastOf,
  placeBlocks,
  TIME_SHARE
} from "./late-log.ts"
import { RepairRanges } from "./repair-ranges.ts"

const FIRST_PAUSE_MS = 2_000
const MAX_PAUSE_MS = 600_000
const LOOK_MS = 500

const textOf = ({ fromBlock, toBlock }: BlockRange): string => `${fromBlock}-${toBlock}`

/** Reads all blocks of a range with proofs, and then places them. */
const repairOnce = (options: LateOptions, range: BlockRange) =>
  Effect.gen(function* () {
    const tail = { blocks: [], knownPools: [], knownTokens: [] }
    // transfers of a token that is pinned meanwhile were not read, so they stay as they are
    const read = new Set(options.source.pinning?.asked())
    const isLate = isLateTransfer(options.pins.pins)
    const keeps = (event: Event) =>
      staysInPlace(event) && !(read.has(transferTokenOf(event) ?? "") && isLate(event))
    const batches = yield* Stream.runCollect(pastOf(options)(range, tail, "proofs"))
    const began = yield* steadyMillis
    const placed = yield* placeBlocks(options, range, Stream.fromIterable(batches), keeps)
    return { ...placed, ms: (yield* steadyMillis) - began }
  })

const isDeep = ({ ledger, chain }: LateOptions, { fromBlock }: BlockRange): boolean =>
  (ledger.head ?? 0) - fromBlock > chain.finalityDepth

/** Repairs gaps as they come, for ever. New gaps come before those that failed. */
export const repairGaps = (options: LateOptions, status: LateStatus) =>
  Effect.gen(function* () {
    const { ledger, chain } = options
    const firstPause = options.firstPauseMs ?? FIRST_PAUSE_MS
    const ranges = new RepairRanges(firstPause, options.longestPauseMs ?? MAX_PAUSE_MS)
    let deepAfter = 0
    for (;;) {
      const open = ledger.open.filter(({ reason }) => reason !== BACKFILL_GAP)
      status.repairs = { ...status.repairs, open: open.length }
      const now = yield* steadyMillis
      const movable = open.filter(gap => now >= deepAfter || !isDeep(options, gap))
      const range = ranges.next(movable, now)
      if (range === null) {
        yield* Effect.sleep(Math.min(LOOK_MS, firstPause))
        continue
      }
      const deep = isDeep(options, range)
      status.repairs = { ...status.repairs, tries: status.repairs.tries + 1 }
      const outcome = yield* Effect.result(repairOnce(options, range))
      const after = yield* steadyMillis
      if (outcome._tag === "Success") {
        const { late, moved, ms } = outcome.success
        ranges.placed(range)
        if (deep) deepAfter = after + ms / (options.timeShare ?? TIME_SHARE)
        status.repairs = { ...status.repairs, filled: status.repairs.filled + 1, problem: null }
        yield* Effect.logInfo(
          `${chain.key}: blocks ${textOf(range)} repaired: ${late} events put in place, ${moved} moved in ${ms} ms`
        )
        continue
      }
      const error = outcome.failure
      if (error._tag !== "SourceError" && error._tag !== "BatchRefused") return yield* error
      if (error._tag === "SourceError" && error.fatal) return yield* error
      ranges.failed(range, after)
      status.repairs = { ...status.repairs, problem: error.message }
      yield* Effect.sleep(Math.min(LOOK_MS, firstPause))
    }
  })
