/** Transactions beside viem's own writing of them, and a block of Ethereum. */
import {
  type Hex,
  keccak256,
  numberToHex,
  parseTransaction,
  type TransactionSerializable
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { serializeTransaction as serializeDeposit } from "viem/op-stack"
import { describe, expect, it } from "vitest"
import { fromHex, toHex } from "../../../src/domain/address.ts"
import { orderedTrieRoot } from "./receipts-root.ts"
import { encodeTransaction, holdsTransactions, senderOf } from "./transactions-root.ts"

const account = privateKeyToAccount(`0x${"17".repeat(32)}`)
const other = privateKeyToAccount(`0x${"18".repeat(32)}`)
const sender = account.address.toLowerCase()

const call = {
  ...{ nonce: 200, gas: 90_000n, to: other.address, value: 10n ** 18n, data: "0x00ff01" as Hex },
  ...{ chainId: 8453 }
} as const
const { chainId: _, ...anywhere } = call
const fees = { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 0n } as const
const hash = `0x01${"ab".repeat(31)}` as const
const accessList = [{ address: other.address, storageKeys: [hash, hash] }]

const authorizationList = [
  await account.signAuthorization({ address: other.address, chainId: 0, nonce: 7 })
]

const signed: ReadonlyArray<readonly [string, TransactionSerializable]> = [
  ["legacy", { ...anywhere, type: "legacy", gasPrice: 5n }],
  ["legacy of a chain", { ...call, type: "legacy", gasPrice: 5n }],
  ["legacy that creates", { ...call, type: "legacy", gasPrice: 5n, to: null }],
  ["EIP-2930", { ...call, type: "eip2930", gasPrice: 5n, accessList }],
  ["EIP-1559", { ...call, ...fees, type: "eip1559" }],
  ["EIP-1559 with a list", { ...call, ...fees, type: "eip1559", accessList, nonce: 0, value: 0n }],
  [
    "EIP-4844",
    { ...call, ...fees, type: "eip4844", maxFeePerBlobGas: 3n, blobVersionedHashes: [hash] }
  ],
  ["EIP-7702", { ...call, ...fees, type: "eip7702", authorizationList }]
]

const TYPES: { readonly [name: string]: number } = {
  ...{ legacy: 0, eip2930: 1, eip1559: 2, eip4844: 3, eip7702: 4 }
}

/** What a node would tell of it. */
const jsonOf = (raw: `0x${string}`) => {
  const tx = parseTransaction(raw as never) as { readonly [name: string]: unknown }
  const quantities = [
    ...["nonce", "gas", "value", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"],
    ...["maxFeePerBlobGas", "v", "yParity", "chainId"]
  ]
  const numbers = quantities.flatMap(name => {
    const value = tx[name]
    const isZero = value === undefined && (name === "value" || name === "nonce")
    if (isZero || (value === undefined && name === "maxPriorityFeePerGas")) return [[name, "0x0"]]
    return value === undefined ? [] : [[name, numberToHex(value as bigint)]]
  })
  const trimmed = (value: unknown) => `0x${BigInt(String(value)).toString(16)}`
  const told = (tx["authorizationList"] ?? []) as ReadonlyArray<{
    readonly [name: string]: unknown
  }>
  return {
    ...Object.fromEntries(numbers),
    ...{ type: numberToHex(TYPES[String(tx["type"])] ?? -1), to: tx["to"] ?? null },
    ...{ input: tx["data"] ?? "0x", accessList: tx["accessList"] ?? [] },
    ...{ blobVersionedHashes: tx["blobVersionedHashes"] ?? [] },
    ...{ r: trimmed(tx["r"]), s: trimmed(tx["s"]), hash: keccak256(raw) },
    authorizationList: told.map(one => ({
      ...{ address: one["address"], chainId: numberToHex(BigInt(String(one["chainId"]))) },
      ...{ nonce: numberToHex(BigInt(String(one["nonce"]))), r: trimmed(one["r"]) },
      ...{ s: trimmed(one["s"]), yParity: numberToHex(BigInt(String(one["yParity"]))) }
    }))
  }
}

describe("a transaction", () => {
  it.each(signed)("%s is written as viem does, and tells who sent it", async (_, tx) => {
    const raw = await account.signTransaction(tx as never)
    const told = jsonOf(raw)
    expect(toHex(encodeTransaction(told) ?? fromHex("0x"))).toBe(raw)
    expect(senderOf(told)).toBe(sender)
    expect(senderOf({ ...told, nonce: "0x1" })).not.toBe(sender)
    expect(encodeTransaction({ ...told, r: "text" })).toBeNull()
    expect(encodeTransaction({ ...told, type: "0x6a" })).toBeNull()
    expect(senderOf({ ...told, type: "0x6a" })).toBeNull()
    expect(senderOf({ ...told, r: "0x0" })).toBeNull()
  })

  it.each([null, other.address])("of the OP stack is a deposit, to %s", to => {
    const raw = serializeDeposit({
      ...{ type: "deposit", sourceHash: hash, from: account.address, isSystemTx: false },
      ...{ mint: 5n, value: 6n, gas: 7n, data: "0x01" },
      ...(to !== null && { to })
    })
    const told = {
      ...{ type: "0x7e", sourceHash: hash, from: account.address, to, mint: "0x5", value: "0x6" },
      ...{ gas: "0x7", isSystemTx: false, input: "0x01", nonce: "0x3" }
    }
    expect(toHex(encodeTransaction(told) ?? fromHex("0x"))).toBe(raw)
    expect(senderOf(told)).toBe(sender)
  })
})

/** The first transaction of Ethereum, alone in block 46147. */
const first = {
  ...{ hash: "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060" },
  ...{ from: "0xa1e4380a3b1f749673e270229993ee55f35663b4", transactionIndex: "0x0" },
  ...{ to: "0x5df9b87991262f6ba471f09758cde1c0fc1de734", value: "0x7a69", nonce: "0x0" },
  ...{ gas: "0x5208", gasPrice: "0x2d79883d2000", input: "0x", type: "0x0", v: "0x1c" },
  r: "0x88ff6cf0fefd94db46111149ae4bfc179e9b94721fffd821d38d16464b3f71d0",
  s: "0x45e0aff800961cfce805daef7016b9b675c137a6a41a548f7b60a3484c06a33a"
}
const block = {
  transactions: [first],
  transactionsRoot: "0x4513310fcb9f6f616972a3b948dc5d547f280849a87ebb5af0191f98b87be598"
}

describe("the transactions of a block", () => {
  it("are those that its header commits to", () => {
    expect(holdsTransactions(block)).toBe(true)
    expect(senderOf(first)).toBe(first.from)
    for (const [name, value] of Object.entries(first)) {
      if (name === "from" || name === "type" || name === "input") continue
      const changed = { ...first, [name]: `${value.slice(0, -1)}${value.at(-1) === "1" ? 2 : 1}` }
      expect(holdsTransactions({ ...block, transactions: [changed] }), name).toBe(false)
    }
    expect(holdsTransactions({ ...block, transactions: [] })).toBe(false)
    expect(holdsTransactions({ transactions: [], transactionsRoot: orderedTrieRoot([]) })).toBe(
      true
    )
  })

  it("are not known of what is left out", () => {
    expect(holdsTransactions({ ...block, transactions: [first.hash] })).toBeNull()
    expect(holdsTransactions({ ...block, transactions: [{ ...first, type: "0x6a" }] })).toBeNull()
    expect(holdsTransactions({ transactions: [first] })).toBeNull()
  })
})
