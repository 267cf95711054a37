/** Wallets with keys of our own: a simulated chain's traders, of whom its node knows nothing. */
import { secp256k1 } from "@noble/curves/secp256k1"
import { bytesToHex, hexToBytes, keccak256, serializeTransaction } from "viem"
import { publicKeyToAddress } from "viem/utils"
import type { Hex } from "./anvil-rpc.ts"

/** Returns the address of a private key, in lower case. */
export const addressOfKey = (key: Hex): Hex => {
  const point = secp256k1.getPublicKey(key.slice(2), false)
  return publicKeyToAddress(bytesToHex(point)).toLowerCase() as Hex
}

export interface UnsignedTransaction {
  readonly chainId: number
  readonly nonce: number
  readonly to: Hex
  readonly data: Hex
  readonly value: bigint
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** Returns the bytes of a transaction of type 2 that the key signs, alike whenever it is asked. */
export const signTransaction = (transaction: UnsignedTransaction, key: Hex): Hex => {
  const typed = { ...transaction, type: "eip1559" } as const
  const hash = hexToBytes(keccak256(serializeTransaction(typed)))
  const { r, s, recovery } = secp256k1.sign(hash, key.slice(2))
  const word = (n: bigint): Hex => `0x${n.toString(16).padStart(64, "0")}`
  return serializeTransaction(typed, { r: word(r), s: word(s), yParity: recovery })
}
