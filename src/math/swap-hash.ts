/**
 * What a candle says of the swaps in it: a sum of 64 bits a swap, in two words each by itself, so
 * that the hash of a bucket is the sum of those of its parts in any order. It shows a swap that is
 * missing, double or another one; it is no signature, and no proof against who forges swaps.
 *
 * A swap counts as words of 32 bits: those of its transaction's id, big-endian (eight of a hash of
 * 32 bytes), the low word of its block's number, its log index. For each of the two words of its
 * hash:
 *
 *     h = seed
 *     for each word w:  h = (h ^ w) * factor mod 2^32;  h = h ^ (h >>> 15)
 *     h = h ^ (h >>> 16);  h = h * 0x85ebca6b mod 2^32
 *     h = h ^ (h >>> 13);  h = h * 0xc2b2ae35 mod 2^32;  h = h ^ (h >>> 16)
 *
 * seed and factor: 0x243f6a88, 0x9e3779b1 of the high word; 0x85a308d3, 0x85ebca77 of the low one.
 * The text of a hash is 16 hex digits, the high word first.
 */

const stir = (h: number, word: number, factor: number): number => {
  const product = Math.imul(h ^ word, factor)
  return product ^ (product >>> 15)
}

const settle = (h: number): number => {
  let x = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return x ^ (x >>> 16)
}

/** Hashes swaps one by one; `hi` and `lo` are of the last. */
export class SwapHash {
  hi = 0
  lo = 0

  /** Takes a swap: its transaction's id lies in `bytes` from `from` to before `to`. */
  take(bytes: Uint8Array, from: number, to: number, block: number, logIndex: number): void {
    let hi = 0x243f6a88
    let lo = 0x85a308d3
    for (let k = from; k < to; k += 4) {
      const word =
        ((bytes[k] as number) << 24) |
        ((bytes[k + 1] as number) << 16) |
        ((bytes[k + 2] as number) << 8) |
        (bytes[k + 3] as number)
      hi = stir(hi, word, 0x9e3779b1)
      lo = stir(lo, word, 0x85ebca77)
    }
    hi = stir(stir(hi, block | 0, 0x9e3779b1), logIndex, 0x9e3779b1)
    lo = stir(stir(lo, block | 0, 0x85ebca77), logIndex, 0x85ebca77)
    this.hi = settle(hi) >>> 0
    this.lo = settle(lo) >>> 0
  }
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, "0")

/** The text of a hash. */
export const hashText = (hi: number, lo: number): string => hex(hi) + hex(lo)
