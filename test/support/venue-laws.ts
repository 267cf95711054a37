/** What every listed venue kind tells the laws, and the reading of logs that follows from viem. */
import { decodeEventLog, type Hex } from "viem"
import type { Event } from "../../streams/event.ts"
import { laws as accountOperations } from "../../streams/evm/account-operations/account-operations.laws.ts"
import { operationEvents } from "../../streams/evm/account-operations/decode.ts"
import {
  positionManagerEvents,
  positionTransfer
} from "../../streams/evm/position-managers/decode.ts"
import { laws as positionManagers } from "../../streams/evm/position-managers/position-managers.laws.ts"
import { tokenTransfer, wrapEvents } from "../../streams/evm/token-transfers/decode.ts"
import { laws as tokenTransfers } from "../../streams/evm/token-transfers/token-transfers.laws.ts"
import { venueKinds } from "../../streams/evm/venue-kinds.ts"
import type { AnyVenueKind, EventDecoder } from "../../streams/venue.ts"
import type { EventArgs, EventLaws, EventMeaning, VenueLaws } from "../../streams/venue-laws.ts"
import { abiEvent } from "./abi-logs.ts"
import type { HexLog } from "./raw-logs.ts"

export interface KindUnderLaw {
  readonly kind: AnyVenueKind
  readonly laws: VenueLaws
}

/** The kinds with `<kind>/<kind>.laws.ts` of their folders. */
export const kindsUnderLaw = async (): Promise<ReadonlyArray<KindUnderLaw>> =>
  Promise.all(
    venueKinds.map(async kind => {
      const path = `../../streams/evm/${kind.kind}/${kind.kind}.laws.ts`
      return { kind, laws: ((await import(path)) as { laws: VenueLaws }).laws }
    })
  )

export interface EventsUnderLaw {
  readonly events: ReadonlyArray<EventDecoder>
  readonly laws: EventLaws
}

/** Events that are of no venue kind. */
export const furtherUnderLaw: ReadonlyArray<EventsUnderLaw> = [
  { events: [...positionManagerEvents, positionTransfer], laws: positionManagers },
  { events: operationEvents, laws: accountOperations },
  { events: [tokenTransfer, ...wrapEvents], laws: tokenTransfers }
]

/** An event that a log of its topic may be. */
export interface Candidate {
  readonly under: EventsUnderLaw
  readonly event: EventDecoder
}

/** What a log can be that every chain watches, by topic0, in the order in which it is tried. */
export const candidatesByTopic = async (): Promise<
  ReadonlyMap<string, ReadonlyArray<Candidate>>
> => {
  const kinds = (await kindsUnderLaw()).map(({ kind, laws }) => ({ events: kind.events, laws }))
  const byTopic = new Map<string, Array<Candidate>>()
  for (const under of [...kinds, ...furtherUnderLaw]) {
    for (const event of under.events) {
      if (event === positionTransfer || under.laws === tokenTransfers) continue
      const candidates = byTopic.get(event.topic0) ?? []
      byTopic.set(event.topic0, [...candidates, { under, event }])
    }
  }
  return byTopic
}

/** The event's arguments as viem decodes them; null where viem refuses the log. */
export const viemArgs = (abi: string, { topics, data }: HexLog): EventArgs | null => {
  try {
    const { args } = decodeEventLog({
      abi: [abiEvent(abi)],
      topics: topics as [Hex, ...Array<Hex>],
      data: data as Hex
    }) as { args: EventArgs }
    return args
  } catch {
    return null
  }
}

/** What the log means by the laws' reading of viem's arguments; null where viem refuses it. */
export const referenceMeaning = (
  { laws }: Pick<EventsUnderLaw, "laws">,
  event: EventDecoder,
  log: HexLog
): ReadonlyArray<EventMeaning> | null => {
  const args = viemArgs(event.abi, log)
  const meaning = laws.meanings[event.abi]
  if (meaning === undefined) throw new Error(`${laws.kind}.laws.ts lacks ${event.abi}`)
  return args === null ? null : listed(meaning(args, log.address))
}

/** A meaning as a list of events. */
export const listed = (
  meaning: EventMeaning | ReadonlyArray<EventMeaning> | null
): ReadonlyArray<EventMeaning> | null =>
  meaning === null || Array.isArray(meaning)
    ? (meaning as ReadonlyArray<EventMeaning> | null)
    : [meaning as EventMeaning]

/** An event with nothing but its kind and its own fields. */
export const meaningOf = ({ block, tx, logIndex, ...meaning }: Event): EventMeaning =>
  meaning as EventMeaning
