/** Tests wait for what they want to see, however slow the machine is. */
import ts from "typescript"
import { PATIENCE_MS } from "../support/patience.ts"
import { isTest, type SourceText, type Violation } from "./source-text.ts"
import { lineOf, parse, visitNodes } from "./syntax.ts"

/** The limit of `vitest.config.ts`, in milliseconds: a test of its own may only have a longer one. */
const TEST_LIMIT_MS = 300_000

const WAITS = /^vi\.wait(For|Until)$/
/** Waits of the tests' own, whose limit comes third. */
const OWN_WAITS = /^(\w+\.)?(eventually|alive)$/
/** A deadline so many milliseconds away is one of what a test wants to see, not of its pauses. */
const SHORTEST_DEADLINE_MS = 1_000
const TESTS = /^(it|test)(\.\w+(\(.*\))?)*$/s

const numberIn = (node: ts.Node | undefined, text: (node: ts.Node) => string) =>
  node && ts.isNumericLiteral(node) ? Number(text(node).replaceAll("_", "")) : null

/** What is wrong with a sum, or undefined. */
const hurry = (sum: ts.BinaryExpression, text: (node: ts.Node) => string) => {
  const isSum = sum.operatorToken.kind === ts.SyntaxKind.PlusToken
  const isDeadline = isSum && text(sum.left) === "performance.now()"
  const deadline = isDeadline ? numberIn(sum.right, text) : null
  if (deadline === null || deadline < SHORTEST_DEADLINE_MS) return undefined
  return `a deadline in ${deadline} ms is a promise about the machine: wait for PATIENCE_MS`
}

/** `Effect.timeoutOption` has an answer for what does not come; this fails. */
const EFFECT_LIMIT = "Effect.timeout"
const MEASURED = /^expect\(performance\.now\(\) - /
const BOUNDS = /\.toBe(Less|Greater)Than(OrEqual)?$/

/** What is wrong with a bound on measured time, or undefined. */
const strictness = (call: ts.CallExpression, text: (node: ts.Node) => string) => {
  const [bound] = call.arguments
  const [matcher, limit] = [text(call.expression), bound === undefined ? "" : text(bound)]
  const isBound = MEASURED.test(matcher) && BOUNDS.test(matcher)
  if (!isBound || /^atRest\(/.test(limit)) return undefined
  return "a bound on measured time is a promise about the machine: assert its cause, or use `atRest`"
}

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
  if (name === EFFECT_LIMIT && !(call.arguments.length === 1 && /PATIENCE_MS/.test(text(call)))) {
    return "`Effect.timeout` is a promise about the machine: leave it out, or pass PATIENCE_MS"
  }
  const limit = numberIn(third, text)
  if (limit !== null && limit < PATIENCE_MS && OWN_WAITS.test(name)) {
    return `\`${name}\` waits long enough by itself`
  }
  if (limit !== null && limit <= TEST_LIMIT_MS && TESTS.test(name)) {
    return `a limit of ${limit} ms is no longer than every test's: leave it out`
  }
  return strictness(call, text)
}

/** No test gives up sooner than a busy machine needs. */
export const impatience = (file: SourceText): Array<Violation> => {
  if (!isTest(file.path) || !/\.ts$/.test(file.path)) return []
  const violations: Array<Violation> = []
  const text = (node: ts.Node) => node.getText(parse(file))
  visitNodes(file, node => {
    const message = ts.isCallExpression(node)
      ? complaint(node, text)
      : ts.isBinaryExpression(node)
        ? hurry(node, text)
        : undefined
    if (message !== undefined)
      violations.push({ path: file.path, line: lineOf(file, node), message })
  })
  return violations
}
