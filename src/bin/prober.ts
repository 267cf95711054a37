/** `npm run probe`: measures from outside whether an engine answers and its chains are well. */
import { Effect } from "effect"
import { probe } from "../../engine/probes/prober.ts"
import { readArguments, wrongUsage } from "../platform/command-line.ts"
import { portOr, runMain, runUntilStopped, textOr } from "../platform/environment.ts"
import { JetStream } from "../platform/jetstream.ts"
import { loggerLayer } from "./logging.ts"

const HELP = `Asks an engine every few seconds whether it answers and its chains are well, and logs what it
finds in the stream PROBES: the uptime history of /v1/status. npm start starts one by itself
(PROBER=own). One that shall see the engine die too runs elsewhere, with PROBER=other for the engine.

  NATS_URL=nats://HOST:PORT npm run probe [-- --url URL] [--every SECONDS] [--json]

  --url URL           where the engine answers (default http://127.0.0.1:8080, or the port in PORT)
  --every SECONDS     between two probes (default 10)
  --json              log lines as JSON

NATS_URL names the engine's nats-server, which it prints at its start.`

const usage = (problem: string) => wrongUsage("probe", problem)

const DEFAULT_EVERY = "10"
const LONGEST_EVERY = 300

const main = Effect.gen(function* () {
  const { values } = yield* readArguments("probe", {
    options: {
      help: { type: "boolean" },
      json: { type: "boolean", default: false },
      url: { type: "string" },
      every: { type: "string", default: DEFAULT_EVERY }
    }
  })
  if (values.help === true) {
    process.stdout.write(`${HELP}\n`)
    return
  }
  const every = Number(values.every)
  if (!Number.isInteger(every) || every < 1 || every > LONGEST_EVERY) {
    return yield* usage(`--every ${values.every}: it must be a whole number from 1 to 300`)
  }
  const natsUrl = yield* textOr("NATS_URL", "")
  if (natsUrl === "") return yield* usage("NATS_URL is not set")
  const url = values.url ?? `http://127.0.0.1:${yield* portOr("PORT", 8080)}`
  if (!URL.canParse(url)) return yield* usage(`--url ${url}: it must be an address`)
  yield* runUntilStopped
  yield* probe({ url: url.replace(/\/+$/, ""), every }).pipe(
    Effect.provide(JetStream.layer({ url: natsUrl })),
    Effect.provide(loggerLayer(values.json))
  )
})

runMain(main)
