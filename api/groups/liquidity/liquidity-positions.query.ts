/** Positions of a pool or a wallet, and the wallets with the most liquidity added. */
import { type FoldsView, memoryQuery, once } from "../../../engine/query.ts"
import { withUnknown } from "../../../projections/coverage/covered-time.ts"
import { liquidityOutput } from "../../../projections/liquidity/tables.ts"
import { pools } from "../../../projections/pools/output.ts"
import { ID_BYTES, idBytes, idsOf } from "../../../src/domain/ids.ts"
import { topOf } from "../../../src/math/top.ts"
import { NULL_I32 } from "../../../streams/batch/columns.ts"
import { NONE } from "../../../streams/batch/id-table.ts"
import { sortedOrders } from "../boards/kept-orders.ts"
import { isWhole, poolFacts } from "./pool-facts.ts"

const MICRO = 1e6

const tickOf = (tick: number): number | null => (tick === NULL_I32 ? null : tick)

const isNobody = (owner: Uint8Array, slot: number): boolean =>
  owner.subarray(slot * ID_BYTES, (slot + 1) * ID_BYTES).every(byte => byte === 0)

const positionRow = (view: FoldsView, slot: number) => {
  const c = view.output(liquidityOutput).positions.columns
  const pool = c.pool[slot] as number
  const liquidity = c.liquidity[slot] as number
  const at = (column: { readonly [slot: number]: number }): number => column[slot] as number
  return {
    ...poolFacts(view, pool),
    owner: isNobody(c.owner, slot) ? null : idsOf(view.chain).account(c.owner, slot * ID_BYTES),
    position: isNobody(c.named, slot) ? null : idsOf(view.chain).account(c.named, slot * ID_BYTES),
    tickLower: tickOf(at(c.tick_lower)),
    tickUpper: tickOf(at(c.tick_upper)),
    liquidity: Number.isNaN(liquidity) ? null : liquidity,
    ...{ adds: at(c.adds), removes: at(c.removes), collects: at(c.collects) },
    ...{ added0: at(c.added0), added1: at(c.added1) },
    ...{ removed0: at(c.removed0), removed1: at(c.removed1) },
    ...{ collected0: at(c.collected0), collected1: at(c.collected1) },
    addedUsd: at(c.added_usd) / MICRO,
    removedUsd: at(c.removed_usd) / MICRO,
    collectedUsd: at(c.collected_usd) / MICRO,
    ...{ unpriced: at(c.unpriced), untold: at(c.untold) },
    sinceCreation: isWhole(view, pool),
    ...{ firstTs: at(c.first_ts), lastTs: at(c.last_ts) }
  }
}

const EMPTY: ReadonlyArray<number> = []

/** The slots of a pool's positions, a wallet's, or of both; those that nobody knows are none. */
const slotsOf = (view: FoldsView, pool: string | null, wallet: string | null) => {
  const { lists, positions } = view.output(liquidityOutput)
  const poolId = pool === null ? -1 : view.output(pools).withId(idBytes(pool))
  if (wallet === null) return poolId < 0 ? EMPTY : lists.ofPool(poolId)
  const owner = lists.owners.find(idBytes(wallet), 0)
  const own = owner < 0 ? EMPTY : lists.ofOwner(owner)
  return pool === null ? own : own.filter(slot => positions.columns.pool[slot] === poolId)
}

/** All positions by dollars added, of equal ones the older slot first; once a position. */
const allByUsd = once(view => {
  const { positions } = view.output(liquidityOutput)
  const { added_usd, pool } = positions.columns
  const places = new Uint32Array(positions.count)
  let taken = 0
  for (let slot = 0; slot < positions.count; slot++) {
    if (pool[slot] !== NONE) places[taken++] = slot
  }
  const sorted = view.kept(sortedOrders).get("liquidity positions by dollars")
  return sorted.of(places.subarray(0, taken), positions.count, slot => added_usd[slot] as number)
})

