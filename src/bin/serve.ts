/** `npm run serve`: serves the API and the page over a data folder's logs, without any source. */
import { resolve } from "node:path"
import { Effect } from "effect"
import { readArguments, wrongUsage } from "../platform/command-line.ts"
import { runMain, runUntilStopped, textOr } from "../platform/environment.ts"
import { exists } from "../platform/files.ts"
import { tracing } from "../platform/tracing.ts"
import { loggerLayer } from "./logging.ts"
import { openNats } from "./nats-choice.ts"
import { serveHistory } from "./serve-history.ts"

const HELP = `Serves every log of a data folder as it stands: the API, the page, the live socket.

  npm run serve -- [--data DIR] [--chain-file FILE]... [--json]

  --data DIR          the data folder (default DATA_DIR, else ./data); no engine may run on it
  --chain-file FILE   describes a chain the registry lacks, as its replay was told
  --json              log lines as JSON

Nothing is read from any chain and no simulated chain is started: lanes are in state "history", and
what the log does not hold stays unknown. PORT, HOST and the other settings of serving are those of
.env.example.`

const program = (dataDir: string | undefined, chainFiles: ReadonlyArray<string>, json: boolean) =>
  Effect.gen(function* () {
    const wanted = resolve(dataDir ?? (yield* textOr("DATA_DIR", "./data")))
    if (!(yield* exists(wanted))) {
      return yield* wrongUsage("serve", `there is no data folder ${wanted}`)
    }
    const { url, folder, isOwn } = yield* openNats(wanted)
    return yield* serveHistory({ folder, natsUrl: url, isOwn, chainFiles, json })
  })

const main = Effect.gen(function* () {
  const { values } = yield* readArguments("serve", {
    options: {
      help: { type: "boolean" },
      json: { type: "boolean" },
      data: { type: "string" },
      "chain-file": { type: "string", multiple: true }
    }
  })
  if (values.help === true) {
    process.stdout.write(`${HELP}\n`)
    return
  }
  yield* runUntilStopped
  const json = values.json === true
  yield* program(values.data, values["chain-file"] ?? [], json).pipe(
    Effect.scoped,
    Effect.provide(tracing({ "swaptape.thread": "serving" })),
    Effect.provide(loggerLayer(json))
  )
})

runMain(main)
