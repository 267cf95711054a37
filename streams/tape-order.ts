/** Blocks, transactions and logs come in chain order: anything else is an error, not a guess. */
import { Data } from "effect"
import { ID_BYTES, type IdForm, idBytes } from "../src/domain/ids.ts"
import type { LogBlock } from "./source.ts"

/** Something came out of order; the message says what and after what. */
export class TapeOrderError extends Data.TaggedError("TapeOrderError")<{
  readonly message: string
}> {}

/** A block's identity; hashes where the source has them. Time in Unix seconds. */
export interface BlockHead {
  readonly number: number
  /** number of the parent where it is not the one before: some chains pass numbers over */
  readonly parentNumber?: number
  readonly time: number
  readonly hash: Uint8Array | null
  readonly parentHash: Uint8Array | null
}

const equal = (a: Uint8Array, b: Uint8Array): boolean => {
  for (let i = 0; i < ID_BYTES; i++) if (a[i] !== b[i]) return false
  return true
}

/** Keeps the first problem; every check answers false from then on. */
export class TapeOrder {
  problem: TapeOrderError | null = null
  lastBlock: number
  private readonly form: IdForm
  private lastHash: Uint8Array | null
  private lastTime: number
  private open: BlockHead | null = null
  private txIndex = -1
  private logIndex = -1

  constructor(form: IdForm, last: LogBlock | null) {
    this.form = form
    this.lastBlock = last?.number ?? -1
    this.lastTime = last?.time ?? 0
    this.lastHash = last === null || last.hash === null ? null : idBytes(last.hash)
  }

  beginBlock(head: BlockHead): boolean {
    if (this.open !== null) return this.fail(`block ${head.number} within ${this.open.number}`)
    if (head.number <= this.lastBlock) {
      return this.fail(`block ${head.number} after block ${this.lastBlock}`)
    }
    const { parentHash, time } = head
    // several blocks of a second are common, an earlier one is a mistake: buckets follow the time
    if (time < this.lastTime) {
      const before = `after block ${this.lastBlock} of ${this.lastTime}`
      return this.fail(`block ${head.number} of second ${time} ${before}`)
    }
    const isNext = (head.parentNumber ?? head.number - 1) === this.lastBlock
    if (isNext && parentHash !== null && this.lastHash !== null) {
      if (!equal(parentHash, this.lastHash)) {
        const [parent, last] = [parentHash, this.lastHash].map(hash => this.form.hash(hash))
        return this.fail(`block ${head.number} with parent ${parent} after ${last}`)
      }
    }
    this.open = head
    this.txIndex = -1
    this.logIndex = -1
    return this.problem === null
  }

  beginTx(index: number): boolean {
    if (this.open === null) return this.fail(`transaction ${index} outside of a block`)
    if (index <= this.txIndex) {
      return this.fail(`transaction ${index} after ${this.txIndex} in block ${this.open.number}`)
    }
    this.txIndex = index
    return this.problem === null
  }

  log(index: number): boolean {
    if (this.open === null || this.txIndex < 0) {
      return this.fail(`log ${index} outside of a transaction`)
    }
    if (index <= this.logIndex) {
      return this.fail(`log ${index} after log ${this.logIndex} in block ${this.open.number}`)
    }
    this.logIndex = index
    return this.problem === null
  }

  endBlock(): boolean {
    if (this.open === null) return this.fail("the end of a block that did not begin")
    this.lastBlock = this.open.number
    this.lastHash = this.open.hash
    this.lastTime = this.open.time
    this.open = null
    return this.problem === null
  }

  rollback(to: BlockHead): boolean {
    if (this.open !== null || to.number > this.lastBlock) {
      return this.fail(`a rollback to block ${to.number} after block ${this.lastBlock}`)
    }
    this.lastBlock = to.number
    this.lastHash = to.hash
    this.lastTime = to.time
    return this.problem === null
  }

  /** Notes a problem that whoever writes has found. */
  fail(message: string): false {
    this.problem ??= new TapeOrderError({ message: `out of order: ${message}` })
    return false
  }
}
