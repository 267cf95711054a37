/** Senders and targets of transactions from a side file, by hash, in 72 bytes each. */
import { Effect, Predicate } from "effect"
import { fromHex, parseAddress } from "../../../src/domain/address.ts"
import { ByteTable } from "../../batch/id-table.ts"
import type { SourceError } from "../../source.ts"
import { fileError, forEachJsonLine } from "./line-reader.ts"
import { quantity } from "./log-json.ts"

const HASH = /^0x[0-9a-fA-F]{64}$/

export class TxFacts {
  private readonly hashes = new ByteTable(32)
  private addresses = new Uint8Array(40 * 1024)
  private hasTo = new Uint8Array(1024)

  add(hash: string, from: string, to: string | null): void {
    const place = this.hashes.intern(fromHex(hash), 0)
    if (place >= this.hasTo.length) {
      const addresses = new Uint8Array(this.addresses.length * 2)
      addresses.set(this.addresses)
      this.addresses = addresses
      const hasTo = new Uint8Array(this.hasTo.length * 2)
      hasTo.set(this.hasTo)
      this.hasTo = hasTo
    }
    this.addresses.set(fromHex(from), place * 40)
    this.hasTo[place] = to === null ? 0 : 1
    if (to !== null) this.addresses.set(fromHex(to), place * 40 + 20)
  }

  /** The place of a transaction for `from` and `to`, -1 where the file does not have it. */
  find(hash: Uint8Array): number {
    return this.hashes.find(hash, 0)
  }

  from(place: number): Uint8Array {
    return this.addresses.subarray(place * 40, place * 40 + 20)
  }

  to(place: number): Uint8Array | null {
    return this.hasTo[place] === 1
      ? this.addresses.subarray(place * 40 + 20, place * 40 + 40)
      : null
  }
}

/** Transactions out of NDJSON of `{ hash, from, to, chainId? }`; other chains are passed over. */
export const readTxFacts = (
  paths: ReadonlyArray<string>,
  chainId: number
): Effect.Effect<TxFacts, SourceError> => {
  const facts = new TxFacts()
  const readOne = (path: string) =>
    forEachJsonLine(path, (value, line) => {
      if (!Predicate.isObject(value)) return fileError(path, `line ${line} is not an object`)
      const chain = value["chainId"] === undefined ? chainId : quantity(value["chainId"])
      if (chain !== chainId) return null
      const hash = value["hash"] ?? value["transactionHash"]
      const from = Predicate.isString(value["from"]) ? parseAddress(value["from"]) : null
      const to = Predicate.isString(value["to"]) ? parseAddress(value["to"]) : null
      if (!Predicate.isString(hash) || !HASH.test(hash) || from === null) {
        return fileError(path, `line ${line} has no hash or no sender`)
      }
      facts.add(hash, from, to)
      return null
    })
  return Effect.as(Effect.forEach(paths, readOne), facts)
}
