import { type Hex, hexToBytes, keccak256 } from "viem"
import type { FakeLog } from "./fake-logs.ts"

/** The 2048-bit logs bloom of a block (Ethereum yellow paper 4.3.1), written for tests on its own. */
export const bloomOf = (logs: ReadonlyArray<FakeLog>): Hex => {
  let bloom = 0n
  for (const log of logs) {
    for (const item of [log.address, ...log.topics]) {
      const hash = hexToBytes(keccak256(item))
      for (const at of [0, 2, 4]) {
        bloom |= 1n << BigInt((((hash[at] as number) << 8) | (hash[at + 1] as number)) & 2047)
      }
    }
  }
  return `0x${bloom.toString(16).padStart(512, "0")}`
}
