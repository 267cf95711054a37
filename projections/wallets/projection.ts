/**
 * Wallets: one row for each wallet that a swap was attributed to. Ids are dense, in the order of
 * first swaps in the effective log, so a rebuild gives equal ids. Sets of wallets are sets of ids.
 */

import { type Fold, type FoldContext, projection } from "../../engine/projection.ts"
import { ID_BYTES } from "../../src/domain/ids.ts"
import { ByteTable, NONE } from "../../streams/batch/id-table.ts"
import { RefNumbers } from "../../streams/batch/ref-numbers.ts"
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
  let addresses = new ByteTable(ID_BYTES)
  const known = new RefNumbers(bytes => addresses.intern(bytes, 0))
  return {
    out: {
      ids: () => ids,
      firstOfDay: () => firstOfDay,
      find: address => addresses.find(address, 0),
      columns: () => slots.columns,
      count: () => slots.count
    },
    apply: ({ batch }) => {
      if (ids.length < swaps.count) {
        ids = new Uint32Array(swaps.count * 2)
        firstOfDay = new Uint8Array(swaps.count * 2)
      }
      for (let t = 0; t < swaps.count; t++) {
        const ref = ofSwaps.refs[t] as number
        const ts = swaps.ts[t] as number
        const wallet = ref === NONE ? NONE : known.of(batch, ref)
        ids[t] = wallet
        if (wallet === NONE) continue
        if (wallet === slots.count) slots.add({ address: batch.ids.bytes(ref) })
        firstOfDay[t] = isFirstOfDay(slots, wallet, ts - (ts % DAY)) ? 1 : 0
      }
    },
    reloaded: () => {
      known.reset()
      addresses = new ByteTable(ID_BYTES)
      for (let wallet = 0; wallet < slots.count; wallet++) {
        addresses.intern(slots.columns.address, wallet * ID_BYTES)
      }
    }
  }
}

export const walletsProjection = projection<Wallets>({
  name: wallets.name,
  version: 3,
  tables: [walletsTable],
  uses: [prices, tapeOutput],
  create,
  queries: []
})
