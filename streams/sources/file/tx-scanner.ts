/** Reads a line of a file of transactions without making an object of it. */
import { keysOf, PlainLine, UNUSUAL } from "./plain-line.ts"

const FIELD = { hash: 1, transactionHash: 2, from: 4, to: 8, chainId: 16 } as const

/** One of the two hashes, and a sender. */
const HASHES = FIELD.hash | FIELD.transactionHash

export class TxScanner extends PlainLine {
  readonly hash: Uint8Array = new Uint8Array(32)
  readonly from: Uint8Array = new Uint8Array(20)
  readonly to: Uint8Array = new Uint8Array(20)
  /** -1 where the line names none */
  chainId = -1

  constructor() {
    super(keysOf(FIELD))
  }

  /** Reads the line `bytes[from..to)`; false where it is not plain, or lacks anything. */
  scan(bytes: Uint8Array, from: number, to: number): boolean {
    this.chainId = -1
    const seen = this.fields(bytes, from, to)
    if (seen < 0 || (seen & FIELD.from) === 0 || (seen & FIELD.to) === 0) return false
    const hashes = seen & HASHES
    return hashes !== 0 && hashes !== HASHES
  }

  protected value(field: number, at: number): number {
    switch (field) {
      case FIELD.from:
        return this.hex(at, this.from, 0, 20)
      case FIELD.to:
        // a target that is null makes a contract: rare enough to be parsed
        return this.hex(at, this.to, 0, 20)
      case FIELD.chainId: {
        const end = this.integer(at)
        if (end < 0) return UNUSUAL
        this.chainId = this.number
        return end
      }
      default:
        return this.hex(at, this.hash, 0, 32)
    }
  }
}
