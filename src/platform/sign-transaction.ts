/** Transactions of wallets with keys of our own: a simulated chain's traders. */
import { hexToBytes, keccak256, serializeTransaction } from "viem"
import type { Hex } from "./anvil-rpc.ts"
import { sign } from "./secp256k1.ts"

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
  return serializeTransaction(typed, sign(hash, key))
}
