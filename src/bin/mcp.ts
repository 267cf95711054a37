/** `npm run mcp`: speaks MCP over standard input and output, for clients that start a command. */
import { createInterface } from "node:readline"
import { Effect, Option, Schema, Stream } from "effect"
import { readArguments, wrongUsage } from "../platform/command-line.ts"
import { optionalText, portOr, runMain, runUntilStopped } from "../platform/environment.ts"

const HELP = `Speaks the Model Context Protocol over standard input and output, one JSON-RPC message a line,
with an engine that runs: each line goes to its POST /v1/mcp, each answer comes back as a line.

  node scripts/run.mjs mcp [--url URL]

  --url URL           where the engine answers (default http://127.0.0.1:8080, or the port in PORT)

API_KEY, from the environment or .env, goes along as X-API-Key: a command line would show it to
everybody on the machine.

npm itself prints lines of its own before the command's: clients start it by node, as above, or by
npm run --silent mcp.`

/** Messages under way at a time. */
const AT_ONCE = 8

const Id = Schema.Struct({ id: Schema.Union([Schema.String, Schema.Finite]) })
const Envelope = Schema.Struct({ error: Schema.String, message: Schema.String })
const idIn = Schema.decodeUnknownOption(Schema.fromJsonString(Id))
const envelopeIn = Schema.decodeUnknownOption(Schema.fromJsonString(Envelope))

/** An error of the transport, as JSON-RPC says it; null for what nobody waits for. */
const failed = (line: string, message: string): string | null => {
  const asked = Option.getOrNull(idIn(line))
  if (asked === null) return null
  return JSON.stringify({ jsonrpc: "2.0", id: asked.id, error: { code: -32000, message } })
}

const wordsIn = (status: number, text: string): string => {
  const told = Option.getOrNull(envelopeIn(text))
  return told === null ? `the engine answered ${status}` : `${told.error}: ${told.message}`
}

/** The engine that is asked. */
interface Server {
  readonly url: string
  /** the API key that goes along; null for none */
  readonly key: string | null
}

/** Returns the answer to a message, one line; null where there is none. */
const answerTo = ({ url, key }: Server, line: string): Effect.Effect<string | null> =>
  Effect.tryPromise(() =>
    fetch(`${url}/v1/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key !== null && { "x-api-key": key }) },
      body: line
    }).then(response => response.text().then(text => ({ status: response.status, text })))
  ).pipe(
    Effect.map(({ status, text }) => {
      if (status === 202) return null
      return status === 200 ? text : failed(line, wordsIn(status, text))
    }),
    Effect.catch(() =>
      Effect.succeed(
        failed(line, `no engine answers at ${url}: start one (npm start) or pass --url`)
      )
    )
  )

const lines = Stream.fromAsyncIterable(createInterface({ input: process.stdin }), cause => cause)

const program = (server: Server) =>
  lines.pipe(
    Stream.orDie,
    Stream.filter(line => line.trim() !== ""),
    Stream.mapEffect(line => answerTo(server, line), { concurrency: AT_ONCE, unordered: true }),
    Stream.runForEach(answer =>
      Effect.sync(() => {
        if (answer !== null) process.stdout.write(`${answer}\n`)
      })
    )
  )

const isUrl = (text: string): boolean => /^https?:\/\/[^/]+\/?$/.test(text) && URL.canParse(text)

runMain(
  Effect.gen(function* () {
    const { values } = yield* readArguments("mcp", {
      options: { help: { type: "boolean" }, url: { type: "string" } }
    })
    if (values.help === true) {
      process.stdout.write(`${HELP}\n`)
      return
    }
    const url = values.url ?? `http://127.0.0.1:${yield* portOr("PORT", 8080)}`
    if (!isUrl(url)) {
      return yield* wrongUsage("mcp", `--url ${url}: it must be like http://127.0.0.1:8080`)
    }
    yield* runUntilStopped
    yield* program({ url: url.replace(/\/$/, ""), key: yield* optionalText("API_KEY") })
  })
)
