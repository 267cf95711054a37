/**
 * Entries in their order, as sorted pieces: an entry is found by two binary searches, and putting
 * it in moves a piece's rest only. So the order of half a million costs a transfer some
 * microseconds, and whoever asks for the largest reads them off.
 */

/** Entries of a piece at most, and of one that was just filled. */
const LARGEST = 512
const FILLED = 384

export class HolderOrder {
  size = 0
  private pieces: Array<Uint32Array> = []
  private sizes: Array<number> = []
  /** whether the first stands before the second; a total order of what is in here */
  private readonly before: (a: number, b: number) => boolean

  constructor(before: (a: number, b: number) => boolean) {
    this.before = before
  }

  /** The first piece that does not end before the entry; the last where all do. */
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

  /** The first place of a piece whose entry does not stand before the entry. */
  private placeOf(piece: Uint32Array, size: number, entry: number): number {
    let low = 0
    let high = size
    while (low < high) {
      const middle = (low + high) >> 1
      const found = piece[middle] as number
      if (found !== entry && this.before(found, entry)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Puts an entry in that is not there. */
  insert(entry: number): void {
    if (this.pieces.length === 0) {
      this.pieces.push(new Uint32Array(LARGEST))
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
    if (size + 1 === LARGEST) this.split(at)
  }

  /** Takes an entry out; it must still stand where it was put. */
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
    const half = LARGEST >> 1
    const rest = new Uint32Array(LARGEST)
    rest.set(piece.subarray(half))
    this.pieces.splice(at + 1, 0, rest)
    this.sizes.splice(at, 1, half, LARGEST - half)
  }

  /** Begins anew with these entries, which it sorts. */
  fill(entries: Uint32Array): void {
    const sorted = entries.sort((a, b) => (this.before(a, b) ? -1 : 1))
    this.pieces = []
    this.sizes = []
    this.size = sorted.length
    for (let from = 0; from < sorted.length; from += FILLED) {
      const part = sorted.subarray(from, from + FILLED)
      const piece = new Uint32Array(LARGEST)
      piece.set(part)
      this.pieces.push(piece)
      this.sizes.push(part.length)
    }
  }

  /** Shows the entries in their order until it is told to stop. */
  walk(goesOn: (entry: number) => boolean): void {
    for (const [at, piece] of this.pieces.entries()) {
      const size = this.sizes[at] as number
      for (let i = 0; i < size; i++) if (!goesOn(piece[i] as number)) return
    }
  }
}
