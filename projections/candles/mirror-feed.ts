/** What the lane tells the candles' mirror of the versions it writes. */
import type { Mirrored } from "../../engine/projection.ts"
import type { RowBuffer } from "../../engine/store/row-buffer.ts"
import type { BaseTable, CandleColumns } from "./tables.ts"

/** Doubles a row: `token, isFirst, t, o, h, l, c, v, n`. */
export const FEED_WIDTH = 9

export interface CandlesFed {
  readonly base: BaseTable
  readonly count: number
  /** shared ones are to be given back */
  readonly rows: Float64Array
  /** tokens told of for the first time, and their addresses, 20 bytes each */
  readonly tokens: Uint32Array
  readonly addresses: Uint8Array
  /** the second from which on the log lacks no block; null where it lacks some */
  readonly wholeSince: number | null
}

/** Rows that a shared buffer has room for; larger messages are copied. */
const SHARED_ROWS = 512
/** Shared buffers of a lane at most: what a busy reader may be behind. */
const SHARED_BUFFERS = 256

/**
 * Memory that both threads see, used again and again: what is sent over the whole day would
 * otherwise make the reader collect garbage every second. The double behind the rows says whether
 * the reader still needs them; the messages between the threads order its writes.
 */
class SharedRows {
  private readonly buffers: Array<Float64Array> = []

  /** Room for so many rows; null where all is in use. */
  take(count: number): Float64Array | null {
    if (count > SHARED_ROWS) return null
    let found = this.buffers.find(one => Atomics.load(stateOf(one), 0) === 0)
    if (found === undefined) {
      if (this.buffers.length === SHARED_BUFFERS) return null
      const bytes = (SHARED_ROWS * FEED_WIDTH + 1) * Float64Array.BYTES_PER_ELEMENT
      found = new Float64Array(new SharedArrayBuffer(bytes))
      this.buffers.push(found)
    }
    Atomics.store(stateOf(found), 0, 1)
    return found
  }
}

const stateOf = (rows: Float64Array): Int32Array =>
  new Int32Array(rows.buffer, SHARED_ROWS * FEED_WIDTH * Float64Array.BYTES_PER_ELEMENT, 1)

/** The reader has taken what it was sent. */
export const giveBack = (rows: Float64Array): void => {
  if (rows.buffer instanceof SharedArrayBuffer) Atomics.store(stateOf(rows), 0, 0)
}

/** Tokens marked until the next reset. */
class Marks {
  private marks = new Uint8Array(1024)

  has(token: number): boolean {
    return this.marks[token] === 1
  }

  set(token: number, isMarked: boolean): void {
    if (token >= this.marks.length) {
      const grown = new Uint8Array(Math.max(token + 1, this.marks.length * 2))
      grown.set(this.marks)
      this.marks = grown
    }
    this.marks[token] = isMarked ? 1 : 0
  }

  clear(): void {
    this.marks.fill(0)
  }
}

export class MirrorFeed {
  private readonly addresses: () => Uint8Array
  private readonly wholeSince: () => number | null
  private readonly shared = new SharedRows()
  private readonly named = new Marks()
  /** tokens whose first bucket ever has not been told of */
  private readonly born = { candles_1m: new Marks(), candles_1h: new Marks() }

  /**
   * `addresses` gives those of all tokens by id, 20 bytes each; `wholeSince` from when on the log
   * lacks no block.
   */
  constructor(addresses: () => Uint8Array, wholeSince: () => number | null) {
    this.addresses = addresses
    this.wholeSince = wholeSince
  }

  /** A token's first bucket begins. */
  bear(base: BaseTable, token: number): void {
    this.born[base].set(token, true)
  }

  /** The mirror forgets everything, and so does this. */
  reset(): void {
    this.named.clear()
    this.born.candles_1m.clear()
    this.born.candles_1h.clear()
  }

  /** What the log lacks has changed; no candle with it. */
  coverage(): Mirrored {
    const message: CandlesFed = {
      ...{ base: "candles_1m", count: 0, rows: new Float64Array(0) },
      ...{ tokens: new Uint32Array(0), addresses: new Uint8Array(0) },
      wholeSince: this.wholeSince()
    }
    return { message, transfer: [] }
  }

  /**
   * The rows up to `end` that the mirror has not been told of; buckets without a price are none of
   * its business.
   */
  message({ def, mirrored: first, columns: c }: RowBuffer<CandleColumns>, end: number): Mirrored {
    const base = def.name as BaseTable
    const born = this.born[base]
    const shared = this.shared.take(end - first)
    const rows = shared ?? new Float64Array((end - first) * FEED_WIDTH)
    const unnamed: Array<number> = []
    let at = 0
    for (let i = first; i < end; i++) {
      if (c.n[i] === 0) continue
      const token = c.token[i] as number
      if (!this.named.has(token)) {
        this.named.set(token, true)
        unnamed.push(token)
      }
      rows[at] = token
      rows[at + 1] = born.has(token) ? 1 : 0
      born.set(token, false)
      rows[at + 2] = c.t[i] as number
      rows[at + 3] = c.o[i] as number
      rows[at + 4] = c.h[i] as number
      rows[at + 5] = c.l[i] as number
      rows[at + 6] = c.c[i] as number
      rows[at + 7] = c.v[i] as number
      rows[at + 8] = c.n[i] as number
      at += FEED_WIDTH
    }
    const tokens = Uint32Array.from(unnamed)
    const addresses = new Uint8Array(unnamed.length * 20)
    const all = this.addresses()
    unnamed.forEach((token, i) => {
      addresses.set(all.subarray(token * 20, token * 20 + 20), i * 20)
    })
    const count = at / FEED_WIDTH
    const wholeSince = this.wholeSince()
    const message: CandlesFed = { base, count, rows, tokens, addresses, wholeSince }
    const transfer = [tokens.buffer, addresses.buffer]
    return {
      message,
      transfer: shared === null ? [...transfer, rows.buffer as ArrayBuffer] : transfer
    }
  }
}
