/** `npm run tables`: writes the registry's tables into the README. */
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import { allChains } from "../domain/chains/registry.ts"
import { runMain } from "../platform/environment.ts"
import { readText, replaceFile } from "../platform/files.ts"
import { withTables } from "./registry-tables.ts"

class NoTables extends Schema.TaggedError<NoTables>()("NoTables", { message: Schema.String }) {}

const readme = fileURLToPath(new URL("../../README.md", import.meta.url))

runMain(
  Effect.gen(function* () {
    const text = withTables(yield* readText(readme), allChains)
    if (text === null) return yield* new NoTables({ message: "README.md has no marks for tables" })
    yield* replaceFile(readme, text)
    yield* Effect.sync(() => process.stdout.write(`${readme}: tables written\n`))
  })
)
