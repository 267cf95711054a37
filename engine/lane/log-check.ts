/** What the looking through a lane's log on disk has found, beside all that reads and writes it. */

export interface LogCheck {
  /** position up to which this pass found the log whole, and its bytes, the side log's included */
  readonly seq: number
  readonly bytes: number
  /** when the last whole pass ended (ms since 1970); null before the first */
  readonly wholeAtMs: number | null
  /** where it is broken and what to do; null while nothing is known to be */
  readonly problem: string | null
}
