/** The events that a transaction tells of venues, each with the instruction that it belongs to. */
import { hexOf } from "./payload.ts"
import type { Instruction, Transaction } from "./transaction.ts"
import type { PoolEventLayout, SolanaVenue, SwapEventLayout } from "./venue.ts"

/** What a call to the program itself begins with that only tells an event. */
const EVENT_CALL = "e445a52e51cb9a1d"
const TAG_BYTES = 8

/** An event that a venue's program told. */
export interface VenueEvent {
  readonly venue: SolanaVenue
  /** the place of the instruction that told it in `Transaction.instructions`; -1: none */
  readonly instruction: number
  readonly carrier: "call" | "log"
  readonly payload: Uint8Array
  /** which event it is; both null where it is none that is read */
  readonly swap: SwapEventLayout | null
  readonly pool: PoolEventLayout | null
}

/** Returns whether an instruction is a call of the program to itself that tells an event. */
export const isEventCall = (venue: SolanaVenue, { data, accounts }: Instruction): boolean =>
  venue.eventAuthority !== null &&
  accounts.length === 1 &&
  accounts[0] === venue.eventAuthority &&
  hexOf(data, TAG_BYTES) === EVENT_CALL

const eventOf = (
  venue: SolanaVenue,
  instruction: number,
  carrier: "call" | "log",
  payload: Uint8Array
): VenueEvent => {
  const tag = hexOf(payload, venue.tagBytes)
  const swap = venue.swapEvents[tag] ?? null
  const pool = venue.poolEvents[tag] ?? null
  return { venue, instruction, carrier, payload, swap, pool }
}

/** Returns the venue's events among what one instruction logged or told by a call to itself. */
export const eventsOf = (
  { instructions }: Transaction,
  at: number,
  venue: SolanaVenue
): ReadonlyArray<VenueEvent> => {
  const instruction = instructions[at]!
  if (isEventCall(venue, instruction)) {
    // only the program itself can sign for the account that the call lists
    const isOwn = instructions[instruction.parent]?.program === venue.program
    const teller = isOwn ? instruction.parent : -1
    return [eventOf(venue, teller, "call", instruction.data.subarray(TAG_BYTES))]
  }
  const wanted = venue.tagBytes === 1
  return instruction.logged
    .filter(({ isRay }) => isRay === wanted)
    .map(({ base64 }) => eventOf(venue, at, "log", Buffer.from(base64, "base64")))
}
