import { bytesToBigInt, bytesToHex, hexToBytes, recoverAddress } from "viem"
import { privateKeyToAddress } from "viem/accounts"
import { expect, it } from "vitest"
import { random } from "../../test/support/random.ts"
import { seed } from "../../test/support/seed.ts"
import { addressOfKey, recoverSender, sign } from "./secp256k1.ts"

const { int } = random(`${seed} secp256k1`)
const word = () => Uint8Array.from({ length: 32 }, () => int(256))

// Anvil's first account, whose key everybody knows.
const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
const ADDRESS = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

it("gives a key's address", () => {
  expect(addressOfKey(KEY)).toBe(ADDRESS)
  expect(() => addressOfKey(`0x${"0".repeat(64)}`)).toThrow("private key")
})

it("recovers whoever viem recovers, of its own signatures", async () => {
  for (let i = 0; i < 30; i++) {
    const [key, hash] = [bytesToHex(word()), word()]
    const { r, s, yParity } = sign(hash, key)
    const sender = recoverSender(hash, BigInt(r), BigInt(s), yParity)
    expect(sender).toBe(privateKeyToAddress(key).toLowerCase())
    const other = recoverSender(hash, BigInt(r), BigInt(s), yParity === 0 ? 1 : 0)
    const flipped = { r, s, yParity: yParity === 0 ? 1 : 0 } as const
    expect(other).toBe((await recoverAddress({ hash, signature: flipped })).toLowerCase())
  }
})

it("recovers the sender of a signature with a high s, as a node does not care", () => {
  const hash = word()
  const { r, s, yParity } = sign(hash, KEY)
  const mirrored = recoverSender(hash, BigInt(r), ORDER - BigInt(s), yParity === 0 ? 1 : 0)
  expect(mirrored).toBe(ADDRESS)
})

it("recovers nobody of what is no signature", () => {
  const hash = word()
  const s = bytesToBigInt(hexToBytes(sign(hash, KEY).s))
  const [tooMuch, none] = [(1n << 256n) - 1n, 0n]
  for (const [r, other] of [
    [none, s],
    [s, none],
    [tooMuch, s],
    [s, tooMuch],
    [ORDER, s]
  ] as const)
    expect(recoverSender(hash, r, other, 0)).toBeNull()
})
