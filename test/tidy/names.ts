/** How files and folders are called. */
import { isVendored, type SourceText, type Violation } from "./source-text.ts"

/** Names that say nothing about what is inside. */
const emptyNames = new Set(["util", "utils", "helper", "helpers", "common", "misc", "shared"])

/** Files whose name is given by convention or by a tool. */
const givenNames =
  /^(README|ARCHITECTURE|CONTRIBUTING|DECISIONS|CHANGELOG|SECURITY|JOURNAL)\.md$|^LICENSE$|^\.|^_template$/

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/

/** Solidity names a file after its contract. */
const contract = /^[A-Z][A-Za-z0-9]*\.sol$/

/** Folders and files are kebab-case and named after what is inside. */
export const fileNames = ({ path }: SourceText): Array<Violation> => {
  if (isVendored(path)) return []
  return path.split("/").flatMap(name => {
    const stem = name.split(".")[0] ?? ""
    if (givenNames.test(name)) return []
    if (emptyNames.has(stem) || (stem === "index" && name !== "index.html"))
      return [{ path, line: 0, message: `"${name}" does not say what is inside` }]
    if (kebabCase.test(name) || contract.test(name)) return []
    return [{ path, line: 0, message: `"${name}" is not kebab-case` }]
  })
}
