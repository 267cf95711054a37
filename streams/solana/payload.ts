/** Little-endian integers and addresses at an offset of a payload. */
import { toBase58 } from "../../src/domain/base58.ts"

export const u16At = (bytes: Uint8Array, at: number): number => bytes[at]! | (bytes[at + 1]! << 8)

export const u32At = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0

export const i32At = (bytes: Uint8Array, at: number): number => u32At(bytes, at) | 0

export const u64At = (bytes: Uint8Array, at: number): bigint => {
  const [low, high] = [u32At(bytes, at), u32At(bytes, at + 4)]
  // most amounts fit a double, which is faster than two bigints
  return high < 0x20_0000 ? BigInt(high * 0x1_0000_0000 + low) : (BigInt(high) << 32n) | BigInt(low)
}

export const u128At = (bytes: Uint8Array, at: number): bigint =>
  (u64At(bytes, at + 8) << 64n) | u64At(bytes, at)

export const i128At = (bytes: Uint8Array, at: number): bigint =>
  BigInt.asIntN(128, u128At(bytes, at))

export const addressAt = (bytes: Uint8Array, at: number): string => toBase58(bytes, at, at + 32)

/** A length of 4 bytes and so many bytes of UTF-8; null where the payload ends before. */
export const textAt = (
  bytes: Uint8Array,
  at: number
): { readonly text: string; readonly end: number } | null => {
  if (at + 4 > bytes.length) return null
  const end = at + 4 + u32At(bytes, at)
  if (end > bytes.length) return null
  return { text: new TextDecoder().decode(bytes.subarray(at + 4, end)), end }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** The first bytes in hex, as discriminators are written. */
export const hexOf = (bytes: Uint8Array, count: number): string => {
  let text = ""
  for (let i = 0; i < count && i < bytes.length; i++) text += HEX[bytes[i]!]
  return text
}
