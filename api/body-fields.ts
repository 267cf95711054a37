/**
 * Fields of bodies: what each must be and an example, which its schema tells by the annotations
 * `expected` and `examples`, for whoever refuses a bad one.
 */
import { type Schema, SchemaAST } from "effect"

/** Says that something is not there that must be. */
export const required = (name: string, expected: string): string =>
  `${name} is required: ${expected}`

/** What a body, or a field of it, is told to be. */
interface Said {
  readonly expected?: string | undefined
  readonly examples?: ReadonlyArray<unknown> | undefined
}

/** The part of a schema at a path of field names; undefined where it names no field there. */
const partAt = (ast: SchemaAST.AST, path: ReadonlyArray<string>): SchemaAST.AST | undefined => {
  const [name, ...rest] = path
  if (name === undefined) return ast
  if (!SchemaAST.isObjects(ast)) return undefined
  const field = ast.propertySignatures.find(each => each.name === name)
  return field === undefined ? undefined : partAt(field.type, rest)
}

/** Completes "<path> must be …" for a field of a body; undefined where its schema does not say. */
export const expectedField = (
  body: Schema.Top,
  path: ReadonlyArray<string>
): string | undefined => {
  const part = partAt(body.ast, path)
  if (part === undefined) return undefined
  const { expected, examples = [] }: Said = SchemaAST.resolve(part) ?? {}
  if (expected === undefined || examples.length === 0) return undefined
  return `${expected}, such as ${JSON.stringify(examples[0])}`
}

/** Says that a body lacks a field, and what that must be. */
export const requiredField = (body: Schema.Top, path: ReadonlyArray<string>): string =>
  required(`${path.join(".")} in the body`, expectedField(body, path) ?? "as documented")

/** The paths of all fields of a body, of those within others too. */
export const fieldPaths = ({ ast }: Schema.Top): ReadonlyArray<ReadonlyArray<string>> => {
  const below = (part: SchemaAST.AST): ReadonlyArray<ReadonlyArray<string>> =>
    SchemaAST.isObjects(part)
      ? part.propertySignatures.flatMap(({ name, type }) => {
          const own = String(name)
          return [[own], ...below(type).map(path => [own, ...path])]
        })
      : []
  return below(ast)
}
