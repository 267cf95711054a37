/** Instructions that tell of pools as tests make them, and the facts that are read of them. */
import { decodeTransaction } from "./decode-transaction.ts"
import {
  accountsOf,
  addressOf,
  callOf,
  dataLog,
  type Field,
  type MadeInstruction,
  made,
  payloadOf,
  rayLog,
  telling
} from "./made-transaction.ts"
import type { SolanaVenue } from "./venue.ts"
import { venuesByProgram as venues } from "./venues.ts"

export const POOL = addressOf(1)
export const A = addressOf(2)
export const B = addressOf(3)
export const OWNER = addressOf(4)
export const POSITION = addressOf(5)
/** They hold A and B, as balances tell. */
export const VAULT_A = addressOf(6)
export const VAULT_B = addressOf(7)

const tokens = { [VAULT_A]: [A, 1n, 2n], [VAULT_B]: [B, 1n, 2n] } as const

/** What an instruction is told to have done, by whose name, and what of it is refused. */
export const toldOf = (instruction: MadeInstruction) => {
  const one = made({ instructions: [instruction], tokens })
  const { poolEvents, refusals } = decodeTransaction(one, venues)
  return {
    told: poolEvents.map(({ event, facts }) => [event, facts]),
    refused: refusals.map(({ reason }) => reason)
  }
}

/** An instruction by its discriminator, with more accounts than any layout names. */
export const madeCall = (
  venue: SolanaVenue,
  tag: string,
  named: { readonly [at: number]: string },
  data = payloadOf(tag, 200, [])
): MadeInstruction => ({ ...callOf(venue, tag, accountsOf(32, named)), data })

/** The instruction, which tells an event as well; by default one that nobody knows. */
export const madeEvent = (
  venue: SolanaVenue,
  tag: string,
  bytes: number,
  fields: ReadonlyArray<Field>,
  by: MadeInstruction = callOf(venue, "ffffffffffffffff", [])
): MadeInstruction => {
  const payload = payloadOf(tag, bytes, fields)
  const { logs = [], calls = [] } = by
  return venue.eventAuthority === null
    ? { ...by, logs: [...logs, venue.tagBytes === 1 ? rayLog(payload) : dataLog(payload)] }
    : { ...by, calls: [...calls, telling(venue, payload)] }
}

export const created = (more: object = {}) => ({
  ...{ kind: "created", pool: POOL, mints: [A, B], fee: null, spacing: null },
  ...more
})

export const liquidity = (first: bigint, second: bigint, more: object = {}) => ({
  ...{ kind: "liquidity", pool: POOL, owner: OWNER, position: POSITION, mints: [A, B] },
  amounts: [first, second],
  ...more
})

export const graduated = (more: object) => ({
  ...{ kind: "graduated", pool: POOL, mint: A, to: null },
  ...more
})
