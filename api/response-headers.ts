/** The headers that every answer carries, for the OpenAPI document. */

interface Header {
  readonly description: string
  readonly schema: { readonly type: "string" | "integer" }
}

const integer = (description: string): Header => ({ description, schema: { type: "integer" } })
const string = (description: string): Header => ({ description, schema: { type: "string" } })

const RESPONSE_HEADERS: { readonly [name: string]: Header } = {
  "X-Engine": string("version of the engine that answered"),
  "X-Log-Seq": integer("position in the chain's log that the answer reflects; absent where none"),
  "X-Log": string(
    "id of the log that the position is of: the same position of another one means nothing"
  ),
  ETag: string("made of engine, chain, position and bytes; send it back as If-None-Match"),
  "X-RateLimit-Limit": integer("requests a minute in this route's bucket"),
  "X-RateLimit-Remaining": integer("requests left in this minute"),
  "X-RateLimit-Reset": integer("Unix second at which the minute ends")
}

/** An OpenAPI document, as far as this file looks into it. */
interface Document {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: {
        readonly responses: { readonly [status: string]: { readonly [field: string]: unknown } }
      }
    }
  }
  readonly components: { readonly [kind: string]: unknown }
}

const mapValues = <A, B>(
  record: { readonly [name: string]: A },
  f: (value: A) => B
): { readonly [name: string]: B } =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, f(value)]))

/** Adds the headers to the components, and to every response of the document. */
export const withResponseHeaders = (spec: Record<string, unknown>): Record<string, unknown> => {
  const document = spec as unknown as Document
  const references = Object.fromEntries(
    Object.keys(RESPONSE_HEADERS).map(name => [name, { $ref: `#/components/headers/${name}` }])
  )
  return {
    ...spec,
    paths: mapValues(document.paths, methods =>
      mapValues(methods, operation => ({
        ...operation,
        responses: mapValues(operation.responses, response => ({
          ...response,
          headers: references
        }))
      }))
    ),
    components: { ...document.components, headers: RESPONSE_HEADERS }
  }
}
