/** Tokens whose transfers are logged: a set that only grows, asked by bytes or by text. */
import { fromHex } from "../src/domain/address.ts"
import { ByteTable } from "./batch/id-table.ts"
import type { Event } from "./event.ts"
import { tokenTransfer, wrapEvents } from "./evm/token-transfers/decode.ts"

/** In place of how far a token's past reaches, where its pin was taken back. */
export const UNPINNED = "unpinned"

const transferTopic = fromHex(tokenTransfer.topic0)
const wrapTopics = wrapEvents.map(({ topic0 }) => fromHex(topic0))

/** The token whose transfer an event tells, or could not be read from; null for other events. */
export const transferTokenOf = (event: Event): string | null => {
  if (event.kind === "TransferSeen") return event.token
  if (event.kind !== "LogQuarantined") return null
  const { topics, address } = event
  const begins = (topic: Uint8Array) => topic.every((byte, i) => topics[i] === byte)
  const isOne =
    (topics.length === 96 && begins(transferTopic)) ||
    (topics.length === 64 && wrapTopics.some(begins))
  return isOne ? address : null
}

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
