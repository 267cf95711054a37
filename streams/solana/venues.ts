/** The venues on Solana whose swaps are decoded. */
import { meteoraDammV1 } from "./meteora-damm-v1/venue.ts"
import { meteoraDammV2 } from "./meteora-damm-v2/venue.ts"
import { meteoraDbc } from "./meteora-dbc/venue.ts"
import { meteoraDlmm } from "./meteora-dlmm/venue.ts"
import { orcaWhirlpool } from "./orca-whirlpool/venue.ts"
import { pumpfun } from "./pumpfun/venue.ts"
import { pumpswap } from "./pumpswap/venue.ts"
import { raydiumAmmV4 } from "./raydium-amm-v4/venue.ts"
import { raydiumClmm } from "./raydium-clmm/venue.ts"
import { raydiumCpmm } from "./raydium-cpmm/venue.ts"
import { raydiumLaunchlab } from "./raydium-launchlab/venue.ts"
import type { SolanaVenue } from "./venue.ts"

/** In the order of their numbers. */
export const solanaVenues: ReadonlyArray<SolanaVenue> = [
  raydiumAmmV4,
  raydiumClmm,
  raydiumCpmm,
  raydiumLaunchlab,
  orcaWhirlpool,
  meteoraDlmm,
  meteoraDammV1,
  meteoraDammV2,
  meteoraDbc,
  pumpfun,
  pumpswap
]

/** The venues by their programs. */
export const venuesByProgram: ReadonlyMap<string, SolanaVenue> = new Map(
  solanaVenues.map(venue => [venue.program, venue])
)
