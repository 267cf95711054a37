/** Where contracts written in Solidity keep the values of a mapping. */
import { fromHex, toHex } from "../../src/domain/address.ts"
import { keccak256 } from "../../src/platform/keccak.ts"

const digits = (word: bigint): string => word.toString(16).padStart(64, "0")

/** The slot of a key's value; `mapping` is the mapping's own slot. Both are words, not negative. */
export const slotOf = (key: bigint, mapping: bigint): bigint =>
  BigInt(toHex(keccak256(fromHex(`0x${digits(key)}${digits(mapping)}`))))
