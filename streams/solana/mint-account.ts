/**
 * What the account of a mint says: 82 bytes of SPL Token, which Token-2022 has as well and may
 * extend. Behind them an extended one is padded to the length of a token account, then come a byte
 * that tells mints from those, and extensions: type and length of two bytes each, and the value
 * (`spl-token-2022`, `extension/mod.rs`).
 */
import { base58Ids } from "../../src/domain/ids.ts"
import type { Account } from "./account.ts"
import { TOKEN, TOKEN_2022 } from "./moves.ts"
import { addressAt, u64At } from "./payload.ts"
import { type TokenTexts, tokenTextsAt } from "./token-texts.ts"

export interface Mint {
  readonly decimals: number
  /** raw amount */
  readonly supply: bigint
  /** the account that it says has its texts; null where it says none */
  readonly textsIn: string | null
  /** its own texts; null where it holds none */
  readonly texts: TokenTexts | null
  /** of a transfer, the setting that was made last; null where it has no such fee */
  readonly transferFeeBasisPoints: number | null
}

const MINT_BYTES = 82
const TOKEN_ACCOUNT_BYTES = 165
/** An account of several signers has no byte that tells it apart, so no mint has its length. */
const MULTISIG_BYTES = 355
const MINT_TYPE = 1

const TRANSFER_FEE = { type: 1, bytes: 108, newestBasisPointsAt: 106 }
const METADATA_POINTER = { type: 18, bytes: 64, addressAt: 32 }
const TOKEN_METADATA = { type: 19, mintAt: 32, textsAt: 64 }
const MOST_BASIS_POINTS = 10_000

const u16At = (bytes: Uint8Array, at: number): number => bytes[at]! | (bytes[at + 1]! << 8)

const isMint = ({ owner, data }: Account): boolean => {
  const { length } = data
  if (length < MINT_BYTES || data[45] !== 1) return false
  if (length === MINT_BYTES) return owner === TOKEN || owner === TOKEN_2022
  return (
    owner === TOKEN_2022 &&
    length > TOKEN_ACCOUNT_BYTES &&
    length !== MULTISIG_BYTES &&
    data[TOKEN_ACCOUNT_BYTES] === MINT_TYPE
  )
}

/** Extensions by type. The last may be cut: of long accounts the first part alone is asked for. */
const extensionsOf = (data: Uint8Array): ReadonlyMap<number, Uint8Array> => {
  const found = new Map<number, Uint8Array>()
  for (let at = TOKEN_ACCOUNT_BYTES + 1; at + 4 <= data.length; ) {
    const [type, length] = [u16At(data, at), u16At(data, at + 2)]
    if (type === 0) break
    if (!found.has(type)) found.set(type, data.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return found
}

const feeOf = (value: Uint8Array | undefined): number | null => {
  if (value?.length !== TRANSFER_FEE.bytes) return null
  const fee = u16At(value, TRANSFER_FEE.newestBasisPointsAt)
  return fee > MOST_BASIS_POINTS ? null : fee
}

const pointerOf = (value: Uint8Array | undefined): string | null => {
  if (value?.length !== METADATA_POINTER.bytes) return null
  const account = addressAt(value, METADATA_POINTER.addressAt)
  return account === base58Ids.zero ? null : account
}

const ownTexts = (mint: string, value: Uint8Array | undefined): TokenTexts | null => {
  const { mintAt, textsAt } = TOKEN_METADATA
  if (value === undefined || value.length < textsAt || addressAt(value, mintAt) !== mint)
    return null
  return tokenTextsAt(value, textsAt)
}

/** Reads the account of a mint; null where it is none of a token program. */
export const readMint = (mint: string, account: Account): Mint | null => {
  if (!isMint(account)) return null
  const { data } = account
  const extensions = extensionsOf(data)
  return {
    decimals: data[44]!,
    supply: u64At(data, 36),
    textsIn: pointerOf(extensions.get(METADATA_POINTER.type)),
    texts: ownTexts(mint, extensions.get(TOKEN_METADATA.type)),
    transferFeeBasisPoints: feeOf(extensions.get(TRANSFER_FEE.type))
  }
}
