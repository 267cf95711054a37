/**
 * Base58 as Solana writes addresses, signatures and instruction data: Bitcoin's alphabet, a "1" for
 * each leading zero byte, no checksum. Both ways work on several digits at once, in doubles that
 * stay below 2^53.
 */

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
const ZERO = ALPHABET.charCodeAt(0)
/** The character of each digit. */
const CODES = Uint8Array.from(ALPHABET, digit => digit.charCodeAt(0))

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
/** Near enough: a half is added to what is multiplied by it, so that no product is whole. */
const PER_WRITTEN_BASE = 1 / WRITTEN_BASE

const WORD = 0x1_0000
/** Exact, as of any power of two, and multiplied by several times faster than divided. */
const PER_WORD = 1 / WORD

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

/** Bytes that the words are, without zeros before them. */
const sizeOf = (words: Float64Array, used: number): number =>
  used * 2 - (used > 0 && words[used - 1]! < 0x100 ? 1 : 0)

/** Writes so many zeros, and behind them up to `to` the words. */
const writeWords = (
  words: Float64Array,
  used: number,
  bytes: Uint8Array,
  zeros: number,
  to: number
): void => {
  for (let i = 0; i < zeros; i++) bytes[i] = 0
  for (let i = 0, end = to; i < used; i++, end -= 2) {
    bytes[end - 1] = words[i]! & 0xff
    if (end - 2 >= zeros) bytes[end - 2] = words[i]! >> 8
  }
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

const leadingZeros = (text: string): number => {
  let zeros = 0
  while (zeros < text.length && text.charCodeAt(zeros) === ZERO) zeros++
  return zeros
}

const wordsOf = (text: string): Float64Array =>
  text.length <= PASSES * PASS_DIGITS ? shared : new Float64Array(wordsFor(text.length))

/** Reads what stands behind the zeros of a text; returns how many words are used, -1 as above. */
const readDigits = (text: string, zeros: number, words: Float64Array): number => {
  const { length } = text
  const head = Math.min(length - zeros, PASSES * PASS_DIGITS)
  const count = wordsFor(head)
  for (let i = 0; i < count; i++) words[i] = 0
  for (let pass = 0, to = zeros + head; to > zeros; pass++, to -= PASS_DIGITS) {
    if (!addDigits(words, text, Math.max(zeros, to - PASS_DIGITS), to, pass)) return -1
  }
  let used = carryOver(words, count)
  // what is longer than instructions and events commonly are
  for (let from = zeros + head; from < length && used >= 0; from += GROUP) {
    used = append(words, used, text, from, Math.min(length, from + GROUP))
  }
  return used
}

const newBytes = (length: number): Uint8Array => new Uint8Array(length)

/**
 * Returns the bytes of a base58 text; null where a character is no digit of base58.
 *
 * @param allocate gives what they are written into, all of it
 */
export const fromBase58 = (text: string, allocate = newBytes): Uint8Array | null => {
  const zeros = leadingZeros(text)
  const words = wordsOf(text)
  const used = readDigits(text, zeros, words)
  if (used < 0) return null
  const bytes = allocate(zeros + sizeOf(words, used))
  writeWords(words, used, bytes, zeros, bytes.length)
  return bytes
}

/**
 * Writes the bytes of a base58 text into others, which have room for a byte for each character.
 *
 * @returns how many there are; -1 where a character is no digit of base58
 */
export const writeFromBase58 = (text: string, into: Uint8Array): number => {
  const zeros = leadingZeros(text)
  const words = wordsOf(text)
  const used = readDigits(text, zeros, words)
  if (used < 0) return -1
  const length = zeros + sizeOf(words, used)
  writeWords(words, used, into, zeros, length)
  return length
}

/** Bytes that are written in what is shared, and the limbs and characters of them. */
const SHARED_BYTES = 64
const limbsFor = (bytes: number): number => Math.ceil((bytes * 1.366) / WRITTEN_AT_ONCE) + 1
const sharedLimbs = new Float64Array(limbsFor(SHARED_BYTES))
const sharedText = Buffer.alloc(sharedLimbs.length * WRITTEN_AT_ONCE)

/** Divides bytes into numbers of five digits, the lowest first; returns how many there are. */
const readLimbs = (limbs: Float64Array, bytes: Uint8Array, from: number, to: number): number => {
  let count = 0
  for (let at = from; at < to; ) {
    // an odd first byte is a word of its own, so that words end with the bytes
    const isPair = (to - at) % 2 === 0
    let carry = isPair ? bytes[at]! * 0x100 + bytes[at + 1]! : bytes[at]!
    const factor = isPair ? WORD : 0x100
    at += isPair ? 2 : 1
    for (let i = 0; i < count; i++) {
      const value = limbs[i]! * factor + carry
      carry = Math.floor((value + 0.5) * PER_WRITTEN_BASE)
      limbs[i] = value - carry * WRITTEN_BASE
    }
    if (carry > 0) limbs[count++] = carry
  }
  return count
}

/** Returns the base58 text of the bytes from `from` to before `to`. */
export const toBase58 = (bytes: Uint8Array, from = 0, to = bytes.length): string => {
  let start = from
  while (start < to && bytes[start] === 0) start++
  const isShort = to - start <= SHARED_BYTES
  const limbs = isShort ? sharedLimbs : new Float64Array(limbsFor(to - start))
  const count = readLimbs(limbs, bytes, start, to)
  const text = isShort ? sharedText : Buffer.alloc(count * WRITTEN_AT_ONCE)
  const end = count * WRITTEN_AT_ONCE
  for (let i = 0, at = end; i < count; i++) {
    let rest = limbs[i]! | 0
    for (let digit = 0; digit < WRITTEN_AT_ONCE; digit++) {
      const next = (rest / 58) | 0
      text[--at] = CODES[rest - next * 58]!
      rest = next
    }
  }
  let first = 0
  while (first < end && text[first] === ZERO) first++
  return "1".repeat(start - from) + text.toString("latin1", first, end)
}
