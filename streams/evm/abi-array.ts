/** Dynamic arrays of one word an element in a log's data, where the ABI's encoder puts them. */
import { fitsUnsigned, type RawLog, word } from "./raw-log.ts"

/** Elements up to which an array is read; no venue's list of tokens, bins or ticks is longer. */
const MAX_ELEMENTS = 512

export const arrayRejection = {
  offset: "array not where the encoder puts it",
  length: "array length out of range",
  lengths: "arrays of different lengths",
  empty: "empty array"
} as const

const UINT32 = 4

/** The unsigned integer at `from` where it fits 32 bits, else -1. */
const smallUint = (bytes: Uint8Array, from: number): number =>
  fitsUnsigned(bytes, from, UINT32)
    ? ((bytes[from + 28] as number) * 0x1000000 +
        (((bytes[from + 29] as number) << 16) |
          ((bytes[from + 30] as number) << 8) |
          (bytes[from + 31] as number))) >>>
      0
    : -1

/** True where the offset in head word `head`, counted from word `base`, leads to word `at`. */
export const pointsTo = ({ data }: RawLog, head: number, at: number, base = 0): boolean =>
  smallUint(data, word(head)) === word(at - base)

/**
 * Elements of the array that head word `head` points to and that begins, with its length, at word
 * `at`. A negative answer is the reason: see `arrayProblem`. `width`: words of one element; `base`:
 * the word that the head's offset counts from.
 */
export const arrayLength = (log: RawLog, head: number, at: number, width = 1, base = 0): number => {
  const { data, dataLength } = log
  if (word(at) + 32 > dataLength || !pointsTo(log, head, at, base)) return -1
  const length = smallUint(data, word(at))
  if (length < 0 || length > MAX_ELEMENTS) return -2
  return word(at + 1 + length * width) > dataLength ? -2 : length
}

/** Why `arrayLength` gave a negative answer. */
export const arrayProblem = (length: number): string =>
  length === -1 ? arrayRejection.offset : arrayRejection.length
