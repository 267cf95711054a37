/** What a request of an endpoint names by the examples of its declaration. */
import { SchemaAST } from "effect"
import type { Endpoint } from "../../api/endpoints.ts"

/** May be left out by their declaration; what is asked for then is another chain, or nothing. */
const NAMED: ReadonlySet<string> = new Set(["chain", "token"])

/** The example of each parameter that a request must name, and of chain and token, by name. */
export const exampleValues = ({ parameters }: Endpoint): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([name, { schema }]) => NAMED.has(name) || !SchemaAST.isOptional(schema.ast))
      .map(([name, { openapi }]) => [name, String(openapi.example)])
  )
