/** What a venue kind is stands in its folder: tables by kind elsewhere would have to know them all. */
import ts from "typescript"
import { venueKinds } from "../../streams/evm/venue-kinds.ts"
import { isCode, isTest, type SourceText, type Violation } from "./source-text.ts"
import { lineOf, visitNodes } from "./syntax.ts"

const names: ReadonlySet<string> = new Set(venueKinds.map(({ kind }) => kind))

/**
 * The folders themselves, facts about chains, and what makes input: that names what it likes. The
 * router contract has an adapter for each kind, which is called by its name.
 */
const mayName = (path: string): boolean =>
  isTest(path) || /^(streams\/evm|src\/domain\/chains|bench|engine\/trade\/contract)\//.test(path)

/** No other file names a venue kind in a string: it asks the kind what it declares. */
export const kindNames = (file: SourceText): Array<Violation> => {
  const { path } = file
  if (!isCode(path) || mayName(path)) return []
  const found: Array<Violation> = []
  visitNodes(file, node => {
    if (!ts.isStringLiteralLike(node) || !names.has(node.text)) return
    const message = `names the venue kind ${node.text}: declare in VenueKind what it needs to know`
    found.push({ path, line: lineOf(file, node), message })
  })
  return found
}
