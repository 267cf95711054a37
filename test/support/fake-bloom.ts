import { type Hex, hexToBytes, keccak256 } from "viem"
import type { FakeLog } from "./fake-logs.ts"

const BYTES = 256
/** Items kept with their bits: chains of tests name the same contracts and wallets all the time. */
const MOST_KNOWN = 100_000
const known = new Map<Hex, ReadonlyArray<number>>()

/** The three bits of an address or topic, the lowest 0. */
const bitsOf = (item: Hex): ReadonlyArray<number> => {
  const before = known.get(item)
  if (before !== undefined) return before
  const hash = hexToBytes(keccak256(item))
  const bits = [0, 2, 4].map(at => (((hash[at] as number) << 8) | (hash[at + 1] as number)) & 2047)
  if (known.size === MOST_KNOWN) known.clear()
  known.set(item, bits)
  return bits
}

/** The 2048-bit logs bloom of a block (Ethereum yellow paper 4.3.1), written for tests on its own. */
export const bloomOf = (logs: ReadonlyArray<FakeLog>): Hex => {
  const bloom = Buffer.alloc(BYTES)
  for (const log of logs) {
    for (const item of [log.address, ...log.topics]) {
      for (const bit of bitsOf(item)) {
        const at = BYTES - 1 - (bit >> 3)
        bloom[at] = (bloom[at] as number) | (1 << (bit & 7))
      }
    }
  }
  return `0x${bloom.toString("hex")}`
}
