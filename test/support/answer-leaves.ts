/** An answer by what is in it, so that its parts together can be compared with the whole. */
import type { Fitted } from "../../api/mcp/fit-answer.ts"

type Leaf = readonly [path: string, value: unknown]

/** What is no list and no object, by paths that count rows from each list's first one on. */
export const leavesOf = (value: unknown, cuts: Fitted["cuts"], path = ""): Array<Leaf> => {
  if (typeof value !== "object" || value === null) return [[path, value]]
  const { from = 0 } = cuts.find(each => each.path === path) ?? {}
  return Object.entries(value).flatMap(([key, each]) => {
    const name = Array.isArray(value) ? Number(key) + from : key
    return leavesOf(each, cuts, path === "" ? `${name}` : `${path}.${name}`)
  })
}
