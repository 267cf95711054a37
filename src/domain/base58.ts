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

/** Digits that are read as one number, and such numbers that are multiplied in one pass. */
const GROUP = 5
const PASS = 4
const PASS_DIGITS = GROUP * PASS

/**
 * Passes for which powers are kept: 1,000 digits, about 730 bytes. A sum of 200 products of a
 * number below 58^5 and a word is below 2^53.
 */
const PASSES = 50

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

/** Powers of 58^5 in words, the lowest first: four powers to a pass, word by word in turns. */
interface Powers {
  readonly words: Uint16Array
  /** where each pass begins, and behind the last one */
  readonly from: ReadonlyArray<number>
}

const powersOf = (passes: number): Powers => {
  const [words, from]: [Array<number>, Array<number>] = [[], [0]]
  let power = 1n
  for (let pass = 0; pass < passes; pass++) {
    const four = Array.from({ length: PASS }, (_, i) => power * 58n ** BigInt(GROUP * i))
    while (four.some(rest => rest > 0n)) {
      for (const [i, rest] of four.entries()) {
        words.push(Number(rest & 0xffffn))
        four[i] = rest >> 16n
      }
    }
    from.push(words.length)
    power *= 58n ** BigInt(PASS_DIGITS)
  }
  return { words: Uint16Array.from(words), from }
}

const POWERS = powersOf(PASSES)

/** Words of so many digits, which are worth 5.86 bits each, with room for what is carried. */
const wordsFor = (digits: number): number => Math.ceil(digits * 0.3662) + 2

/** What most texts are read in; whoever reads one is done with it before another begins. */
const shared = new Float64Array(wordsFor(PASSES * PASS_DIGITS))

/** Reads a group of digits as a number; -1 where a character is no digit. */
const groupAt = (text: string, from: number, to: number): number => {
  let value = 0
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    const digit = code < 128 ? DIGITS[code]! : 255
    if (digit === 255) return -1
    value = value * 58 + digit
  }
  return value
}

/** Adds up to twenty digits, behind which are `pass` times twenty; false where one is none. */
const addDigits = (
  words: Float64Array,
  text: string,
  from: number,
  to: number,
  pass: number
): boolean => {
  const a = groupAt(text, Math.max(from, to - GROUP), to)
  const b = groupAt(text, Math.max(from, to - 2 * GROUP), to - GROUP)
  const c = groupAt(text, Math.max(from, to - 3 * GROUP), to - 2 * GROUP)
  const d = groupAt(text, from, to - 3 * GROUP)
  if (a < 0 || b < 0 || c < 0 || d < 0) return false
  const powers = POWERS.words
  let at = POWERS.from[pass]!
  const count = (POWERS.from[pass + 1]! - at) / PASS
  for (let i = 0; i < count; i++, at += PASS) {
    const low = a * powers[at]! + b * powers[at + 1]!
    words[i] = words[i]! + low + (c * powers[at + 2]! + d * powers[at + 3]!)
  }
  return true
}

/** Carries over, so that each is a word below 2^16; returns the place behind the highest. */
const carryOver = (words: Float64Array, count: number): number => {
  let carry = 0
  let used = 0
  for (let i = 0; i < count; i++) {
    const value = words[i]! + carry
    carry = Math.floor(value * PER_WORD)
    const word = value - carry * WORD
    words[i] = word
    if (word !== 0) used = i + 1
  }
  return used
}

const bytesOf = (words: Float64Array, used: number, zeros: number): Uint8Array => {
  const odd = used > 0 && words[used - 1]! < 0x100 ? 1 : 0
  const bytes = new Uint8Array(zeros + used * 2 - odd)
  for (let i = 0, end = bytes.length; i < used; i++, end -= 2) {
    bytes[end - 1] = words[i]! & 0xff
    if (end - 2 >= zeros) bytes[end - 2] = words[i]! >> 8
  }
  return bytes
}

/** Adds digits behind those that the words hold; -1 where one is no digit. */
const append = (words: Float64Array, used: number, text: string, from: number, to: number) => {
  const value = groupAt(text, from, to)
  if (value < 0) return -1
  const factor = 58 ** (to - from)
  for (let i = 0; i < used; i++) words[i] = words[i]! * factor
  words[0] = words[0]! + value
  return carryOver(words, used + 2)
}

/** Returns the bytes of a base58 text; null where a character is no digit of base58. */
export const fromBase58 = (text: string): Uint8Array | null => {
  const { length } = text
  let zeros = 0
  while (zeros < length && text.charCodeAt(zeros) === ZERO) zeros++
  const head = Math.min(length - zeros, PASSES * PASS_DIGITS)
  const count = wordsFor(head)
  const words = head === length - zeros ? shared : new Float64Array(wordsFor(length))
  for (let i = 0; i < count; i++) words[i] = 0
  for (let pass = 0, to = zeros + head; to > zeros; pass++, to -= PASS_DIGITS) {
    if (!addDigits(words, text, Math.max(zeros, to - PASS_DIGITS), to, pass)) return null
  }
  let used = carryOver(words, count)
  // what is longer than instructions and events commonly are
  for (let from = zeros + head; from < length && used >= 0; from += GROUP) {
    used = append(words, used, text, from, Math.min(length, from + GROUP))
  }
  return used < 0 ? null : bytesOf(words, used, zeros)
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
