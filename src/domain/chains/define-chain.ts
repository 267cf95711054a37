/** Checks a chain's facts when the module loads: a wrong file is a defect, no error to handle. */
import { Schema } from "effect"
import { ChainConfig } from "../chain.ts"

const repeated = (values: ReadonlyArray<string>): string | undefined =>
  values.find((value, place) => values.indexOf(value) !== place)

/** What is wrong with facts that are well-formed one by one; null where nothing is. */
export const problemOf = (chain: ChainConfig): string | null => {
  const venues = [...chain.venues, ...(chain.candidates ?? [])]
  const factory = repeated(venues.map(venue => venue.factory))
  if (factory !== undefined) return `lists factory ${factory} twice`
  for (const { id, kind } of venues) {
    const other = venues.find(venue => venue.id === id && venue.kind !== kind)
    if (other !== undefined) return `lists venue ${id} as ${kind} and as ${other.kind}`
  }
  const anchor = repeated(chain.anchors.map(({ address }) => address))
  if (anchor !== undefined) return `lists anchor ${anchor} twice`
  // Data of this name has routes of its own.
  return chain.key === "solana" ? "takes the key of another family of routes" : null
}

/** The facts as a validated value; throws with the field's path where they are wrong. */
export const defineChain = (facts: typeof ChainConfig.Encoded): ChainConfig => {
  const chain = Schema.decodeUnknownSync(ChainConfig)(facts)
  const problem = problemOf(chain)
  if (problem !== null) throw new Error(`chain ${chain.key} ${problem}`)
  return chain
}
