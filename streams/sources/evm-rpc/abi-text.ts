/** Results of argument-less calls, as contracts of every age return them. */
import { fromHex, parseAddress } from "../../../src/domain/address.ts"
import { shownText } from "../../shown-text.ts"

const WORD = 64

/** Bytes of a returned text that are looked at. */
const TEXT_BYTES = 4096

/** Whole words of a result, without `0x`; null where it is shorter than one. */
const digitsOf = (result: string): string | null =>
  /^0x[0-9a-fA-F]*$/.test(result) && result.length >= 2 + WORD ? result.slice(2) : null

/** A result from one of its words on, the first is 0; "0x" where it is shorter. */
export const fromWord = (result: string, word = 0): string =>
  word === 0 ? result : `0x${result.slice(2 + word * WORD)}`

export const readUint = (result: string): bigint | null => {
  const digits = digitsOf(result)
  return digits === null ? null : BigInt(`0x${digits.slice(0, WORD)}`)
}

/** Words of a result that are looked at, where nobody says otherwise. */
const MOST_WORDS = 64

/** The first words of a result as integers; none where it is shorter than one. */
export const readWords = (result: string, most = MOST_WORDS): ReadonlyArray<bigint> => {
  const digits = digitsOf(result) ?? ""
  const count = Math.min(most, Math.floor(digits.length / WORD))
  return Array.from({ length: count }, (_, i) =>
    BigInt(`0x${digits.slice(i * WORD, (i + 1) * WORD)}`)
  )
}

/** An unsigned integer up to `max`; null where it is larger. */
export const readSmallUint = (result: string, max: number): number | null => {
  const value = readUint(result)
  return value === null || value > BigInt(max) ? null : Number(value)
}

/** A signed integer of 24 bits. */
export const readInt24 = (result: string): number | null => {
  const value = readUint(result)
  if (value === null) return null
  const signed = BigInt.asIntN(256, value)
  return signed >= -(2n ** 23n) && signed < 2n ** 23n ? Number(signed) : null
}

/** An address; null for other words and for the zero address. */
export const readAddress = (result: string): string | null => {
  const digits = digitsOf(result)
  if (digits === null || !/^0{24}/.test(digits) || /^0{64}/.test(digits)) return null
  return parseAddress(`0x${digits.slice(24, WORD)}`)
}

const shown = (bytes: Uint8Array, limit: number): string | null =>
  shownText(new TextDecoder().decode(bytes), limit)

/** The bytes of an ABI-encoded `string`; null where it is none. */
const dynamicBytes = (digits: string): Uint8Array | null => {
  const offset = BigInt(`0x${digits.slice(0, WORD)}`)
  if (offset > 1024n || offset % 32n !== 0n) return null
  const at = Number(offset) * 2
  if (digits.length < at + WORD) return null
  const length = BigInt(`0x${digits.slice(at, at + WORD)}`)
  if (BigInt(digits.length - at - WORD) < length * 2n) return null
  const kept = Math.min(Number(length), TEXT_BYTES)
  return fromHex(`0x${digits.slice(at + WORD, at + WORD + kept * 2)}`)
}

/** A `string`, or a `bytes32` as older tokens have it, without what cannot be shown. */
export const readText = (result: string, limit: number): string | null => {
  const digits = digitsOf(result)
  if (digits === null) return null
  const dynamic = digits.length > WORD ? dynamicBytes(digits) : null
  if (dynamic !== null) return shown(dynamic, limit)
  if (digits.length !== WORD) return null
  const bytes = fromHex(`0x${digits}`)
  const zero = bytes.indexOf(0)
  return shown(zero < 0 ? bytes : bytes.subarray(0, zero), limit)
}
