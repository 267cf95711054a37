/** Venue candidates, which too few sources name: their chain proves them. */
import { Schema } from "effect"
import { checkVenue } from "../../streams/sources/venue-check/check-venue.ts"
import type { ChainConfig, ChainVenue, VenueCheck } from "../domain/chain.ts"
import type { CandidateProof } from "./candidate-proof.ts"

const Kept = Schema.fromJsonString(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      kind: Schema.String,
      factory: Schema.String,
      state: Schema.Literal("proven"),
      reason: Schema.String
    })
  )
)

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
  read: Schema.decodeUnknownResult(Kept),
  open: ({ candidates = [] }) => candidates,
  applied,
  check: checkVenue,
  unasked: ({ id, kind, factory }, reason) => ({ id, kind, factory, state: "unproven", reason }),
  told: ({ id, factory }) => `venue ${id} (${factory})`
}
