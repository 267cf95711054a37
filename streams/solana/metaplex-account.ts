/**
 * The account in which Metaplex's program has the texts of a mint: a key, who may change it, the
 * mint, and the texts, each padded with zeros (`mpl-token-metadata`, `Metadata`). Its address
 * follows from the mint. Only who may mint can open it.
 */
import { createHash } from "node:crypto"
import { type Address, isOffCurveAddress } from "@solana/kit"
import { fromBase58 } from "../../src/domain/base58.ts"
import { base58Ids } from "../../src/domain/ids.ts"
import type { Account } from "./account.ts"
import { addressAt } from "./payload.ts"
import { type TokenTexts, tokenTextsAt } from "./token-texts.ts"

const METAPLEX = "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s"
const PROGRAM_BYTES = fromBase58(METAPLEX) ?? new Uint8Array(0)

/** The account's kind, `MetadataV1`. */
const KEY = 4
const MINT_AT = 33
const TEXTS_AT = 65

/**
 * Returns the address of a mint's account, as Solana derives addresses of programs: the first hash
 * from bump 255 down that is no public key. Kit does so by promises alone. Null for what is no
 * address.
 */
export const metaplexAccountOf = (mint: string): string | null => {
  const bytes = base58Ids.parseAccount(mint) === null ? null : fromBase58(mint)
  if (bytes === null) return null
  for (let bump = 255; bump > 0; bump--) {
    const hash = createHash("sha256").update("metadata").update(PROGRAM_BYTES).update(bytes)
    hash.update(Uint8Array.of(bump)).update(PROGRAM_BYTES).update("ProgramDerivedAddress")
    const found = base58Ids.account(hash.digest())
    if (isOffCurveAddress(found as Address)) return found
  }
  return null
}

/** Reads the texts of a mint; null where the account is not Metaplex's, or of another mint. */
export const readMetaplex = (mint: string, { owner, data }: Account): TokenTexts | null =>
  owner === METAPLEX &&
  data.length >= TEXTS_AT &&
  data[0] === KEY &&
  addressAt(data, MINT_AT) === mint
    ? tokenTextsAt(data, TEXTS_AT)
    : null
