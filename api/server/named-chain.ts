/**
 * How requests may name a chain that stands in a declared path itself, as Solana's key in its own
 * routes: like one that a parameter takes, by key or id, in any letter case.
 */
import { isNamed } from "../../src/domain/chain.ts"
import { allChains } from "../../src/domain/chains/registry.ts"

/** What stands before the chain. */
const PLACE = "/v1/chains/"

/** Returns a URL as the declared paths have it; any other one as it is. */
export const byKeyOf = (declared: ReadonlyArray<string>): ((url: string) => string) => {
  const places = declared.filter(path => path.startsWith(PLACE))
  const words = new Set(places.map(path => path.slice(PLACE.length).split("/")[0]))
  const chains = allChains.filter(({ key }) => words.has(key))
  return url => {
    if (!url.startsWith(PLACE)) return url
    const end = url.indexOf("/", PLACE.length)
    if (end < 0) return url
    const word = url.slice(PLACE.length, end)
    const chain = chains.find(one => isNamed(one, word))
    return chain === undefined ? url : PLACE + chain.key + url.slice(end)
  }
}
