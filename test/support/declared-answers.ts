/** What a route declares of its answers, held to the bodies that it gives. */
import { Cause, Exit, Schema, SchemaAST } from "effect"
import type { Endpoint } from "../../api/endpoints.ts"

type Told = Pick<Endpoint, "answers">

/** Names of fields on the way from an answer to a list in it. */
type Path = ReadonlyArray<string>

/** The lists that an answer always has: those in rows of others, and absent ones, are not told. */
const listsOf = (ast: SchemaAST.AST, path: Path = []): ReadonlyArray<Path> => {
  if (SchemaAST.isArrays(ast)) return [path]
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap(one => listsOf(one, path))
  if (!SchemaAST.isObjects(ast)) return []
  return ast.propertySignatures.flatMap(({ name, type }) =>
    SchemaAST.isOptional(type) ? [] : listsOf(type, [...path, String(name)])
  )
}

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (found, name) => (found as { readonly [field: string]: unknown } | null | undefined)?.[name],
    value
  )

/** The lists that a route declares and that are empty in all of some bodies, by their path. */
export const emptyLists = (
  { answers }: Told,
  bodies: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const lists = answers.flatMap(({ ast }) => listsOf(ast))
  if (lists.length === 0) return []
  const told = bodies.map((body): unknown => JSON.parse(body))
  const shows = (path: Path): boolean =>
    told.some(body => {
      const list = at(body, path)
      return Array.isArray(list) && list.length > 0
    })
  return lists.filter(path => !shows(path)).map(path => path.join(".") || "the list")
}

type Decode = (body: unknown) => Exit.Exit<unknown, unknown>

const decoders = new WeakMap<Told, Decode>()

const decoderOf = (route: Told): Decode => {
  const made = decoders.get(route)
  if (made !== undefined) return made
  const { ast } = Schema.toCodecJson(Schema.Union(route.answers))
  const form = Schema.make<Schema.Codec<unknown>>(ast)
  const decode = Schema.decodeUnknownExit(form, { onExcessProperty: "error" })
  decoders.set(route, decode)
  return decode
}

/** Where a body is not of the form that its route declares, in words; undefined where it is. */
export const undeclared = (route: Told, body: string): string | undefined => {
  const exit = decoderOf(route)(JSON.parse(body))
  return Exit.isSuccess(exit) ? undefined : String(Cause.squash(exit.cause))
}
