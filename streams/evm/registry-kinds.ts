/** Venue kinds by the names that facts about chains (`evm-registry.json`) have for them. */
import type { AnyVenueKind } from "../venue.ts"
import { venueKinds } from "./venue-kinds.ts"

export const kindsOfRegistry: ReadonlyMap<string, AnyVenueKind> = new Map(
  venueKinds.map(kind => [kind.registryName ?? kind.kind.replaceAll("-", "_"), kind])
)
