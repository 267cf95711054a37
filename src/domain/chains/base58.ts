/**
 * Base58 as Solana writes addresses, signatures and instruction data: Bitcoin's alphabet, a "1" for
 * each leading zero byte, no checksum. Both ways work on several digits at once, in doubles that
 * stay below 2^53.
 */

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
const ZERO = ALPHABET.charCodeAt(0)

/** The value of each ASCII character; 255 for those that are no digits. */
const DIGITS = new Uint8Array(128).fill(255)
for (let i = 0; i < ALPHABET.length; i++) DIGITS[ALPHABET.charCodeAt(i)] = i

/** Digits that are read at once: 58^6 times 2^16 is below 2^53. */
const READ_AT_ONCE = 6
const POWERS = [1, 58, 58 ** 2, 58 ** 3, 58 ** 4, 58 ** 5, 58 ** 6] as const

/** Digits that are written at once. */
const WRITTEN_AT_ONCE = 5
const WRITTEN_BASE = 58 ** WRITTEN_AT_ONCE

const WORD = 0x1_0000
/** Exact, as of any power of two, and multiplied by several times faster than divided. */
const PER_WORD = 1 / WORD

const countLeading = (length: number, isZero: (at: number) => boolean): number => {
  let count = 0
  while (count < length && isZero(count)) count++
  return count
}

/** Reads up to six digits as a number; -1 where a character is no digit. */
const digitsAt = (text: string, from: number, count: number): number => {
  let value = 0
  for (let i = from; i < from + count; i++) {
    const code = text.charCodeAt(i)
    const digit = code < 128 ? DIGITS[code]! : 255
    if (digit === 255) return -1
    value = value * 58 + digit
  }
  return value
}

/** Returns the bytes of a base58 text; null where a character is no digit of base58. */
export const fromBase58 = (text: string): Uint8Array | null => {
  const zeros = countLeading(text.length, at => text.charCodeAt(at) === ZERO)
  // 16-bit words, the lowest first; a digit is worth 5.86 bits
  const words = new Float64Array(Math.ceil(((text.length - zeros) * 5.858) / 16) + 1)
  let used = 0
  for (let from = zeros; from < text.length; from += READ_AT_ONCE) {
    const count = Math.min(READ_AT_ONCE, text.length - from)
    let carry = digitsAt(text, from, count)
    if (carry < 0) return null
    const factor = POWERS[count]!
    for (let i = 0; i < used; i++) {
      const value = words[i]! * factor + carry
      carry = Math.floor(value * PER_WORD)
      words[i] = value - carry * WORD
    }
    while (carry > 0) {
      const rest = Math.floor(carry * PER_WORD)
      words[used++] = carry - rest * WORD
      carry = rest
    }
  }
  const odd = used > 0 && words[used - 1]! < 0x100 ? 1 : 0
  const bytes = new Uint8Array(zeros + used * 2 - odd)
  for (let i = 0, end = bytes.length; i < used; i++, end -= 2) {
    bytes[end - 1] = words[i]! & 0xff
    if (end - 2 >= zeros) bytes[end - 2] = words[i]! >> 8
  }
  return bytes
}

const five = (value: number): string => {
  let text = ""
  for (let i = 0, rest = value; i < WRITTEN_AT_ONCE; i++) {
    const next = Math.floor(rest / 58)
    text = ALPHABET.charAt(rest - next * 58) + text
    rest = next
  }
  return text
}

/** Returns the base58 text of the bytes from `from` to before `to`. */
export const toBase58 = (bytes: Uint8Array, from = 0, to = bytes.length): string => {
  const zeros = countLeading(to - from, at => bytes[from + at] === 0)
  const limbs: Array<number> = []
  for (let at = from + zeros; at < to; ) {
    // an odd first byte is a word of its own, so that words end with the bytes
    const isPair = (to - at) % 2 === 0
    let carry = isPair ? bytes[at]! * 0x100 + bytes[at + 1]! : bytes[at]!
    const factor = isPair ? WORD : 0x100
    at += isPair ? 2 : 1
    for (let i = 0; i < limbs.length; i++) {
      const value = limbs[i]! * factor + carry
      carry = Math.floor(value / WRITTEN_BASE)
      limbs[i] = value - carry * WRITTEN_BASE
    }
    if (carry > 0) limbs.push(carry)
  }
  const text = limbs.reduceRight((written, limb) => written + five(limb), "")
  const padding = countLeading(text.length, at => text.charCodeAt(at) === ZERO)
  return "1".repeat(zeros) + text.slice(padding)
}
