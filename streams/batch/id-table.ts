/**
 * The accounts and hashes of a batch, each stored once in 32 bytes and referred to by number. A
 * reference below `HASH_BIT` is an account, above it a hash, `NONE` is null. Interning is open
 * addressing over raw bytes: no string and no object per lookup.
 */
import {
  ADDRESS_PADDING,
  hexIds,
  ID_BYTES,
  type IdForm,
  idBytes,
  isPadded
} from "../../src/domain/ids.ts"
import { roomLike } from "./columns.ts"

/** The reference that stands for null. */
export const NONE = 0xffffffff
/** References from here on are hashes, numbered from it. */
export const HASH_BIT = 0x80000000

/** Bytes from which on tables grow by a quarter: those of a lane hold all addresses of a chain. */
const MANY_BYTES = 4 * 1024 * 1024

const grow = (bytes: Uint8Array, needed: number): Uint8Array => {
  const { length } = bytes
  const room = length < MANY_BYTES ? length * 2 : Math.ceil(length * 1.25)
  const next = new Uint8Array(Math.max(needed, room))
  next.set(bytes)
  return next
}

/** Fixed-width byte strings with an index over them. */
export class ByteTable {
  readonly width: number
  count = 0
  data: Uint8Array
  private slots: Int32Array
  private mask: number

  /** Room for `capacity` entries; `slots`, a power of two, is more than twice as many. */
  constructor(width: number, capacity = 256, slots = 1024) {
    this.width = width
    this.data = new Uint8Array(width * capacity)
    this.slots = new Int32Array(slots).fill(-1)
    this.mask = slots - 1
  }

  /** Empty, with room for what another holds. */
  static like({ width, count, slots }: ByteTable): ByteTable {
    return new ByteTable(width, roomLike(count), slots.length)
  }

  /** A table over bytes already stored, as read from a segment; it is not indexed for interning. */
  static over(width: number, data: Uint8Array): ByteTable {
    const table = new ByteTable(width, 0, 1)
    table.data = data
    table.count = data.length / width
    return table
  }

  clear(): void {
    this.count = 0
    this.slots.fill(-1)
  }

  /** A view of the bytes with this number. */
  bytes(index: number): Uint8Array {
    return this.data.subarray(index * this.width, (index + 1) * this.width)
  }

  /** Appends without looking for an equal entry. */
  push(bytes: Uint8Array, from: number): number {
    const at = this.count * this.width
    if (at + this.width > this.data.length) this.data = grow(this.data, at + this.width)
    const data = this.data
    for (let i = 0; i < this.width; i++) data[at + i] = bytes[from + i] as number
    return this.count++
  }

  /** Finds or appends the bytes at `from`; their number in the table. */
  intern(bytes: Uint8Array, from: number): number {
    let slot = this.hash(bytes, from) & this.mask
    for (;;) {
      const found = this.slots[slot] as number
      if (found < 0) break
      if (this.equal(found, bytes, from)) return found
      slot = (slot + 1) & this.mask
    }
    const index = this.push(bytes, from)
    this.slots[slot] = index
    if (this.count * 2 > this.slots.length) this.rehash()
    return index
  }

  /** Number of the bytes at `from`, -1 where they are not in the table. */
  find(bytes: Uint8Array, from: number): number {
    let slot = this.hash(bytes, from) & this.mask
    for (;;) {
      const found = this.slots[slot] as number
      if (found < 0 || this.equal(found, bytes, from)) return found
      slot = (slot + 1) & this.mask
    }
  }

  /**
   * The last four bytes are mixed with the first four of the last twenty, with which the address of
   * an EVM account begins: most ids are uniform, those of one maker may all end alike.
   */
  private hash(bytes: Uint8Array, from: number): number {
    const end = from + this.width
    const begin = this.width < 20 ? from : end - 20
    const tail =
      ((bytes[end - 4] as number) << 24) |
      ((bytes[end - 3] as number) << 16) |
      ((bytes[end - 2] as number) << 8) |
      (bytes[end - 1] as number)
    const head =
      ((bytes[begin] as number) << 24) |
      ((bytes[begin + 1] as number) << 16) |
      ((bytes[begin + 2] as number) << 8) |
      (bytes[begin + 3] as number)
    const mixed = Math.imul(tail ^ Math.imul(head, 0x9e3779b1), 0x85ebca6b)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }

