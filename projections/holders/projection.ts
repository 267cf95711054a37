/**
 * Holders of pinned tokens: the balance of every address by the transfers in the log, which
 * transfers the log holds, and the token's supply beside them.
 */

import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import { setUnsigned } from "../../engine/store/wide-integer.ts"
import { ID_BYTES, idsOf } from "../../src/domain/ids.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { coverageOutput } from "../coverage/output.ts"
import { pools } from "../pools/output.ts"
import { tokens } from "../tokens/output.ts"
import { audited } from "./audits.ts"
import { holderKinds } from "./known-holders.ts"
import { HolderLedger } from "./ledger.ts"
import { holdersQuery } from "./queries.ts"
import { addToSum, compareSum, fitsOf, keepSum, moveSums, sumsOf } from "./supply.ts"
import { holderBalancesTable, holderSumsTable, holders, holderTokensTable } from "./tables.ts"

/** Whether the account in 32 bytes from a place on is nobody's. */
const isZero = (bytes: Uint8Array, from: number): boolean =>
  bytes.subarray(from, from + ID_BYTES).every(byte => byte === 0)

/**
 * Moves a transfer's amount between two balances, and into the token's sums where it is a mint or a
 * burn. A transfer of zero makes nobody a holder, since anybody can have it logged.
 */
const move = (ledger: HolderLedger, token: number, batch: EventBatch, row: number): void => {
  const c = batch.columns.TransferSeen
  const { data } = batch.ids.accounts
  const { tokens } = ledger.tables
  const { columns } = tokens
  columns.logs[token] = (columns.logs[token] as number) + 1
  tokens.touch(token)
  const amount = c.amount.get(row) ?? 0n
  if (amount === 0n) return
  const [source, target] = [
    (c.from.values[row] as number) * ID_BYTES,
    (c.to.values[row] as number) * ID_BYTES
  ]
  const isMint = isZero(data, source)
  const isBurn = isZero(data, target)
  if (isMint) addToSum(columns, "made", token, amount)
  else ledger.add(ledger.entry(token, data, source), -amount)
  if (!isBurn) ledger.add(ledger.entry(token, data, target), amount)
  else {
    if (!isMint) addToSum(columns, "made", token, -amount)
    // an unwrap destroys the amount: the zero address gets none of it
    const isKept = isMint || c.wrap.get(row) === null
    if (isKept) addToSum(columns, isMint ? "kept" : "burned", token, amount)
  }
}

/** Whether a transfer of more than zero is a mint or a burn. */
const makes = ({ columns, ids }: EventBatch, row: number): boolean => {
  const { from, to, amount } = columns.TransferSeen
  const isNobody = (ref: number) => isZero(ids.accounts.data, ref * ID_BYTES)
  return !amount.isZero(row) && (isNobody(from.get(row)) || isNobody(to.get(row)))
}

const transferred = (ledger: HolderLedger, batch: EventBatch, i: number): void => {
  const row = batch.row.values[i] as number
  const ref = batch.columns.TransferSeen.token.values[row] as number
  const token = ledger.token(batch.ids.accounts.data, ref * ID_BYTES)
  const { tokens, sums } = ledger.tables
  const isMade = makes(batch, row)
  if (isMade) keepSum(tokens.columns, sums, token, batch.blocks.number.get(batch.block.get(i)))
  move(ledger, token, batch, row)
  if (isMade) compareSum(tokens.columns, token)
}

/** Takes a reading of a token's supply. */
const takeSupply = (ledger: HolderLedger, batch: EventBatch, row: number): void => {
  const c = batch.columns.TokenSeen
  const token = ledger.find(batch.ids.accounts.data, (c.token.values[row] as number) * ID_BYTES)
  if (token < 0 || c.totalSupply.isNull(row)) return
  const { tokens } = ledger.tables
  const { columns } = tokens
  setUnsigned(columns.supply, token, c.totalSupply.get(row) ?? 0n)
  columns.has_supply[token] = 1
  columns.fits[token] = fitsOf(columns, ledger.tables.sums, token)
  tokens.touch(token)
}

/** Makes room for a pinned token, which may have no transfer yet. */
const pinned = (ledger: HolderLedger, batch: EventBatch, row: number): void => {
  const ref = batch.columns.TokenPinned.token.values[row] as number
  ledger.token(batch.ids.accounts.data, ref * ID_BYTES)
}

const unpinned = (ledger: HolderLedger, batch: EventBatch, row: number): void => {
  const ref = batch.columns.TokenUnpinned.token.values[row] as number
  const slot = ledger.find(batch.ids.accounts.data, ref * ID_BYTES)
  if (slot >= 0) ledger.forget(slot)
}

/**
 * Takes transfers of before a token was pinned; those of tokens that are not pinned are skipped.
 */
const join = (ledger: HolderLedger, { batch, from, to }: Slice): void => {
  const { columns, ids } = batch
  if (columns.TransferSeen.token.count === 0) return
  ledger.meetPools()
  const { tokens, sums } = ledger.tables
  const made = new Map<number, bigint>()
  for (let i = from; i < to; i++) {
    if (batch.kind.values[i] !== KIND.TransferSeen) continue
    const row = batch.row.values[i] as number
    const ref = columns.TransferSeen.token.values[row] as number
    const token = ledger.find(ids.accounts.data, ref * ID_BYTES)
    if (token < 0) continue
    if (!made.has(token) && makes(batch, row)) made.set(token, sumsOf(tokens.columns, token).made)
    ledger.joining.add(token)
    move(ledger, token, batch, row)
  }
  for (const [token, before] of made) {
    moveSums(tokens.columns, sums, token, sumsOf(tokens.columns, token).made - before)
  }
}

const apply = (ledger: HolderLedger, { batch, from, to }: Slice): void => {
  ledger.joining.clear()
  const { TransferSeen, TokenPinned, TokenUnpinned, TokenSeen } = batch.columns
  const pinEvents = TokenPinned.token.count + TokenUnpinned.token.count
  const ledgerEvents = TransferSeen.token.count + pinEvents
  if (ledgerEvents + ledger.tokenCount === 0) return
  ledger.meetPools()
  if (ledgerEvents + TokenSeen.token.count + batch.columns.HoldersAudited.token.count === 0) return
  const kinds = batch.kind.values
  for (let i = from; i < to; i++) {
    const kind = kinds[i]
    const row = batch.row.values[i] as number
    if (kind === KIND.TransferSeen) transferred(ledger, batch, i)
    else if (kind === KIND.TokenSeen) takeSupply(ledger, batch, row)
    else if (kind === KIND.TokenPinned) pinned(ledger, batch, row)
    else if (kind === KIND.TokenUnpinned) unpinned(ledger, batch, row)
    else if (kind === KIND.HoldersAudited) audited(ledger, batch, i)
  }
}

const create = (context: FoldContext): Fold<HolderLedger> => {
  const poolsOut = context.output(pools)
  const tables = {
    tokens: context.state(holderTokensTable),
    sums: context.state(holderSumsTable),
    balances: context.state(holderBalancesTable)
  }
  const ledger = new HolderLedger(
    idsOf(context.chain),
    tables,
    poolsOut,
    holderKinds(context.chain, poolsOut)
  )
  return {
    out: ledger,
    apply: slice => apply(ledger, slice),
    join: slice => join(ledger, slice),
    reloaded: () => ledger.reload()
  }
}

export const holdersProjection = projection<HolderLedger>({
  name: holders.name,
  version: 8,
  tables: [holderTokensTable, holderSumsTable, holderBalancesTable],
  uses: [tokens, pools, coverageOutput],
  create,
  queries: [holdersQuery]
})
