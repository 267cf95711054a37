/**
 * Finds the slot of a pair of numbers: open addressing with linear probing over typed arrays. Keys
 * stand in the caller's columns; the index holds slots alone.
 */

/** A column that holds one key of slots; asked for anew, since growing replaces it. */
export type KeyColumn = () => Uint32Array

const EMPTY = 0

/** A mix of both numbers, of which all bits depend on all of theirs. */
export const hashOf = (a: number, b: number): number => {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x165667b1, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  return (h ^ (h >>> 13)) >>> 0
}

export class PairIndex {
  private readonly first: KeyColumn
  private readonly second: KeyColumn
  /** slot plus one; 0 where nothing is */
  private table = new Uint32Array(1024)
  private held = 0

  constructor(first: KeyColumn, second: KeyColumn) {
    this.first = first
    this.second = second
  }

  /** The slot of a pair, -1 where there is none. */
  find(a: number, b: number): number {
    const first = this.first()
    const second = this.second()
    const { table } = this
    const mask = table.length - 1
    for (let at = hashOf(a, b) & mask; ; at = (at + 1) & mask) {
      const slot = (table[at] as number) - 1
      if (slot < 0) return -1
      if (first[slot] === a && second[slot] === b) return slot
    }
  }

  /** Takes in a slot whose pair is not in the index and stands in the columns. */
  add(slot: number): void {
    if ((this.held + 1) * 2 > this.table.length) this.enlarge()
    this.place(slot)
    this.held++
  }

  private place(slot: number): void {
    const first = this.first()
    const second = this.second()
    const { table } = this
    const mask = table.length - 1
    let at = hashOf(first[slot] as number, second[slot] as number) & mask
    while (table[at] !== EMPTY) at = (at + 1) & mask
    table[at] = slot + 1
  }

  private enlarge(): void {
    const before = this.table
    this.table = new Uint32Array(before.length * 2)
    for (let at = 0; at < before.length; at++) {
      const slot = (before[at] as number) - 1
      if (slot >= 0) this.place(slot)
    }
  }

  /** Forgets a slot, whose pair must still stand in the columns; what probed past it moves up. */
  remove(slot: number): void {
    const first = this.first()
    const second = this.second()
    const { table } = this
    const mask = table.length - 1
    let hole = hashOf(first[slot] as number, second[slot] as number) & mask
    while (table[hole] !== slot + 1) {
      if (table[hole] === EMPTY) return
      hole = (hole + 1) & mask
    }
    this.held--
    for (let at = (hole + 1) & mask; table[at] !== EMPTY; at = (at + 1) & mask) {
      const other = (table[at] as number) - 1
      const home = hashOf(first[other] as number, second[other] as number) & mask
      // it may move up to the hole unless its own place lies between the hole and it
      if (((at - home) & mask) < ((at - hole) & mask)) continue
      table[hole] = other + 1
      hole = at
    }
    table[hole] = EMPTY
  }

  clear(): void {
    this.table.fill(EMPTY)
    this.held = 0
  }
}
