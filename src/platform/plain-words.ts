/** Words for failures, for people to read. */
import { Cause } from "effect"

/** Returns the distinct messages of a cause's failures and defects, without their traces. */
export const plainWords = (cause: Cause.Cause<unknown>): string => {
  const messages = Cause.prettyErrors(cause).map(({ message }) => message)
  return [...new Set(messages)].join("; ") || "it ended without a word"
}
