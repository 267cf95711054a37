/** Rollbacks of a log, the newest of them: whether what was told at a position still stands. */

/** More than a chain has while a quote is good. */
const KEPT = 256

/** The rollback at `seq` undid what stands after `toSeq`. */
export interface Undone {
  readonly seq: number
  readonly toSeq: number
}

export class Rollbacks {
  private readonly kept: Array<Undone>

  constructor(kept: ReadonlyArray<Undone> = []) {
    this.kept = [...kept]
  }

  /** Those that are remembered, oldest first. */
  get all(): ReadonlyArray<Undone> {
    return [...this.kept]
  }

  add(undone: Undone): void {
    this.kept.push(undone)
    if (this.kept.length > KEPT) this.kept.shift()
  }

  /** Whether the event at a seq was undone since. */
  undid(seq: number): boolean {
    return this.kept.some(one => one.seq > seq && one.toSeq < seq)
  }
}
