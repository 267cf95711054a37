/**
 * Wallets: one row for each wallet that a swap was attributed to. Ids are dense, in the order of
 * first swaps in the effective log, so a rebuild gives equal ids. Sets of wallets are sets of ids.
 */
import { type Fold, type FoldContext, projection } from "../../engine/projection.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { ByteTable, NONE } from "../../streams/batch/id-table.ts"
import { pricesOutput as prices } from "../prices/output.ts"
import { tapeOutput } from "../tape/output.ts"
import { isFirstOfDay } from "./first-of-day.ts"
import { type Wallets, wallets, walletsTable } from "./output.ts"

const DAY = 86_400

const create = (context: FoldContext): Fold<Wallets> => {
  const slots = context.state(walletsTable)
  const { swaps } = context.output(prices)
  const { wallets: ofSwaps } = context.output(tapeOutput)
  let ids = new Uint32Array(4096)
  let firstOfDay = new Uint8Array(4096)
  let addresses = new ByteTable(20)
  let known: EventBatch | null = null
  /** by reference of the known batch: wallet id plus one; 0 where it was not looked up yet */
  let idsByRef = new Uint32Array(1024)

  const begin = (batch: EventBatch): void => {
    if (ids.length < swaps.count) {
      ids = new Uint32Array(swaps.count * 2)
      firstOfDay = new Uint8Array(swaps.count * 2)
    }
    if (known === batch) return
    known = batch
    const size = batch.ids.addresses.count
    if (idsByRef.length < size) idsByRef = new Uint32Array(size * 2)
    else idsByRef.fill(0, 0, size)
  }

  const idOf = (batch: EventBatch, ref: number, ts: number): number => {
    const idPlusOne = idsByRef[ref] as number
    if (idPlusOne !== 0) return idPlusOne - 1
    const bytes = batch.ids.bytes(ref)
    const wallet = addresses.intern(bytes, 0)
    if (wallet === slots.count) {
      slots.grow(wallet + 1)
      const { columns } = slots
      columns.address.set(bytes, wallet * 20)
      columns.first_ts[wallet] = ts
    }
    idsByRef[ref] = wallet + 1
    return wallet
  }

  return {
    out: {
      ids: () => ids,
      firstOfDay: () => firstOfDay,
      find: address => addresses.find(address, 0),
      columns: () => slots.columns,
      count: () => slots.count
    },
    apply: ({ batch }) => {
      begin(batch)
      for (let t = 0; t < swaps.count; t++) {
        const ref = ofSwaps.refs[t] as number
        const ts = swaps.ts[t] as number
        const wallet = ref === NONE ? NONE : idOf(batch, ref, ts)
        ids[t] = wallet
        if (wallet !== NONE) firstOfDay[t] = isFirstOfDay(slots, wallet, ts - (ts % DAY)) ? 1 : 0
      }
    },
    reloaded: () => {
      known = null
      addresses = new ByteTable(20)
      for (let wallet = 0; wallet < slots.count; wallet++) {
        addresses.intern(slots.columns.address, wallet * 20)
      }
    }
  }
}

export const walletsProjection = projection<Wallets>({
  name: wallets.name,
  version: 1,
  tables: [walletsTable],
  uses: [prices, tapeOutput],
  create,
  queries: []
})
