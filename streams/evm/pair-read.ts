/** What pairs of two reserves answer. */
import { MAX_UINT112 } from "../../src/math/fixed-point.ts"
import type { StateAnswer } from "../venue.ts"

/** The first two words of `getReserves`; null where a pair cannot have said them. */
export const reservesIn = (answer: StateAnswer | undefined): readonly [bigint, bigint] | null => {
  const [reserve0, reserve1] = answer ?? []
  if (reserve0 === undefined || reserve1 === undefined) return null
  return reserve0 > MAX_UINT112 || reserve1 > MAX_UINT112 ? null : [reserve0, reserve1]
}
