/** Contents of a block, as it stands in the log and as it is read again. */
import type { Event } from "../../streams/event.ts"
import { eventToJson } from "../../streams/event-objects.ts"
import { transferTokenOf } from "../../streams/pinned-transfers.ts"
import { VIRTUAL_RESERVE } from "../../streams/pool-parameters.ts"

/**
 * Whether a writer tells it where it last knew otherwise, which is elsewhere in a block that is
 * read by itself. Reserves are told without their virtual part, so another part shows in these.
 */
const isRepeated = (event: Event): boolean =>
  event.kind === "PoolParameterSet" && event.name === VIRTUAL_RESERVE

/**
 * Returns the events of a block that come from logs or instructions, as lines to be compared.
 *
 * @param isLate whether a transfer is one that the log has, since its token was pinned by then
 */
export const linesOf = (
  events: ReadonlyArray<Event>,
  isLate: (event: Event) => boolean
): ReadonlyArray<string> =>
  events
    .filter(event => event.tx !== null && (transferTokenOf(event) === null || isLate(event)))
    .filter(event => !isRepeated(event))
    .map(event => eventToJson(event, 0))
