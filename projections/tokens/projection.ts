/**
 * Tokens: one row for every token a pool names or that was read, with what it says of itself.
 * Ids are dense, in order of first appearance in the effective log, so a rebuild gives the same.
 */
import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { ID_BYTES, idBytes, idsOf } from "../../src/domain/ids.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { ByteTable, NONE } from "../../streams/batch/id-table.ts"
import { decimalsTold, Scales, scaleOf } from "./decimals.ts"
import { type Tokens, tokens, tokensTable } from "./output.ts"
import { Readings } from "./readings.ts"

const ZERO = new Uint8Array(ID_BYTES)

/** Bytes of a supply. */
const WIDE = 32

interface State {
  /** the wrapped native token: known with the native unit, which counts as it */
  readonly wrapped: Uint8Array | null
  readonly slots: SlotTable<(typeof tokensTable)["columns"]>
  addresses: ByteTable
  readonly scales: Scales
  readonly symbols: Readings
  readonly names: Readings
}

const intern = (state: State, bytes: Uint8Array, from: number): number => {
  const token = state.addresses.intern(bytes, from)
  if (token === state.slots.count) {
    state.slots.add()
    state.slots.columns.address.set(bytes.subarray(from, from + ID_BYTES), token * ID_BYTES)
    if (state.wrapped !== null && state.addresses.find(ZERO, 0) === token) {
      intern(state, state.wrapped, 0)
    }
  }
  return token
}

/**
 * Returns the token that an event tells of. It may be read again: what could not be read then does
 * not undo what it told before.
 */
const seen = (state: State, batch: EventBatch, row: number): number => {
  const c = batch.columns.TokenSeen
  const token = intern(state, batch.ids.bytes(c.token.get(row)), 0)
  const { columns } = state.slots
  const symbol = c.symbol.get(row) ?? columns.symbol[token] ?? null
  const name = c.name.get(row) ?? columns.name[token] ?? null
  if (symbol !== columns.symbol[token]) state.symbols.changed(token)
  if (name !== columns.name[token]) state.names.changed(token)
  columns.symbol[token] = symbol
  columns.name[token] = name
  const decimals = decimalsTold(batch, row)
  if (decimals !== NULL_I32) {
    columns.decimals[token] = decimals
    state.scales.set(token, scaleOf(decimals))
  }
  if (!c.totalSupply.isNull(row)) {
    columns.total_supply.fill(0, token * WIDE, token * WIDE + WIDE)
    const { data, start } = c.totalSupply
    const bytes = data.subarray(start[row], start[row + 1])
    columns.total_supply.set(bytes, token * WIDE + WIDE - bytes.length)
  }
  state.slots.touch(token)
  return token
}

/** What of a pool's payment did not arrive; more than was sent is no fee. */
const checked = (state: State, batch: EventBatch, row: number): void => {
  const c = batch.columns.TransferChecked
  const token = intern(state, batch.ids.bytes(c.token.get(row)), 0)
  const [sent, received] = [c.sent.get(row) ?? 0n, c.received.get(row) ?? 0n]
  if (sent === 0n) return
  const fee = received >= sent ? 0 : Number(((sent - received) * 1_000_000n) / sent)
  const { transfer_fee } = state.slots.columns
  const before = transfer_fee[token] as number
  if (before !== NULL_I32 && fee <= before) return
  transfer_fee[token] = fee
  state.slots.touch(token)
}

/** Makes a token of what an event names, with or without facts. */
const named = (state: State, batch: EventBatch, ref: number): void => {
  if (ref !== NONE) intern(state, batch.ids.bytes(ref), 0)
}

const apply = (state: State, { batch, from, to }: Slice, factsChanged: () => void): void => {
  const { PoolCreated, SwapExecuted } = batch.columns
  const before = state.slots.count
  for (let i = from; i < to; i++) {
    const row = batch.row.values[i] as number
    switch (batch.kind.values[i]) {
      case KIND.TokenSeen:
        // one that was named before may have traded
        if (seen(state, batch, row) < before) factsChanged()
        break
      case KIND.TransferChecked:
        checked(state, batch, row)
        break
      case KIND.PoolCreated:
        for (const ref of PoolCreated.tokens.get(row)) named(state, batch, ref)
        break
      case KIND.SwapExecuted:
        named(state, batch, SwapExecuted.token0.values[row] as number)
        named(state, batch, SwapExecuted.token1.values[row] as number)
        break
    }
  }
}

const reloaded = (state: State): void => {
  const { slots } = state
  state.addresses = new ByteTable(ID_BYTES)
  state.scales.clear()
  for (let token = 0; token < slots.count; token++) {
    state.addresses.intern(slots.columns.address, token * ID_BYTES)
    state.scales.set(token, scaleOf(slots.columns.decimals[token] as number))
  }
  state.symbols.clear()
  state.names.clear()
}

const create = (context: FoldContext): Fold<Tokens> => {
  const { nativeToken } = context.chain
  const form = idsOf(context.chain)
  const slots = context.state(tokensTable)
  const state: State = {
    wrapped: nativeToken === null ? null : idBytes(nativeToken),
    slots,
    addresses: new ByteTable(ID_BYTES),
    scales: new Scales(),
    symbols: new Readings(() => ({ count: slots.count, texts: slots.columns.symbol })),
    names: new Readings(() => ({ count: slots.count, texts: slots.columns.name }))
  }
  return {
    out: {
      find: address => state.addresses.find(address, 0),
      columns: () => state.slots.columns,
      count: () => state.slots.count,
      addressOf: token => form.account(state.slots.columns.address, token * ID_BYTES),
      scale: token => state.scales.of(token),
      symbols: state.symbols,
      names: state.names
    },
    apply: slice => apply(state, slice, context.factsChanged),
    reloaded: () => reloaded(state)
  }
}

export const tokensProjection = projection<Tokens>({
  name: tokens.name,
  version: 7,
  tables: [tokensTable],
  uses: [],
  create,
  queries: []
})
