/** Positions of a pool or a wallet, and the wallets with the most liquidity added. */
import { type FoldsView, memoryQuery, once } from "../../../engine/query.ts"
import { withUnknown } from "../../../projections/coverage/covered-time.ts"
import { liquidityOutput } from "../../../projections/liquidity/tables.ts"
import { pools } from "../../../projections/pools/output.ts"
import { ID_BYTES, idBytes, idsOf } from "../../../src/domain/ids.ts"
import { topOf } from "../../../src/math/top.ts"
import { NULL_I32 } from "../../../streams/batch/columns.ts"
import { ByteTable, NONE } from "../../../streams/batch/id-table.ts"
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

/** The slots of a pool's positions, a wallet's, or all; those that are free are nobody's. */
const slotsOf = (view: FoldsView, pool: string | null, wallet: string | null): Array<number> => {
  const { positions } = view.output(liquidityOutput)
  const c = positions.columns
  const of = pool === null ? -1 : view.output(pools).withId(idBytes(pool))
  const owner = wallet === null ? null : idBytes(wallet)
  const isOwn = (slot: number): boolean => {
    if (owner === null) return true
    const at = slot * ID_BYTES
    return owner.every((byte, i) => c.owner[at + i] === byte)
  }
  const found: Array<number> = []
  for (let slot = 0; slot < positions.count; slot++) {
    if (c.pool[slot] === NONE || (pool !== null && c.pool[slot] !== of)) continue
    if (isOwn(slot)) found.push(slot)
  }
  return found
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
  (view, { pool, wallet, limit, offset }: PositionsParams) => {
    const { positions, isFull } = view.output(liquidityOutput)
    const { added_usd, last_ts } = positions.columns
    const slots = slotsOf(view, pool, wallet)
    const first = topOf(slots, offset + limit, (a, b) => {
      const byUsd = (added_usd[b] as number) - (added_usd[a] as number)
      return byUsd || (last_ts[b] as number) - (last_ts[a] as number) || a - b
    })
    return withUnknown(view, 0, {
      offset,
      total: slots.length,
      positions: first.slice(offset).map(slot => positionRow(view, slot)),
      forgets: isFull(),
      asOf: view.seq
    })
  }
)

/** Sums of wallets, by their place. */
class WalletSums {
  readonly wallets = new ByteTable(ID_BYTES)
  readonly rows: Array<ReturnType<typeof newSums>> = []
  readonly unowned = newSums()

  of(owner: Uint8Array, slot: number) {
    if (isNobody(owner, slot)) return this.unowned
    const place = this.wallets.intern(owner, slot * ID_BYTES)
    if (place === this.rows.length) this.rows.push(newSums())
    return this.rows[place] as ReturnType<typeof newSums>
  }
}

const newSums = () => ({
  ...{ positions: 0, adds: 0, removes: 0, collects: 0, unpriced: 0 },
  ...{ added: 0, removed: 0, collected: 0, firstTs: 0, lastTs: 0 },
  pools: new Set<number>()
})

/** The sums of all wallets, by dollars added; made once a position. */
const walletsOf = once(view => {
  const { positions } = view.output(liquidityOutput)
  const c = positions.columns
  const sums = new WalletSums()
  for (let slot = 0; slot < positions.count; slot++) {
    if (c.pool[slot] === NONE) continue
    const sum = sums.of(c.owner, slot)
    const at = (column: { readonly [slot: number]: number }): number => column[slot] as number
    sum.positions++
    sum.pools.add(at(c.pool))
    sum.adds += at(c.adds)
    sum.removes += at(c.removes)
    sum.collects += at(c.collects)
    sum.unpriced += at(c.unpriced)
    sum.added += at(c.added_usd)
    sum.removed += at(c.removed_usd)
    sum.collected += at(c.collected_usd)
    sum.firstTs = sum.firstTs === 0 ? at(c.first_ts) : Math.min(sum.firstTs, at(c.first_ts))
    sum.lastTs = Math.max(sum.lastTs, at(c.last_ts))
  }
  return sums
})

const sumsRow = ({
  added,
  removed,
  collected,
  pools: of,
  ...rest
}: ReturnType<typeof newSums>) => ({
  ...{ pools: of.size, addedUsd: added / MICRO, removedUsd: removed / MICRO },
  ...{ collectedUsd: collected / MICRO, ...rest }
})

export const liquidityWallets = memoryQuery(
  "liquidityWallets",
  (view, { limit, offset }: { readonly limit: number; readonly offset: number }) => {
    const { rows, wallets, unowned } = walletsOf(view)
    const form = idsOf(view.chain)
    const bytesOf = (place: number) => Buffer.from(wallets.bytes(place))
    const all = Uint32Array.from(rows, (_, place) => place)
    const first = topOf(all, offset + limit, (a, b) => {
      const byUsd = (rows[b]?.added ?? 0) - (rows[a]?.added ?? 0)
      return byUsd || Buffer.compare(bytesOf(a), bytesOf(b))
    })
    return withUnknown(view, 0, {
      offset,
      total: rows.length,
      wallets: first.slice(offset).map(place => ({
        wallet: form.account(wallets.bytes(place)),
        ...sumsRow(rows[place] as ReturnType<typeof newSums>)
      })),
      unowned: sumsRow(unowned),
      forgets: view.output(liquidityOutput).isFull(),
      asOf: view.seq
    })
  }
)
