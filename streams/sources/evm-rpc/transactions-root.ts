/**
 * Transactions as a block commits to them: their RLP (Ethereum yellow paper, 4.3; EIPs 2718, 2930,
 * 1559, 4844, 7702; OP stack deposits, specs.optimism.io) gives each its hash, and all of them the
 * header's `transactionsRoot`. Who sent one is told by its signature, or by the deposit itself.
 */
import { Predicate } from "effect"
import { toRlp } from "viem"
import { fromHex, toHex } from "../../../src/domain/address.ts"
import { keccak256 } from "../../../src/platform/keccak.ts"
import { recoverSender } from "../../../src/platform/secp256k1.ts"
import { foundOnce } from "./found-once.ts"
import { orderedTrieRoot, quantityBytes } from "./receipts-root.ts"

type Json = { readonly [name: PropertyKey]: unknown }
type Item = Uint8Array | ReadonlyArray<Item>

const HEX = /^0x(?:[0-9a-fA-F]{2})*$/
const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/

const quantity = (value: unknown): Item | null =>
  Predicate.isString(value) && QUANTITY.test(value) ? quantityBytes(value) : null
const bytes = (value: unknown): Item | null =>
  Predicate.isString(value) && HEX.test(value) ? fromHex(value) : null

const listOf =
  (read: (value: unknown) => Item | null) =>
  (value: unknown): Item | null => {
    if (!Array.isArray(value)) return null
    const items: Array<Item> = []
    for (const one of value) {
      const item = read(one)
      if (item === null) return null
      items.push(item)
    }
    return items
  }

type Field = readonly [name: string, read: (value: unknown) => Item | null]

const fieldsOf = (tx: Json, fields: ReadonlyArray<Field>): Array<Item> | null => {
  const items: Array<Item> = []
  for (const [name, read] of fields) {
    const item = read(tx[name])
    if (item === null) return null
    items.push(item)
  }
  return items
}

const structOf =
  (fields: ReadonlyArray<Field>) =>
  (value: unknown): Item | null =>
    Predicate.isObject(value) ? fieldsOf(value, fields) : null

const NOTHING = new Uint8Array(0)
/** Bytes of an address or data; none where it is left out. */
const optional = (value: unknown) =>
  value === null || value === undefined ? NOTHING : bytes(value)
const optionalQuantity = (value: unknown) =>
  value === null || value === undefined ? NOTHING : quantity(value)
const flag = (value: unknown) => (value === true ? Uint8Array.of(1) : NOTHING)

const ACCESS_LIST: Field = [
  "accessList",
  listOf(
    structOf([
      ["address", bytes],
      ["storageKeys", listOf(bytes)]
    ])
  )
]
const AUTHORIZATIONS: Field = [
  "authorizationList",
  listOf(
    structOf([
      ...[
        ["chainId", quantity] as const,
        ["address", bytes] as const,
        ["nonce", quantity] as const
      ],
      ...[["yParity", quantity] as const, ["r", quantity] as const, ["s", quantity] as const]
    ])
  )
]
const CALL: ReadonlyArray<Field> = [
  ["gas", quantity],
  ["to", optional],
  ["value", quantity],
  ["input", bytes]
]
const FEES: ReadonlyArray<Field> = [
  ["chainId", quantity],
  ["nonce", quantity],
  ["maxPriorityFeePerGas", quantity],
  ["maxFeePerGas", quantity]
]

/** What is signed, by type. */
const SIGNED: ReadonlyMap<number, ReadonlyArray<Field>> = new Map([
  [0, [["nonce", quantity], ["gasPrice", quantity], ...CALL]],
  [1, [["chainId", quantity], ["nonce", quantity], ["gasPrice", quantity], ...CALL, ACCESS_LIST]],
  [2, [...FEES, ...CALL, ACCESS_LIST]],
  [
    3,
    [
      ...[...FEES, ...CALL, ACCESS_LIST],
      ...[["maxFeePerBlobGas", quantity] as const, ["blobVersionedHashes", listOf(bytes)] as const]
    ]
  ],
  [4, [...FEES, ...CALL, ACCESS_LIST, AUTHORIZATIONS]]
])

