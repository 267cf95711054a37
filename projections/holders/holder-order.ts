/**
 * Entries of the ledger in their order, as sorted pieces: two binary searches find an entry, and an
 * insert moves the rest of one piece only. With half a million entries a transfer costs some
 * microseconds, and a query reads the largest holders off the front.
 */

/** A piece that reaches this size is split; `fill` makes pieces of the smaller size. */
const MAX_PIECE_ENTRIES = 512
const FILLED_PIECE_ENTRIES = 384

export class HolderOrder {
  size = 0
  private pieces: Array<Uint32Array> = []
  private sizes: Array<number> = []
  /** whether the first entry stands before the second; a total order of all entries in here */
  private readonly before: (a: number, b: number) => boolean

  constructor(before: (a: number, b: number) => boolean) {
    this.before = before
  }

  /** Returns the first piece that does not end before the entry; the last piece where all do. */
  private pieceOf(entry: number): number {
    let low = 0
    let high = this.pieces.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      const piece = this.pieces[middle] as Uint32Array
      const last = piece[(this.sizes[middle] as number) - 1] as number
      if (last !== entry && this.before(last, entry)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns the first place of a piece whose entry does not stand before `entry`. */
  private placeOf(piece: Uint32Array, size: number, entry: number): number {
    let low = 0
    let high = size
    while (low < high) {
      const middle = (low + high) >> 1
      const other = piece[middle] as number
      if (other !== entry && this.before(other, entry)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Inserts an entry, which must not be in here yet. */
  insert(entry: number): void {
    if (this.pieces.length === 0) {
      this.pieces.push(new Uint32Array(MAX_PIECE_ENTRIES))
      this.sizes.push(0)
    }
    const at = this.pieceOf(entry)
    const piece = this.pieces[at] as Uint32Array
    const size = this.sizes[at] as number
    const place = this.placeOf(piece, size, entry)
    piece.copyWithin(place + 1, place, size)
    piece[place] = entry
    this.sizes[at] = size + 1
    this.size++
    if (size + 1 === MAX_PIECE_ENTRIES) this.split(at)
  }

  /** Removes an entry. Its balance must not have changed since it was inserted. */
  remove(entry: number): void {
    const at = this.pieceOf(entry)
    const piece = this.pieces[at] as Uint32Array
    const size = this.sizes[at] as number
    const place = this.placeOf(piece, size, entry)
    if (piece[place] !== entry) throw new Error(`entry ${entry} is not in its place`)
    piece.copyWithin(place, place + 1, size)
    this.sizes[at] = size - 1
    this.size--
    if (size === 1) {
      this.pieces.splice(at, 1)
      this.sizes.splice(at, 1)
    }
  }

  private split(at: number): void {
    const piece = this.pieces[at] as Uint32Array
    const half = MAX_PIECE_ENTRIES >> 1
    const rest = new Uint32Array(MAX_PIECE_ENTRIES)
    rest.set(piece.subarray(half))
    this.pieces.splice(at + 1, 0, rest)
    this.sizes.splice(at, 1, half, MAX_PIECE_ENTRIES - half)
  }

  /** Replaces all entries by these, which it sorts. */
  fill(entries: Uint32Array): void {
    const sorted = entries.sort((a, b) => (this.before(a, b) ? -1 : 1))
    this.pieces = []
    this.sizes = []
    this.size = sorted.length
    for (let from = 0; from < sorted.length; from += FILLED_PIECE_ENTRIES) {
      const part = sorted.subarray(from, from + FILLED_PIECE_ENTRIES)
      const piece = new Uint32Array(MAX_PIECE_ENTRIES)
      piece.set(part)
      this.pieces.push(piece)
      this.sizes.push(part.length)
    }
  }

  /** Calls `goesOn` with each entry in order, until `goesOn` returns false. */
  walk(goesOn: (entry: number) => boolean): void {
    for (const [at, piece] of this.pieces.entries()) {
      const size = this.sizes[at] as number
      for (let i = 0; i < size; i++) if (!goesOn(piece[i] as number)) return
    }
  }
}
