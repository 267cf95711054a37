/** Which path that is there a mistyped one was probably meant to be. */
import { nearestName } from "../nearest-name.ts"

const isParameter = (segment: string): boolean => segment.startsWith(":")

/** The given path as a declared one has it, where one segment alone is mistyped. */
const readAs = (given: ReadonlyArray<string>, declared: ReadonlyArray<string>): string | null => {
  if (given.length !== declared.length) return null
  const wrong = declared.findIndex((segment, i) => !isParameter(segment) && segment !== given[i])
  if (wrong < 0) return null
  const meant = nearestName(given[wrong] ?? "", [declared[wrong] ?? ""])
  if (meant === undefined) return null
  const mended = given.with(wrong, meant)
  return declared.every((segment, i) => isParameter(segment) || segment === mended[i])
    ? mended.join("/")
    : null
}

/**
 * The path nearest to one where nothing answers; undefined where none is near.
 *
 * @param declared paths that are there, such as `/v1/arc/token/:address`
 */
export const nearPath = (path: string, declared: ReadonlyArray<string>): string | undefined => {
  const given = path.split("/")
  return declared.flatMap(one => readAs(given, one.split("/")) ?? [])[0]
}
