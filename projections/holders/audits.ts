/**
 * Audits compare balances of the ledger with those that the token's contract gave. No address of an
 * audit moved any of the token between the audited block and the audit's place in the log, so the
 * two balances belong to one moment.
 */

import { unsignedAt } from "../../engine/store/wide-integer.ts"
import { ID_BYTES } from "../../src/domain/ids.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { HolderLedger } from "./ledger.ts"

/**
 * An audit of a token: its block, the Unix seconds of the block that reports it (`at`), the number
 * of addresses compared, and how many of them differ.
 */
export interface Audit {
  readonly block: number
  readonly at: number
  readonly sampled: number
  readonly differing: number
}

/**
 * Whether a later audit replaces an earlier one. An audit with differences stays until one without
 * any compares as many addresses: the later one may have compared others.
 */
const isSuperseded = (before: Audit, after: Audit): boolean =>
  before.differing === 0 || after.differing > 0 || after.sampled >= before.sampled

/** Returns a token's audit that counts; null before the first. */
export const auditOf = (ledger: HolderLedger, token: number): Audit | null => {
  const { columns } = ledger.tables.tokens
  const sampled = columns.audit_sampled[token] as number
  if (sampled === 0) return null
  return {
    block: columns.audit_block[token] as number,
    at: columns.audit_time[token] as number,
    sampled,
    differing: columns.audit_differing[token] as number
  }
}

/** Compares the balances of a `HoldersAudited` event with the ledger, where the token is in it. */
export const audited = (ledger: HolderLedger, batch: EventBatch, i: number): void => {
  const row = batch.row.values[i] as number
  const { token, auditedBlock, holders, balances } = batch.columns.HoldersAudited
  const { data } = batch.ids.accounts
  const slot = ledger.find(data, token.get(row) * ID_BYTES)
  if (slot < 0) return
  const sampled = holders.get(row)
  const read = balances.get(row)
  const differing = sampled.filter((holder, place) => {
    const entry = ledger.findEntry(slot, data, holder * ID_BYTES)
    const ledgerBalance = entry < 0 ? 0n : ledger.balanceOf(entry)
    return ledgerBalance !== unsignedAt(read, place)
  }).length
  const audit: Audit = {
    block: auditedBlock.get(row),
    at: batch.blocks.time.get(batch.block.get(i)),
    sampled: sampled.length,
    differing
  }
  const before = auditOf(ledger, slot)
  if (audit.sampled === 0 || (before !== null && !isSuperseded(before, audit))) return
  const { tokens } = ledger.tables
  tokens.columns.audit_block[slot] = audit.block
  tokens.columns.audit_time[slot] = audit.at
  tokens.columns.audit_sampled[slot] = audit.sampled
  tokens.columns.audit_differing[slot] = audit.differing
  tokens.touch(slot)
}
