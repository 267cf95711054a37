/** Limits on the size of files, functions and lines. */
import ts from "typescript"
import { isCode, isTest, isVendored, type SourceText, type Violation } from "./source-text.ts"
import { lineAt, lineOf, parse, visitNodes } from "./syntax.ts"

const maxFileLines = 400
const maxFunctionLines = 70
const maxColumns = 100

/** Lists that a program writes of what is declared elsewhere. */
const isGenerated = (path: string): boolean => path.startsWith("client/generated/")

const isSized = (path: string): boolean =>
  (isCode(path) || /\.(css|html|sol|sql)$/.test(path)) && !isVendored(path) && !isGenerated(path)

/** A file has one purpose and can be read at one sitting. */
export const fileLength = ({ path, text }: SourceText): Array<Violation> => {
  if (!isSized(path)) return []
  const lines = text.replace(/\n$/, "").split("\n").length
  const message = `${lines} lines, ${maxFileLines} at most: split it`
  return lines > maxFileLines ? [{ path, line: 0, message }] : []
}

/** A group of tests is a list, not a function to be understood as one. */
const isTestGroup = (node: ts.Node): boolean =>
  ts.isCallExpression(node.parent) && /^describe/.test(node.parent.expression.getText())

/** A function fits on a screen. */
export const functionLength = (file: SourceText): Array<Violation> => {
  if (!isCode(file.path) || isVendored(file.path)) return []
  const violations: Array<Violation> = []
  visitNodes(file, node => {
    if (!ts.isFunctionLike(node) || !("body" in node) || isTestGroup(node)) return
    const line = lineOf(file, node)
    const lines = lineAt(file, node.end) - line + 1
    const message = `a function of ${lines} lines, ${maxFunctionLines} at most: split it`
    if (lines > maxFunctionLines) violations.push({ path: file.path, line, message })
  })
  return violations
}

/** How many columns of each line are inside string, template and regular expression literals. */
const literalColumns = (file: SourceText): Map<number, number> => {
  const columns = new Map<number, number>()
  visitNodes(file, node => {
    const isLiteral =
      ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || node.kind === regexLiteral
    if (!isLiteral) return
    const [first, last] = [lineOf(file, node), lineAt(file, node.end)]
    const starts = parse(file).getLineStarts()
    for (let line = first; line <= last; line++) {
      const from = Math.max(node.getStart(parse(file)), starts[line - 1] ?? 0)
      const to = Math.min(node.end, starts[line] ?? node.end)
      columns.set(line, (columns.get(line) ?? 0) + to - from)
    }
  })
  return columns
}
const regexLiteral = ts.SyntaxKind.RegularExpressionLiteral

/** Lines need no scrolling. Literals and addresses of pages cannot be broken, so they are free. */
export const lineLength = (file: SourceText): Array<Violation> => {
  if (!isSized(file.path) || isTest(file.path) || file.path.endsWith(".html")) return []
  const free = isCode(file.path) ? literalColumns(file) : new Map<number, number>()
  return file.text.split("\n").flatMap((content, index) => {
    const line = index + 1
    const columns = content.length - (free.get(line) ?? 0)
    if (columns <= maxColumns || content.includes("://")) return []
    return [{ path: file.path, line, message: `${content.length} columns, ${maxColumns} at most` }]
  })
}
