/**
 * The hash of a block's header (Ethereum yellow paper, 4.3; the fields that EIPs 1559, 4895, 4844,
 * 4788 and 7685 appended). It is the block's hash, so fields that give it are the block's own: the
 * next block commits to them. Avalanche's C-Chain has fields of its own in between; a chain that
 * hashes yet others is told from what never fits.
 */
import { toRlp } from "viem"
import { fromHex, toHex } from "../../../src/domain/address.ts"
import { keccak256 } from "../../../src/platform/keccak.ts"
import { foundOnce } from "./found-once.ts"
import { quantityBytes } from "./receipts-root.ts"

type Field = readonly [name: string, type: "bytes" | "quantity"]

const FIRST: ReadonlyArray<Field> = [
  ["parentHash", "bytes"],
  ["sha3Uncles", "bytes"],
  ["miner", "bytes"],
  ["stateRoot", "bytes"],
  ["transactionsRoot", "bytes"],
  ["receiptsRoot", "bytes"],
  ["logsBloom", "bytes"],
  ["difficulty", "quantity"],
  ["number", "quantity"],
  ["gasLimit", "quantity"],
  ["gasUsed", "quantity"],
  ["timestamp", "quantity"],
  ["extraData", "bytes"],
  ["mixHash", "bytes"],
  ["nonce", "bytes"]
]

/** Each is there where the one before is. */
const LATER: ReadonlyArray<Field> = [
  ["baseFeePerGas", "quantity"],
  ["withdrawalsRoot", "bytes"],
  ["blobGasUsed", "quantity"],
  ["excessBlobGas", "quantity"],
  ["parentBeaconBlockRoot", "bytes"],
  ["requestsHash", "bytes"]
]

const LATER_ON_AVALANCHE: ReadonlyArray<Field> = [
  ["extDataHash", "bytes"],
  ["baseFeePerGas", "quantity"],
  ["extDataGasUsed", "quantity"],
  ["blockGasCost", "quantity"],
  ["blobGasUsed", "quantity"],
  ["excessBlobGas", "quantity"],
  ["parentBeaconBlockRoot", "bytes"],
  ["timestampMilliseconds", "quantity"],
  ["minDelayExcess", "quantity"]
]

const HEX = /^0x[0-9a-fA-F]*$/

const bytesOf = (value: unknown, type: Field[1]): Uint8Array | null => {
  if (typeof value !== "string" || !HEX.test(value)) return null
  if (type === "quantity") return quantityBytes(value)
  return value.length % 2 === 0 ? fromHex(value) : null
}

type HeaderFields = { readonly [name: PropertyKey]: unknown }

/**
 * Whether the header's fields, as JSON-RPC tells them, give its `hash`; null where the node leaves
 * out what every header has. Found out once of each answer, which is looked at by its endpoint and
 * by who reads it.
 */
export const isSealed = foundOnce((header: HeaderFields): boolean | null => {
  const items: Array<Uint8Array> = []
  for (const [name, type] of FIRST) {
    const bytes = bytesOf(header[name], type)
    if (bytes === null) return null
    items.push(bytes)
  }
  const later = header["extDataHash"] === undefined ? LATER : LATER_ON_AVALANCHE
  for (const [name, type] of later) {
    const bytes = bytesOf(header[name], type)
    if (bytes === null) break
    items.push(bytes)
  }
  return toHex(keccak256(toRlp(items, "bytes"))) === String(header["hash"]).toLowerCase()
})
