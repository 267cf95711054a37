/** Why a message is not followed, or a stream does not go on. */

type LiveErrorCode =
  | "INVALID_PARAMS"
  | "BAD_ADDRESS"
  | "UNSUPPORTED_CHAIN"
  | "ALREADY_SUBSCRIBED"
  | "NOT_SUBSCRIBED"
  | "TOO_MANY_CHANNELS"
  | "NOT_READY"
  | "CHAIN_DATA_UNAVAILABLE"
  | "RESUME_TOO_OLD"

/** A refusal of one message; the connection stays. */
export interface LiveError {
  readonly error: LiveErrorCode
  readonly message: string
  /** with `RESUME_TOO_OLD`: the oldest `from` that can be had */
  readonly oldestSeq?: number
  /** with `RESUME_TOO_OLD`: the id of the log as it is now */
  readonly log?: string | null
}
