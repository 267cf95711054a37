/**
 * The positions of a pool and those of a wallet, found without a look at the others. A position
 * that is let go stays in its lists until they are made anew: who asks gets those alone whose rows
 * still say so.
 */
import { Links } from "../../engine/memory/links.ts"
import { roomFor } from "../../engine/memory/room.ts"
import { ID_BYTES } from "../../src/domain/ids.ts"
import { ByteTable, NONE } from "../../streams/batch/id-table.ts"
import type { PositionLists, Positions } from "./tables.ts"

/** So few entries are never too many. */
const FEW = 16

export class KeptLists implements PositionLists {
  private readonly table: Positions
  private readonly pools = new Links()
  private readonly ofOwners = new Links()
  private entries = 0
  readonly owners = new ByteTable(ID_BYTES)
  ownerOf = new Uint32Array(1024)

  constructor(table: Positions) {
    this.table = table
  }

  /** Takes in a slot that has a pool and an owner from now on. */
  add(slot: number): void {
    if (this.entries > 2 * this.table.count + FEW) this.reloaded()
    else this.list(slot)
  }

  private list(slot: number): void {
    const { pool, owner } = this.table.columns
    const number = this.owners.intern(owner, slot * ID_BYTES)
    this.ownerOf = roomFor(this.ownerOf, slot)
    this.ownerOf[slot] = number
    this.pools.add(pool[slot] as number, slot)
    this.ofOwners.add(number, slot)
    this.entries++
  }

  /** Makes the lists anew from the rows. */
  reloaded(): void {
    for (const list of [this.pools, this.ofOwners, this.owners]) list.clear()
    this.entries = 0
    const { pool } = this.table.columns
    for (let slot = 0; slot < this.table.count; slot++) {
      if (pool[slot] !== NONE) this.list(slot)
    }
  }

  readonly ofPool = (pool: number): ReadonlyArray<number> =>
    this.those(this.pools.of(pool), slot => this.table.columns.pool[slot] === pool)

  readonly ofOwner = (owner: number): ReadonlyArray<number> =>
    this.those(
      this.ofOwners.of(owner),
      slot => this.ownerOf[slot] === owner && this.table.columns.pool[slot] !== NONE
    )

  /** A slot that came back to a list stands in it twice. */
  private those(slots: Uint32Array, isOne: (slot: number) => boolean): ReadonlyArray<number> {
    const { count } = this.table
    const matching = new Set<number>()
    for (const slot of slots) if (slot < count && isOne(slot)) matching.add(slot)
    return [...matching].sort((a, b) => a - b)
  }
}
