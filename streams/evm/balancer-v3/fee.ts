/** Fees of 18 decimals as millionths. */
import { NULL_I32 } from "../../batch/columns.ts"
import { fitsUnsigned } from "../raw-log.ts"

const uint32At = (bytes: Uint8Array, from: number): number =>
  (bytes[from] as number) * 0x1000000 +
  (((bytes[from + 1] as number) << 16) |
    ((bytes[from + 2] as number) << 8) |
    (bytes[from + 3] as number))

/** 1e12 without the 2^11 that is shifted out below. */
const PIP = 1e12 / 2 ** 11

/**
 * The fee in 1e-6 of the 18-decimals number in the word at `from`; `NULL_I32` where it is above 1
 * or finer than a millionth. The Vault keeps fees in steps of 1e11, so 2^11 always divides them.
 */
export const pipsOf = (bytes: Uint8Array, from: number): number => {
  if (!fitsUnsigned(bytes, from, 8)) return NULL_I32
  const low = uint32At(bytes, from + 28)
  if (low % 2 ** 11 !== 0) return NULL_I32
  const scaled = uint32At(bytes, from + 24) * 2 ** 21 + low / 2 ** 11
  const pips = scaled / PIP
  return Number.isInteger(pips) && pips <= 1_000_000 ? pips : NULL_I32
}
