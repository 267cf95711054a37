/** The events that a transaction tells of venues, each with the instruction that it belongs to. */
import { hexOf, u32At } from "./payload.ts"
import type { Instruction, Transaction } from "./transaction.ts"
import type { PoolEventLayout, SolanaVenue, SwapEventLayout } from "./venue.ts"

/** What a call to the program itself begins with that only tells an event: e445a52e51cb9a1d. */
const [EVENT_CALL, EVENT_CALL_REST] = [0x2ea545e4, 0x1d9acb51] as const
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
  data.length >= TAG_BYTES &&
  u32At(data, 0) === EVENT_CALL &&
  u32At(data, 4) === EVENT_CALL_REST &&
  accounts[0] === venue.eventAuthority

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

/** Adds the venue's events among what one instruction logged or told by a call to itself. */
export const addEvents = (
  events: Array<VenueEvent>,
  { instructions }: Transaction,
  at: number,
  venue: SolanaVenue
): void => {
  const instruction = instructions[at]!
  if (isEventCall(venue, instruction)) {
    // only the program itself can sign for the account that the call lists
    const isOwn = instructions[instruction.parent]?.program === venue.program
    const teller = isOwn ? instruction.parent : -1
    events.push(eventOf(venue, teller, "call", instruction.data.subarray(TAG_BYTES)))
    return
  }
  const wanted = venue.tagBytes === 1
  for (const { isRay, base64 } of instruction.logged) {
    if (isRay === wanted) events.push(eventOf(venue, at, "log", Buffer.from(base64, "base64")))
  }
}
