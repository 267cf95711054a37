/** JSON schemas of the API's description as TypeScript types, in text. */

/** A JSON schema, as far as the description uses them. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<string | number | boolean | null>
  readonly description?: string
  readonly pattern?: string
  readonly default?: string | number | boolean
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
}

const COLUMNS = 100

/** A text as lines of a comment, none longer than a page is wide unless a word is. */
const wrapped = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(/\s+/)) {
    const longer = line === "" ? word : `${line} ${word}`
    if (longer.length > width && line !== "") {
      lines.push(line)
      line = word
    } else line = longer
  }
  return line === "" ? lines : [...lines, line]
}

/** A comment before a declaration; nothing where there is nothing to say. */
export const comment = (paragraphs: ReadonlyArray<string>, indent: string): string => {
  const told = paragraphs.filter(text => text !== "").map(text => text.replaceAll("*/", "*\u200b/"))
  if (told.length === 0) return ""
  const [only = ""] = told
  const single = `${indent}/** ${only} */`
  if (told.length === 1 && single.length <= COLUMNS) return `${single}\n`
  const width = COLUMNS - indent.length - 3
  const lines = told.flatMap((text, i) => [...(i === 0 ? [] : [""]), ...wrapped(text, width)])
  const starred = lines.map(line => `${indent} * ${line}`.trimEnd())
  return [`${indent}/**`, ...starred, `${indent} */`, ""].join("\n")
}

/** A property's name as it stands in a type. */
const nameOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `"${name}"`)

/** The name of the component that a reference leads to. */
export const referred = (reference: string): string => reference.split("/").at(-1) ?? reference

const objectType = (schema: JsonSchema, indent: string): string => {
  const { properties = {}, required = [], additionalProperties } = schema
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? "" : "?"
    const about = property.$ref === undefined ? (property.description ?? "") : ""
    const type = typeOf(property, inner)
    return `${comment([about], inner)}${inner}readonly ${nameOf(name)}${mark}: ${type}\n`
  })
  if (typeof additionalProperties === "object") {
    lines.push(`${inner}readonly [name: string]: ${typeOf(additionalProperties, inner)}\n`)
  } else if (lines.length === 0 && additionalProperties !== false) {
    lines.push(`${inner}readonly [name: string]: unknown\n`)
  }
  return lines.length === 0 ? "Record<string, never>" : `{\n${lines.join("")}${indent}}`
}

/** Types that several schemas of a list come to, each once. */
const joined = (schemas: ReadonlyArray<JsonSchema>, by: string, indent: string): string =>
  [...new Set(schemas.map(schema => typeOf(schema, indent)))].join(by)

const plainType = (schema: JsonSchema, indent: string): string | null => {
  if (schema.$ref !== undefined) return referred(schema.$ref)
  if (schema.enum !== undefined) return schema.enum.map(one => JSON.stringify(one)).join(" | ")
  if (schema.anyOf !== undefined) return joined(schema.anyOf, " | ", indent)
  switch (schema.type) {
    case "object":
      return objectType(schema, indent)
    case "array":
      return `ReadonlyArray<${typeOf(schema.items ?? {}, indent)}>`
    case "integer":
    case "number":
      return "number"
    case "string":
    case "boolean":
    case "null":
      return schema.type
    default:
      return null
  }
}

/** The type of what a schema describes. `indent` is that of the line on which it begins. */
export const typeOf = (schema: JsonSchema, indent = ""): string => {
  const plain = plainType(schema, indent)
  const all = schema.allOf === undefined ? null : joined(schema.allOf, " & ", indent)
  if (plain === null) return all ?? "unknown"
  return all === null ? plain : `${plain} & ${all}`
}

/** A named type of a component, with its words. */
export const declaration = (name: string, schema: JsonSchema): string => {
  const { description = "", ...rest } = schema
  return `${comment([description], "")}export type ${name} = ${typeOf(rest)}\n`
}
