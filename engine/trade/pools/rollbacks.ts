/** Rollbacks of a log, the newest of them: whether what was told at a position still stands. */

/** More than a chain has while a quote is good. */
const KEPT = 256

export class Rollbacks {
  private readonly kept: Array<{ readonly seq: number; readonly toSeq: number }> = []

  /** The rollback at `seq` undid what stands after `toSeq`. */
  add(seq: number, toSeq: number): void {
    this.kept.push({ seq, toSeq })
    if (this.kept.length > KEPT) this.kept.shift()
  }

  /** Whether the event at a seq was undone since. */
  undid(seq: number): boolean {
    return this.kept.some(one => one.seq > seq && one.toSeq < seq)
  }
}
