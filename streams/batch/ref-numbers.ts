/** The numbers that the identities of a batch stand for elsewhere, each looked up once a batch. */
import type { EventBatch } from "./batch.ts"
import { HASH_BIT } from "./id-table.ts"

/** Room for so many references, none of them looked up yet. */
const emptied = (numbers: Int32Array, size: number): Int32Array =>
  numbers.length < size ? new Int32Array(size * 2) : numbers.fill(0, 0, size)

export class RefNumbers {
  private readonly lookUp: (bytes: Uint8Array) => number
  private batch: EventBatch | null = null
  /** by place of an account, and of a hash, in the batch: its number plus one; 0 for none yet */
  private accounts: Int32Array = new Int32Array(1024)
  private hashes: Int32Array = new Int32Array(1024)

  /** `lookUp` returns -1 for what has no number yet: it is asked again. */
  constructor(lookUp: (bytes: Uint8Array) => number) {
    this.lookUp = lookUp
  }

  /** Forgets all numbers: after a rollback they may be others. */
  reset(): void {
    this.batch = null
  }

  /** Returns the number of what a reference of the batch names; -1 where it has none. */
  of(batch: EventBatch, ref: number): number {
    if (this.batch !== batch) {
      this.batch = batch
      this.accounts = emptied(this.accounts, batch.ids.accounts.count)
      this.hashes = emptied(this.hashes, batch.ids.hashes.count)
    }
    const isHash = ref >= HASH_BIT
    const numbers = isHash ? this.hashes : this.accounts
    const place = isHash ? ref - HASH_BIT : ref
    const known = (numbers[place] as number) - 1
    if (known >= 0) return known
    const found = this.lookUp(batch.ids.bytes(ref))
    numbers[place] = found + 1
    return found
  }
}
