/** `npm run client`: writes the generated part of the client package, of what the API declares. */
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { apiDescription } from "../../api/description.ts"
import { clientFiles } from "../../api/typed-client/client-files.ts"
import { readArguments } from "../platform/command-line.ts"
import { runMain } from "../platform/environment.ts"
import { replaceFile } from "../platform/files.ts"

const HELP = `Writes client/generated, the routes of the typed client, of what the API declares.

  npm run client            takes no options`

runMain(
  Effect.gen(function* () {
    const { values } = yield* readArguments("client", { options: { help: { type: "boolean" } } })
    if (values.help === true) {
      process.stdout.write(`${HELP}\n`)
      return
    }
    for (const [path, text] of Object.entries(clientFiles(apiDescription()))) {
      yield* replaceFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), text)
      yield* Effect.sync(() => process.stdout.write(`${path} is written\n`))
    }
  })
)
