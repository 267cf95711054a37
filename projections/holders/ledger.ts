/**
 * The ledger of pinned tokens in memory: the exact balance of each address by the transfers in the
 * log, in order of size.
 *
 * The columns of the slot tables hold the state. Everything else in here follows from them and from
 * the known pools, and `reload` makes it anew.
 */

import type { SlotTable } from "../../engine/store/slot-table.ts"
import { ByteTable } from "../../streams/batch/id-table.ts"
import type { IntColumn } from "../../streams/batch/int-column.ts"
import type { Pools } from "../pools/output.ts"
import { HolderOrder } from "./holder-order.ts"
import { WALLET } from "./known-holders.ts"
import { KEPT_SUMS } from "./supply.ts"
import type { BalanceColumns, MadeColumns, MarkColumns, TokenColumns } from "./tables.ts"
import { addUnsigned, compareBytes, subtractUnsigned, wideRank, wideValue } from "./wide-integer.ts"

/**
 * What the log says of a token's transfers: that it was pinned, or that the transfers of some
 * blocks are there (`PinMark` of the engine).
 */
export interface Mark {
  readonly fromBlock: number
  readonly toBlock: number
  readonly reach: string | null
  readonly at: number
  /** the lowest grade of the blocks; null for a pin, and in older logs, which do not say */
  readonly grade: string | null
}

/** What memory holds of a token besides its columns. */
interface TokenMemory {
  readonly order: HolderOrder
  /** entries of pools and burn sinks */
  readonly special: Array<number>
  readonly marks: Array<Mark>
  /** number of addresses with a negative balance, and the sum of those balances */
  negatives: number
  lacking: bigint
}

const KEY_WIDTH = 24

export interface LedgerTables {
  readonly tokens: SlotTable<TokenColumns>
  readonly sums: SlotTable<MadeColumns>
  readonly balances: SlotTable<BalanceColumns>
  readonly marks: SlotTable<MarkColumns>
}

export class HolderLedger {
  readonly tables: LedgerTables
  /** slots of tokens whose earlier transfers are being joined in the segment at hand */
  readonly joining = new Set<number>()
  private readonly pools: Pools
  private readonly kindAt: (bytes: Uint8Array, from: number) => number
  private addresses = new ByteTable(20, 16, 64)
  /** entries by token and holder */
  private keys = new ByteTable(KEY_WIDTH)
  private readonly key = new Uint8Array(KEY_WIDTH)
  private readonly byToken: Array<TokenMemory> = []
  /** by entry */
  private ranks = new Float64Array(1024)
  private kinds = new Uint8Array(1024)
  /** number of pools that have been looked up among the holders */
  private poolsSeen = 0

