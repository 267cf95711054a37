/** What the accounts of a transaction held before and after it. */
import type { TokenBalance } from "../transaction.ts"
import { type Fields, fieldsOf, listOf, wholeNumber } from "./fields.ts"
import type { Keys } from "./read-keys.ts"

interface Told {
  readonly account: string
  readonly mint: string
  readonly owner: string | null
  readonly program: string | null
  readonly decimals: number
  readonly amount: bigint
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null)

const toldBalance = (value: unknown, keys: Keys): Told | null => {
  const told = fieldsOf(value)
  const amounts = fieldsOf(told?.["uiTokenAmount"])
  const account = keys.all[wholeNumber(told?.["accountIndex"]) ?? -1]
  const mint = textOrNull(told?.["mint"])
  const amount = textOrNull(amounts?.["amount"])
  const decimals = wholeNumber(amounts?.["decimals"])
  if (account === undefined || mint === null || decimals === null) return null
  if (amount === null || !/^\d+$/.test(amount)) return null
  const owner = textOrNull(told?.["owner"])
  const program = textOrNull(told?.["programId"])
  return { account, mint, owner, program, decimals, amount: BigInt(amount) }
}

/** Returns the token accounts of a transaction; null where what is told of them is malformed. */
export const tokenBalancesOf = (
  meta: Fields,
  keys: Keys
): ReadonlyMap<string, TokenBalance> | null => {
  const balances = new Map<string, TokenBalance>()
  for (const side of ["before", "after"] as const) {
    const list = listOf(meta[side === "before" ? "preTokenBalances" : "postTokenBalances"])
    for (const one of list ?? [null]) {
      const told = toldBalance(one, keys)
      if (told === null) return null
      const { account, amount, ...facts } = told
      const known = balances.get(account) ?? { before: 0n, after: 0n }
      balances.set(account, { ...known, ...facts, [side]: amount })
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
    else if (had !== has) changes.set(all[at]!, BigInt(has) - BigInt(had))
  }
  return changes
}
