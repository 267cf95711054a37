/** Which tools somebody may have meant who named one that there is not. */
import { nearestName } from "../nearest-name.ts"
import { TOOL_PREFIX, toolTable } from "./tool-table.ts"

/** More names are a list, which `tools/list` is. */
const MOST = 3

const singular = (word: string): string => word.replace(/s$/, "")

/**
 * Returns the tool whose name is nearest to a name, then those that have it as one of their words,
 * as `token_trades` has `trades`. Names are compared without the prefix, which all tools have: it
 * would make every short name near to every other.
 */
export const nearTools = (
  name: string,
  names: ReadonlyArray<string> = [...toolTable().keys()]
): ReadonlyArray<string> => {
  const bare = name.startsWith(TOOL_PREFIX) ? name.slice(TOOL_PREFIX.length) : name
  const near = nearestName(bare, names)
  const word = singular(bare.toLowerCase())
  const having = names.filter(each => each.split("_").some(part => singular(part) === word))
  const told = new Set(near === undefined ? having : [near, ...having])
  return [...told].slice(0, MOST).map(each => TOOL_PREFIX + each)
}
