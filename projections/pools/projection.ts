/**
 * Pools: what each pool is. One seen swapping before its facts are known has a row with unknown
 * tokens; its venue is known where one contract logs for all pools of the kind.
 */
import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { ID_BYTES, idBytes, idsOf } from "../../src/domain/ids.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { ByteTable, NONE } from "../../streams/batch/id-table.ts"
import { RefNumbers } from "../../streams/batch/ref-numbers.ts"
import { BIN_STEP } from "../../streams/pool-parameters.ts"
import {
  inBins,
  isClaim,
  kindOfPool,
  venueIdOf,
  venueOfOneContract,
  venueOfPool
} from "../../streams/pool-venue.ts"
import { tokens } from "../tokens/output.ts"
import { type Pools, pools, poolsTable, tokenColumns } from "./output.ts"
import { PoolIndex } from "./pool-index.ts"
import { knownFacts } from "./queries.ts"

interface State {
  readonly chain: ChainConfig
  readonly slots: SlotTable<(typeof poolsTable)["columns"]>
  readonly index: PoolIndex
  ids: ByteTable
  /** slots by references */
  readonly found: RefNumbers
}

/** The slot of the pool that a reference names: a new one where it is unknown. */
const slotOf = (state: State, batch: EventBatch, ref: number): number => {
  const known = state.found.of(batch, ref)
  if (known >= 0) return known
  const id = batch.ids.bytes(ref)
  state.ids.intern(id, 0)
  return state.slots.add({ id })
}

/**
 * A pool's fee in 1e-6, or its venue's where that is the same for all: a factory's event does not
 * tell it, whoever asked the registry does, and a pool may be told of in both ways.
 */
const feeOf = (chain: ChainConfig, own: number, maker: string | null, kind: string): number => {
  if (own !== NULL_I32) return own
  const feeBps = venueOfPool(chain, maker, kind)?.feeBps
  return feeBps === undefined ? NULL_I32 : Math.round(feeBps * 100)
}

/** What tells first how far the bins of a pool are apart stands: that never changes. */
const stepTold = ({ slots }: State, pool: number, step: number, block: number): void => {
  const { bin_step, bin_step_block } = slots.columns
  if (step === NULL_I32 || bin_step[pool] !== NULL_I32) return
  bin_step[pool] = step
  bin_step_block[pool] = block
  slots.touch(pool)
}

const parameterSet = (state: State, batch: EventBatch, row: number, block: number): void => {
  const c = batch.columns.PoolParameterSet
  const pool = state.found.of(batch, c.pool.get(row))
  if (pool < 0 || batch.syms[c.name.get(row)] !== BIN_STEP) return
  stepTold(state, pool, c.value.toNumber(row), block)
}

/** Returns the pool that an event tells of. */
const created = (
  state: State,
  batch: EventBatch,
  row: number,
  block: number,
  token: (bytes: Uint8Array) => number
): number => {
  const c = batch.columns.PoolCreated
  const pool = slotOf(state, batch, c.pool.get(row))
  const { columns } = state.slots
  const factory = c.factory.get(row)
  const maker = batch.ids.text(factory)
  const told = batch.syms[c.venueKind.get(row)] as string
  const source = batch.syms[c.source.get(row)] as string
  const claims = isClaim(state.chain, source, maker, told)
  if (columns.token0[pool] !== NONE && claims) return pool
  columns.is_claim[pool] = claims ? 1 : 0
  columns.kind[pool] = kindOfPool(state.chain, maker, told)
  columns.venue[pool] = venueIdOf(state.chain, maker, told)
  if (factory !== NONE) columns.factory.set(batch.ids.bytes(factory), pool * ID_BYTES)
  const listed = c.tokens.get(row)
  for (const [place, name] of tokenColumns.entries()) {
    const ref = listed[place]
    columns[name][pool] = ref === undefined ? NONE : token(batch.ids.bytes(ref))
  }
  columns.fee[pool] = feeOf(state.chain, c.fee.values[row] as number, maker, told)
  if (inBins.has(told)) stepTold(state, pool, c.tickSpacing.values[row] as number, block)
  state.index.changed(pool)
  state.slots.touch(pool)
  return pool
}

/** The columns of the events of a kind, of those that happen in a pool. */
const inPools = ({ columns }: EventBatch, kind: number) => {
  switch (kind) {
    case KIND.SwapExecuted:
      return columns.SwapExecuted
    case KIND.ReservesSynced:
      return columns.ReservesSynced
    case KIND.LiquidityChanged:
      return columns.LiquidityChanged
    case KIND.PoolInitialized:
      return columns.PoolInitialized
    default:
      return null
  }
}

/** What the first event of a pool tells of it: its kind and venue, if one contract has them all. */
const firstSeen = (state: State, pool: number, told: string): void => {
  const venue = venueOfOneContract(state.chain, told)
  if (venue === null) return
  const { columns } = state.slots
  columns.kind[pool] = venue.kind
  columns.venue[pool] = venue.id
  columns.factory.set(idBytes(venue.factory), pool * ID_BYTES)
}

const create = (context: FoldContext): Fold<Pools> => {
  const { find: findToken } = context.output(tokens)
  const form = idsOf(context.chain)
  const slots = context.state(poolsTable)
  const state: State = {
    chain: context.chain,
    slots,
    index: new PoolIndex(context.chain, slots),
    ids: new ByteTable(ID_BYTES),
    found: new RefNumbers(bytes => state.ids.find(bytes, 0))
  }
  const apply = ({ batch, from, to }: Slice): void => {
    const old = state.ids.count
    for (let i = from; i < to; i++) {
      const kind = batch.kind.values[i] as number
      const row = batch.row.values[i] as number
      if (kind === KIND.PoolCreated || kind === KIND.PoolParameterSet) {
        const block = batch.blocks.number.values[batch.block.values[i] as number] as number
        if (kind === KIND.PoolParameterSet) parameterSet(state, batch, row, block)
        // what swapped before is of a venue now
        else if (created(state, batch, row, block, findToken) < old) context.factsChanged()
        continue
      }
      const c = inPools(batch, kind)
      if (c === null) continue
      const before = state.ids.count
      const pool = slotOf(state, batch, c.pool.values[row] as number)
      if (pool < before || !("venueKind" in c)) continue
      firstSeen(state, pool, batch.syms[c.venueKind.get(row)] as string)
    }
  }
  const reloaded = (): void => {
    state.ids = new ByteTable(ID_BYTES)
    const { count, columns } = state.slots
    for (let pool = 0; pool < count; pool++) state.ids.intern(columns.id, pool * ID_BYTES)
    state.found.reset()
    state.index.clear()
  }
  return {
    out: {
      find: (batch, ref) => state.found.of(batch, ref),
      withId: id => state.ids.find(id, 0),
      columns: () => state.slots.columns,
      count: () => state.slots.count,
      tokenAt: (pool, place) => {
        const name = tokenColumns[place]
        return name === undefined ? NONE : (state.slots.columns[name][pool] as number)
      },
      idText: pool => form.account(state.slots.columns.id, pool * ID_BYTES),
      ofToken: token => state.index.of(token),
      countsOf: token => state.index.counts(token),
      stampOf: token => state.index.stampOf(token)
    },
    apply,
    reloaded
  }
}

export const poolsProjection = projection<Pools>({
  name: pools.name,
  version: 12,
  tables: [poolsTable],
  uses: [tokens],
  create,
  queries: [knownFacts]
})
