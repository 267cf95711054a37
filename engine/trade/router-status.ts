/** What the router tells of a chain: how far it is, and of which pools it can tell quotes. */
import type { UnquotedPools } from "./pools/quotable.ts"
import type { ReadCounts } from "./pools/read-record.ts"

export interface RouterChainStatus {
  readonly state: "starting" | "live" | "failed"
  /** why it is not live, in words; null where it is */
  readonly problem: string | null
  /** position of the log that quotes are of */
  readonly seq: number
  readonly block: number | null
  readonly pools: number
  readonly quotable: number
  /** most pools first */
  readonly unquoted: ReadonlyArray<UnquotedPools>
  readonly reads: ReadCounts
  /** what is wrong while quotes go on, in words */
  readonly warnings: ReadonlyArray<string>
}
