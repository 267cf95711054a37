/**
 * Addresses and hashes. Inside the engine they are bytes in a table (`streams/batch.ts`); at the
 * edges they are lower-case `0x` strings. EIP-55 casing is accepted on input and never required.
 */
import { Schema } from "effect"

/** A 20-byte EVM address, lower case, `0x` first. */
export const Address = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{40}$/)).pipe(
  Schema.brand("Address")
)
export type Address = typeof Address.Type

/** A 32-byte hash or pool id, lower case, `0x` first. */
export const Hash = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{64}$/)).pipe(
  Schema.brand("Hash")
)
export type Hash = typeof Hash.Type

const ADDRESS_ANY_CASE = /^0x[a-fA-F0-9]{40}$/

/** The zero address stands for a chain's native unit (spec 1, convention 2). */
export const ZERO_ADDRESS = `0x${"0".repeat(40)}` as Address

/** Reads an address in any letter case; `null` where it is not 0x and 40 hex digits. */
export const parseAddress = (text: string): Address | null =>
  ADDRESS_ANY_CASE.test(text) ? (text.toLowerCase() as Address) : null

/** The address in a word's low 20 bytes; the word is not negative, and the rest of it zero. */
export const addressOfWord = (word: bigint): `0x${string}` =>
  `0x${word.toString(16).padStart(40, "0")}`

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, "0"))

/** Lower-case `0x` text of bytes. */
export const toHex = (bytes: Uint8Array): string => {
  let text = "0x"
  for (let i = 0; i < bytes.length; i++) text += HEX[bytes[i] as number]
  return text
}

/** Value of each hex digit by its character code. */
const DIGIT = new Uint8Array(128)
for (let i = 0; i < 16; i++) {
  DIGIT[i.toString(16).charCodeAt(0)] = i
  DIGIT[i.toString(16).toUpperCase().charCodeAt(0)] = i
}

/** Bytes of `0x` text with an even number of digits. Callers have checked the text. */
export const fromHex = (text: string): Uint8Array => {
  const bytes = new Uint8Array((text.length - 2) >> 1)
  for (let i = 0, at = 2; i < bytes.length; i++, at += 2) {
    const high = DIGIT[text.charCodeAt(at)] as number
    bytes[i] = (high << 4) | (DIGIT[text.charCodeAt(at + 1)] as number)
  }
  return bytes
}
