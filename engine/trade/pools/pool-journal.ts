/** What events changed of pools, newest last: taken back by rollbacks, as far as it reaches. */

import type { PoolSlot } from "./pool-slot.ts"
import { ReadProof } from "./read-state.ts"

/** What one event changed, of a pool or of something else: undone in the reverse order. */
type Change = { readonly seq: number } & (
  | { readonly slot: PoolSlot; readonly before: PoolSlot["known"] }
  | { readonly undo: () => void }
)

export class PoolJournal {
  private readonly most: number
  private readonly changes: Array<Change> = []
  /** seq up to which changes can no longer be taken back */
  private settledSeq: number

  /** `most` changes after `seq`, and up to as many more, can be taken back. */
  constructor(most: number, seq: number) {
    this.most = most
    this.settledSeq = seq
  }

  /** An event is about to change what is known of a pool. */
  changing(seq: number, slot: PoolSlot): void {
    this.note({ seq, slot, before: slot.known })
  }

  /** An event changed something that is undone so. */
  changed(seq: number, undo: () => void): void {
    this.note({ seq, undo })
  }

  private note(change: Change): void {
    this.changes.push(change)
    if (this.changes.length < 2 * this.most) return
    const gone = this.changes.splice(0, this.most)
    this.settledSeq = gone.at(-1)?.seq ?? this.settledSeq
  }

  /** Takes back what events after `toSeq` changed; false where not all of it is known. */
  takeBack(toSeq: number): boolean {
    if (toSeq < this.settledSeq) return false
    for (let last = this.changes.at(-1); last !== undefined && last.seq > toSeq; ) {
      if ("undo" in last) last.undo()
      else restore(last.slot, last.before)
      this.changes.pop()
      last = this.changes.at(-1)
    }
    return true
  }
}

/** Puts back what was known; a proof begins anew with the state that stands then. */
const restore = (slot: PoolSlot, before: PoolSlot["known"]): void => {
  slot.known = before
  if (slot.proof === null) return
  slot.proof = before === null ? null : new ReadProof(before.kind, before.facts, before.state)
}
