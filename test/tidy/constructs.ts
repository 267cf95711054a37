/** Constructs that have a better form here, or a place where alone they are right. */
import ts from "typescript"
import { isCode, isTest, isTidy, type SourceText, type Violation } from "./source-text.ts"
import { lineOf, parse, visitNodes } from "./syntax.ts"

/** Where programs meet the outside: there may be clocks, promises and thrown errors. */
const isOutside = (path: string): boolean =>
  isTest(path) ||
  /^(src\/platform|api\/server|api\/web|client|bench|scripts|\.ci)\//.test(path) ||
  !/\//.test(path)

/** Calls and values by their text, with what to use instead. */
const outsideOnly: ReadonlyArray<readonly [text: string, instead: string]> = [
  ["Date.now", "take the time from an event, or Effect's Clock"],
  ["Math.random", "take a seed, or Effect's Random"],
  ["console", "use Effect.log, or Effect's Console"],
  ["process.env", "read it with Effect's Config, in src/platform"]
]

const isAsync = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false)

/** What is wrong with a node of a file inside, or undefined. */
const complaint = (node: ts.Node, text: (node: ts.Node) => string): string | undefined => {
  if (ts.isTryStatement(node)) return "`try` outside src/platform: use Effect or Result"
  if (isAsync(node)) return "`async` outside src/platform: use Effect"
  if (ts.isNewExpression(node) && text(node.expression) === "Date" && !node.arguments?.length)
    return "`new Date()` reads the clock: take the time from an event, or Effect's Clock"
  if (!ts.isPropertyAccessExpression(node)) return undefined
  const found = outsideOnly.find(([name]) => text(node) === name || text(node.expression) === name)
  return found && `\`${found[0]}\` outside src/platform: ${found[1]}`
}

/** The inside is pure: no clock, no chance, no promise, no exception, no output. */
export const outsideConstructs = (file: SourceText): Array<Violation> => {
  if (!isCode(file.path) || isOutside(file.path)) return []
  const violations: Array<Violation> = []
  const text = (node: ts.Node) => node.getText(parse(file))
  visitNodes(file, node => {
    const message = complaint(node, text)
    // `console.log` inside `console.log.bind`, and the like, is told once.
    if (message === undefined || (ts.isPropertyAccessExpression(node.parent) && !isAsync(node)))
      return
    violations.push({ path: file.path, line: lineOf(file, node), message })
  })
  return violations
}

const notInNode20 = ["Object.groupBy", "Map.groupBy", "Promise.try", "Promise.withResolvers"]

/** Types of packages let them pass, but the oldest Node that swaptape runs on lacks them. */
export const newerThanNode = (file: SourceText): Array<Violation> => {
  if (!isCode(file.path) || file.path.startsWith("api/web/")) return []
  const violations: Array<Violation> = []
  visitNodes(file, node => {
    if (!ts.isPropertyAccessExpression(node)) return
    const name = node.getText(parse(file))
    if (!notInNode20.includes(name)) return
    const message = `\`${name}\` is not in Node 20, though its types pass`
    violations.push({ path: file.path, line: lineOf(file, node), message })
  })
  return violations
}

/** Types are checked: nothing is `any`, nothing is silenced. */
export const typeEscapes = (file: SourceText): Array<Violation> => {
  if (!/\.m?ts$/.test(file.path)) return []
  const violations: Array<Violation> = []
  visitNodes(file, node => {
    if (node.kind !== ts.SyntaxKind.AnyKeyword) return
    const message = "`any` switches type checking off: use `unknown`, or the type"
    violations.push({ path: file.path, line: lineOf(file, node), message })
  })
  if (isTidy(file.path)) return violations
  file.text.split("\n").forEach((content, index) => {
    const silenced = /@ts-(ignore|nocheck|expect-error)/.exec(content)
    if (silenced === null) return
    const message = `\`${silenced[0]}\` hides an error: mend its cause`
    violations.push({ path: file.path, line: index + 1, message })
  })
  return violations
}

/** A file that only passes on what others export is a detour. */
export const barrels = (file: SourceText): Array<Violation> => {
  if (!isCode(file.path)) return []
  const { statements } = parse(file)
  const isBarrel =
    statements.length > 0 &&
    statements.every(statement => ts.isExportDeclaration(statement) && statement.moduleSpecifier)
  const message = "a barrel: import from the files themselves"
  return isBarrel ? [{ path: file.path, line: 0, message }] : []
}
