/**
 * The newest transfers that were folded, so that a reader of a commit which the fold has left
 * behind can take them back. A ring: what it no longer has, the tables tell.
 */
import { NONE } from "../../streams/batch/id-table.ts"
import type { IntColumn } from "../../streams/batch/int-column.ts"
import { unsignedAt } from "./wide-integer.ts"

/** Transfers that it holds. */
const KEPT = 65_536

/** A transfer between entries of a token, `NONE` for the zero address. */
export interface Moved {
  readonly from: number
  readonly to: number
  /** told as a wrap or unwrap of the native unit */
  readonly wrap: boolean
  readonly amount: IntColumn
  /** of the amount */
  readonly row: number
}

/** What the transfers after a position did to a token. */
export interface Undone {
  /** by entry, what it had gained since */
  readonly gained: ReadonlyMap<number, bigint>
  readonly logs: number
  readonly made: bigint
  readonly burned: bigint
  readonly kept: bigint
}

export class TransferJournal {
  private readonly seqs = new Float64Array(KEPT)
  private readonly tokens = new Uint32Array(KEPT)
  private readonly from = new Uint32Array(KEPT)
  private readonly to = new Uint32Array(KEPT)
  private readonly wraps = new Uint8Array(KEPT)
  private readonly amounts = new Uint8Array(KEPT * 32)
  /** transfers since it began */
  private count = 0

  /** What was folded before is what the tables hold. */
  clear(): void {
    this.count = 0
  }

  /** Notes a transfer between entries, `NONE` for the zero address. */
  push(seq: number, token: number, { from, to, wrap, amount, row }: Moved): void {
    const at = this.count++ % KEPT
    this.seqs[at] = seq
    this.tokens[at] = token
    this.from[at] = from
    this.to[at] = to
    this.wraps[at] = wrap ? 1 : 0
    const start = amount.start[row] as number
    const length = (amount.start[row + 1] as number) - start
    const end = at * 32 + 32
    this.amounts.fill(0, at * 32, end - length)
    for (let i = 0; i < length; i++) {
      this.amounts[end - length + i] = amount.data[start + i] as number
    }
  }

  /** What a token's transfers after `seq` did; null where not all of them are here. */
  since(token: number, seq: number): Undone | null {
    const gained = new Map<number, bigint>()
    const sums = { logs: 0, made: 0n, burned: 0n, kept: 0n }
    const oldest = Math.max(0, this.count - KEPT)
    for (let i = this.count - 1; i >= oldest; i--) {
      const at = i % KEPT
      if ((this.seqs[at] as number) <= seq) return { gained, ...sums }
      if (this.tokens[at] !== token) continue
      const amount = unsignedAt(this.amounts, at * 32)
      const [from, to] = [this.from[at] as number, this.to[at] as number]
      sums.logs++
      if (from !== NONE) gained.set(from, (gained.get(from) ?? 0n) - amount)
      if (to !== NONE) gained.set(to, (gained.get(to) ?? 0n) + amount)
      if (from === NONE) sums.made += amount
      else if (to === NONE) sums.made -= amount
      if (to === NONE && from === NONE) sums.kept += amount
      else if (to === NONE && this.wraps[at] === 0) sums.burned += amount
    }
    return this.count > KEPT ? null : { gained, ...sums }
  }
}
