/** Tokens whose transfers are logged: a set that only grows, asked by bytes or by text. */
import { fromHex } from "../../src/domain/address.ts"
import { ByteTable } from "../batch/id-table.ts"

export class PinnedTokens {
  private readonly table = new ByteTable(20, 16, 64)
  private readonly list: Array<string> = []

  constructor(tokens: Iterable<string> = []) {
    for (const token of tokens) this.add(token)
  }

  get size(): number {
    return this.list.length
  }

  /** Lower-case addresses in the order in which they came. */
  get all(): ReadonlyArray<string> {
    return this.list
  }

  /** Takes an address in lower case; nothing changes where it is there. */
  add(token: string): void {
    if (this.hasAddress(token)) return
    this.table.intern(fromHex(token), 0)
    this.list.push(token)
  }

  /** Whether the 20 bytes are one of them. */
  has(address: Uint8Array): boolean {
    return this.list.length > 0 && this.table.find(address, 0) >= 0
  }

  hasAddress(token: string): boolean {
    return this.has(fromHex(token))
  }
}
