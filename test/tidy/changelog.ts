/** The form of CHANGELOG.md, which is written by hand. */
import type { SourceText, Violation } from "./source-text.ts"

const sections = ["Safety and performance", "Features", "Internals"]
const release = /^## (\d+)\.(\d+)\.(\d+) \(\d{4}-\d{2}-\d{2}\)$/

interface State {
  /** the newest release or "Unreleased" heading; undefined before the first */
  readonly heading?: string
  /** [major, minor, patch] of the release above, which the next must be below */
  readonly above?: ReadonlyArray<number>
  readonly section: number
}

const isBelow = (version: ReadonlyArray<number>, above: ReadonlyArray<number> | undefined) => {
  if (above === undefined) return true
  const differing = version.findIndex((part, index) => part !== above[index])
  return differing >= 0 && (version[differing] ?? 0) < (above[differing] ?? 0)
}

/** The state after a heading, or what is wrong with it. */
const readHeading = (content: string, state: State): State | string => {
  if (content === "## Unreleased")
    return state.heading ? "Unreleased comes first" : { heading: content, section: -1 }
  const version = release.exec(content)?.slice(1).map(Number)
  if (version === undefined) return 'a release is "## 1.2.3 (2026-01-31)"'
  if (!isBelow(version, state.above)) return "releases go from the newest to the oldest"
  return { heading: content, above: version, section: -1 }
}

const readSection = (content: string, state: State): State | string => {
  const section = sections.indexOf(content.slice(4))
  if (!state.heading) return "a section belongs to a release"
  if (section < 0) return `sections are ${sections.join(", ")}`
  return section > state.section ? { ...state, section } : "sections have a fixed order"
}

const readLine = (content: string, state: State): State | string => {
  if (content.startsWith("## ")) return readHeading(content, state)
  if (content.startsWith("### ")) return readSection(content, state)
  if (/^(- \S| {2}\S)/.test(content) && state.section < 0) return "an entry belongs to a section"
  if (content === "" || /^(- \S| {2}\S)/.test(content) || !state.heading) return state
  return 'entries are "- …", their further lines indented by two'
}

/** Releases newest first, in each the three sections in their order, entries as bullets. */
export const changelogFormat = ({ path, text }: SourceText): Array<Violation> => {
  if (path !== "CHANGELOG.md") return []
  const violations: Array<Violation> = []
  let state: State = { section: -1 }
  text.split("\n").forEach((content, index) => {
    if (index === 0 && content !== "# Changelog")
      violations.push({ path, line: 1, message: 'starts with "# Changelog"' })
    const next = readLine(content, state)
    if (typeof next !== "string") state = next
    else violations.push({ path, line: index + 1, message: next })
  })
  return violations
}