/** The slots to show, most dollars first, and how many there are in all. */
const shownOf = (view: FoldsView, { pool, wallet, offset, limit }: PositionsParams) => {
  const end = offset + limit
  if (pool === null && wallet === null) {
    const all = allByUsd(view)
    return { total: all.length, slots: [...all.subarray(offset, end)] }
  }
  const { added_usd } = view.output(liquidityOutput).positions.columns
  const slots = slotsOf(view, pool, wallet)
  const first = topOf(slots, end, (a, b) => {
    const byUsd = (added_usd[b] as number) - (added_usd[a] as number)
    return byUsd || a - b
  })
  return { total: slots.length, slots: first.slice(offset) }
}

export type PositionsParams = {
  /** addresses; null for all */
  readonly pool: string | null
  readonly wallet: string | null
  readonly limit: number
  readonly offset: number
}

export const liquidityPositions = memoryQuery(
  "liquidityPositions",
  (view, params: PositionsParams) => {
    const { total, slots } = shownOf(view, params)
    return withUnknown(view, 0, {
      offset: params.offset,
      total,
      positions: slots.map(slot => positionRow(view, slot)),
      forgets: view.output(liquidityOutput).isFull(),
      asOf: view.seq
    })
  }
)

/** What a wallet's positions come to. */
const sumsOf = (view: FoldsView, slots: ReadonlyArray<number>) => {
  const c = view.output(liquidityOutput).positions.columns
  type Column = { readonly [slot: number]: number }
  const sum = (column: Column): number =>
    slots.reduce((total, slot) => total + (column[slot] as number), 0)
  const one = (column: Column, pick: (a: number, b: number) => number): number | null =>
    slots.length === 0
      ? null
      : slots.map(slot => column[slot] as number).reduce((a, b) => pick(a, b))
  return {
    pools: new Set(slots.map(slot => c.pool[slot])).size,
    ...{ addedUsd: sum(c.added_usd) / MICRO, removedUsd: sum(c.removed_usd) / MICRO },
    collectedUsd: sum(c.collected_usd) / MICRO,
    positions: slots.length,
    ...{ adds: sum(c.adds), removes: sum(c.removes), collects: sum(c.collects) },
    unpriced: sum(c.unpriced),
    firstTs: one(c.first_ts, Math.min),
    lastTs: one(c.last_ts, Math.max)
  }
}

const NOBODY = new Uint8Array(ID_BYTES)

/** Dollars that each owner added, by number, with those who have a position; once a position. */
const walletsOf = once(view => {
  const { positions, lists } = view.output(liquidityOutput)
  const { owners, ownerOf } = lists
  const { pool, added_usd } = positions.columns
  const added = new Float64Array(owners.count)
  const has = new Uint8Array(owners.count)
  for (let slot = 0; slot < positions.count; slot++) {
    if (pool[slot] === NONE) continue
    const owner = ownerOf[slot] as number
    has[owner] = 1
    added[owner] = (added[owner] as number) + (added_usd[slot] as number)
  }
  const nobody = owners.find(NOBODY, 0)
  const places = new Uint32Array(owners.count)
  let count = 0
  for (let owner = 0; owner < owners.count; owner++) {
    if (has[owner] === 1 && owner !== nobody) places[count++] = owner
  }
  const wallets = places.subarray(0, count)
  return { added, wallets, unowned: nobody < 0 ? EMPTY : lists.ofOwner(nobody) }
})

export const liquidityWallets = memoryQuery(
  "liquidityWallets",
  (view, { limit, offset }: { readonly limit: number; readonly offset: number }) => {
    const { added, wallets, unowned } = walletsOf(view)
    const { owners, ofOwner } = view.output(liquidityOutput).lists
    const form = idsOf(view.chain)
    const first = topOf(wallets, offset + limit, (a, b) => {
      const byUsd = (added[b] as number) - (added[a] as number)
      return byUsd || Buffer.compare(owners.bytes(a), owners.bytes(b))
    })
    return withUnknown(view, 0, {
      offset,
      total: wallets.length,
      wallets: first.slice(offset).map(owner => ({
        wallet: form.account(owners.bytes(owner)),
        ...sumsOf(view, ofOwner(owner))
      })),
      unowned: sumsOf(view, unowned),
      forgets: view.output(liquidityOutput).isFull(),
      asOf: view.seq
    })
  }
)
