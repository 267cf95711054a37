/** What a file gives to others, others take. */
import ts from "typescript"
import { isCode, type SourceText, type Violation } from "./source-text.ts"
import { lineOf, visitNodes } from "./syntax.ts"

interface Exported {
  readonly name: string
  readonly line: number
}

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

/** The values that a file exports where it declares them; types are not meant. */
export const exportedValues = (file: SourceText): ReadonlyArray<Exported> => {
  const found: Array<Exported> = []
  visitNodes(file, node => {
    if (!isExported(node)) return
    const names = ts.isVariableStatement(node)
      ? node.declarationList.declarations.map(({ name }) => name)
      : ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)
        ? [node.name]
        : []
    for (const name of names) {
      if (name === undefined || !ts.isIdentifier(name)) continue
      found.push({ name: name.text, line: lineOf(file, node) })
    }
  })
  return found
}

const WORD = /[A-Za-z_$][\w$]*/g

/** Values that no other file names: nobody needs their `export`, or nobody needs them. */
export const unusedExports = (files: ReadonlyArray<SourceText>): Array<Violation> => {
  const code = files.filter(({ path }) => isCode(path))
  const namedBy = new Map<string, number>()
  for (const { text } of code) {
    for (const word of new Set(text.match(WORD))) namedBy.set(word, (namedBy.get(word) ?? 0) + 1)
  }
  return code
    .filter(({ path }) => path.endsWith(".ts"))
    .flatMap(file =>
      exportedValues(file)
        .filter(({ name }) => namedBy.get(name) === 1)
        .map(({ name, line }) => ({
          path: file.path,
          line,
          message: `exports ${name}, which no other file names`
        }))
    )
}
