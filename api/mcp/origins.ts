/**
 * Which web pages may speak MCP here. A page of any name can have its name lead to this machine
 * (DNS rebinding), so an origin counts by what it is and not by being that of the request's host.
 */
import { Context } from "effect"

/** Origins that are allowed besides those of this machine, in lower case. */
export class McpOrigins extends Context.Service<McpOrigins, ReadonlyArray<string>>()(
  "swaptape/api/mcp/McpOrigins"
) {}

const OF_THIS_MACHINE = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

/** Returns true for a request that no page sent, or an allowed one. */
export const isAllowedOrigin = (
  origin: string | undefined,
  allowed: ReadonlyArray<string>
): boolean => {
  if (origin === undefined) return true
  const word = origin.toLowerCase()
  return OF_THIS_MACHINE.test(word) || allowed.includes(word)
}
