/**
 * Finds the parts of a block in the text that a node answered to `getBlock`, without parsing all of
 * it: what the block says of itself, and of each transaction where it stands, its signature,
 * whether it failed, and whether it names a watched program. Most of a block is votes and trades of
 * others, and its text is megabytes: looking at bytes takes a fraction of parsing them. Strings and
 * brackets must close; what is within transactions that nobody reads is not judged further.
 */
import type { ProgramNames } from "./program-names.ts"

/** The transactions of a block, in its order; each list has one entry for each. */
export interface ScannedTransactions {
  /** where the text of each begins and ends */
  readonly from: ReadonlyArray<number>
  readonly to: ReadonlyArray<number>
  readonly signatures: ReadonlyArray<string>
  readonly failed: ReadonlyArray<boolean>
  /** it names a watched program, or cannot be judged without being read */
  readonly watched: ReadonlyArray<boolean>
}

export interface ScannedBlock {
  readonly _tag: "ScannedBlock"
  /** what the block says of itself, as text of JSON by key: `blockhash`, `parentSlot`, … */
  readonly fields: ReadonlyMap<string, string>
  /** null where the text has no list of transactions */
  readonly transactions: ScannedTransactions | null
  /** where a list of signatures alone stands; null where there is none */
  readonly signaturesAt: readonly [from: number, to: number] | null
}

/** The text is an answer without a block: an error object, or null. */
export interface NoBlockScanned {
  readonly _tag: "NoBlockScanned"
}

/** The text is no answer; `reason` says why. */
export interface UnreadableBlock {
  readonly _tag: "UnreadableBlock"
  /** it came whole, so that whoever was asked said it */
  readonly isJson: boolean
  readonly reason: string
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const LETTER_N = 0x6e
const SPACE = 0x20

/** Four quotes, and four backslashes: texts are looked through four bytes at once. */
const QUOTES = 0x22222222
const BACKSLASHES = 0x5c5c5c5c
const ONES = 0x01010101
const HIGH_BITS = 0x80808080 | 0

const [META, ERR, SIGNATURES] = [
  Buffer.from("meta"),
  Buffer.from("err"),
  Buffer.from("signatures")
] as const

/** Longest text of a value that is kept as a field of a block. */
const LONGEST_FIELD = 200

/** Shortest and longest address as base58, and the longest signature. */
const SHORTEST_ADDRESS = 32
const LONGEST_ADDRESS = 44

interface Lists {
  readonly from: Array<number>
  readonly to: Array<number>
  readonly signatures: Array<string>
  readonly failed: Array<boolean>
  readonly watched: Array<boolean>
}

/** One walk over a text. A method returns the place behind what it read; -1 where it is cut. */
class Scan {
  private readonly bytes: Buffer
  private readonly view: DataView
  private readonly end: number
  private readonly names: ProgramNames
  readonly fields = new Map<string, string>()
  lists: Lists | null = null
  signaturesAt: ScannedBlock["signaturesAt"] = null
  /** the envelope holds an error, or null as its result */
  isRefusal = false

  constructor(bytes: Buffer, end: number, names: ProgramNames) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.end = end
    this.names = names
  }

  /** The first place from `at` on that is no blank. */
  blanks(at: number): number {
    let i = at
    while (i < this.end && this.bytes[i]! <= SPACE) i++
    return i
  }

