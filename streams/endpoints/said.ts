/** What a source's thread has said lately: each kind of each endpoint is said once a minute. */
import { Context, Effect } from "effect"
import { Seldom } from "../../src/platform/seldom.ts"

/** Between two lines of one kind of one endpoint. */
const SAID_EVERY_MS = 60_000

/** When each kind was said; another thread goes on with what the one before it told. */
export type SaidLately = Seldom<string>["said"]

export const saidLately = (before: SaidLately): Seldom<string> => new Seldom(SAID_EVERY_MS, before)

/**
 * Of all that a thread reads, the head and each range of the past: endpoints are the same, and
 * what one of them does is said once.
 */
export const Said = Context.Reference<Seldom<string>>("swaptape/streams/Said", {
  defaultValue: () => saidLately([])
})

/** Writes a line of a kind, which names some endpoints, unless it was written lately. */
export const sayLately = (
  kind: string,
  who: ReadonlyArray<string>,
  words: string
): Effect.Effect<void> =>
  Effect.flatMap(Said, said =>
    said.say([kind, ...who.toSorted()].join(" "), Effect.logWarning(words))
  )
