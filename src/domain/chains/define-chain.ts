/** Checks a chain's facts when the module loads: a wrong file is a defect, no error to handle. */

import { Schema } from "effect"
import { ChainConfig } from "../chain.ts"
import { familyOf } from "../chain-family.ts"
import { idsOf } from "../ids.ts"

/** A venue's id on EVM chains ends in its version. */
const VERSIONED = /_v\d+(_\d+)?$/

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
  const { named, versionedVenues } = familyOf(chain)
  if (chain.key === "solana" ? named === "id" : named === "key")
    return "takes the key of another family of routes"
  const { accountText, parseAccount } = idsOf(chain)
  const accounts = [
    ...venues.map(({ factory }) => factory),
    ...chain.anchors.map(one => one.address)
  ]
  const other = accounts.find(account => parseAccount(account) !== account)
  if (other !== undefined) return `names ${other}, which is not ${accountText}`
  const bare = !versionedVenues ? undefined : venues.find(({ id }) => !VERSIONED.test(id))
  return bare === undefined
    ? null
    : `names venue ${bare.id} without its version: its id ends with one, as ${bare.id}_v1`
}

/** The facts as a validated value; throws with the field's path where they are wrong. */
export const defineChain = (facts: typeof ChainConfig.Encoded): ChainConfig => {
  const chain = Schema.decodeUnknownSync(ChainConfig)(facts)
  const problem = problemOf(chain)
  if (problem !== null) throw new Error(`chain ${chain.key} ${problem}`)
  return chain
}
