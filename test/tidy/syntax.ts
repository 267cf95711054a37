/** Source files as the TypeScript parser sees them. */
import ts from "typescript"
import type { SourceText } from "./source-text.ts"

const parsed = new WeakMap<SourceText, ts.SourceFile>()

/** The syntax tree of a file, parsed once. */
export const parse = (file: SourceText): ts.SourceFile => {
  const known = parsed.get(file)
  if (known !== undefined) return known
  const kind = file.path.endsWith("ts") ? ts.ScriptKind.TS : ts.ScriptKind.JS
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ESNext, true, kind)
  parsed.set(file, tree)
  return tree
}

const listed = new WeakMap<SourceText, ReadonlyArray<ts.Node>>()

/** Every node of a file, listed once: a dozen rules look at them, and descending is most of it. */
const nodesOf = (file: SourceText): ReadonlyArray<ts.Node> => {
  const known = listed.get(file)
  if (known !== undefined) return known
  const nodes: Array<ts.Node> = []
  const descend = (node: ts.Node): void => {
    nodes.push(node)
    ts.forEachChild(node, descend)
  }
  descend(parse(file))
  listed.set(file, nodes)
  return nodes
}

/** Visits every node of a file, parents before children. */
export const visitNodes = (file: SourceText, visit: (node: ts.Node) => void): void => {
  for (const node of nodesOf(file)) visit(node)
}

/** The line a position is on, from 1. */
export const lineAt = (file: SourceText, position: number): number =>
  parse(file).getLineAndCharacterOfPosition(position).line + 1

/** The line a node starts on, from 1, without the comment before it. */
export const lineOf = (file: SourceText, node: ts.Node): number =>
  lineAt(file, node.getStart(parse(file)))
