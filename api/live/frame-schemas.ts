/** JSON schemas of all frames and messages, for descriptions and for the names of fields. */
import { JsonSchema, type Schema, SchemaRepresentation } from "effect"
import { onceAsked } from "../once-asked.ts"
import { FRAMES } from "./frames.ts"
import { ASKED, Hello } from "./message.ts"

/** What the server sends, by name. */
export const SENT: { readonly [name: string]: Schema.Top } = { hello: Hello, ...FRAMES }

/** By the names of frames and messages, and what they share by its own name. */
export const frameSchemas = onceAsked(() => {
  const all: { readonly [name: string]: Schema.Top } = { ...SENT, ...ASKED }
  const [first = Hello.ast, ...rest] = Object.values(all).map(({ ast }) => ast)
  const representations = SchemaRepresentation.toRepresentations([first, ...rest])
  const { schemas, definitions } = JsonSchema.toMultiDocumentOpenApi3_1(
    SchemaRepresentation.toJsonSchemaMultiDocument(representations)
  )
  const own = Object.keys(all).map((name, i) => [name, schemas[i]] as const)
  return { own: Object.fromEntries(own), shared: definitions }
})
