/**
 * Holders of pinned tokens: what every address has by the transfers in the log, which of those the
 * log holds, and what a token's supply is beside them.
 */
import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import { fromHex, ZERO_ADDRESS } from "../../src/domain/address.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { IntColumn } from "../../streams/batch/int-column.ts"
import { pools } from "../pools/output.ts"
import { holderKinds } from "./known-holders.ts"
import { HolderLedger } from "./ledger.ts"
import { queries, recalls } from "./queries.ts"
import { compareSum, fitsOf, keepSum } from "./supply.ts"
import {
  holderBalancesTable,
  holderMarksTable,
  holderSumsTable,
  holders,
  holderTokensTable,
  type TokenColumns
} from "./tables.ts"
import { addUnsigned, subtractUnsigned } from "./wide-integer.ts"

const ZERO = fromHex(ZERO_ADDRESS)

const isZero = (bytes: Uint8Array, from: number): boolean => {
  for (let i = 0; i < 20; i++) if (bytes[from + i] !== ZERO[i]) return false
  return true
}

/** What is minted or burnt counts in the token's sums. */
const count = (
  columns: ColumnArrays<TokenColumns>,
  token: number,
  from: number,
  to: number,
  amount: IntColumn,
  row: number
): void => {
  const { data } = amount
  const start = amount.start[row] as number
  const length = (amount.start[row + 1] as number) - start
  if (from === NONE) addUnsigned(columns.made_over, columns.made, token, data, start, length)
  else subtractUnsigned(columns.made_over, columns.made, token, data, start, length)
  if (to !== NONE) return
  const [over, low] =
    from === NONE ? [columns.kept_over, columns.kept] : [columns.burned_over, columns.burned]
  addUnsigned(over, low, token, data, start, length)
}

/** Transfers of nothing make nobody a holder: anybody can log them in anybody's name. */
const transferred = (ledger: HolderLedger, batch: EventBatch, row: number, seq: number): void => {
  const c = batch.columns.TransferSeen
  const { data } = batch.ids.addresses
  const token = ledger.token(data, (c.token.values[row] as number) * 20)
  const { tokens } = ledger.tables
  const { columns } = tokens
  columns.logs[token] = (columns.logs[token] as number) + 1
  tokens.touch(token)
  const { amount } = c
  if (amount.isZero(row)) {
    ledger.journal.push(seq, token, NONE, NONE, amount, row)
    return
  }
  const [source, target] = [(c.from.values[row] as number) * 20, (c.to.values[row] as number) * 20]
  const from = isZero(data, source) ? NONE : ledger.entry(token, data, source)
  const to = isZero(data, target) ? NONE : ledger.entry(token, data, target)
  ledger.journal.push(seq, token, from, to, amount, row)
  if (from === NONE || to === NONE) {
    const { tokens, sums } = ledger.tables
    keepSum(tokens.columns, sums, token)
    count(tokens.columns, token, from, to, amount, row)
    compareSum(tokens.columns, token)
  }
  if (from === to) return touchNew(ledger, from)
  if (from !== NONE) ledger.change(token, from, -1, amount, row)
  if (to !== NONE) ledger.change(token, to, 1, amount, row)
}

/** Who sent to himself has an entry now, which must be stored like any other. */
const touchNew = (ledger: HolderLedger, entry: number): void => {
  if (entry !== NONE) ledger.tables.balances.touch(entry)
}

/** A token's supply was read. */
const told = (ledger: HolderLedger, batch: EventBatch, row: number, seq: number): void => {
  const c = batch.columns.TokenSeen
  const token = ledger.find(batch.ids.addresses.data, (c.token.values[row] as number) * 20)
  if (token < 0 || c.totalSupply.isNull(row)) return
  const { tokens } = ledger.tables
  const { columns } = tokens
  const { data, start } = c.totalSupply
  const bytes = data.subarray(start[row], start[row + 1])
  columns.supply.fill(0, token * 32, token * 32 + 32)
  columns.supply.set(bytes, token * 32 + 32 - bytes.length)
  columns.has_supply[token] = 1
  columns.fits[token] = fitsOf(columns, ledger.tables.sums, token)
  tokens.touch(token)
  ledger.toldAt(token, seq)
}

const pinned = (ledger: HolderLedger, batch: EventBatch, i: number, seq: number): void => {
  const row = batch.row.values[i] as number
  const at = batch.blocks.number.get(batch.block.get(i))
  const token = batch.columns.TokenPinned.token.values[row] as number
  const slot = ledger.token(batch.ids.addresses.data, token * 20)
  ledger.mark(slot, { fromBlock: at, toBlock: at, reach: null, at, seq })
}

const filled = (ledger: HolderLedger, batch: EventBatch, i: number, seq: number): void => {
  const row = batch.row.values[i] as number
  const c = batch.columns.TransfersFilled
  const slot = ledger.token(batch.ids.addresses.data, (c.token.values[row] as number) * 20)
  ledger.mark(slot, {
    fromBlock: c.fromBlock.get(row),
    toBlock: c.toBlock.get(row),
    reach: batch.syms[c.reach.get(row)] ?? "",
    at: batch.blocks.number.get(batch.block.get(i)),
    seq
  })
}

const apply = (ledger: HolderLedger, { batch, from, to, seq }: Slice): void => {
  const { TransferSeen, TokenPinned, TransfersFilled, TokenSeen } = batch.columns
  const news = TransferSeen.token.count + TokenPinned.token.count + TransfersFilled.token.count
  if (news + ledger.tokenCount === 0) return
  ledger.meetPools()
  if (news + TokenSeen.token.count === 0) return
  const kinds = batch.kind.values
  for (let i = from; i < to; i++) {
    const kind = kinds[i]
    const row = batch.row.values[i] as number
    const position = seq + i - from
    if (kind === KIND.TransferSeen) transferred(ledger, batch, row, position)
    else if (kind === KIND.TokenSeen) told(ledger, batch, row, position)
    else if (kind === KIND.TokenPinned) pinned(ledger, batch, i, position)
    else if (kind === KIND.TransfersFilled) filled(ledger, batch, i, position)
  }
}

const create = (context: FoldContext): Fold<HolderLedger> => {
  const known = context.output(pools)
  const tables = {
    tokens: context.state(holderTokensTable),
    sums: context.state(holderSumsTable),
    balances: context.state(holderBalancesTable),
    marks: context.state(holderMarksTable)
  }
  const ledger = new HolderLedger(tables, known, holderKinds(context.chain, known))
  return {
    out: ledger,
    apply: slice => apply(ledger, slice),
    reloaded: () => ledger.reload()
  }
}

export const holdersProjection = projection<HolderLedger>({
  name: holders.name,
  version: 1,
  tables: [holderTokensTable, holderSumsTable, holderBalancesTable, holderMarksTable],
  create,
  queries,
  recalls
})
