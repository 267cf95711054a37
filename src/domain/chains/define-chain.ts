/** Checks a chain's facts when the module loads: a wrong file is a defect, no error to handle. */
import { Schema } from "effect"
import { ChainConfig } from "../chain.ts"

/** The facts as a validated value; throws with the field's path where they are wrong. */
export const defineChain = (facts: typeof ChainConfig.Encoded): ChainConfig => {
  const chain = Schema.decodeUnknownSync(ChainConfig)(facts)
  const ids = chain.venues.map(venue => venue.id)
  const twice = ids.find((id, place) => ids.indexOf(id) !== place)
  if (twice !== undefined) throw new Error(`chain ${chain.key} lists venue ${twice} twice`)
  return chain
}
