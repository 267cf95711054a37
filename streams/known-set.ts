/**
 * Addresses whose facts stand in the log, each with the block at which they did, so that a reorg
 * forgets the facts of the blocks it undoes.
 */
import { fromHex, toHex } from "../src/domain/address.ts"
import { ByteTable } from "./batch/id-table.ts"

const UNKNOWN = -1

/** An address whose facts already stand in the log, and the block they stand in. */
export interface KnownAddress {
  readonly address: string
  readonly block: number
}

export class KnownSet {
  private readonly table = new ByteTable(20)
  /** block at which the address became known, `UNKNOWN` for the others */
  private blocks = new Float64Array(256).fill(UNKNOWN)
  /** the newest block in `blocks`, so that most reorgs need no search */
  private newest = UNKNOWN

  constructor(known: Iterable<KnownAddress> = []) {
    for (const { address, block } of known) this.addAddress(address, block)
  }

  /** The place of the address at `from`, known or not: a small number that stays the same. */
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
    return this.has(this.place(fromHex(address), 0))
  }

  add(place: number, block: number): void {
    this.blocks[place] = block
    if (block > this.newest) this.newest = block
  }

  /** Ids of 32 bytes count as their first 20, as no two have; other texts are nobody's address. */
  addAddress(address: string, block: number): void {
    if (address.length === 42 || address.length === 66)
      this.add(this.place(fromHex(address), 0), block)
  }

  /** Forgets what became known after `block`; the addresses forgotten. */
  forgetAfter(block: number): ReadonlyArray<string> {
    const forgotten: Array<string> = []
    if (this.newest <= block) return forgotten
    for (let place = 0; place < this.table.count; place++) {
      if ((this.blocks[place] as number) <= block) continue
      this.blocks[place] = UNKNOWN
      forgotten.push(toHex(this.table.data.subarray(place * 20, place * 20 + 20)))
    }
    this.newest = block
    return forgotten
  }
}
