/** The venue kinds swaptape decodes, each a folder beside this file. */
import type { AnyVenueKind } from "../venue.ts"
import { uniswapV2 } from "./uniswap-v2/venue.ts"
import { uniswapV3 } from "./uniswap-v3/venue.ts"

export const venueKinds: ReadonlyArray<AnyVenueKind> = [uniswapV2, uniswapV3]