const DEPOSIT = 0x7e
const DEPOSIT_FIELDS: ReadonlyArray<Field> = [
  ["sourceHash", bytes],
  ["from", bytes],
  ["to", optional],
  ["mint", optionalQuantity],
  ["value", quantity],
  ["gas", quantity],
  ["isSystemTx", flag],
  ["input", bytes]
]

const typed = (type: number, items: ReadonlyArray<Item>): Uint8Array => {
  const body = toRlp(items as Parameters<typeof toRlp>[0], "bytes") as Uint8Array
  if (type === 0) return body
  const whole = new Uint8Array(1 + body.length)
  whole[0] = type
  whole.set(body, 1)
  return whole
}

const typeOf = (tx: Json): number =>
  tx["type"] === undefined ? 0 : Predicate.isString(tx["type"]) ? Number(tx["type"]) : Number.NaN

/** A legacy transaction's `v` tells its chain (EIP-155), others' tells the parity alone. */
const parityOf = (tx: Json, type: number): unknown =>
  type === 0 ? tx["v"] : (tx["yParity"] ?? tx["v"])

/**
 * The bytes whose hash is a transaction's and which the trie holds; null of a type that is not
 * known, or where the node leaves something out.
 */
export const encodeTransaction = (tx: Json): Uint8Array | null => {
  const type = typeOf(tx)
  if (type === DEPOSIT) {
    const items = fieldsOf(tx, DEPOSIT_FIELDS)
    return items === null ? null : typed(type, items)
  }
  const fields = SIGNED.get(type)
  const items = fields === undefined ? null : fieldsOf(tx, fields)
  const signature = [parityOf(tx, type), tx["r"], tx["s"]].map(quantity)
  if (items === null || !signature.every(item => item !== null)) return null
  return typed(type, [...items, ...signature])
}

/** Who sent a transaction, lower case; null where that is not known by what it says itself. */
export const senderOf = (tx: Json): string | null => {
  const type = typeOf(tx)
  if (type === DEPOSIT) return Predicate.isString(tx["from"]) ? tx["from"].toLowerCase() : null
  const items = fieldsOf(tx, SIGNED.get(type) ?? [])
  const [v, r, s] = [parityOf(tx, type), tx["r"], tx["s"]].map(one =>
    Predicate.isString(one) && QUANTITY.test(one) ? BigInt(one) : null
  ) as [bigint | null, bigint | null, bigint | null]
  if (items === null || items.length === 0 || v === null || r === null || s === null) return null
  let parity = v
  if (type === 0 && v >= 35n) {
    const chainId = (v - 35n) / 2n
    items.push(quantityBytes(`0x${chainId.toString(16)}`), NOTHING, NOTHING)
    parity = (v - 35n) % 2n
  } else if (type === 0) parity = v - 27n
  if (parity !== 0n && parity !== 1n) return null
  return recoverSender(keccak256(typed(type, items)), r, s, parity === 0n ? 0 : 1)
}

/**
 * Whether the transactions of a block told in full have their hashes, and give its
 * `transactionsRoot`; null where that cannot be computed.
 */
export const holdsTransactions = foundOnce((block: Json): boolean | null => {
  const { transactions, transactionsRoot: root } = block as { readonly [name: string]: unknown }
  if (!Array.isArray(transactions) || !Predicate.isString(root)) return null
  const values: Array<Uint8Array> = []
  for (const [i, tx] of transactions.entries()) {
    if (!Predicate.isObject(tx)) return null
    const value = encodeTransaction(tx)
    if (value === null) return null
    const { hash, transactionIndex } = tx as Json
    if (toHex(keccak256(value)) !== String(hash).toLowerCase()) return false
    if (Number(transactionIndex) !== i) return false
    values.push(value)
  }
  return orderedTrieRoot(values) === root.toLowerCase()
})
