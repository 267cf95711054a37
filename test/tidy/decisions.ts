/** The index of DECISIONS.md, in which people look up what stands. */
import type { SourceText, Violation } from "./source-text.ts"

const entry = /^## (\d+)\. (.+)$/
const indexed = /^- (\d+): (.+)$/

/** Each decision that stands is in the index once, with its title; no other is. */
export const decisionsIndex = ({ path, text }: SourceText): Array<Violation> => {
  if (path !== "DECISIONS.md") return []
  const lines = text.split("\n")
  const standing = new Map<string, string>()
  const violations: Array<Violation> = []
  lines.forEach((content, i) => {
    const [, number = "", title = ""] = entry.exec(content) ?? []
    if (number === "") return
    const status = lines[i + 2] ?? ""
    if (!status.startsWith("Status: ")) {
      violations.push({ path, line: i + 1, message: "a decision begins with its status" })
    }
    if (status.startsWith("Status: stands")) standing.set(number, title)
  })
  lines.forEach((content, i) => {
    const [, number = "", title = ""] = indexed.exec(content) ?? []
    if (number === "") return
    if (standing.get(number) !== title) {
      const message = `the index names ${number} once, by its title, where it stands`
      violations.push({ path, line: i + 1, message })
    }
    standing.delete(number)
  })
  for (const [number] of standing) {
    violations.push({ path, line: 1, message: `the index lacks decision ${number}, which stands` })
  }
  return violations
}
