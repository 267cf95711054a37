/**
 * Wallets: one row for each wallet that a swap was attributed to. Ids are dense, in the order of
 * first swaps in the effective log, so a rebuild gives equal ids. Sets of wallets are sets of ids.
 */
import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { ByteTable, NONE } from "../../streams/batch/id-table.ts"
import { pricesOutput as prices } from "../prices/output.ts"
import type { PricedSwaps } from "../prices/priced-swaps.ts"
import { type TradeWallets, tapeOutput } from "../tape/output.ts"
import { isFirstOfDay } from "./first-of-day.ts"
import { type Wallets, wallets, walletsTable } from "./output.ts"

const DAY = 86_400

type Columns = (typeof walletsTable)["columns"]

class WalletFold {
  readonly slots: SlotTable<Columns>
  ids = new Uint32Array(4096)
  firstOfDay = new Uint8Array(4096)
  addresses = new ByteTable(20)
  private readonly swaps: PricedSwaps
  private readonly tradeWallets: TradeWallets
  private batch: EventBatch | null = null
  /** by reference of the batch: wallet id plus one; 0 where it was not looked up yet */
  private idsByRef = new Uint32Array(1024)

  constructor(slots: SlotTable<Columns>, swaps: PricedSwaps, tradeWallets: TradeWallets) {
    this.slots = slots
    this.swaps = swaps
    this.tradeWallets = tradeWallets
  }

  apply({ batch }: Slice): void {
    const { swaps } = this
    if (this.ids.length < swaps.count) {
      this.ids = new Uint32Array(swaps.count * 2)
      this.firstOfDay = new Uint8Array(swaps.count * 2)
    }
    this.begin(batch)
    const { refs } = this.tradeWallets
    for (let t = 0; t < swaps.count; t++) {
      const ref = refs[t] as number
      this.ids[t] = ref === NONE ? NONE : this.trade(batch, ref, t)
    }
  }

  /** Notes a wallet's swap. Returns the wallet's id. */
  private trade(batch: EventBatch, ref: number, t: number): number {
    const ts = this.swaps.ts[t] as number
    const wallet = this.idOf(batch, ref, ts)
    this.firstOfDay[t] = isFirstOfDay(this.slots, wallet, ts - (ts % DAY)) ? 1 : 0
    return wallet
  }

  private begin(batch: EventBatch): void {
    if (this.batch === batch) return
    this.batch = batch
    const size = batch.ids.addresses.count
    if (this.idsByRef.length < size) this.idsByRef = new Uint32Array(size * 2)
    else this.idsByRef.fill(0, 0, size)
  }

  private idOf(batch: EventBatch, ref: number, ts: number): number {
    const idPlusOne = this.idsByRef[ref] as number
    if (idPlusOne !== 0) return idPlusOne - 1
    const bytes = batch.ids.bytes(ref)
    const wallet = this.addresses.intern(bytes, 0)
    if (wallet === this.slots.count) {
      this.slots.grow(wallet + 1)
      const { columns } = this.slots
      columns.wallet[wallet] = wallet
      columns.address.set(bytes, wallet * 20)
      columns.first_ts[wallet] = ts
    }
    this.idsByRef[ref] = wallet + 1
    return wallet
  }

  reloaded(): void {
    const { slots } = this
    this.batch = null
    this.addresses = new ByteTable(20)
    for (let wallet = 0; wallet < slots.count; wallet++) {
      this.addresses.intern(slots.columns.address, wallet * 20)
    }
  }
}

const create = (context: FoldContext): Fold<Wallets> => {
  const { swaps } = context.output(prices)
  const fold = new WalletFold(
    context.state(walletsTable),
    swaps,
    context.output(tapeOutput).wallets
  )
  return {
    out: {
      ids: () => fold.ids,
      firstOfDay: () => fold.firstOfDay,
      find: address => fold.addresses.find(address, 0),
      columns: () => fold.slots.columns,
      count: () => fold.slots.count
    },
    apply: slice => fold.apply(slice),
    reloaded: () => fold.reloaded()
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
