import { ADDRESS_PADDING } from "../../src/domain/ids.ts"

/**
 * One EVM log as bytes, before decoding. Sources fill the same object again and again (a decoder
 * copies what it keeps), so reading a file makes no object per log.
 */
export interface RawLog {
  /** 32 bytes: the address after 12 zero bytes */
  readonly account: Uint8Array
  /** the 20 bytes of the address, in the memory of `account` */
  readonly address: Uint8Array
  /** 0 to 4 */
  topicCount: number
  /** topic i stands at byte 32 * i */
  readonly topics: Uint8Array
  /** the first `dataLength` bytes are the log's data */
  data: Uint8Array
  dataLength: number
  /** position in the block's logs */
  logIndex: number
}

/** Bytes of data up to which a log is read; longer ones are quarantined, no venue needs them. */
export const MAX_LOG_DATA = 65536

export const newRawLog = (): RawLog => {
  const account = new Uint8Array(32)
  return {
    account,
    address: account.subarray(ADDRESS_PADDING),
    topicCount: 0,
    topics: new Uint8Array(128),
    data: new Uint8Array(4096),
    dataLength: 0,
    logIndex: 0
  }
}

/** Where the 32-byte word `index` of the data begins. */
export const word = (index: number): number => index * 32

/** The signed integer in the low 32 bits of the word at `from`; right for int24 and alike. */
export const lowInt32 = (bytes: Uint8Array, from: number): number =>
  ((bytes[from + 28] as number) << 24) |
  ((bytes[from + 29] as number) << 16) |
  ((bytes[from + 30] as number) << 8) |
  (bytes[from + 31] as number)

/** True where the word at `from` is a sign-extended integer of at most `bits` bits (8 to 32). */
export const fitsSigned = (bytes: Uint8Array, from: number, bits: number): boolean => {
  const low = lowInt32(bytes, from)
  const sign = low < 0 ? 0xff : 0
  for (let i = 0; i < 28; i++) if (bytes[from + i] !== sign) return false
  const limit = 2 ** (bits - 1)
  return low >= -limit && low < limit
}

/** True where the word at `from` is a sign-extended integer of at most `bytesWide` bytes. */
export const fitsSignedBytes = (bytes: Uint8Array, from: number, bytesWide: number): boolean => {
  const top = from + 32 - bytesWide
  const sign = (bytes[top] as number) < 0x80 ? 0 : 0xff
  for (let i = from; i < top; i++) if (bytes[i] !== sign) return false
  return true
}

/** True where the word at `from` is an unsigned integer of at most `bytesWide` bytes. */
export const fitsUnsigned = (bytes: Uint8Array, from: number, bytesWide: number): boolean => {
  for (let i = 0; i < 32 - bytesWide; i++) if (bytes[from + i] !== 0) return false
  return true
}

/** True where the word at `from` is an address: its first 12 bytes are zero. */
export const isAddressWord = (bytes: Uint8Array, from: number): boolean =>
  fitsUnsigned(bytes, from, 20)

/** True where the word at `from` is a truth value: 0 or 1. */
export const isBoolWord = (bytes: Uint8Array, from: number): boolean =>
  fitsUnsigned(bytes, from, 1) && (bytes[from + 31] as number) < 2

/** True where the word at `from` is zero. */
export const isZeroWord = (bytes: Uint8Array, from: number): boolean => fitsUnsigned(bytes, from, 0)
