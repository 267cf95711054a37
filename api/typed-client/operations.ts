/** The routes of the API's description, as a client calls them. */
import { type JsonSchema, referred } from "./schema-types.ts"

/** An OpenAPI document, as far as clients are made of it. */
export interface Description {
  readonly info: { readonly version: string }
  readonly paths: {
    readonly [path: string]: { readonly [method: string]: DescribedOperation }
  }
  readonly components: { readonly schemas: { readonly [name: string]: JsonSchema } }
}

interface DescribedParameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
  /** of `fields`: the list of the answer whose rows it chooses fields of */
  readonly "x-rows"?: string
}

interface Content {
  readonly content?: { readonly [type: string]: { readonly schema: JsonSchema } }
}

interface DescribedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<DescribedParameter>
  readonly requestBody?: Content
  readonly responses: { readonly [status: string]: Content }
}

/** How the next page of a route is asked for. */
export type Paging =
  | { readonly by: "cursor"; readonly parameter: string; readonly field: string }
  | { readonly by: "offset"; readonly limit: number; readonly asOf: boolean }
  | { readonly by: "page"; readonly asOf: boolean }

export interface Operation {
  /** the function's name: what follows the group in the operation's id */
  readonly name: string
  readonly method: "GET" | "POST"
  /** with `{name}` for its parameters */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<Omit<DescribedParameter, "in">>
  /** of the body it is sent; null of a GET */
  readonly body: JsonSchema | null
  /** of the answer; null of one that is text */
  readonly answer: JsonSchema | null
  readonly codes: ReadonlyArray<string>
  readonly paging: Paging | null
  /** the list of the answer whose rows `fields` chooses from, and the words it takes */
  readonly rows: string | null
}

const JSON_TYPE = "application/json"

/** The words of a parameter that is a list of words, separated by commas; null of another. */
export const listedWords = ({ pattern = "" }: JsonSchema): ReadonlyArray<string> | null => {
  const [, words] = /^\^\(([\w|]+)\)\(,\(\1\)\)\*\$$/.exec(pattern) ?? []
  return words === undefined ? null : words.split("|")
}

const resolved = (description: Description, schema: JsonSchema): JsonSchema => {
  const { $ref } = schema
  return $ref === undefined ? schema : (description.components.schemas[referred($ref)] ?? {})
}

/** Every word that a schema says a text may be. */
const wordsOf = ({ enum: words = [], anyOf = [] }: JsonSchema): ReadonlyArray<string> => [
  ...words.map(String),
  ...anyOf.flatMap(wordsOf)
]

const codesOf = (
  description: Description,
  { responses }: DescribedOperation
): ReadonlyArray<string> => {
  const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  const schemas = refusals.flatMap(([, { content }]) => content?.[JSON_TYPE]?.schema ?? [])
  const bodies = schemas
    .flatMap(schema => [schema, ...(schema.anyOf ?? [])])
    .map(schema => resolved(description, schema))
  const codes = bodies.flatMap(({ properties }) => wordsOf(properties?.["error"] ?? {}))
  return [...new Set(codes)].sort()
}

const pagingOf = (parameters: ReadonlyArray<DescribedParameter>, answer: JsonSchema) => {
  const fields = answer.properties ?? {}
  const find = (name: string) => parameters.find(one => one.name === name)
  for (const { name } of parameters) {
    const field = `next${name.charAt(0).toUpperCase()}${name.slice(1)}`
    if (field in fields) return { by: "cursor", parameter: name, field } as const
  }
  const asOf = find("asOf") !== undefined && "asOf" in fields
  const limit = find("limit")?.schema.default
  if (find("offset") !== undefined && "total" in fields && typeof limit === "number")
    return { by: "offset", limit, asOf } as const
  if (find("page") !== undefined && "pageSize" in fields) return { by: "page", asOf } as const
  return null
}

/** Answers that go on for as long as they are read: no function gives them as one. */
const isStream = ({ responses }: DescribedOperation): boolean => {
  const types = Object.keys(responses["200"]?.content ?? {})
  return types.includes("text/event-stream") && !types.includes(JSON_TYPE)
}

/** Every operation of the description that is asked and answered once, in its order. */
export const operationsOf = (description: Description): ReadonlyArray<Operation> =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if (isStream(operation)) return []
      const { summary, requestBody, responses, parameters } = operation
      const answer = responses["200"]?.content?.[JSON_TYPE]?.schema ?? null
      const fields = resolved(description, answer ?? {})
      return {
        name: operation.operationId.split(".").at(-1) ?? "",
        method: method === "post" ? "POST" : "GET",
        ...{ path, summary, description: operation.description, parameters },
        body: requestBody?.content?.[JSON_TYPE]?.schema ?? null,
        answer,
        codes: codesOf(description, operation),
        paging: pagingOf(parameters, fields),
        rows: parameters.find(({ name }) => name === "fields")?.["x-rows"] ?? null
      }
    })
  )
