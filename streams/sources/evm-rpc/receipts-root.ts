/**
 * The root of a block's receipts trie (Ethereum yellow paper, 4.3 and appendix D; typed receipts of
 * EIP-2718). A header commits to it, so receipts that give the same root are all of the block's,
 * with every log in place.
 */
import { toRlp } from "viem"
import { fromHex, toHex } from "../../../src/domain/address.ts"
import { keccak256 } from "../../../src/platform/keccak.ts"
import type { ConsensusReceipt, WireLog } from "./wire.ts"

type RlpItem = Uint8Array | ReadonlyArray<RlpItem>

const rlp = (item: RlpItem): Uint8Array =>
  toRlp(item as Parameters<typeof toRlp>[0], "bytes") as Uint8Array

/** The shortest big-endian bytes of a hex quantity; none for zero. */
export const quantityBytes = (hex: string): Uint8Array => {
  const digits = hex.slice(2).replace(/^0+/, "")
  return fromHex(digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`)
}

const numberBytes = (value: number): Uint8Array => quantityBytes(`0x${value.toString(16)}`)

const logItem = (log: WireLog): RlpItem => [
  fromHex(log.address),
  log.topics.map(fromHex),
  fromHex(log.data)
]

/** A receipt as the trie holds it. */
const encodeReceipt = (receipt: ConsensusReceipt, logs: ReadonlyArray<WireLog>): Uint8Array => {
  const state = receipt.root === null ? quantityBytes(receipt.status) : fromHex(receipt.root)
  const fields: Array<RlpItem> = [
    state,
    quantityBytes(receipt.cumulativeGasUsed),
    fromHex(receipt.bloom),
    logs.map(logItem)
  ]
  // OP stack deposits since Canyon.
  if (receipt.deposit !== null) fields.push(...receipt.deposit.map(quantityBytes))
  const body = rlp(fields)
  if (receipt.type === 0) return body
  const typed = new Uint8Array(1 + body.length)
  typed[0] = receipt.type
  typed.set(body, 1)
  return typed
}

interface Leaf {
  readonly nibbles: Uint8Array
  readonly value: Uint8Array
}

const nibblesOf = (bytes: Uint8Array): Uint8Array => {
  const nibbles = new Uint8Array(bytes.length * 2)
  bytes.forEach((byte, i) => {
    nibbles[2 * i] = byte >> 4
    nibbles[2 * i + 1] = byte & 15
  })
  return nibbles
}

/** Hex-prefix encoding (appendix C). */
const compact = (nibbles: Uint8Array, isLeaf: boolean): Uint8Array => {
  const flag = isLeaf ? 2 : 0
  const odd = nibbles.length % 2
  const padded = odd === 1 ? [flag + 1, ...nibbles] : [flag, 0, ...nibbles]
  return Uint8Array.from(
    { length: padded.length / 2 },
    (_, i) => ((padded[2 * i] as number) << 4) | (padded[2 * i + 1] as number)
  )
}

const commonLength = (leaves: ReadonlyArray<Leaf>, depth: number): number => {
  const first = (leaves[0] as Leaf).nibbles
  let length = first.length - depth
  for (const { nibbles } of leaves) {
    let same = 0
    while (same < length && nibbles[depth + same] === first[depth + same]) same++
    length = same
  }
  return length
}

/** A node stands in its parent as itself where it is short, else as its hash. */
const reference = (node: RlpItem): RlpItem => {
  const encoded = rlp(node)
  return encoded.length < 32 ? node : keccak256(encoded)
}

const NOTHING = new Uint8Array(0)

/** The node over these leaves; keys are RLP of indexes, of which none is another's prefix. */
const nodeOf = (leaves: ReadonlyArray<Leaf>, depth: number): RlpItem => {
  const [first] = leaves as readonly [Leaf]
  if (leaves.length === 1) return [compact(first.nibbles.subarray(depth), true), first.value]
  const common = commonLength(leaves, depth)
  if (common > 0) {
    const path = first.nibbles.subarray(depth, depth + common)
    return [compact(path, false), reference(nodeOf(leaves, depth + common))]
  }
  const branch: Array<RlpItem> = Array.from({ length: 16 }, (_, nibble) => {
    const below = leaves.filter(leaf => leaf.nibbles[depth] === nibble)
    return below.length === 0 ? NOTHING : reference(nodeOf(below, depth + 1))
  })
  return [...branch, NOTHING]
}

/** The root of the trie that maps RLP of 0, 1, 2, ... to these values, as `0x` text. */
export const orderedTrieRoot = (values: ReadonlyArray<Uint8Array>): string => {
  const leaves = values.map((value, i) => ({ nibbles: nibblesOf(rlp(numberBytes(i))), value }))
  return toHex(keccak256(rlp(leaves.length === 0 ? NOTHING : nodeOf(leaves, 0))))
}

/** One receipt with its logs, for the root. */
export interface ProvableReceipt {
  readonly consensus: ConsensusReceipt | null
  readonly logs: ReadonlyArray<WireLog>
}

/** The root of receipts in block order; null where one of them lacks what the root is made of. */
export const receiptsRoot = (receipts: ReadonlyArray<ProvableReceipt>): string | null => {
  const values: Array<Uint8Array> = []
  for (const { consensus, logs } of receipts) {
    if (consensus === null) return null
    values.push(encodeReceipt(consensus, logs))
  }
  return orderedTrieRoot(values)
}
