/** Recovers the signer of a signature on secp256k1, the curve of Ethereum's accounts. */
import { secp256k1 } from "@noble/curves/secp256k1"
import { toHex } from "../domain/address.ts"
import { keccak256 } from "./keccak.ts"

/** Returns the address that signed a hash, in lower case; null where the signature is invalid. */
export const recoverSender = (
  hash: Uint8Array,
  r: bigint,
  s: bigint,
  parity: number
): string | null => {
  try {
    const signature = new secp256k1.Signature(r, s).addRecoveryBit(parity)
    const key = signature.recoverPublicKey(hash).toRawBytes(false)
    return toHex(keccak256(key.subarray(1)).subarray(12))
  } catch {
    return null
  }
}
