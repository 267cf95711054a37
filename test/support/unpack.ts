/** Reads packed frames, as a client would: `names` stand in the hello of the socket. */
import { decode } from "@msgpack/msgpack"

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

const placeOf = (code: string): number =>
  [...code].reduce((place, digit) => place * DIGITS.length + DIGITS.indexOf(digit), 0)

const unpacked = (value: unknown, names: ReadonlyArray<string>): unknown => {
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString("hex")}`
  if (Array.isArray(value)) return value.map(one => unpacked(one, names))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([code, of]) => [
      code.startsWith("=") ? code.slice(1) : names[placeOf(code)],
      unpacked(of, names)
    ])
  )
}

export const unpack = (bytes: Uint8Array, names: ReadonlyArray<string>): unknown =>
  unpacked(decode(bytes), names)
