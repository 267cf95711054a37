/** Swaps of wallets of a Solana that a test plants, in pools of tokens by number. */
import { toBase58 } from "../../src/domain/base58.ts"
import type { Event } from "../../streams/event.ts"
import { MemoryLog } from "./memory-log.ts"
import { blocksOf, created, reserves, seen, swap, USDC } from "./small-solana.ts"

/** An account that ends in a number. */
const addressOf = (kind: number, number: number): string => {
  const bytes = new Uint8Array(32).fill(kind)
  new DataView(bytes.buffer).setUint32(28, number)
  return toBase58(bytes)
}
export const mintOf = (token: number): string => addressOf(0xa1, token)
export const poolOf = (pool: number): string => addressOf(0xb1, pool)
export const walletOf = (number: number): string => addressOf(0xc1, number)

/** Whole tokens, negative where they were sold, and dollars. */
export interface Planted {
  readonly time: number
  readonly wallet: string
  readonly token: number
  readonly amount: number
  readonly dollars: number
  /** the token's number is that of its pool where it is not given */
  readonly pool?: number
  /** which of the transactions; each swap has its own where it is not given */
  readonly tx?: number
}

export const eventsOf = (planted: ReadonlyArray<Planted>): ReadonlyArray<Event> =>
  planted.map(({ time, wallet, token, amount, dollars, pool = token, tx }, i) => {
    const event = swap({
      ...{ time, by: wallet, tokens: amount, dollars, pool: poolOf(pool), logIndex: 2 + i }
    })
    const bytes = new Uint8Array(64).fill(7)
    new DataView(bytes.buffer).setUint32(60, tx ?? 1_000 + i)
    return { ...event, tx: { ...event.tx, hash: toBase58(bytes) } } as Event
  })

/** A token at ten dollars, in a deep pool that has its number. */
export const pooled = (
  time: number,
  token: number,
  against = USDC,
  source: "log" | "call" = "call"
): ReadonlyArray<Event> => [
  seen(time, mintOf(token)),
  created(time, poolOf(token), [mintOf(token), against], source),
  reserves(time, 1_000_000, 10_000_000, poolOf(token))
]

/** A log of events, a segment for the blocks of each second. */
export const logOf = (events: ReadonlyArray<Event>): MemoryLog => {
  const log = new MemoryLog()
  const sorted = events.toSorted((a, b) => a.block.time - b.block.time || a.logIndex - b.logIndex)
  for (const block of blocksOf(sorted)) log.append(block)
  return log
}