  /** The place of the next quote or backslash from `at` on; the end where there is none. */
  private mark(at: number): number {
    const { bytes, view, end } = this
    let i = at
    for (; i + 4 <= end; i += 4) {
      const four = view.getInt32(i, true)
      const quotes = four ^ QUOTES
      const backslashes = four ^ BACKSLASHES
      // a byte that is 0 borrows from its highest bit
      const hits = ((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes)
      if ((hits & HIGH_BITS) !== 0) break
    }
    while (i < end && bytes[i] !== QUOTE && bytes[i] !== BACKSLASH) i++
    return i
  }

  /** Whether the text of `length` bytes at `start` is a key. */
  private isKey(key: Buffer, start: number, length: number): boolean {
    if (length !== key.length) return false
    for (let i = 0; i < length; i++) if (this.bytes[start + i] !== key[i]) return false
    return true
  }

  /** Reads over a string from behind its first quote on. */
  string(at: number): number {
    const { bytes, end } = this
    for (let i = this.mark(at); i < end; i = this.mark(i + 2)) if (bytes[i] === QUOTE) return i + 1
    return -1
  }

  /** Reads over any value. */
  value(at: number): number {
    const { bytes, end } = this
    let depth = 0
    for (let i = this.blanks(at); i < end; ) {
      const code = bytes[i]!
      if (code === QUOTE) {
        i = this.string(i + 1)
        if (i < 0) return -1
        if (depth === 0) return i
      } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
        depth++
        i++
      } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
        // the end of what surrounds a number or a word
        if (depth === 0) return i
        i++
        if (--depth === 0) return i
      } else if (code === COMMA && depth === 0) return i
      else i++
    }
    return depth === 0 ? end : -1
  }

  /** Calls `each` with the key and the place of every member of the object that begins at `at`. */
  members(at: number, each: (key: string, place: number) => number): number {
    const { bytes, end } = this
    let i = this.blanks(at + 1)
    while (i < end) {
      if (bytes[i] === CLOSE_OBJECT) return i + 1
      if (bytes[i] !== QUOTE) return -1
      const keyEnd = this.string(i + 1)
      if (keyEnd < 0) return -1
      const key = bytes.toString("latin1", i + 1, keyEnd - 1)
      i = this.blanks(keyEnd)
      if (bytes[i] !== COLON) return -1
      i = each(key, this.blanks(i + 1))
      if (i < 0) return -1
      i = this.blanks(i)
      if (bytes[i] === COMMA) i = this.blanks(i + 1)
    }
    return -1
  }

  /** Reads the object of a block, or the envelope around one. */
  block(at: number): number {
    return this.members(at, (key, place) => {
      const isObject = this.bytes[place] === OPEN_OBJECT
      if (key === "result" && isObject) return this.block(place)
      if (key === "error" ? isObject : key === "result") this.isRefusal = true
      if (key === "transactions" && this.bytes[place] === OPEN_LIST) return this.list(place)
      const after = this.value(place)
      if (key === "signatures" && after >= 0) this.signaturesAt = [place, after]
      if (after >= 0 && after - place <= LONGEST_FIELD) {
        this.fields.set(key, this.bytes.toString("utf8", place, after))
      }
      return after
    })
  }

  private list(at: number): number {
    const lists: Lists = { from: [], to: [], signatures: [], failed: [], watched: [] }
    this.lists = lists
    let i = this.blanks(at + 1)
    while (i < this.end) {
      const code = this.bytes[i]
      if (code === CLOSE_LIST) return i + 1
      if (code === COMMA) i = this.blanks(i + 1)
      else {
        const after = this.transaction(i, lists)
        // a number or a closing bracket where a transaction should stand
        if (after <= i) return -1
        i = this.blanks(after)
      }
    }
    return -1
  }

  /** Reads over one transaction, looking at its strings; notes what it is in `lists`. */
  private transaction(at: number, lists: Lists): number {
    const { bytes, end, names } = this
    let depth = 0
    let isMeta = false
    let hasMeta = false
    let isFailed = false
    let isWatched = false
    let signature = ""
    /** the next string at this depth is the first signature; 0 for none */
    let signatureAt = 0
    let i = at
    while (i < end) {
      const code = bytes[i]!
      if (code === QUOTE) {
        const start = i + 1
        for (i = this.mark(start); i < end && bytes[i] === BACKSLASH; i = this.mark(i + 2)) {
          // what is escaped may be anything
          isWatched = true
        }
        const length = i++ - start
        if (length >= SHORTEST_ADDRESS) {
          if (depth === signatureAt) {
            signature = bytes.toString("latin1", start, start + length)
            signatureAt = 0
          } else if (!isWatched && length <= LONGEST_ADDRESS) {
            isWatched = names.has(bytes, start, length)
          }
        } else if (depth <= 2 && bytes[i] === COLON) {
          if (depth === 1) {
            isMeta = this.isKey(META, start, length)
            if (isMeta) hasMeta = bytes[this.blanks(i + 1)] === OPEN_OBJECT
          } else if (isMeta) {
            if (this.isKey(ERR, start, length)) isFailed = bytes[this.blanks(i + 1)] !== LETTER_N
          } else if (this.isKey(SIGNATURES, start, length)) {
            signatureAt = depth + 1
          }
        }
      } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
        depth++
        i++
      } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
        if (--depth <= 0) break
        i++
      } else i++
    }
    if (i >= end || depth < 0) return -1
    lists.from.push(at)
    lists.to.push(i + 1)
    lists.signatures.push(signature)
    lists.failed.push(isFailed)
    lists.watched.push(isWatched || !hasMeta)
    return i + 1
  }
}

/**
 * Scans the text of a block, with or without the envelope of JSON-RPC.
 *
 * @param names the programs whose transactions are watched
 */
export const scanBlock = (
  bytes: Buffer,
  from: number,
  to: number,
  names: ProgramNames
): ScannedBlock | NoBlockScanned | UnreadableBlock => {
  const unreadable = (reason: string) =>
    ({ _tag: "UnreadableBlock", isJson: false, reason }) as const
  const scan = new Scan(bytes, to, names)
  const start = scan.blanks(from)
  if (start >= to || bytes[start] !== OPEN_OBJECT) return unreadable("no JSON object")
  const after = scan.block(start)
  if (after < 0 || scan.blanks(after) < to) return unreadable("the text is cut off, or no JSON")
  if (scan.isRefusal) return { _tag: "NoBlockScanned" }
  return {
    ...{ _tag: "ScannedBlock", fields: scan.fields },
    ...{ transactions: scan.lists, signaturesAt: scan.signaturesAt }
  }
}
