/** Failures as they are told to people. */
import { Cause } from "effect"

/** What went wrong, for a person: the messages of failures and defects, without their traces. */
export const plainWords = (cause: Cause.Cause<unknown>): string => {
  const messages = Cause.prettyErrors(cause).map(({ message }) => message)
  return [...new Set(messages)].join("; ") || "it ended without a word"
}
