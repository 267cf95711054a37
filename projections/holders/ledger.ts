/**
 * The ledger of pinned tokens in memory: the exact balance of each address by the transfers in the
 * log. The columns of the slot tables hold the state. Everything else in here follows from them and
 * from the known pools, and `reload` makes it anew.
 */

import { Links } from "../../engine/memory/links.ts"
import { roomFor } from "../../engine/memory/room.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { addWide, wideAt } from "../../engine/store/wide-integer.ts"
import { ID_BYTES, type IdForm } from "../../src/domain/ids.ts"
import { ByteTable } from "../../streams/batch/id-table.ts"
import type { Pools } from "../pools/output.ts"
import { KEPT_SUMS } from "./supply.ts"
import type { BalanceColumns, MadeColumns, TokenColumns } from "./tables.ts"

/** Bytes of a key: a token's slot, and a holder. */
const KEY_WIDTH = 4 + ID_BYTES

export interface LedgerTables {
  readonly tokens: SlotTable<TokenColumns>
  readonly sums: SlotTable<MadeColumns>
  readonly balances: SlotTable<BalanceColumns>
}

export class HolderLedger {
  readonly form: IdForm
  readonly tables: LedgerTables
  /** slots of tokens whose earlier transfers are being joined in the segment at hand */
  readonly joining = new Set<number>()
  private readonly pools: Pools
  private readonly kindAt: (bytes: Uint8Array, from: number) => number
  private addresses = new ByteTable(ID_BYTES, 16, 64)
  /** entries by token and holder */
  private keys = new ByteTable(KEY_WIDTH)
  private readonly key = new Uint8Array(KEY_WIDTH)
  /** the entries of each token */
  readonly entries = new Links()
  /** by entry: the double nearest to its balance */
  ranks = new Float64Array(1024)
  /** by entry: the kind of its holder */
  kinds = new Uint8Array(1024)
  /** number of pools that have been looked up among the holders */
  private poolsSeen = 0

  constructor(
    form: IdForm,
    tables: LedgerTables,
    pools: Pools,
    kindAt: (bytes: Uint8Array, from: number) => number
  ) {
    this.form = form
    this.tables = tables
    this.pools = pools
    this.kindAt = kindAt
  }

  /** Returns the slot of a token; -1 where the log holds no transfer and no pin of it. */
  find(address: Uint8Array, from = 0): number {
    return this.addresses.find(address, from)
  }

  get tokenCount(): number {
    return this.addresses.count
  }

  balanceOf(entry: number): bigint {
    const { over, balance } = this.tables.balances.columns
    return wideAt(over, balance, entry)
  }

  /** Returns the slot of a token; makes one where it has none. */
  token(bytes: Uint8Array, from: number): number {
    const token = this.addresses.intern(bytes, from)
    const { tokens } = this.tables
    if (token < tokens.count) return token
    tokens.add({ address: bytes.subarray(from, from + ID_BYTES) })
    this.growSums()
    return token
  }

  /**
   * Drops a token whose pin was taken back. Its rows stay under an address that no token has: a new
   * pin of the token begins with new rows.
   */
  forget(token: number): void {
    const { tokens } = this.tables
    const { address } = tokens.columns
    const end = (token + 1) * ID_BYTES
    address.fill(0xff, end - ID_BYTES, end - 4)
    new DataView(address.buffer, address.byteOffset).setUint32(end - 4, token)
    tokens.touch(token)
    this.readAddresses()
  }

  private readAddresses(): void {
    const { tokens } = this.tables
    this.addresses = new ByteTable(ID_BYTES, 16, 64)
    for (let token = 0; token < tokens.count; token++) {
      this.addresses.intern(tokens.columns.address, token * ID_BYTES)
    }
  }

  private growSums(): void {
    const { sums, tokens } = this.tables
    sums.grow(tokens.count * KEPT_SUMS)
  }

  private setKey(token: number, bytes: Uint8Array, from: number): void {
    const { key } = this
    key[0] = token >>> 24
    key[1] = token >>> 16
    key[2] = token >>> 8
    key[3] = token
    for (let i = 0; i < ID_BYTES; i++) key[4 + i] = bytes[from + i] as number
  }

  /** Returns the entry of a holder of a token; makes one where there is none. */
  entry(token: number, bytes: Uint8Array, from: number): number {
    this.setKey(token, bytes, from)
    const entry = this.keys.intern(this.key, 0)
    const { balances } = this.tables
    if (entry < balances.count) return entry
    balances.grow(entry + 1)
    balances.columns.token[entry] = token
    balances.columns.holder.set(bytes.subarray(from, from + ID_BYTES), entry * ID_BYTES)
    this.entries.add(token, entry)
    this.look(entry)
    this.ranks[entry] = 0
    return entry
  }

  /** Returns the entry of a holder of a token; -1 where the address never had some of it. */
  findEntry(token: number, bytes: Uint8Array, from: number): number {
    this.setKey(token, bytes, from)
    return this.keys.find(this.key, 0)
  }

  /** Finds the kind of an entry. */
  private look(entry: number): void {
    this.ranks = roomFor(this.ranks, entry)
    this.kinds = roomFor(this.kinds, entry)
    this.kinds[entry] = this.kindAt(this.tables.balances.columns.holder, entry * ID_BYTES)
  }

  /** Adds to an entry's balance. */
  add(entry: number, amount: bigint): void {
    const { balances } = this.tables
    const { over, balance } = balances.columns
    this.ranks[entry] = Number(addWide(over, balance, entry, amount))
    balances.touch(entry)
  }

  /** Looks again at holders whose pools have become known since the last call. */
  meetPools(): void {
    const { pools } = this
    const { id } = pools.columns()
    for (; this.poolsSeen < pools.count(); this.poolsSeen++) {
      for (let token = 0; token < this.tokenCount; token++) {
        const entry = this.findEntry(token, id, this.poolsSeen * ID_BYTES)
        if (entry >= 0) this.look(entry)
      }
    }
  }

  /** Makes everything anew from the columns, after a start or a rollback. */
  reload(): void {
    const { tokens, sums, balances } = this.tables
    this.joining.clear()
    this.readAddresses()
    // the store has no rows of slots that were never written
    sums.truncate(tokens.count * KEPT_SUMS)
    this.growSums()
    this.keys = new ByteTable(KEY_WIDTH)
    this.entries.clear()
    const { token, holder } = balances.columns
    for (let entry = 0; entry < balances.count; entry++) {
      this.setKey(token[entry] as number, holder, entry * ID_BYTES)
      this.keys.intern(this.key, 0)
      this.entries.add(token[entry] as number, entry)
      this.look(entry)
      this.ranks[entry] = Number(this.balanceOf(entry))
    }
    this.poolsSeen = this.pools.count()
  }
}
