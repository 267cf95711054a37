/** Network addresses as 16 bytes of IPv6; an IPv4 address is mapped into IPv6 (::ffff:…). */
import { isIPv4, isIPv6 } from "node:net"

const BYTES = 16
const MAPPED_BITS = 96

/** A network: all addresses whose first bits are those of `address`. */
export interface Network {
  readonly address: Uint8Array
  /** length of the common prefix in bits, 0 to 128 */
  readonly bits: number
}

const mappedV4 = (text: string): Uint8Array => {
  const bytes = new Uint8Array(BYTES)
  bytes.fill(255, 10, 12)
  bytes.set(text.split(".").map(Number), 12)
  return bytes
}

/** Returns the 16-bit groups of a part of an IPv6 text; a dotted tail (IPv4) is two groups. */
const groupsOf = (text: string): ReadonlyArray<number> =>
  text === ""
    ? []
    : text.split(":").flatMap(group => {
        if (!group.includes(".")) return [Number.parseInt(group, 16)]
        const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number)
        return [a * 256 + b, c * 256 + d]
      })

/** Returns the 16 bytes of an address in text; null where the text is no address. */
export const addressBytes = (text: string): Uint8Array | null => {
  if (isIPv4(text)) return mappedV4(text)
  if (!isIPv6(text) || text.includes("%")) return null
  const [front = "", back] = text.split("::")
  const [head, tail] = [groupsOf(front), groupsOf(back ?? "")]
  const zeros = Array.from({ length: BYTES / 2 - head.length - tail.length }, () => 0)
  const groups = [...head, ...zeros, ...tail]
  return Uint8Array.from(groups.flatMap(group => [group >> 8, group & 255]))
}

/** Returns the 16 bytes of an address of 4 or 16 bytes. */
export const wideAddress = (address: ArrayBuffer): Uint8Array => {
  const bytes = new Uint8Array(address)
  return bytes.length === BYTES ? bytes : mappedV4(bytes.join("."))
}

/** Parses an address, or a network such as `10.0.0.0/8` or `fd00::/8`; null for other text. */
export const parseNetwork = (text: string): Network | null => {
  const [base = "", length, ...more] = text.split("/")
  const address = addressBytes(base)
  if (address === null || more.length > 0) return null
  const offset = isIPv4(base) ? MAPPED_BITS : 0
  const widest = BYTES * 8 - offset
  if (length === undefined) return { address, bits: offset + widest }
  const wanted = /^[0-9]{1,3}$/.test(length) ? Number(length) : Number.NaN
  return wanted <= widest ? { address, bits: offset + wanted } : null
}

/** Returns true where an address of 16 bytes lies in a network. */
export const liesIn = (address: Uint8Array, network: Network): boolean => {
  const whole = network.bits >> 3
  for (let i = 0; i < whole; i++) if (address[i] !== network.address[i]) return false
  const rest = network.bits & 7
  if (rest === 0) return true
  const mask = 256 - (1 << (8 - rest))
  return ((address[whole] ?? 0) & mask) === ((network.address[whole] ?? 0) & mask)
}
