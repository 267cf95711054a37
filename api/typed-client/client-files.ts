/**
 * The generated part of the client package, of the API's own description: a table of routes, and
 * the types of their parameters, answers and refusals.
 */
import { type Description, listedWords, type Operation, operationsOf } from "./operations.ts"
import { comment, declaration, typeOf } from "./schema-types.ts"

const HEAD = "Written by `npm run client` of what the API declares; a test holds both equal."

/** By their path in the repository. */
interface ClientFiles {
  readonly [path: string]: string
}

const tableRow = ({ name, method, path, answer, paging }: Operation): string => {
  const row = {
    ...{ method, path },
    ...(answer === null ? { isText: true } : {}),
    ...(paging === null ? {} : { paging })
  }
  return `  ${name}: ${JSON.stringify(row)
    .replace(/"(\w+)":/g, "$1: ")
    .replaceAll(",", ", ")}`
}

const table = (version: string, operations: ReadonlyArray<Operation>): string =>
  [
    `// @ts-check\n/** The API's routes. ${HEAD} */\n`,
    `export const CONTRACT_VERSION = ${JSON.stringify(version)}\n`,
    '/** @type {typeof import("./routes.d.ts").ROUTES} */',
    "export const ROUTES = {",
    operations.map(tableRow).join(",\n"),
    "}\n"
  ].join("\n")

const INDENT = "  "

/** What the rows of an answer are chosen from by `fields`. */
const rowType = ({ answer, rows }: Operation): string =>
  `keyof ${typeOf(answer ?? {})}["${rows}"][number]`

const inputName = ({ name }: Operation): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`

const hasInput = ({ parameters }: Operation): boolean => parameters.length > 0

/** What a function is asked with, as an interface of its own; nothing where it takes nothing. */
const inputType = (operation: Operation): ReadonlyArray<string> => {
  if (!hasInput(operation)) return []
  const fields = operation.parameters.map(({ name, required, description = "", schema }) => {
    const words = listedWords(schema)
      ?.map(word => JSON.stringify(word))
      .join(" | ")
    const isChoice = operation.rows !== null && name === "fields"
    const type = isChoice ? "Field" : (words ?? typeOf(schema))
    const listed = words === undefined ? type : `ReadonlyArray<${type}>`
    const given = schema.default === undefined ? "" : ` (default ${schema.default})`
    const [mark, orNothing] = required === true ? ["", ""] : ["?", " | undefined"]
    const about = comment([`${description}${given}`], INDENT)
    return `${about}${INDENT}readonly ${name}${mark}: ${listed}${orNothing}\n`
  })
  const generic = operation.rows === null ? "" : `<Field = ${rowType(operation)}>`
  return [`export interface ${inputName(operation)}${generic} {\n${fields.join("")}}\n`]
}

/** The parameters of a function, in its parentheses: what is asked, and how. */
const given = (operation: Operation): string => {
  const { body, parameters, rows } = operation
  if (body !== null) return `body: ${typeOf(body)}, options?: CallOptions`
  if (!hasInput(operation)) return "input?: Record<string, never>, options?: CallOptions"
  const mark = parameters.some(({ required }) => required) ? "" : "?"
  const type = `${inputName(operation)}${rows === null ? "" : "<Field>"}`
  return `input${mark}: ${type}, options?: CallOptions`
}

const answerType = ({ answer, rows }: Operation): string => {
  if (answer === null) return "string"
  const whole = typeOf(answer)
  return rows === null ? whole : `Chosen<${whole}, "${rows}", Field>`
}

const method = (operation: Operation): string => {
  const { name, path, summary, description, rows, paging } = operation
  const inner = `${INDENT}${INDENT}`
  const row = rowType(operation)
  const generic = rows === null ? "" : `<const Field extends ${row} = ${row}>`
  const asked = `${generic}(\n${inner}${INDENT}${given(operation)}\n${inner})`
  const type = answerType(operation)
  const pages = `${inner}/** Pages from the asked one on, to the last. */\n`
  return [
    comment([`${summary}: \`${operation.method} ${path}\``, description], INDENT),
    `${INDENT}readonly ${name}: {\n`,
    `${inner}${asked}: Promise<Answer<${type}>>\n`,
    paging === null ? "" : `${pages}${inner}pages${asked}: AsyncIterable<Answer<${type}>>\n`,
    `${INDENT}}\n`
  ].join("")
}

const codes = ({ name, codes }: Operation): string =>
  `  readonly ${name}: ${codes.map(code => JSON.stringify(code)).join(" | ")}\n`

const types = (description: Description, operations: ReadonlyArray<Operation>): string =>
  [
    `/** Types of the API's routes. ${HEAD} */\n`,
    'import type { Answer, CallOptions, Chosen, Route } from "../client.d.ts"\n',
    "/** Version of the contract that this is of, a date. */",
    "export declare const CONTRACT_VERSION: string\n",
    "export declare const ROUTES: { readonly [Name in keyof Routes]: Route }\n",
    ...Object.entries(description.components.schemas).map(([name, schema]) =>
      declaration(name, schema)
    ),
    ...operations.flatMap(inputType),
    `/** A function for each route, by the name of its operation. */\nexport interface Routes {`,
    operations.map(method).join("\n"),
    "}\n",
    `/** Codes that each route may be refused with. */\nexport interface Codes {`,
    `${operations.map(codes).join("")}}\n`
  ].join("\n")

/** The texts of the generated files, of an OpenAPI document. */
export const clientFiles = (document: object): ClientFiles => {
  const description = document as Description
  const operations = operationsOf(description)
  return {
    "client/generated/routes.js": table(description.info.version, operations),
    "client/generated/routes.d.ts": types(description, operations)
  }
}
