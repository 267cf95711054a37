/** Venues of Solana as folds know them: by the name that their swaps have on the tape. */
import type { KindTraits } from "../venue.ts"
import { solanaVenues } from "./venues.ts"

/** All pools of a venue are its program's, and no other program can tell of a swap in them. */
export const solanaKinds: ReadonlyArray<KindTraits> = solanaVenues.map(
  ({ name, shape, reserves, launches = false }) => ({
    ...{ kind: name, shape, reserves, launches, oneContract: "all" }
  })
)
