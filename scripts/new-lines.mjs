/** Lines of files that list what there is, with another among them. */
import { readFileSync, writeFileSync } from "node:fs"

/** @type {(path: string, edit: (lines: string[]) => string[]) => void} */
export const editLines = (path, edit) => {
  writeFileSync(path, edit(readFileSync(path, "utf8").split("\n")).join("\n"))
}

/**
 * The lines with another, before the first of its sort that comes after it in `key`'s order.
 *
 * @param {string[]} lines
 * @param {string} line
 * @param {(line: string) => string | undefined} key undefined for lines of another sort
 */
export const withSorted = (lines, line, key) => {
  const own = key(line) ?? ""
  const sort = lines.map(key)
  let at = sort.findIndex(other => other !== undefined && other > own)
  if (at < 0) at = sort.findLastIndex(other => other !== undefined) + 1
  return lines.toSpliced(at, 0, line)
}

/** The module that a line imports from a folder below. @param {string} line */
export const imported = line => /^import \{ \w+ \} from "(\.\/.+)"$/.exec(line)?.[1]

/** @type {(lines: string[], last: RegExp, line: string) => string[]} */
export const withLast = (lines, last, line) => {
  const at = lines.findIndex(one => last.test(one))
  if (at < 1) throw new Error(`no line matches ${last}`)
  return lines.toSpliced(at - 1, 1, `${lines[at - 1]},`, line)
}

/**
 * The lines with another at the end of the object that `begin` begins.
 *
 * @type {(lines: string[], begin: string, line: string) => string[]}
 */
export const withEntry = (lines, begin, line) => {
  const at = lines.findIndex(one => one.startsWith(begin))
  if (at < 0) throw new Error(`no line begins with ${begin}`)
  return [...lines.slice(0, at), ...withLast(lines.slice(at), /^\}$/, line)]
}
