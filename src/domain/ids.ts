/**
 * Identities of accounts, blocks and transactions. Inside the engine an account or a pool is 32
 * bytes on any chain, an EVM address after 12 zero bytes, and the id of a transaction as wide as
 * the chain has it. Text is made and read here alone, by the form that a family of chains writes.
 */
import { Schema } from "effect"
import { fromHex, parseAddress, toHex } from "./address.ts"
import { fromBase58, toBase58 } from "./base58.ts"

/** What a chain is: how its blocks, accounts and transactions are made. */
export type ChainFamily = "evm" | "solana"

/** An account as the chain's family writes it; which family that is `defineChain` looks at. */
export const Account = Schema.String.check(
  Schema.isPattern(/^(0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/)
).pipe(Schema.brand("Address"))

/** Bytes of an account, a pool or the hash of a block. */
export const ID_BYTES = 32

/** Bytes in which a table keeps the id of a transaction of any chain, a shorter one after zeros. */
export const TX_BYTES = 64

/** Zero bytes ahead of the address of an EVM account. */
export const ADDRESS_PADDING = 12

/** How a family of chains writes identities. */
export interface IdForm {
  readonly name: "hex" | "base58"
  /** number of the form in stored segments */
  readonly code: number
  /** bytes that segments store of an account: those before are zero */
  readonly storedBytes: 20 | 32
  /** bytes of the id of a transaction */
  readonly txBytes: 32 | 64
  /** what an account and a pool are as text, for people who typed something else */
  readonly accountText: string
  readonly poolText: string
  /** text of the account of zero bytes, which nobody has the key of */
  readonly zero: string
  /** text of the account or pool in the 32 bytes at `from` */
  readonly account: (bytes: Uint8Array, from?: number) => string
  /** text of the hash of a block in the 32 bytes at `from` */
  readonly hash: (bytes: Uint8Array, from?: number) => string
  /** text of the id of a transaction in the `txBytes` bytes at `from` */
  readonly tx: (bytes: Uint8Array, from?: number) => string
  /** the one text of an account that somebody typed; null where it is none */
  readonly parseAccount: (text: string) => string | null
  /** the one text of a pool that somebody typed, by its account or its id; null where it is none */
  readonly parsePool: (text: string) => string | null
}

/** Whether an address stands in the 32 bytes at `from`: the bytes ahead of it are zero. */
export const isPadded = (bytes: Uint8Array, from: number): boolean => {
  for (let i = 0; i < ADDRESS_PADDING; i++) if (bytes[from + i] !== 0) return false
  return true
}

const hexText = (bytes: Uint8Array, from = 0): string =>
  toHex(bytes.subarray(from, from + ID_BYTES))

/** Text of EVM chains: `0x` and lower-case hex. Letters of any case are read. */
export const hexIds: IdForm = {
  name: "hex",
  code: 0,
  storedBytes: 20,
  txBytes: 32,
  accountText: "0x and 40 hex digits",
  poolText: "0x and 40 or 64 hex digits",
  zero: `0x${"0".repeat(40)}`,
  account: (bytes, from = 0) =>
    isPadded(bytes, from)
      ? toHex(bytes.subarray(from + ADDRESS_PADDING, from + ID_BYTES))
      : hexText(bytes, from),
  hash: hexText,
  tx: hexText,
  parseAccount: parseAddress,
  parsePool: text =>
    parseAddress(text) ?? (/^0x[0-9a-fA-F]{64}$/.test(text) ? text.toLowerCase() : null)
}

const base58Text = (bytes: Uint8Array, from = 0): string => toBase58(bytes, from, from + ID_BYTES)

/** A text of 32 bytes has 32 to 44 digits. */
const parseBase58 = (text: string): string | null =>
  text.length >= 32 && text.length <= 44 && fromBase58(text)?.length === ID_BYTES ? text : null

/** Text of Solana: base58, in which the case of letters tells accounts apart. */
export const base58Ids: IdForm = {
  name: "base58",
  code: 1,
  storedBytes: ID_BYTES,
  txBytes: 64,
  accountText: "base58 of 32 bytes",
  poolText: "base58 of 32 bytes",
  zero: "1".repeat(ID_BYTES),
  account: base58Text,
  hash: base58Text,
  tx: (bytes, from = 0) => toBase58(bytes, from, from + 64),
  parseAccount: parseBase58,
  parsePool: parseBase58
}

const formOfFamily: { readonly [family in ChainFamily]: IdForm } = {
  evm: hexIds,
  solana: base58Ids
}

const forms: ReadonlyArray<IdForm> = Object.values(formOfFamily)

/** Returns the form of a text that one of them made. */
export const formOfText = (text: string): IdForm => (text.startsWith("0x") ? hexIds : base58Ids)

/** Returns the form of a chain's identities. */
export const idsOf = ({ family = "evm" }: { readonly family?: ChainFamily }): IdForm =>
  formOfFamily[family]

/** The form with a number in stored segments; undefined for one that this version does not know. */
export const idFormOf = (code: number): IdForm | undefined => forms.find(form => form.code === code)

const NO_BYTES = new Uint8Array(0)

/**
 * Bytes of a text that a form made: no text of one form is a text of another, as base58 has no `0`.
 * Fewer than 32 bytes of hex stand after zeros, those of base58 as they are: what is no account is
 * as wide as none, so that a look-up finds nothing, where zeros would be somebody's. Text from
 * outside is read by `parseAccount`.
 */
export const idBytes = (text: string): Uint8Array => {
  const isHex = formOfText(text) === hexIds
  const bytes = isHex ? fromHex(text) : (fromBase58(text) ?? NO_BYTES)
  if (!isHex || bytes.length >= ID_BYTES) return bytes
  const padded = new Uint8Array(ID_BYTES)
  padded.set(bytes, ID_BYTES - bytes.length)
  return padded
}
