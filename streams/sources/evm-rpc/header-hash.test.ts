import { keccak256, toRlp } from "viem"
import { expect, it } from "vitest"
import { isSealed } from "./header-hash.ts"
import { readHeader } from "./wire.ts"

const ZEROS = (bytes: number) => `0x${"00".repeat(bytes)}`
const EMPTY_TRIE = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"

/** Ethereum's first block. */
const genesis = {
  hash: "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3",
  parentHash: ZEROS(32),
  sha3Uncles: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
  miner: ZEROS(20),
  stateRoot: "0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544",
  transactionsRoot: EMPTY_TRIE,
  receiptsRoot: EMPTY_TRIE,
  logsBloom: ZEROS(256),
  difficulty: "0x400000000",
  number: "0x0",
  gasLimit: "0x1388",
  gasUsed: "0x0",
  timestamp: "0x0",
  extraData: "0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa",
  mixHash: ZEROS(32),
  nonce: "0x0000000000000042"
}

it("is that of Ethereum's first block", () => {
  expect(isSealed(genesis)).toBe(true)
  expect(readHeader({ ...genesis, transactions: [] })).toMatchObject({ number: 0, sealed: true })
})

it("is another with any other field", () => {
  for (const [name, value] of Object.entries(genesis)) {
    const last = value.at(-1) === "1" ? "2" : "1"
    expect(isSealed({ ...genesis, [name]: `${value.slice(0, -1)}${last}` }), name).toBe(false)
  }
  expect(isSealed({ ...genesis, baseFeePerGas: "0x7" })).toBe(false)
})

it("is not known where a field is left out, or is none", () => {
  for (const name of Object.keys(genesis)) {
    if (name === "hash") continue
    const { [name as "nonce"]: _, ...rest } = genesis
    expect(isSealed(rest), name).toBe(null)
    expect(isSealed({ ...genesis, [name]: "text" }), name).toBe(null)
    expect(isSealed({ ...genesis, [name]: 7 }), name).toBe(null)
  }
})

it("counts the fields that came later, in their order", () => {
  const byte = (n: number) => `0x${n.toString(16).padStart(2, "0")}` as const
  const old = Object.entries(genesis).flatMap(([name, value]) => (name === "hash" ? [] : [value]))
  const items = old.map(value => (/^0x0?$/.test(value) ? "0x" : value) as `0x${string}`)
  const even = items.map(value => (value.length % 2 === 0 ? value : `0x0${value.slice(2)}`))
  const hashOf = (more: ReadonlyArray<`0x${string}`>) =>
    keccak256(toRlp([...(even as Array<`0x${string}`>), ...more]))
  const ethereum = {
    ...{ baseFeePerGas: "0x1", withdrawalsRoot: "0x02", blobGasUsed: "0x3" },
    ...{ excessBlobGas: "0x4", parentBeaconBlockRoot: "0x05", requestsHash: "0x06" }
  }
  const names = Object.keys(ethereum)
  for (let count = 0; count <= names.length; count++) {
    const told = Object.fromEntries(Object.entries(ethereum).slice(0, count))
    const hash = hashOf(names.slice(0, count).map((_, i) => byte(i + 1)))
    expect(isSealed({ ...genesis, ...told, hash }), names[count]).toBe(true)
    // a field that the node alone adds does not count
    expect(isSealed({ ...genesis, ...told, hash, l1BlockNumber: "0x9", size: "0x1" })).toBe(true)
  }
  const avalanche = {
    ...{ extDataHash: "0x01", baseFeePerGas: "0x2", extDataGasUsed: "0x3", blockGasCost: "0x4" },
    ...{ blobGasUsed: "0x5", excessBlobGas: "0x6", parentBeaconBlockRoot: "0x07" }
  }
  const hash = hashOf(Object.keys(avalanche).map((_, i) => byte(i + 1)))
  expect(isSealed({ ...genesis, ...avalanche, hash })).toBe(true)
  expect(isSealed({ ...genesis, ...avalanche, hash: hashOf([byte(1), byte(2)]) })).toBe(false)
})
