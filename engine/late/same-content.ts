/** Whether a block holds in the log what it holds as it is read again. */
import type { Event } from "../../streams/event.ts"
import { eventToJson } from "../../streams/event-objects.ts"
import { transferTokenOf } from "../../streams/pinned-transfers.ts"
import { BIN_STEP } from "../../streams/pool-parameters.ts"
import { inBins } from "../../streams/pool-venue.ts"

/** A pool's bin step is told with the first swap that it follows from, of those that are read. */
const isBinStep = (event: Event): boolean =>
  event.kind === "PoolParameterSet" && event.name === BIN_STEP

/** A swap in bins has a price where its reader knew the pool's bin step. */
const lacksPrice = (event: Event): boolean =>
  event.kind === "SwapExecuted" && event.sqrtPriceX96 === null && inBins.has(event.venueKind)

const withoutPrice = (event: Event): Event =>
  event.kind === "SwapExecuted" ? { ...event, sqrtPriceX96: null, tick: null } : event

const isEqual = (ours: Event, theirs: Event): boolean => {
  const line = lacksPrice(ours) || lacksPrice(theirs) ? withoutPrice : (event: Event) => event
  return eventToJson(line(ours), 0) === eventToJson(line(theirs), 0)
}

/**
 * Returns whether the events of a block that come from logs or instructions are equal, in the log
 * and as they were read again, but for what follows from what the reader knew of pools.
 *
 * @param isLate whether a transfer is one that the log has, since its token was pinned by then
 */
export const isSameContent = (
  ours: ReadonlyArray<Event>,
  theirs: ReadonlyArray<Event>,
  isLate: (event: Event) => boolean
): boolean => {
  const isTold = (event: Event): boolean =>
    event.tx !== null && !isBinStep(event) && (transferTokenOf(event) === null || isLate(event))
  const [first, second] = [ours.filter(isTold), theirs.filter(isTold)]
  return first.length === second.length && first.every((event, i) => isEqual(event, second[i]!))
}
