/** What a route declares of itself beside its schemas and parameters. */
import { Context } from "effect"

/**
 * How agents call a route: the tool's name less its prefix, which all routes of a family share; or
 * why it is no tool.
 */
export type Tool = string | { readonly none: string }

/** The tool that an endpoint is. */
export class EndpointTool extends Context.Service<EndpointTool, Tool>()(
  "swaptape/api/EndpointTool"
) {}

/**
 * What a route's answers follow from. `lane`: a lane's log up to a position, so that an answer is
 * kept until the next commit; `code`: what was built, whatever logs hold; `server`: how the server
 * and its lanes are at the moment; `others`: what the router, a node or who keeps keys says, or
 * by which address the server is asked.
 */
export type ToldBy = "lane" | "code" | "server" | "others"

/** What an endpoint's answers follow from. */
export const EndpointToldBy = Context.Reference<ToldBy>("swaptape/api/EndpointToldBy", {
  defaultValue: () => "lane"
})
