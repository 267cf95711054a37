/** Holders of tokens by the simplest means: maps of bigints, for tests of the ledger. */
import type { Event } from "../../streams/event.ts"

export const NOBODY = `0x${"0".repeat(40)}`

export interface LedgerTruth {
  readonly balances: Map<string, bigint>
  minted: bigint
  burned: bigint
  kept: bigint
  logs: number
  pinned: boolean
}

export interface HolderTruth {
  readonly tokens: Map<string, LedgerTruth>
  readonly pools: Set<string>
}

export const newTruth = (): HolderTruth => ({ tokens: new Map(), pools: new Set() })

/** A token's ledger; an empty one where there was nothing. */
export const ledgerOf = (truth: HolderTruth, token: string): LedgerTruth => {
  const found = truth.tokens.get(token)
  if (found !== undefined) return found
  const sums = { minted: 0n, burned: 0n, kept: 0n, logs: 0, pinned: false }
  const made: LedgerTruth = { balances: new Map(), ...sums }
  truth.tokens.set(token, made)
  return made
}

/** Takes an event in. */
export const observe = (truth: HolderTruth, event: Event): void => {
  if (event.kind === "PoolCreated") truth.pools.add(event.pool)
  if (event.kind === "TokenPinned") ledgerOf(truth, event.token).pinned = true
  if (event.kind === "TokenUnpinned") truth.tokens.delete(event.token)
  if (event.kind !== "TransferSeen") return
  const { token, from, to, amount } = event
  const ledger = ledgerOf(truth, token)
  const { balances } = ledger
  ledger.logs++
  if (from !== NOBODY) balances.set(from, (balances.get(from) ?? 0n) - amount)
  if (to !== NOBODY) balances.set(to, (balances.get(to) ?? 0n) + amount)
  if (from === NOBODY && to === NOBODY) ledger.kept += amount
  else if (from === NOBODY) ledger.minted += amount
  else if (to === NOBODY) ledger.burned += amount
}
