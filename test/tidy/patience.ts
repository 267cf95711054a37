/** Tests wait for what they want to see, however slow the machine is. */
import ts from "typescript"
import { isTest, type SourceText, type Violation } from "./source-text.ts"
import { lineOf, parse, visitNodes } from "./syntax.ts"

/** The limit of `vitest.config.ts`, in milliseconds: a test of its own may only have a longer one. */
const TEST_LIMIT_MS = 300_000

const WAITS = /^vi\.wait(For|Until)$/
const TESTS = /^(it|test)(\.\w+(\(.*\))?)*$/s

/** What is wrong with a call, or undefined. */
const complaint = (call: ts.CallExpression, text: (node: ts.Node) => string) => {
  const name = text(call.expression)
  const [, second, third] = call.arguments
  if (WAITS.test(name) && !(second && /PATIENCE_MS/.test(text(second)))) {
    return `\`${name}\` gives up after a second: pass PATIENCE_MS of test/support/patience.ts`
  }
  if (name === "expect.poll" && second && !/PATIENCE_MS/.test(text(second))) {
    return "`expect.poll` waits long enough by itself, or for PATIENCE_MS"
  }
  const limit = third && ts.isNumericLiteral(third) ? Number(text(third).replaceAll("_", "")) : null
  if (limit !== null && limit <= TEST_LIMIT_MS && TESTS.test(name)) {
    return `a limit of ${limit} ms is no longer than every test's: leave it out`
  }
  return undefined
}

/** No test gives up sooner than a busy machine needs. */
export const impatience = (file: SourceText): Array<Violation> => {
  if (!isTest(file.path) || !/\.ts$/.test(file.path)) return []
  const violations: Array<Violation> = []
  const text = (node: ts.Node) => node.getText(parse(file))
  visitNodes(file, node => {
    const message = ts.isCallExpression(node) ? complaint(node, text) : undefined
    if (message !== undefined)
      violations.push({ path: file.path, line: lineOf(file, node), message })
  })
  return violations
}
