/** The GET operations of the declared API, as its OpenAPI document has them, for tools. */
import { shownDescription } from "../description.ts"
import { onceAsked } from "../once-asked.ts"

export interface JsonSchema {
  readonly [keyword: string]: unknown
}

export interface OperationParameter {
  readonly name: string
  readonly in: "path" | "query"
  readonly required: boolean
  readonly description: string
  readonly example?: string | number
  readonly schema: JsonSchema
  /** of a `fields` that leaves fields out: the list whose rows keep those that are named */
  readonly "x-rows"?: string
}

export interface Operation {
  readonly operationId: string
  /** as `/v1/chains/{chain}/tokens` */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<OperationParameter>
  /** of the answer with 200; undefined where that is no JSON */
  readonly answer: JsonSchema | undefined
}

interface Declared extends Omit<Operation, "path" | "answer"> {
  readonly responses: {
    readonly [status: string]: {
      readonly content?: { readonly "application/json"?: { readonly schema: JsonSchema } }
    }
  }
}

interface Document {
  readonly paths: { readonly [path: string]: { readonly get?: Declared } }
  readonly components: { readonly schemas: { readonly [name: string]: JsonSchema } }
}

const document = () => shownDescription() as unknown as Document

/** GET operations by id. */
export const operations = onceAsked(
  (): ReadonlyMap<string, Operation> =>
    new Map(
      Object.entries(document().paths).flatMap(([path, { get }]) => {
        if (get === undefined) return []
        const { responses, ...told } = get
        const answer = responses["200"]?.content?.["application/json"]?.schema
        return [[told.operationId, { ...told, path, answer }] as const]
      })
    )
)

const REFERENCE = "#/components/schemas/"

/** Schemas that a schema points to, those that they point to among them. */
const neededBy = (schema: JsonSchema, found: Map<string, JsonSchema>): void => {
  for (const [, name = ""] of JSON.stringify(schema).matchAll(
    /"#\/components\/schemas\/([^"]+)"/g
  )) {
    const needed = document().components.schemas[name]
    if (needed === undefined || found.has(name)) continue
    found.set(name, needed)
    neededBy(needed, found)
  }
}

/** The schema itself, or what it points to. */
export const target = (schema: JsonSchema): JsonSchema => {
  const reference = schema["$ref"]
  const name = typeof reference === "string" ? reference.slice(REFERENCE.length) : ""
  return document().components.schemas[name] ?? schema
}

const propertiesOf = (schema: JsonSchema): { readonly [name: string]: JsonSchema } =>
  (schema["properties"] ?? {}) as { readonly [name: string]: JsonSchema }

const requiredOf = (schema: JsonSchema): ReadonlyArray<string> =>
  (schema["required"] ?? []) as ReadonlyArray<string>

type Properties = { readonly [name: string]: JsonSchema }

/** The properties of several objects: one that differs may have either form. */
const merged = (all: ReadonlyArray<Properties>): Properties => {
  const formsByName = new Map<string, Array<JsonSchema>>()
  for (const [name, schema] of all.flatMap(each => Object.entries(each))) {
    const forms = formsByName.get(name) ?? []
    const text = JSON.stringify(schema)
    if (!forms.some(form => JSON.stringify(form) === text)) forms.push(schema)
    formsByName.set(name, forms)
  }
  return Object.fromEntries(
    [...formsByName].map(([name, forms]) => [
      name,
      forms.length === 1 ? (forms[0] as JsonSchema) : { anyOf: forms }
    ])
  )
}

/**
 * Returns one schema of the answers of a family, with an object at its root, that points into
 * itself alone. What not all members answer is not required. Further fields are allowed, since a
 * later version may have them.
 */
export const answerSchema = (family: ReadonlyArray<Operation>, more: Properties): JsonSchema => {
  const answers = family.map(({ answer = {} }) => target(answer))
  const root = {
    type: "object",
    properties: merged([...answers.map(propertiesOf), more]),
    required: requiredOf(answers[0] ?? {}).filter(name =>
      answers.every(each => requiredOf(each).includes(name))
    )
  }
  const definitions = new Map<string, JsonSchema>()
  neededBy(root, definitions)
  const whole = {
    ...root,
    ...(definitions.size === 0 ? {} : { $defs: Object.fromEntries(definitions) })
  }
  const text = JSON.stringify(whole, (key, value) =>
    key === "additionalProperties" && value === false ? undefined : value
  )
  return JSON.parse(text.replaceAll(`"${REFERENCE}`, '"#/$defs/')) as JsonSchema
}
