/** Runs a live source, and beside it all that fills its gaps. */
import { Effect } from "effect"
import type { LogTail } from "../../streams/source.ts"
import { auditPins } from "./audit-pins.ts"
import { fillHistory } from "./fill-history.ts"
import { fillPins } from "./fill-pins.ts"
import { appendLive, type LateOptions, type LateStatus } from "./late-log.ts"
import { proveWords } from "./prove-words.ts"
import { repairGaps } from "./repair.ts"

/**
 * Appends the batches of the source, and beside that reads history and transfers, repairs gaps,
 * audits holders and proves words. Ends with the live source, or with the first fatal failure.
 */
export const runWithLate = (options: LateOptions, tail: LogTail, status: LateStatus) => {
  // the readers beside may begin before the live source does, and must miss no transfer either
  options.source.pinning?.ask((tail.pinned ?? []).map(({ address }) => address))
  const live = appendLive(options, options.source.batches(tail))
  if (options.source.past === null) return live
  return live.pipe(
    Effect.raceFirst(repairGaps(options, status)),
    Effect.raceFirst(fillHistory(options, status)),
    Effect.raceFirst(fillPins(options, status)),
    Effect.raceFirst(auditPins(options)),
    Effect.raceFirst(proveWords(options))
  )
}