  private equal(index: number, bytes: Uint8Array, from: number): boolean {
    const { data, width } = this
    const at = index * width
    // Where the last bytes are equal nearly always all are: then differences are gathered rather
    // than left at once, without a branch a byte.
    if (data[at + width - 1] !== bytes[from + width - 1]) return false
    let odd = 0
    for (let i = 0; i < width; i++) odd |= (data[at + i] as number) ^ (bytes[from + i] as number)
    return odd === 0
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * (this.count < 16_384 ? 4 : 2)).fill(-1)
    this.mask = this.slots.length - 1
    for (let index = 0; index < this.count; index++) {
      let slot = this.hash(this.data, index * this.width) & this.mask
      while ((this.slots[slot] as number) >= 0) slot = (slot + 1) & this.mask
      this.slots[slot] = index
    }
  }
}

/** A table of accounts, by their place in the list. */
export const accountTable = (accounts: Iterable<string>): ByteTable => {
  const table = new ByteTable(ID_BYTES)
  for (const account of accounts) table.intern(idBytes(account), 0)
  return table
}

/** The 32 bytes of an address that is being looked for. */
const padded = new Uint8Array(ID_BYTES)

/** The two tables of a batch behind one kind of reference. */
export class IdTable {
  readonly form: IdForm
  readonly accounts: ByteTable
  readonly hashes: ByteTable

  constructor(
    form: IdForm = hexIds,
    accounts = new ByteTable(ID_BYTES),
    hashes = new ByteTable(ID_BYTES)
  ) {
    this.form = form
    this.accounts = accounts
    this.hashes = hashes
  }

  /** Empty, with room for what another holds. */
  static like({ form, accounts, hashes }: IdTable): IdTable {
    return new IdTable(form, ByteTable.like(accounts), ByteTable.like(hashes))
  }

  clear(): void {
    this.accounts.clear()
    this.hashes.clear()
  }

  /** The account in the 32 bytes at `from`. */
  account(bytes: Uint8Array, from = 0): number {
    return this.accounts.intern(bytes, from)
  }

  /** The account of a text. */
  accountOf(text: string): number {
    return this.account(idBytes(text))
  }

  /**
   * The account of a text, or the hash that it is. Where hashes read as accounts do, they stand
   * among the accounts: they have the same text.
   */
  idOf(text: string): number {
    return this.form.parseAccount(text) === null ? this.hash(idBytes(text)) : this.accountOf(text)
  }

  /** The account with the 20 bytes at `from` as its address. */
  address(bytes: Uint8Array, from = 0): number {
    for (let i = ADDRESS_PADDING; i < ID_BYTES; i++) {
      padded[i] = bytes[from + i - ADDRESS_PADDING] as number
    }
    return this.accounts.intern(padded, 0)
  }

  /** The account with the address in the 32-byte word at `from`, whatever stands before it. */
  addressWord(bytes: Uint8Array, from: number): number {
    return isPadded(bytes, from)
      ? this.accounts.intern(bytes, from)
      : this.address(bytes, from + ADDRESS_PADDING)
  }

  /** The 32 bytes at `from`, interned (pool ids). */
  hash(bytes: Uint8Array, from = 0): number {
    return (this.hashes.intern(bytes, from) | HASH_BIT) >>> 0
  }

  /** The 32 bytes at `from`, known to be new (hashes of blocks). */
  newHash(bytes: Uint8Array, from = 0): number {
    return (this.hashes.push(bytes, from) | HASH_BIT) >>> 0
  }

  /** The largest packed reference of what it holds (`packRef`). */
  get lastPacked(): number {
    return 2 * Math.max(this.accounts.count, this.hashes.count)
  }

  /** Text of a reference, null for `NONE`. */
  text(ref: number): string | null {
    if (ref === NONE) return null
    const { form, hashes, accounts } = this
    return ref >= HASH_BIT
      ? form.hash(hashes.data, (ref - HASH_BIT) * ID_BYTES)
      : form.account(accounts.data, ref * ID_BYTES)
  }

  /** A view of a reference's 32 bytes. Not for `NONE`. */
  bytes(ref: number): Uint8Array {
    return ref >= HASH_BIT ? this.hashes.bytes(ref - HASH_BIT) : this.accounts.bytes(ref)
  }
}

/** The stored form of a reference: 0 for null, else twice the number plus the table, plus one. */
export const packRef = (ref: number): number =>
  ref === NONE ? 0 : ref >= HASH_BIT ? (ref - HASH_BIT) * 2 + 2 : ref * 2 + 1

/** Inverse of `packRef`. */
export const unpackRef = (packed: number): number => {
  if (packed === 0) return NONE
  const index = (packed - 1) >>> 1
  return packed % 2 === 0 ? (index | HASH_BIT) >>> 0 : index
}
