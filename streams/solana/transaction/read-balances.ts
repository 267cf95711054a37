/** What the accounts of a transaction held before and after it. */
import type { TokenBalance } from "../transaction.ts"
import { type Fields, fieldsOf, listOf, wholeNumber } from "./fields.ts"
import type { Keys } from "./read-keys.ts"

/** A token account of which one side may be known so far. */
class Draft implements TokenBalance {
  mint = ""
  owner: string | null = null
  decimals = 0
  program: string | null = null
  before = 0n
  after = 0n
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null)

const [ZERO, NINE] = [0x30, 0x39]

/** Digits that a double holds whatever they are; it is made faster than a bigint of a text. */
const DOUBLE_DIGITS = 15

/** Returns the whole number that a text of digits is; null for any other text. */
const amountOf = (text: string): bigint | null => {
  let value = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < ZERO || code > NINE) return null
    value = value * 10 + code - ZERO
  }
  if (text.length === 0) return null
  return BigInt(text.length <= DOUBLE_DIGITS ? value : text)
}

/** Notes what an account held on one side; false where that is malformed. */
const noteBalance = (
  balances: Map<string, Draft>,
  value: unknown,
  keys: Keys,
  side: "before" | "after"
): boolean => {
  const told = fieldsOf(value)
  const amounts = fieldsOf(told?.["uiTokenAmount"])
  const account = keys.all[wholeNumber(told?.["accountIndex"]) ?? -1]
  const mint = textOrNull(told?.["mint"])
  const decimals = wholeNumber(amounts?.["decimals"])
  const amount = amountOf(textOrNull(amounts?.["amount"]) ?? "")
  if (account === undefined || mint === null || decimals === null || amount === null) return false
  const owner = textOrNull(told?.["owner"])
  const program = textOrNull(told?.["programId"])
  let known = balances.get(account)
  if (known === undefined) {
    known = new Draft()
    balances.set(account, known)
  }
  known.mint = mint
  known.owner = owner
  known.decimals = decimals
  known.program = program
  known[side] = amount
  return true
}

/** Returns the token accounts of a transaction; null where what is told of them is malformed. */
export const tokenBalancesOf = (
  meta: Fields,
  keys: Keys
): ReadonlyMap<string, TokenBalance> | null => {
  const balances = new Map<string, Draft>()
  for (const side of ["before", "after"] as const) {
    const list = listOf(meta[side === "before" ? "preTokenBalances" : "postTokenBalances"])
    for (const one of list ?? [null]) {
      if (!noteBalance(balances, one, keys, side)) return null
    }
  }
  return balances
}

/**
 * Returns the accounts whose lamports changed; null where the lists do not fit the keys. A balance
 * beyond 2^53 has lost its last digits in JSON's numbers, so such a change is unknown (null).
 */
export const lamportChangesOf = (
  meta: Fields,
  { all }: Keys
): ReadonlyMap<string, bigint | null> | null => {
  const changes = new Map<string, bigint | null>()
  const [before, after] = [listOf(meta["preBalances"]), listOf(meta["postBalances"])]
  if (before === null || after === null || before.length !== after.length) return null
  if (before.length > all.length) return null
  for (const [at, had] of before.entries()) {
    const has = after[at]
    if (typeof had !== "number" || typeof has !== "number") return null
    const isExact = Number.isSafeInteger(had) && Number.isSafeInteger(has)
    if (!isExact) changes.set(all[at]!, null)
    else if (had !== has) changes.set(all[at]!, BigInt(has - had))
  }
  return changes
}
