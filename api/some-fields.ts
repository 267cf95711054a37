/** The rows of answers to requests with `fields`, for the OpenAPI document. */

interface Schema {
  readonly $ref?: string
  readonly items?: Schema
  readonly properties?: { readonly [name: string]: Schema }
  readonly [keyword: string]: unknown
}

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly "x-rows"?: string }>
  readonly responses: {
    readonly [status: string]: {
      readonly content?: { readonly [type: string]: { readonly schema: Schema } }
    }
  }
}

interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: { readonly schemas: { readonly [name: string]: Schema } }
}

const REFERENCE = "#/components/schemas/"

/** The name that a schema points to; null of one that points nowhere. */
const referred = ({ $ref }: Schema): string | null =>
  $ref?.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : null

/** The answers that `fields` makes shorter, by their schema's name, and the list of each. */
const shortened = ({ paths }: Document): ReadonlyMap<string, string> =>
  new Map(
    Object.values(paths)
      .flatMap(methods => Object.values(methods))
      .flatMap(({ parameters = [], responses }) => {
        const list = parameters.find(({ name }) => name === "fields")?.["x-rows"]
        const answer = responses["200"]?.content?.["application/json"]?.schema ?? {}
        const name = referred(answer)
        return list === undefined || name === null ? [] : [[name, list] as const]
      })
  )

const WORDS = "all of these fields; with `fields` those alone that it names"

/**
 * Lets the rows of each list that `fields` chooses from lack any field, so that answers to requests
 * with it are of the declared form too.
 */
export const withSomeFields = (spec: Record<string, unknown>): Record<string, unknown> => {
  const document = spec as unknown as Document
  const { schemas } = document.components
  const loosened = [...shortened(document)].flatMap(([name, list]) => {
    const answer = schemas[name]
    const rows = answer?.properties?.[list]
    if (answer === undefined || rows?.items === undefined) return []
    const { required: _, ...row } = schemas[referred(rows.items) ?? ""] ?? rows.items
    const free = { ...rows, items: { ...row, description: WORDS } }
    return [[name, { ...answer, properties: { ...answer.properties, [list]: free } }] as const]
  })
  const all = { ...schemas, ...Object.fromEntries(loosened) }
  return { ...spec, components: { ...document.components, schemas: all } }
}
