/** The venue kinds swaptape decodes, each a folder beside this file. */
import type { AnyVenueKind } from "../venue.ts"
import { algebra } from "./algebra/venue.ts"
import { balancerV2 } from "./balancer-v2/venue.ts"
import { balancerV3 } from "./balancer-v3/venue.ts"
import { curveCrypto } from "./curve-crypto/venue.ts"
import { curveStable } from "./curve-stable/venue.ts"
import { dodo } from "./dodo/venue.ts"
import { liquidityBook } from "./liquidity-book/venue.ts"
import { maverickV2 } from "./maverick-v2/venue.ts"
import { pancakeswapV3 } from "./pancakeswap-v3/venue.ts"
import { solidly } from "./solidly/venue.ts"
import { solidlyCl } from "./solidly-cl/venue.ts"
import { uniswapV2 } from "./uniswap-v2/venue.ts"
import { uniswapV3 } from "./uniswap-v3/venue.ts"
import { uniswapV4 } from "./uniswap-v4/venue.ts"

export const venueKinds: ReadonlyArray<AnyVenueKind> = [
  uniswapV2,
  uniswapV3,
  uniswapV4,
  solidly,
  balancerV2,
  pancakeswapV3,
  solidlyCl,
  liquidityBook,
  balancerV3,
  curveStable,
  algebra,
  dodo,
  maverickV2,
  curveCrypto
]
