/** Venue candidates, which too few sources name: their chain proves them. */
import type { ChainFact } from "../../engine/log/fact-log.ts"
import type { BlockRef } from "../../streams/event.ts"
import { checkVenue } from "../../streams/sources/venue-check/check-venue.ts"
import type { ChainConfig, ChainVenue, VenueCheck } from "../domain/chain.ts"
import type { CandidateProof } from "./candidate-proof.ts"

const checksIn = (facts: ReadonlyArray<ChainFact>): ReadonlyArray<VenueCheck> =>
  facts.flatMap(fact =>
    fact.kind === "VenueProven"
      ? [
          {
            ...{ id: fact.venue, kind: fact.venueKind, factory: fact.factory },
            ...{ state: "proven", reason: fact.reason ?? "" }
          } as const
        ]
      : []
  )

const factOf = (check: VenueCheck, block: BlockRef): ChainFact => ({
  kind: "VenueProven",
  ...{ block, tx: null, logIndex: 0 },
  ...{ venue: check.id, venueKind: check.kind, factory: check.factory, reason: check.reason }
})

const isSame = (a: VenueCheck, b: ChainVenue): boolean =>
  a.id === b.id && a.kind === b.kind && a.factory === b.factory

const applied = (chain: ChainConfig, checks: ReadonlyArray<VenueCheck>): ChainConfig => {
  const { candidates = [] } = chain
  const isProven = (venue: ChainVenue) =>
    checks.some(check => check.state === "proven" && isSame(check, venue))
  return {
    ...chain,
    venues: [...chain.venues, ...candidates.filter(isProven)],
    candidates: candidates.filter(venue => !isProven(venue)),
    venueChecks: checks.filter(check => candidates.some(venue => isSame(check, venue)))
  }
}

export const venueProof: CandidateProof<ChainVenue, VenueCheck> = {
  name: "venues",
  checksIn,
  factOf,
  open: ({ candidates = [] }) => candidates,
  applied,
  check: checkVenue,
  unasked: ({ id, kind, factory }, reason) => ({ id, kind, factory, state: "unproven", reason }),
  told: ({ id, factory }) => `venue ${id} (${factory})`
}
