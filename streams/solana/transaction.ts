/** A Solana transaction as one plain value, whichever encoding a node told it in. */

/** What a token or system instruction moves; `null` stands for what is minted or burned. */
export interface Move {
  /** whether lamports move, or units of a token */
  readonly native: boolean
  readonly from: string | null
  readonly to: string | null
  /** what `from` loses */
  readonly amount: bigint
  /** what of it `to` does not get, where the instruction tells a transfer fee */
  readonly fee: bigint
  /** `SyncNative`: lamports sent to `to` before become part of its amount; how many is not told */
  readonly synced?: true
}

/** An instruction, outer or inner. */
export interface Instruction {
  /** Orders the instructions of a transaction as they ran: see `pathOf`. */
  readonly path: number
  /** 1 for an outer instruction, one more for each call */
  readonly height: number
  /** the place in `Transaction.instructions` of the one that made this call; -1 for outer */
  readonly parent: number
  readonly program: string
  /** empty where the node parsed the instruction, or nobody watches the program */
  readonly accounts: ReadonlyArray<string>
  /** empty as `accounts` are */
  readonly data: Uint8Array
  readonly move: Move | null
  /** what the program logged as data during this very call, in base64 */
  readonly logged: ReadonlyArray<LoggedData>
}

/** A line of the log that carries bytes. */
export interface LoggedData {
  /** `Program log: ray_log: …`; else `Program data: …` */
  readonly isRay: boolean
  readonly base64: string
}

/** A token account before and after the transaction. */
export interface TokenBalance {
  readonly mint: string
  readonly owner: string | null
  readonly decimals: number
  readonly program: string | null
  /** 0 where the account was not there */
  readonly before: bigint
  readonly after: bigint
}

/** How far the log of a transaction can be believed. */
export type LogState = "complete" | "truncated" | "missing" | "unmatched"

export interface Transaction {
  readonly _tag: "Transaction"
  readonly signature: string
  readonly slot: number | null
  readonly blockTimeSeconds: number | null
  readonly version: "legacy" | 0 | 1
  readonly failed: boolean
  readonly feePayer: string
  readonly signers: ReadonlySet<string>
  /** as indices mean them: the message's own, then those of look-up tables */
  readonly accountKeys: ReadonlyArray<string>
  /** outer and inner ones as they ran */
  readonly instructions: ReadonlyArray<Instruction>
  readonly log: LogState
  readonly tokenBalances: ReadonlyMap<string, TokenBalance>
  /** what accounts gained (or lost, below 0) in lamports, where it is not 0; null: unknown */
  readonly lamportChanges: ReadonlyMap<string, bigint | null>
  /** whether the node told balances at all */
  readonly hasBalances: boolean
}

/** Why a text is no transaction; `reason` is short and names the field. */
export interface MalformedTransaction {
  readonly _tag: "MalformedTransaction"
  readonly reason: string
}

/** Inner calls of an outer instruction that a path has room for; the runtime allows 64 in all. */
const CALLS = 256

/**
 * Returns the path of an instruction: `outer` × 256, plus 0 for the outer instruction itself and
 * 1 + `inner` for its calls in their order. Null where that leaves 16 bits.
 */
export const pathOf = (outer: number, inner: number | null): number | null => {
  const place = inner === null ? 0 : inner + 1
  return outer < CALLS && place < CALLS ? outer * CALLS + place : null
}

/** Whether a path is that of an outer instruction. */
export const isOuterPath = (path: number): boolean => path % CALLS === 0

/** Returns the outer instruction of a path, and the place within it: 0 for that one itself. */
export const partsOfPath = (path: number): readonly [outer: number, place: number] => [
  Math.floor(path / CALLS),
  path % CALLS
]

/** Returns a path as people write it: `4`, or `4.1` for the second call of instruction 4. */
export const pathText = (path: number): string => {
  const [outer, place] = partsOfPath(path)
  return place === 0 ? `${outer}` : `${outer}.${place - 1}`
}
