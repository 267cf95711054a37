/**
 * The pools that curves moved into. A curve's own program names the pool in the event or
 * instruction that ends the curve, so nobody can pass off another one. The pool may be made before
 * or after that word, in any slice.
 */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { table } from "../../engine/store/table.ts"
import { ID_BYTES, type IdForm } from "../../src/domain/ids.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Pools } from "../pools/output.ts"

export const curveSuccessorsTable = table({
  name: "curve_successors",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    curve: { type: "u32" },
    /** the account of the pool that has what the curve held; the log may lack the pool */
    successor: { type: "bytes32" }
  }
})

export class Successors {
  private readonly slots: SlotTable<(typeof curveSuccessorsTable)["columns"]>
  private readonly pools: Pools
  private readonly form: IdForm
  /** by pool: the curve that moved into it */
  private readonly curves = new Map<number, number>()
  /** by curve: the pool that it moved into; `NONE` while the log lacks that */
  private readonly successors = new Map<number, number>()
  /** by account of pools that the log lacks: the curve */
  private readonly awaited = new Map<string, number>()

  constructor(slots: Successors["slots"], pools: Pools, form: IdForm) {
    this.slots = slots
    this.pools = pools
    this.form = form
  }

  /** Notes which pool a curve moved into; the first word counts. */
  tell(curve: number, account: Uint8Array): void {
    if (this.successors.has(curve)) return
    this.slots.add({ curve, successor: account })
    this.note(curve, account)
  }

  private note(curve: number, account: Uint8Array): void {
    const pool = this.pools.withId(account)
    if (pool < 0) this.awaited.set(this.form.account(account), curve)
    else this.curves.set(pool, curve)
    this.successors.set(curve, pool < 0 ? NONE : pool)
  }

  /** Looks whether a pool that was made is one that a curve moved into before. */
  made(pool: number): void {
    if (this.awaited.size === 0) return
    const account = this.pools.idText(pool)
    const curve = this.awaited.get(account)
    if (curve === undefined) return
    this.awaited.delete(account)
    this.curves.set(pool, curve)
    this.successors.set(curve, pool)
  }

  /** Returns the curve of the same two tokens that moved into a pool; `NONE` where none did. */
  curveOf(pool: number): number {
    const curve = this.curves.get(pool)
    if (curve === undefined) return NONE
    const { token0, token1 } = this.pools.columns()
    const isSamePair = token0[curve] === token0[pool] && token1[curve] === token1[pool]
    return isSamePair ? curve : NONE
  }

  /** Whether a curve moved into a pool. */
  hasMoved(curve: number): boolean {
    return this.successors.has(curve)
  }

  /** Returns the pool that a curve moved into; `NONE` where the log lacks it or it did not. */
  successorOf(curve: number): number {
    return this.successors.get(curve) ?? NONE
  }

  /** Makes what follows from the table anew. */
  reload(): void {
    for (const map of [this.curves, this.successors, this.awaited]) map.clear()
    const { count, columns } = this.slots
    for (let slot = 0; slot < count; slot++) {
      const at = slot * ID_BYTES
      this.note(columns.curve[slot] as number, columns.successor.slice(at, at + ID_BYTES))
    }
  }
}
