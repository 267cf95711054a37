/** Which part a contract plays in a trade, as the chain's lists say; fast by batch. */
import { fromHex } from "../../src/domain/address.ts"
import type { EventBatch } from "../batch/batch.ts"
import { ByteTable } from "../batch/id-table.ts"

export class KnownContracts {
  private readonly addresses = new ByteTable(20)
  private readonly roles: Array<number> = []
  private batch: EventBatch | null = null
  /** by address of the batch: 0 not looked up, else the role and one */
  private known = new Uint8Array(1024)

  /** Roles are small and above 0; of two roles of one address the later counts. */
  constructor(contracts: ReadonlyArray<readonly [address: string, role: number]>) {
    for (const [address, role] of contracts) {
      this.roles[this.addresses.intern(fromHex(address), 0)] = role
    }
  }

  reset(): void {
    this.batch = null
  }

  /** The role of the address that the batch refers to; 0 where it is none of the list. */
  roleOf(batch: EventBatch, ref: number): number {
    if (this.batch !== batch) {
      this.batch = batch
      const size = batch.ids.addresses.count
      if (this.known.length < size) this.known = new Uint8Array(size * 2)
      else this.known.fill(0, 0, size)
    }
    const known = this.known[ref] as number
    if (known !== 0) return known - 1
    const place = this.addresses.find(batch.ids.bytes(ref), 0)
    const role = place < 0 ? 0 : (this.roles[place] as number)
    this.known[ref] = role + 1
    return role
  }
}
