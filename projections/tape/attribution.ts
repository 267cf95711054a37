/**
 * Whose trade a swap is. Provable cases only: the sender of the transaction received the output
 * itself, or called a known router. Everything else is null, never a guess.
 */
import { fromHex } from "../../src/domain/address.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { ByteTable, NONE } from "../../streams/batch/id-table.ts"

export class Attribution {
  private readonly routers = new ByteTable(20)
  private batch: EventBatch | null = null
  /** by address number of the batch: 0 not looked up, 1 a router, 2 not one */
  private known = new Uint8Array(1024)

  constructor(routers: ReadonlyArray<string>) {
    for (const router of routers) this.routers.intern(fromHex(router), 0)
  }

  reset(): void {
    this.batch = null
  }

  /** Reference of the wallet behind the swap in `row`, or `NONE`. */
  wallet(batch: EventBatch, tx: number, row: number): number {
    if (tx === NONE) return NONE
    const from = batch.txs.from.values[tx] as number
    if (from === NONE) return NONE
    if (batch.columns.SwapExecuted.recipient.values[row] === from) return from
    const to = batch.txs.to.values[tx] as number
    return to !== NONE && this.isRouter(batch, to) ? from : NONE
  }

  private isRouter(batch: EventBatch, ref: number): boolean {
    if (this.batch !== batch) {
      this.batch = batch
      const size = batch.ids.addresses.count
      if (this.known.length < size) this.known = new Uint8Array(size * 2)
      else this.known.fill(0, 0, size)
    }
    if (this.known[ref] === 0) {
      this.known[ref] = this.routers.find(batch.ids.bytes(ref), 0) >= 0 ? 1 : 2
    }
    return this.known[ref] === 1
  }
}
