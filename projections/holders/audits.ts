/**
 * What addresses have by the ledger beside what the token's contract says that they have. Nobody
 * of an audit moved anything between its block and the place where it stands: both are of one
 * moment.
 */
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { HolderLedger } from "./ledger.ts"
import { unsignedAt } from "./wide-integer.ts"

/** What a token's last audit found; `at` in Unix seconds. */
export interface Audit {
  readonly block: number
  readonly at: number
  readonly sampled: number
  readonly differing: number
}

/**
 * An audit counts until the next, but one that found differences until another finds none among
 * as many: other addresses may have been asked about.
 */
const isSuperseded = (before: Audit, after: Audit): boolean =>
  before.differing === 0 || after.differing > 0 || after.sampled >= before.sampled

/** The audit that counts; null before the first. */
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

/** Compares what was read of a token's holders with the ledger; of an unknown token nothing. */
export const audited = (ledger: HolderLedger, batch: EventBatch, i: number): void => {
  const row = batch.row.values[i] as number
  const { token, auditedBlock, holders, balances } = batch.columns.HoldersAudited
  const { data } = batch.ids.addresses
  const slot = ledger.find(data, token.get(row) * 20)
  if (slot < 0) return
  const asked = holders.get(row)
  const told = balances.get(row)
  const differing = asked.filter((holder, place) => {
    const entry = ledger.findEntry(slot, data, holder * 20)
    const ours = entry < 0 ? 0n : ledger.balanceOf(entry)
    return ours !== unsignedAt(told, place * 32)
  }).length
  const now: Audit = {
    block: auditedBlock.get(row),
    at: batch.blocks.time.get(batch.block.get(i)),
    sampled: asked.length,
    differing
  }
  const before = auditOf(ledger, slot)
  if (now.sampled === 0 || (before !== null && !isSuperseded(before, now))) return
  const { tokens } = ledger.tables
  tokens.columns.audit_block[slot] = now.block
  tokens.columns.audit_time[slot] = now.at
  tokens.columns.audit_sampled[slot] = now.sampled
  tokens.columns.audit_differing[slot] = now.differing
  tokens.touch(slot)
}
