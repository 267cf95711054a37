/** Senders and targets of transactions from a side file, by hash, in some 50 bytes each. */
import { Effect, Predicate, Result } from "effect"
import { fromHex, parseAddress } from "../../../src/domain/address.ts"
import { ByteTable, NONE } from "../../batch/id-table.ts"
import type { SourceError } from "../../source.ts"
import { fileError, forEachByteLine, jsonLine, lineText } from "./line-reader.ts"
import { quantity } from "./log-json.ts"
import { TxScanner } from "./tx-scanner.ts"

const HASH = /^0x[0-9a-fA-F]{64}$/
const HASH_BYTES = 32

/** Transactions of a page, a power of two: what is full stays where it is as more are added. */
const PAGE_BITS = 14
const PAGE = 1 << PAGE_BITS
const IN_PAGE = PAGE - 1

/** The first bytes of a hash are as good as random. */
const hashOf = (bytes: Uint8Array): number =>
  ((bytes[0] as number) |
    ((bytes[1] as number) << 8) |
    ((bytes[2] as number) << 16) |
    ((bytes[3] as number) << 24)) >>>
  0

/** Open addressing over pages of hashes; few addresses send many transactions. */
export class TxFacts {
  private count = 0
  private readonly hashes: Array<Uint8Array> = []
  /** sender and target of each, as places in `addresses` */
  private readonly parties: Array<Uint32Array> = []
  private readonly addresses = new ByteTable(20)
  private slots = new Int32Array(1024).fill(-1)

  /** The bytes are copied. */
  add(hash: Uint8Array, from: Uint8Array, to: Uint8Array | null): void {
    const known = this.find(hash)
    const place = known < 0 ? this.push(hash) : known
    const parties = this.parties[place >> PAGE_BITS] as Uint32Array
    const at = (place & IN_PAGE) * 2
    parties[at] = this.addresses.intern(from, 0)
    parties[at + 1] = to === null ? NONE : this.addresses.intern(to, 0)
  }

  /** The place of a transaction for `from` and `to`, -1 where the file does not have it. */
  find(hash: Uint8Array): number {
    const { slots } = this
    const mask = slots.length - 1
    let slot = hashOf(hash) & mask
    for (;;) {
      const found = slots[slot] as number
      if (found < 0 || this.isAt(found, hash)) return found
      slot = (slot + 1) & mask
    }
  }

  from(place: number): Uint8Array {
    return this.party(place, 0) as Uint8Array
  }

  to(place: number): Uint8Array | null {
    return this.party(place, 1)
  }

  private party(place: number, which: 0 | 1): Uint8Array | null {
    const parties = this.parties[place >> PAGE_BITS] as Uint32Array
    const ref = parties[(place & IN_PAGE) * 2 + which] as number
    return ref === NONE ? null : this.addresses.data.subarray(ref * 20, ref * 20 + 20)
  }

  private isAt(place: number, hash: Uint8Array): boolean {
    const page = this.hashes[place >> PAGE_BITS] as Uint8Array
    const at = (place & IN_PAGE) * HASH_BYTES
    for (let i = 0; i < HASH_BYTES; i++) if (page[at + i] !== hash[i]) return false
    return true
  }

  private push(hash: Uint8Array): number {
    if (this.count * 4 >= this.slots.length * 3) this.rehash()
    const place = this.count++
    if ((place & IN_PAGE) === 0) {
      this.hashes.push(new Uint8Array(PAGE * HASH_BYTES))
      this.parties.push(new Uint32Array(PAGE * 2))
    }
    this.hashes[place >> PAGE_BITS]?.set(hash, (place & IN_PAGE) * HASH_BYTES)
    this.settle(hash, place)
    return place
  }

  /** Puts a place into the first free slot of its hash. */
  private settle(hash: Uint8Array, place: number): void {
    const mask = this.slots.length - 1
    let slot = hashOf(hash) & mask
    while ((this.slots[slot] as number) >= 0) slot = (slot + 1) & mask
    this.slots[slot] = place
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(-1)
    for (let place = 0; place < this.count; place++) {
      const at = (place & IN_PAGE) * HASH_BYTES
      const page = this.hashes[place >> PAGE_BITS] as Uint8Array
      this.settle(page.subarray(at, at + HASH_BYTES), place)
    }
  }
}

/** Takes a line of any shape. */
const takeParsed = (facts: TxFacts, chainId: number, path: string) => {
  const take = (value: unknown, line: number): SourceError | null => {
    if (!Predicate.isObject(value)) return fileError(path, `line ${line} is not an object`)
    const chain = value["chainId"] === undefined ? chainId : quantity(value["chainId"])
    if (chain !== chainId) return null
    const hash = value["hash"] ?? value["transactionHash"]
    const from = Predicate.isString(value["from"]) ? parseAddress(value["from"]) : null
    const to = Predicate.isString(value["to"]) ? parseAddress(value["to"]) : null
    if (!Predicate.isString(hash) || !HASH.test(hash) || from === null) {
      return fileError(path, `line ${line} has no hash or no sender`)
    }
    facts.add(fromHex(hash), fromHex(from), to === null ? null : fromHex(to))
    return null
  }
  return (bytes: Buffer, from: number, to: number, line: number): SourceError | null => {
    const text = lineText(bytes, from, to)
    if (text.trim() === "") return null
    const value = jsonLine(path, text, line)
    return Result.isFailure(value) ? value.failure : take(value.success, line)
  }
}

/** Transactions out of NDJSON of `{ hash, from, to, chainId? }`; other chains are passed over. */
export const readTxFacts = (
  paths: ReadonlyArray<string>,
  chainId: number
): Effect.Effect<TxFacts, SourceError> => {
  const facts = new TxFacts()
  const readOne = (path: string) => {
    const scanner = new TxScanner()
    const parsed = takeParsed(facts, chainId, path)
    return forEachByteLine(path, (bytes, from, to, line) => {
      if (!scanner.scan(bytes, from, to)) return parsed(bytes, from, to, line)
      if (scanner.chainId >= 0 && scanner.chainId !== chainId) return null
      facts.add(scanner.hash, scanner.from, scanner.to)
      return null
    })
  }
  return Effect.as(Effect.forEach(paths, readOne), facts)
}
