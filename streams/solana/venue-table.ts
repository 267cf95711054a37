/** Counts what transactions told of each venue, and how it agrees with the vaults. */
import type { Decoded } from "./swap.ts"
import type { VaultCheck } from "./vault-check.ts"
import type { SolanaVenue } from "./venue.ts"

/** One venue's counters, named as in the interface's status of the ingest. */
export interface VenueCounters {
  /** events of swaps, each as often as it was told */
  readonly events: number
  readonly swaps: number
  /** swaps whose amounts are what the vaults gained and lost */
  readonly ok: number
  readonly bad: number
  readonly unchecked: number
  /** events of swaps that belong to no swap instruction */
  readonly noParent: number
  /** events of the venue's program that are of no swap */
  readonly otherEvents: number
}

/** By the venue's number. */
export type VenueTable = ReadonlyMap<number, VenueCounters>

const ZERO: VenueCounters = {
  events: 0,
  swaps: 0,
  ok: 0,
  bad: 0,
  unchecked: 0,
  noParent: 0,
  otherEvents: 0
}

/** Returns a table in which every venue has nothing. */
export const emptyTable = (venues: ReadonlyArray<SolanaVenue>): VenueTable =>
  new Map(venues.map(({ number }) => [number, ZERO]))

/** Returns the counters with the numbers of their venues, in the order of the venues. */
export const venueRows = (table: VenueTable): ReadonlyArray<VenueCounters & { number: number }> =>
  [...table].map(([number, counters]) => ({ number, ...counters }))

/**
 * Returns the table with a further transaction in it.
 *
 * @param checks the verdict on each of the swaps
 */
export const withTransaction = (
  table: VenueTable,
  { swaps, counts }: Decoded,
  checks: ReadonlyArray<VaultCheck>
): VenueTable => {
  if (counts.size === 0 && swaps.length === 0) return table
  const next = new Map(table)
  for (const [number, more] of counts) {
    const so = next.get(number) ?? ZERO
    next.set(number, {
      ...so,
      events: so.events + more.events,
      noParent: so.noParent + more.noParent,
      otherEvents: so.otherEvents + more.otherEvents
    })
  }
  for (const [at, { venue }] of swaps.entries()) {
    const so = next.get(venue.number) ?? ZERO
    const { verdict } = checks[at]!
    next.set(venue.number, { ...so, swaps: so.swaps + 1, [verdict]: so[verdict] + 1 })
  }
  return next
}

/** Returns the sums of two tables. */
export const withTable = (a: VenueTable, b: VenueTable): VenueTable => {
  const sums = new Map(a)
  for (const [number, more] of b) {
    const so = sums.get(number) ?? ZERO
    sums.set(number, {
      events: so.events + more.events,
      swaps: so.swaps + more.swaps,
      ok: so.ok + more.ok,
      bad: so.bad + more.bad,
      unchecked: so.unchecked + more.unchecked,
      noParent: so.noParent + more.noParent,
      otherEvents: so.otherEvents + more.otherEvents
    })
  }
  return sums
}
