/** Accounts as `getMultipleAccounts` tells them, in the encoding `base64`. */
import { base58Ids } from "../../../src/domain/ids.ts"
import type { Account } from "../../solana/account.ts"
import { fieldsOf } from "../../solana/transaction/fields.ts"

/**
 * Bytes of an account that are asked for, and looked at where a node tells more: a whole number of
 * groups of base64. An account may hold ten megabytes, which whoever made a token decides.
 */
export const ACCOUNT_BYTES = 12_288

const LONGEST_TEXT = (ACCOUNT_BYTES / 3) * 4

const bytesOf = (value: unknown): Uint8Array | null => {
  if (!Array.isArray(value) || value.length !== 2 || value[1] !== "base64") return null
  if (typeof value[0] !== "string") return null
  const text = value[0].slice(0, LONGEST_TEXT)
  const bytes = Buffer.from(text, "base64")
  // what is no base64 is left out unsaid
  return bytes.toString("base64") === text ? bytes : null
}

/** Returns null where there is no account; undefined for what is no answer. */
const accountOf = (value: unknown): Account | null | undefined => {
  if (value === null) return null
  const fields = fieldsOf(value)
  const owner = fields?.["owner"]
  const data = bytesOf(fields?.["data"])
  return typeof owner === "string" && base58Ids.parseAccount(owner) !== null && data !== null
    ? { owner, data }
    : undefined
}

/** Reads so many accounts, in order; null where the answer is not of that form. */
export const readToldAccounts = (
  result: unknown,
  count: number
): ReadonlyArray<Account | null> | null => {
  const list = fieldsOf(result)?.["value"]
  if (!Array.isArray(list) || list.length !== count) return null
  const accounts = list.map(accountOf)
  return accounts.includes(undefined) ? null : (accounts as ReadonlyArray<Account | null>)
}
