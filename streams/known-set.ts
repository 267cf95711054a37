/**
 * Accounts whose facts stand in the log, each with the block at which they did, so that a reorg
 * forgets the facts of the blocks it undoes.
 */
import { ID_BYTES, type IdForm, idBytes } from "../src/domain/ids.ts"
import { ByteTable } from "./batch/id-table.ts"
import type { LogTail } from "./source.ts"

const UNKNOWN = -1

/** An account whose facts already stand in the log, and the block they stand in. */
export interface KnownAddress {
  readonly address: string
  readonly block: number
}

/** How a tape writer goes on after a tail: the last block, and what the log knows. */
export const continuing = ({ blocks, knownPools, knownTokens }: LogTail) => {
  const last = blocks[blocks.length - 1] ?? null
  // When they became known is not told: as late as possible, so that a rollback below the log's
  // end tells them again rather than never.
  const known = (address: string): KnownAddress => ({ address, block: last?.number ?? 0 })
  return { last, knownPools: knownPools.map(known), knownTokens: knownTokens.map(known) }
}

export class KnownSet {
  private readonly form: IdForm
  private readonly table = new ByteTable(ID_BYTES)
  /** block at which the account became known, `UNKNOWN` for the others */
  private blocks = new Float64Array(256).fill(UNKNOWN)
  /** the newest block in `blocks`, so that most reorgs need no search */
  private newest = UNKNOWN

  constructor(form: IdForm, known: Iterable<KnownAddress> = []) {
    this.form = form
    for (const { address, block } of known) this.addAddress(address, block)
  }

  /** The place of the account in the 32 bytes at `from`, known or not: a number that stays. */
  place(bytes: Uint8Array, from: number): number {
    const place = this.table.intern(bytes, from)
    if (place === this.blocks.length) {
      const blocks = new Float64Array(place * 2).fill(UNKNOWN)
      blocks.set(this.blocks)
      this.blocks = blocks
    }
    return place
  }

  has(place: number): boolean {
    return this.blocks[place] !== UNKNOWN
  }

  hasAddress(address: string): boolean {
    return this.has(this.place(idBytes(address), 0))
  }

  add(place: number, block: number): void {
    this.blocks[place] = block
    if (block > this.newest) this.newest = block
  }

  /** Text that is of no account adds nothing. */
  addAddress(address: string, block: number): void {
    const bytes = idBytes(address)
    if (bytes.length === ID_BYTES) this.add(this.place(bytes, 0), block)
  }

  /** Forgets what became known after `block`; the accounts forgotten. */
  forgetAfter(block: number): ReadonlyArray<string> {
    const forgotten: Array<string> = []
    if (this.newest <= block) return forgotten
    for (let place = 0; place < this.table.count; place++) {
      if ((this.blocks[place] as number) <= block) continue
      this.blocks[place] = UNKNOWN
      forgotten.push(this.form.account(this.table.data, place * ID_BYTES))
    }
    this.newest = block
    return forgotten
  }
}
