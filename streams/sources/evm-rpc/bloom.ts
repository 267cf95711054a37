/**
 * A block's logs bloom (Ethereum yellow paper, 4.3.1): 2048 bits, three of them set for each
 * address and topic that its logs hold. What it does not show, the block does not have.
 */
import { fromHex } from "../../../src/domain/address.ts"
import { keccak256 } from "../../../src/platform/keccak.ts"
import type { WireLog } from "./wire.ts"

/** Byte and mask of each of the three bits. */
type Bits = readonly [number, number, number, number, number, number]

/** The bits of an address or topic. */
export const bloomBits = (item: string): Bits => {
  const hash = keccak256(fromHex(item))
  const at = (i: number): readonly [number, number] => {
    const bit = (((hash[i] as number) << 8) | (hash[i + 1] as number)) & 2047
    return [255 - (bit >> 3), 1 << (bit & 7)]
  }
  return [...at(0), ...at(2), ...at(4)] as const
}

/** Whether the bloom may hold the item with these bits; false means it does not. */
export const bloomHas = (bloom: Uint8Array, bits: Bits): boolean =>
  ((bloom[bits[0]] as number) & bits[1]) !== 0 &&
  ((bloom[bits[2]] as number) & bits[3]) !== 0 &&
  ((bloom[bits[4]] as number) & bits[5]) !== 0

export const isEmptyBloom = (bloom: Uint8Array): boolean => bloom.every(byte => byte === 0)

/** The share of its bits that are set: the chance of each bit of an item that it does not hold. */
export const bloomFill = (bloom: Uint8Array): number => {
  let set = 0
  for (const byte of bloom) for (let rest = byte; rest > 0; rest &= rest - 1) set++
  return set / (8 * bloom.length)
}

/** The bloom of these logs. */
export const bloomOfLogs = (logs: ReadonlyArray<WireLog>): Uint8Array => {
  const bloom = new Uint8Array(256)
  const items = new Set<string>()
  for (const log of logs) {
    items.add(log.address)
    for (const topic of log.topics) items.add(topic)
  }
  for (const item of items) {
    const bits = bloomBits(item)
    for (let i = 0; i < 6; i += 2) {
      const byte = bits[i] as number
      bloom[byte] = (bloom[byte] as number) | (bits[i + 1] as number)
    }
  }
  return bloom
}

/** Whether every bit of `part` is set in `whole`. */
export const isWithinBloom = (part: Uint8Array, whole: Uint8Array): boolean =>
  part.every((byte, i) => (byte & ~(whole[i] as number)) === 0)

export const equalBlooms = (a: Uint8Array, b: Uint8Array): boolean =>
  a.every((byte, i) => byte === b[i])
