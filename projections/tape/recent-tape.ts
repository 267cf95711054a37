/**
 * The newest prints of the tape in memory, each linked to the one before of both its tokens: what
 * most readers ask for is found without a search. Rows look as the database gives them, so that one
 * code makes answers of both.
 */
import { type ColumnArrays, wordsOf } from "../../engine/store/column-set.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { type LookAtSwap, NO_MORE, type SwapSource, UNKNOWN } from "./swap-links.ts"
import type { tapeTable } from "./tables.ts"

/** A row of the tape as a query gives it. */
type Row = { readonly [column: string]: unknown }

/** Prints kept, about 150 bytes each; a power of two. */
const KEEP = 1 << 17

const grownTo = <A extends Float64Array | Uint32Array | Uint8Array>(
  array: A,
  length: number
): A => {
  const grown = new (array.constructor as new (length: number) => A)(length)
  grown.set(array as never)
  return grown
}

/** The values by name, with room for so many prints. */
const columnsFor = (capacity: number) => ({
  seq: new Float64Array(capacity),
  block: new Float64Array(capacity),
  ts: new Uint32Array(capacity),
  log_index: new Uint32Array(capacity),
  pool: new Uint32Array(capacity),
  token0: new Uint32Array(capacity),
  token1: new Uint32Array(capacity),
  amount0: new Float64Array(capacity),
  amount1: new Float64Array(capacity),
  bought0: new Uint8Array(capacity),
  usd: new Float64Array(capacity),
  price0: new Float64Array(capacity),
  price1: new Float64Array(capacity),
  unscaled: new Uint8Array(capacity),
  flags: new Uint8Array(capacity),
  attribution: new Uint8Array(capacity),
  /** numbers of the prints before */
  prev0: new Float64Array(capacity),
  prev1: new Float64Array(capacity),
  tx: new Uint8Array(capacity * TX_BYTES),
  wallet: new Uint8Array(capacity * WALLET_BYTES)
})

const TX_BYTES = 32
const WALLET_BYTES = 20

/** Fixed bytes as words: of the tape's rows, and of the prints kept. */
interface Words {
  readonly of: Uint8Array
  readonly words: Uint32Array
}

const NO_WORDS: Words = { of: new Uint8Array(0), words: new Uint32Array(0) }

/** The words of an array, which is seldom another than the last. */
const wordsLike = (last: Words, of: Uint8Array): Words =>
  last.of === of ? last : { of, words: wordsOf(of) }

/** Copies one value of so many bytes. */
const copyWords = (
  to: Uint32Array,
  at: number,
  from: Uint32Array,
  row: number,
  bytes: number
): void => {
  const width = bytes >> 2
  for (let i = 0; i < width; i++) to[at * width + i] = from[row * width + i] as number
}

type Columns = ReturnType<typeof columnsFor>
/** Rows of the tape in log order, by column. */
export type TapePiece = {
  readonly [name in Exclude<keyof Columns, "prev0" | "prev1">]: Columns[name] extends Float64Array
    ? Float64Array
    : Columns[name] extends Uint32Array
      ? Uint32Array
      : Uint8Array
}

const PIECE = Object.keys(columnsFor(0)).filter(
  name => name !== "prev0" && name !== "prev1"
) as ReadonlyArray<keyof TapePiece>
/** Bytes of a value of those columns that are not numbers. */
const WIDTHS: { readonly [column: string]: number } = { tx: 32, wallet: 20 }

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)
const idOrNull = (id: number): number | null => (id === NONE ? null : id)

