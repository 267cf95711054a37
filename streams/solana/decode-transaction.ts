/**
 * Decodes a transaction: one swap for each swap of a swap instruction, whatever events tell it. A
 * failed transaction holds none, though its events are there.
 */
import { movesWithin } from "./instruction-moves.ts"
import { hexOf } from "./payload.ts"
import { type PoolCallAt, poolEventsOf } from "./pool-events.ts"
import type { Decoded, EventCounts, Swap } from "./swap.ts"
import { type CallInput, swapsOfCall } from "./swap-call.ts"
import type { Transaction } from "./transaction.ts"
import type { SolanaVenue, SwapCall } from "./venue.ts"
import { addEvents, isEventCall, type VenueEvent } from "./venue-events.ts"

/** An instruction that swaps, at its place in the transaction. */
interface CallAt {
  readonly at: number
  readonly venue: SolanaVenue
  readonly call: SwapCall
}

const NOTHING: Decoded = { swaps: [], poolEvents: [], refusals: [], counts: new Map() }

/** What is found of venues in a transaction, before any of it is understood. */
interface Found {
  readonly calls: ReadonlyMap<number, CallAt>
  readonly poolCalls: ReadonlyMap<number, PoolCallAt>
  readonly events: ReadonlyArray<VenueEvent>
}

const findVenues = (transaction: Transaction, venues: ReadonlyMap<string, SolanaVenue>): Found => {
  const calls = new Map<number, CallAt>()
  const poolCalls = new Map<number, PoolCallAt>()
  const events: Array<VenueEvent> = []
  for (const [at, instruction] of transaction.instructions.entries()) {
    // nothing is read of most other programs' instructions: that is seen sooner than the program
    if (instruction.data.length === 0 && instruction.logged.length === 0) continue
    const venue = venues.get(instruction.program)
    if (venue === undefined) continue
    addEvents(events, transaction, at, venue)
    if (isEventCall(venue, instruction)) continue
    const tag = hexOf(instruction.data, venue.tagBytes)
    const [call, poolCall] = [venue.swapCalls[tag], venue.poolCalls[tag]]
    if (call !== undefined) calls.set(at, { at, venue, call })
    if (poolCall !== undefined) poolCalls.set(at, { venue, call: poolCall })
  }
  return { calls, poolCalls, events }
}

const countEvents = ({ calls, events }: Found): ReadonlyMap<number, EventCounts> => {
  const counts = new Map<number, EventCounts>()
  for (const { venue, swap, instruction } of events) {
    const so = counts.get(venue.number) ?? { events: 0, noParent: 0, otherEvents: 0 }
    const isLost = swap !== null && !calls.has(instruction)
    counts.set(venue.number, {
      events: so.events + (swap === null ? 0 : 1),
      noParent: so.noParent + (isLost ? 1 : 0),
      otherEvents: so.otherEvents + (swap === null ? 1 : 0)
    })
  }
  return counts
}

/**
 * Decodes a transaction.
 *
 * @param venues by their programs
 */
export const decodeTransaction = (
  transaction: Transaction,
  venues: ReadonlyMap<string, SolanaVenue>
): Decoded => {
  if (transaction.failed) return NOTHING
  const found = findVenues(transaction, venues)
  const { calls, poolCalls, events: all } = found
  if (calls.size === 0 && poolCalls.size === 0 && all.length === 0) return NOTHING
  const { poolEvents, refusals } = poolEventsOf(transaction, all, poolCalls)
  const swaps: Array<Swap> = []
  for (const { at, venue, call } of calls.values()) {
    const events = all.filter(({ instruction }) => instruction === at)
    const moves = movesWithin(transaction, at)
    const input: CallInput = { transaction, at, venue, call, events, moves }
    const read = swapsOfCall(input)
    if (typeof read === "string") {
      const { path } = transaction.instructions[at]!
      refusals.push({ venue, path, reason: read })
    } else swaps.push(...read)
  }
  return { swaps, poolEvents, refusals, counts: countEvents(found) }
}
