/**
 * The curve of Ethereum's accounts in WebAssembly (libsecp256k1). It recovers a sender in a tenth
 * of the time that JavaScript takes, and each block that is followed has some.
 */
// the whole package is a wallet and its virtual machine: this part of it imports a tenth
import { instantiateSecp256k1 } from "@bitauth/libauth/build/lib/crypto/secp256k1.js"
import { fromHex, toHex } from "../domain/address.ts"
import type { Hex } from "./anvil-rpc.ts"
import { keccak256 } from "./keccak.ts"

const curve = await instantiateSecp256k1()

const word = (n: bigint): string => n.toString(16).padStart(64, "0")

/** The library returns what is wrong as text. */
const orThrow = <A>(result: A | string): A => {
  if (typeof result === "string") throw new Error(result)
  return result
}

/** An address is the end of the hash of a public key's two coordinates. */
const addressOf = (publicKey: Uint8Array): Hex =>
  toHex(keccak256(publicKey.subarray(1)).subarray(12)) as Hex

/** Returns the address of a private key, in lower case; throws where it is no key of the curve. */
export const addressOfKey = (key: Hex): Hex =>
  addressOf(orThrow(curve.derivePublicKeyUncompressed(fromHex(key))))

/** Returns the signature of a hash by a private key, alike whenever it is asked. */
export const sign = (hash: Uint8Array, key: Hex): { r: Hex; s: Hex; yParity: 0 | 1 } => {
  const { signature, recoveryId } = orThrow(
    curve.signMessageHashRecoverableCompact(fromHex(key), hash)
  )
  const text = toHex(signature)
  return { r: `0x${text.slice(2, 66)}`, s: `0x${text.slice(66)}`, yParity: recoveryId as 0 | 1 }
}

/** Returns the address that signed a hash, in lower case; null where the signature is invalid. */
export const recoverSender = (
  hash: Uint8Array,
  r: bigint,
  s: bigint,
  parity: 0 | 1
): string | null => {
  const signature = fromHex(`0x${word(r)}${word(s)}`)
  const publicKey = curve.recoverPublicKeyUncompressed(signature, parity, hash)
  return typeof publicKey === "string" ? null : addressOf(publicKey)
}