const bigEndian = (bytes: Uint8Array, from: number, width: number): bigint =>
  BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset + from, width).toString("hex")}`)

const isZero = (bytes: Uint8Array, from: number, width: number): boolean => {
  for (let i = 0; i < width; i++) if (bytes[from + i] !== 0) return false
  return true
}

/** How many rows of growing positions stand before one; all, where there is none. */
const rowsBefore = (seqs: Float64Array, end: number | null): number => {
  const found = end === null ? -1 : seqs.findIndex(seq => seq >= end)
  return found < 0 ? seqs.length : found
}

type Wanted = (block: number, logIndex: number, ts: number) => boolean

export class RecentTape implements SwapSource {
  private readonly keep: number
  private columns: Columns = columnsFor(0)
  private capacity = 0
  /** number of the next print */
  private next = 0
  /** number of the newest print of each token */
  private heads = new Float64Array(0)
  private txWords = NO_WORDS
  private walletWords = NO_WORDS
  private fromTxs = NO_WORDS
  private fromWallets = NO_WORDS

  constructor(keep = KEEP) {
    this.keep = keep
  }

  /** Nothing is known any more. */
  clear(): void {
    this.next = 0
    this.heads.fill(UNKNOWN)
  }

  /** Takes a row of the tape; `first0`, `first1`: the token has no print before it. */
  add(
    c: ColumnArrays<(typeof tapeTable)["columns"]>,
    row: number,
    seq: number,
    first0: boolean,
    first1: boolean
  ): void {
    if (this.next === this.capacity && this.capacity < this.keep) this.grow()
    const { columns: to } = this
    const number = this.next++
    const at = number & (this.capacity - 1)
    const token0 = c.token0[row] as number
    const token1 = c.token1[row] as number
    to.seq[at] = seq
    to.block[at] = c.block[row] as number
    to.ts[at] = c.ts[row] as number
    to.log_index[at] = c.log_index[row] as number
    to.pool[at] = c.pool[row] as number
    to.token0[at] = token0
    to.token1[at] = token1
    to.amount0[at] = c.amount0[row] as number
    to.amount1[at] = c.amount1[row] as number
    to.bought0[at] = c.bought0[row] as number
    to.usd[at] = c.usd[row] as number
    to.price0[at] = c.price0[row] as number
    to.price1[at] = c.price1[row] as number
    to.unscaled[at] = c.unscaled[row] as number
    to.flags[at] = c.flags[row] as number
    to.attribution[at] = c.attribution[row] as number
    this.copyTx(at, c.tx, row)
    this.copyWallet(at, c.wallet, row)
    to.prev0[at] = this.link(token0, number, first0)
    to.prev1[at] = this.link(token1, number, first1)
  }

  private copyTx(at: number, tx: Uint8Array, row: number): void {
    this.txWords = wordsLike(this.txWords, this.columns.tx)
    this.fromTxs = wordsLike(this.fromTxs, tx)
    copyWords(this.txWords.words, at, this.fromTxs.words, row, TX_BYTES)
  }

  private copyWallet(at: number, wallet: Uint8Array, row: number): void {
    this.walletWords = wordsLike(this.walletWords, this.columns.wallet)
    this.fromWallets = wordsLike(this.fromWallets, wallet)
    copyWords(this.walletWords.words, at, this.fromWallets.words, row, WALLET_BYTES)
  }

  /** Makes a print a token's newest; the one before. */
  private link(token: number, number: number, isFirst: boolean): number {
    if (token === NONE) return UNKNOWN
    if (token >= this.heads.length) {
      const known = this.heads.length
      this.heads = grownTo(this.heads, Math.max(1024, token + 1, known * 2)).fill(UNKNOWN, known)
    }
    const before = isFirst ? NO_MORE : (this.heads[token] as number)
    this.heads[token] = number
    return before
  }

  /** Swaps held, and whether there is room for older ones. */
  get held(): { readonly count: number; readonly room: number; readonly oldestSeq: number | null } {
    const count = Math.min(this.next, this.capacity)
    const oldest = (this.next - count) & (this.capacity - 1)
    return {
      count,
      room: this.next === count ? this.keep - count : 0,
      oldestSeq: count === 0 ? null : (this.columns.seq[oldest] as number)
    }
  }

  /** No swap of this time or later is missing; infinite where none is held. */
  get wholeSince(): number {
    const { count } = this.held
    if (count === 0) return Number.POSITIVE_INFINITY
    // of the oldest's second others may have been let go
    return (this.columns.ts[(this.next - count) & (this.capacity - 1)] as number) + 1
  }

  /**
   * Takes the swaps just before those held, oldest piece first, as far as there is room; `prints`
   * are all that each token has had. Passes over what is held by now; answers how many it took.
   */
  precede(pieces: ReadonlyArray<TapePiece>, prints: ArrayLike<number>): number {
    const { count, room, oldestSeq } = this.held
    const ends = pieces.map(({ seq }) => rowsBefore(seq, oldestSeq))
    const older = ends.reduce((sum, end) => sum + end, 0)
    let skipped = Math.max(0, older - room)
    const total = count + older - skipped
    if (total === count) return 0
    const capacity = Math.min(this.keep, 2 ** Math.max(10, Math.ceil(Math.log2(total))))
    const filled = columnsFor(capacity)
    let at = 0
    const put = (piece: TapePiece, from: number, to: number): void => {
      for (const name of PIECE) {
        const values = piece[name]
        const width = WIDTHS[name] ?? 1
        const target = filled[name]
        target.set(values.subarray(from * width, to * width), at * width)
      }
      at += to - from
    }
    for (const [place, piece] of pieces.entries()) {
      const end = ends[place] as number
      const from = Math.min(skipped, end)
      skipped -= from
      put(piece, from, end)
    }
    put(this.columns, 0, count)
    this.columns = filled
    this.capacity = capacity
    this.next = total
    this.relink(prints)
    return total - count
  }

  /** Links all that is held anew. */
  private relink(prints: ArrayLike<number>): void {
    const { columns: c, next } = this
    this.heads.fill(UNKNOWN)
    for (let at = 0; at < next; at++) {
      c.prev0[at] = this.link(c.token0[at] as number, at, false)
      c.prev1[at] = this.link(c.token1[at] as number, at, false)
    }
    const seen = new Uint32Array(this.heads.length)
    for (let at = next - 1; at >= 0; at--) {
      for (const [token, prev] of [
        [c.token0[at] as number, c.prev0],
        [c.token1[at] as number, c.prev1]
      ] as const) {
        if (token === NONE) continue
        seen[token] = (seen[token] as number) + 1
        // the first of a token is its oldest that is held where all it had are held
        if (prev[at] === UNKNOWN && seen[token] === prints[token]) prev[at] = NO_MORE
      }
    }
  }

  private grow(): void {
    this.capacity = Math.max(Math.min(1024, this.keep), this.capacity * 2)
    const larger = columnsFor(this.capacity) as { [name: string]: Columns[keyof Columns] }
    for (const [name, values] of Object.entries(this.columns)) larger[name]?.set(values)
    this.columns = larger as Columns
  }

  /**
   * The newest prints of a token up to `seq` that `wanted` takes by their block, place and time,
   * at most so many; null where memory does not hold all of them.
   */
  newest(token: number, seq: number, count: number, wanted: Wanted): ReadonlyArray<Row> | null {
    const { rows, isWhole } = this.newestHeld(token, seq, count, wanted)
    return isWhole ? rows : null
  }

  /** The same as far as memory holds them: the newest of them, and whether these are all. */
  newestHeld(
    token: number,
    seq: number,
    count: number,
    wanted: Wanted
  ): { readonly rows: ReadonlyArray<Row>; readonly isWhole: boolean } {
    const rows: Array<Row> = []
    const isWhole = this.walk(token, seq, (_, at) => {
      const { block, log_index, ts } = this.columns
      if (wanted(block[at] as number, log_index[at] as number, ts[at] as number)) {
        rows.push(this.row(at))
      }
      return rows.length < count
    })
    return { rows, isWhole }
  }

  /** The wallets of all that is held, 20 bytes each, as words: by place; 0 for one not known. */
  get wallets(): Uint32Array {
    return new Uint32Array(this.columns.wallet.buffer)
  }

  /** Shows the swaps of a token up to a position; false where there may be more in the tables. */
  walk(token: number, seq: number, look: LookAtSwap): boolean {
    const { columns: c } = this
    const { seq: seqs, token0, prev0, prev1 } = c
    let number = this.heads[token] ?? UNKNOWN
    while (number !== NO_MORE) {
      if (number === UNKNOWN || number < this.next - this.capacity) return false
      const at = number & (this.capacity - 1)
      if ((seqs[at] as number) <= seq && !look(c, at)) return true
      number = (token0[at] === token ? prev0[at] : prev1[at]) as number
    }
    return true
  }

  /**
   * The newest prints of all tokens that `wanted` takes, worth at least `min` micro-dollars, at
   * most so many, among the newest of them and what stands up to `back` positions before it; the
   * last one that was looked at, and whether one stands before. Null where memory does not hold it.
   */
  newestOfAll(
    count: number,
    wanted: (block: number, logIndex: number, ts: number) => boolean,
    min: number,
    back: number
  ): { readonly rows: ReadonlyArray<Row>; readonly last: Row; readonly more: boolean } | null {
    const { columns: c } = this
    const oldest = Math.max(0, this.next - this.capacity)
    const rows: Array<Row> = []
    let [last, end] = [-1, 0]
    for (let number = this.next - 1; number >= oldest; number--) {
      const at = number & (this.capacity - 1)
      if (c.token0[at] === NONE && c.token1[at] === NONE) continue
      if (!wanted(c.block[at] as number, c.log_index[at] as number, c.ts[at] as number)) continue
      const seq = c.seq[at] as number
      if (last < 0) end = seq - back
      else if (seq <= end || rows.length === count)
        return { rows, last: this.row(last), more: true }
      if (min === 0 || (c.usd[at] as number) >= min) rows.push(this.row(at))
      last = at
    }
    return null
  }

  /**
   * All prints after `since`, oldest first; null where memory does not reach back so far, which a
   * print at or before it tells.
   */
  after(since: number): ReadonlyArray<Row> | null {
    const { seq } = this.columns
    const oldest = Math.max(0, this.next - this.capacity)
    const rows: Array<Row> = []
    for (let number = this.next - 1; number >= oldest; number--) {
      const at = number & (this.capacity - 1)
      if ((seq[at] as number) <= since) return rows.reverse()
      rows.push(this.row(at))
    }
    return null
  }

  /** The row at a place as the table has it. */
  private row(at: number): Row {
    const { columns: c } = this
    const hasWallet = !isZero(c.wallet, at * 20, 20)
    return {
      seq: c.seq[at],
      block: c.block[at],
      ts: c.ts[at],
      log_index: c.log_index[at],
      pool: c.pool[at],
      token0: idOrNull(c.token0[at] as number),
      token1: idOrNull(c.token1[at] as number),
      amount0: orNull(c.amount0[at] as number),
      amount1: orNull(c.amount1[at] as number),
      bought0: c.bought0[at],
      usd: orNull(c.usd[at] as number),
      price0: orNull(c.price0[at] as number),
      price1: orNull(c.price1[at] as number),
      unscaled: c.unscaled[at],
      flags: c.flags[at],
      attribution: c.attribution[at],
      tx_hi: bigEndian(c.tx, at * 32, 16),
      tx_lo: bigEndian(c.tx, at * 32 + 16, 16),
      wallet_hi: hasWallet ? bigEndian(c.wallet, at * 20, 16) : null,
      wallet_lo: hasWallet ? bigEndian(c.wallet, at * 20 + 16, 4) : null
    }
  }
}