  constructor(
    tables: LedgerTables,
    pools: Pools,
    kindAt: (bytes: Uint8Array, from: number) => number
  ) {
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

  memoryOf(token: number): Readonly<TokenMemory> {
    return this.byToken[token] as TokenMemory
  }

  /** Returns the kind of an entry's holder. */
  kindOf(entry: number): number {
    return this.kinds[entry] as number
  }

  balanceOf(entry: number): bigint {
    const { over, balance } = this.tables.balances.columns
    return wideValue(over, balance, entry)
  }

  /** Returns the slot of a token; makes one where it has none. */
  token(bytes: Uint8Array, from: number): number {
    const before = this.addresses.count
    const token = this.addresses.intern(bytes, from)
    if (token !== before) return token
    const { tokens } = this.tables
    tokens.grow(token + 1)
    tokens.columns.slot[token] = token
    tokens.columns.address.set(bytes.subarray(from, from + 20), token * 20)
    tokens.touch(token)
    this.growSums(token + 1)
    this.byToken.push(this.newMemory())
    return token
  }

  /**
   * Drops a token whose pin was taken back. Its rows stay under an address that no token has: a new
   * pin of the token begins with new rows.
   */
  forget(token: number): void {
    const { tokens } = this.tables
    const at = token * 20
    tokens.columns.address.fill(0xff, at, at + 16)
    new DataView(tokens.columns.address.buffer, tokens.columns.address.byteOffset).setUint32(
      at + 16,
      token
    )
    tokens.touch(token)
    this.readAddresses()
  }

  private readAddresses(): void {
    const { tokens } = this.tables
    this.addresses = new ByteTable(20, 16, 64)
    for (let token = 0; token < tokens.count; token++) {
      this.addresses.intern(tokens.columns.address, token * 20)
    }
  }

  private growSums(tokens: number): void {
    const { sums } = this.tables
    sums.grow(tokens * KEPT_SUMS)
    // a rollback empties whole rows, their slot number too
    for (let slot = 0; slot < sums.count; slot++) sums.columns.slot[slot] = slot
  }

  private newMemory(): TokenMemory {
    const order = new HolderOrder((a, b) => this.before(a, b))
    return { order, special: [], marks: [], negatives: 0, lacking: 0n }
  }

  /** Whether entry `a` stands before `b`: larger balances first, then lower addresses. */
  private before(a: number, b: number): boolean {
    const [first, second] = [this.ranks[a] as number, this.ranks[b] as number]
    if (first !== second) return first > second
    const { over, balance, holder } = this.tables.balances.columns
    const by = (over[b] as number) - (over[a] as number) || compareBytes(balance, 32, b, a)
    return by === 0 ? compareBytes(holder, 20, a, b) < 0 : by < 0
  }

  private setKey(token: number, bytes: Uint8Array, from: number): void {
    const { key } = this
    key[0] = token >>> 24
    key[1] = token >>> 16
    key[2] = token >>> 8
    key[3] = token
    for (let i = 0; i < 20; i++) key[4 + i] = bytes[from + i] as number
  }

  /** Returns the entry of a holder of a token; makes one where there is none. */
  entry(token: number, bytes: Uint8Array, from: number): number {
    this.setKey(token, bytes, from)
    const before = this.keys.count
    const entry = this.keys.intern(this.key, 0)
    if (entry !== before) return entry
    const { balances } = this.tables
    balances.grow(entry + 1)
    balances.columns.entry[entry] = entry
    balances.columns.token[entry] = token
    balances.columns.holder.set(bytes.subarray(from, from + 20), entry * 20)
    this.reserve(entry + 1)
    this.ranks[entry] = 0
    this.setKind(token, entry, this.kindAt(bytes, from))
    return entry
  }

  /** Returns the entry of a holder of a token; -1 where the address never had some of it. */
  findEntry(token: number, bytes: Uint8Array, from: number): number {
    this.setKey(token, bytes, from)
    return this.keys.find(this.key, 0)
  }

  private reserve(count: number): void {
    if (count <= this.kinds.length) return
    const [ranks, kinds] = [new Float64Array(count * 2), new Uint8Array(count * 2)]
    ranks.set(this.ranks)
    kinds.set(this.kinds)
    this.ranks = ranks
    this.kinds = kinds
  }

  private setKind(token: number, entry: number, kind: number): void {
    this.kinds[entry] = kind
    if (kind !== WALLET) this.memoryOf(token).special.push(entry)
  }

  /** Adds (`sign` 1) an amount to an entry's balance or subtracts it. The amount is not zero. */
  change(token: number, entry: number, sign: 1 | -1, amount: IntColumn, row: number): void {
    const { balances } = this.tables
    const { over, balance } = balances.columns
    const memory = this.byToken[token] as TokenMemory
    if ((over[entry] as number) < 0) {
      memory.negatives--
      memory.lacking -= wideValue(over, balance, entry)
    } else if ((this.ranks[entry] as number) > 0) memory.order.remove(entry)
    const start = amount.start[row] as number
    const length = (amount.start[row + 1] as number) - start
    const move = sign === 1 ? addUnsigned : subtractUnsigned
    move(over, balance, entry, amount.data, start, length)
    this.ranks[entry] = wideRank(over, balance, entry)
    this.place(memory, entry)
    balances.touch(entry)
  }

  /** Puts an entry where its balance belongs: among the negative ones, or into the order. */
  private place(memory: TokenMemory, entry: number): void {
    const { over, balance } = this.tables.balances.columns
    if ((over[entry] as number) < 0) {
      memory.negatives++
      memory.lacking += wideValue(over, balance, entry)
    } else if ((this.ranks[entry] as number) > 0) memory.order.insert(entry)
  }

  mark(token: number, mark: Mark): void {
    const { marks } = this.tables
    const slot = marks.count
    marks.grow(slot + 1)
    const { columns } = marks
    columns.mark[slot] = slot
    columns.token[slot] = token
    columns.from_block[slot] = mark.fromBlock
    columns.to_block[slot] = mark.toBlock
    columns.reach[slot] = mark.reach
    columns.at_block[slot] = mark.at
    columns.grade[slot] = mark.grade
    marks.touch(slot)
    this.memoryOf(token).marks.push(mark)
  }

  /** Gives the kind `pool` to holders whose pools have become known since the last call. */
  meetPools(): void {
    const { pools } = this
    const { id } = pools.columns()
    for (; this.poolsSeen < pools.count(); this.poolsSeen++) {
      for (let token = 0; token < this.tokenCount; token++) {
        this.setKey(token, id, this.poolsSeen * 32 + 12)
        const entry = this.keys.find(this.key, 0)
        if (entry < 0 || this.kinds[entry] !== WALLET) continue
        const { holder } = this.tables.balances.columns
        this.setKind(token, entry, this.kindAt(holder, entry * 20))
      }
    }
  }

  /** Makes everything anew from the columns, after a start or a rollback. */
  reload(): void {
    this.joining.clear()
    this.keys = new ByteTable(KEY_WIDTH)
    this.byToken.length = 0
    const { tokens, marks } = this.tables
    this.readAddresses()
    for (let token = 0; token < tokens.count; token++) this.byToken.push(this.newMemory())
    // the store has no rows of slots that were never written
    this.tables.sums.truncate(tokens.count * KEPT_SUMS)
    this.growSums(tokens.count)
    const { columns } = marks
    for (let slot = 0; slot < marks.count; slot++) {
      this.memoryOf(columns.token[slot] as number).marks.push({
        fromBlock: columns.from_block[slot] as number,
        toBlock: columns.to_block[slot] as number,
        reach: columns.reach[slot] ?? null,
        at: columns.at_block[slot] as number,
        grade: columns.grade[slot] ?? null
      })
    }
    this.reloadBalances()
    this.poolsSeen = this.pools.count()
  }

  private reloadBalances(): void {
    const { count, columns } = this.tables.balances
    const { token: tokenOf, holder, over, balance } = columns
    this.reserve(count)
    const entriesByToken = this.byToken.map((): Array<number> => [])
    for (let entry = 0; entry < count; entry++) {
      const token = tokenOf[entry] as number
      this.setKey(token, holder, entry * 20)
      this.keys.intern(this.key, 0)
      this.setKind(token, entry, this.kindAt(holder, entry * 20))
      this.ranks[entry] = wideRank(over, balance, entry)
      const memory = this.byToken[token] as TokenMemory
      if ((over[entry] as number) < 0) this.place(memory, entry)
      else if ((this.ranks[entry] as number) > 0) entriesByToken[token]?.push(entry)
    }
    for (const [token, entries] of entriesByToken.entries()) {
      this.memoryOf(token).order.fill(Uint32Array.from(entries))
    }
  }
}
