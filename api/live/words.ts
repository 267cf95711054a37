/** The words by which a client says what of a chain it wants; each channel takes some of them. */
import { Schema } from "effect"
import { boardSorts } from "../groups/boards/board-sorts.ts"
import { TIMEFRAMES } from "../groups/candles/candles.api.ts"

export const WORDS = {
  /** address of a token */
  token: Schema.String,
  /** address or id of a pool */
  pool: Schema.String,
  /** address of a wallet */
  wallet: Schema.String,
  /** dollars that a print is worth at least */
  minUsd: Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)),
  tf: Schema.Literals(TIMEFRAMES),
  sort: Schema.Literals(boardSorts),
  /** 1: also tokens that are not listed */
  includeUnlisted: Schema.Literals([0, 1])
}
export type Word = keyof typeof WORDS

/** What each word must be. */
export const EXPECTED_WORDS: { readonly [word in Word]: string } = {
  token: "the address of a token",
  pool: "the address or id of a pool",
  wallet: "the address of a wallet",
  minUsd: "US dollars: a number from 0",
  tf: `one of ${TIMEFRAMES.join(", ")}`,
  sort: `one of ${boardSorts.join(", ")}`,
  includeUnlisted: "0 or 1"
}

/** The words of a message. */
export type Words = { readonly [word in Word]?: (typeof WORDS)[word]["Type"] }
