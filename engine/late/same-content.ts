/** In what a block differs in the log from what it holds as it is read again. */
import type { Event } from "../../streams/event.ts"
import { eventToJson } from "../../streams/event-objects.ts"
import { transferTokenOf } from "../../streams/pinned-transfers.ts"
import { BIN_STEP } from "../../streams/pool-parameters.ts"
import { inBins } from "../../streams/pool-venue.ts"

/** A pool's bin step is told with the first swap that it follows from, of those that were read. */
const isBinStep = (event: Event): boolean =>
  event.kind === "PoolParameterSet" && event.name === BIN_STEP

/** A swap in bins has a price where its reader knew the pool's bin step. */
const lacksPrice = (event: Event): boolean =>
  event.kind === "SwapExecuted" && event.sqrtPriceX96 === null && inBins.has(event.venueKind)

const withoutPrice = (event: Event): Event =>
  event.kind === "SwapExecuted" ? { ...event, sqrtPriceX96: null, tick: null } : event

/** What a block tells otherwise as it is read again. */
export type Difference = "transactions" | "contents" | "hashes" | "times"

const isEqual = (ours: Event, theirs: Event): boolean => {
  const line = lacksPrice(ours) || lacksPrice(theirs) ? withoutPrice : (event: Event) => event
  const { block } = ours
  return eventToJson(line(ours), 0) === eventToJson({ ...line(theirs), block }, 0)
}

const isSameTx = ({ tx: ours }: Event, { tx: theirs }: Event): boolean =>
  ours?.hash === theirs?.hash

/**
 * Returns in what the events of a block that come from logs or instructions differ, in the log and
 * as they were read again, but for what follows from what the reader knew of pools; none where they
 * are equal. A block may have another hash or time and the same transactions.
 *
 * @param isLate whether a transfer is one that the log has, since its token was pinned by then
 */
export const differencesOf = (
  ours: ReadonlyArray<Event>,
  theirs: ReadonlyArray<Event>,
  isLate: (event: Event) => boolean
): ReadonlyArray<Difference> => {
  const isTold = (event: Event): boolean =>
    event.tx !== null && !isBinStep(event) && (transferTokenOf(event) === null || isLate(event))
  const [first, second] = [ours.filter(isTold), theirs.filter(isTold)]
  const pairs = first.map((event, i) => [event, second[i] ?? event] as const)
  const every = (is: (ours: Event, theirs: Event) => boolean) => pairs.every(([a, b]) => is(a, b))
  const differences: Array<Difference> = []
  if (first.length !== second.length || !every(isSameTx)) differences.push("transactions")
  else if (!every(isEqual)) differences.push("contents")
  const [before, now] = [first[0]?.block, second[0]?.block]
  if (before === undefined || now === undefined) return differences
  if (before.hash !== now.hash || before.parentHash !== now.parentHash) differences.push("hashes")
  if (before.time !== now.time) differences.push("times")
  return differences
}
