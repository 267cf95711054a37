/** Addresses of the network as bytes, all as IPv6: an IPv4 one is mapped into it (::ffff:…). */
import { isIPv4, isIPv6 } from "node:net"

const BYTES = 16
const MAPPED_BITS = 96

/** Addresses that begin alike. */
export interface Network {
  readonly address: Uint8Array
  /** bits that count, of 128 */
  readonly bits: number
}

const mappedV4 = (text: string): Uint8Array => {
  const bytes = new Uint8Array(BYTES)
  bytes.fill(255, 10, 12)
  bytes.set(text.split(".").map(Number), 12)
  return bytes
}

/** Groups of 16 bits; a dotted tail is two of them. */
const groupsOf = (text: string): ReadonlyArray<number> =>
  text === ""
    ? []
    : text.split(":").flatMap(group => {
        if (!group.includes(".")) return [Number.parseInt(group, 16)]
        const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number)
        return [a * 256 + b, c * 256 + d]
      })

/** The bytes of an address in text, 16; null where it is none. */
export const addressBytes = (text: string): Uint8Array | null => {
  if (isIPv4(text)) return mappedV4(text)
  if (!isIPv6(text) || text.includes("%")) return null
  const [front = "", back] = text.split("::")
  const [head, tail] = [groupsOf(front), groupsOf(back ?? "")]
  const zeros = Array.from({ length: BYTES / 2 - head.length - tail.length }, () => 0)
  const groups = [...head, ...zeros, ...tail]
  return Uint8Array.from(groups.flatMap(group => [group >> 8, group & 255]))
}

/** The 16 bytes of an address of 4 or 16. */
export const wideAddress = (address: ArrayBuffer): Uint8Array => {
  const bytes = new Uint8Array(address)
  return bytes.length === BYTES ? bytes : mappedV4(bytes.join("."))
}

/** An address, or a network as `10.0.0.0/8` or `fd00::/8`; null where the text is neither. */
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

/** Whether an address of 16 bytes lies in a network. */
export const liesIn = (address: Uint8Array, network: Network): boolean => {
  const whole = network.bits >> 3
  for (let i = 0; i < whole; i++) if (address[i] !== network.address[i]) return false
  const rest = network.bits & 7
  if (rest === 0) return true
  const mask = 256 - (1 << (8 - rest))
  return ((address[whole] ?? 0) & mask) === ((network.address[whole] ?? 0) & mask)
}
