/** `npm run tables`: writes the registry's tables into docs/chains.md. */
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import { allChains } from "../domain/chains/registry.ts"
import { readArguments } from "../platform/command-line.ts"
import { runMain } from "../platform/environment.ts"
import { readText, replaceFile } from "../platform/files.ts"
import { withTables } from "./registry-tables.ts"

const HELP = `Writes the tables of chains and venues into docs/chains.md, from src/domain/chains.

  npm run tables            takes no options`

class NoTables extends Schema.TaggedError<NoTables>()("NoTables", { message: Schema.String }) {}

const page = fileURLToPath(new URL("../../docs/chains.md", import.meta.url))

runMain(
  Effect.gen(function* () {
    const { values } = yield* readArguments("tables", { options: { help: { type: "boolean" } } })
    if (values.help === true) {
      process.stdout.write(`${HELP}\n`)
      return
    }
    const text = withTables(yield* readText(page), allChains)
    if (text === null)
      return yield* new NoTables({ message: "docs/chains.md has no marks for tables" })
    yield* replaceFile(page, text)
    yield* Effect.sync(() => process.stdout.write(`${page}: tables written\n`))
  })
)
