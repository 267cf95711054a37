/** `npm run log`: reads logs, even while the engine runs, and mends logs while no engine runs. */
import { Effect } from "effect"
import type { LogPart } from "../../engine/log/log-stream.ts"
import { readArguments, wrongUsage } from "../platform/command-line.ts"
import { textOr } from "../platform/environment.ts"
import type { JetStream } from "../platform/jetstream.ts"
import { cat, check, listLogs, listSegments } from "./log-commands.ts"
import { cut, repair } from "./log-mend.ts"
import { logServer, withServer } from "./log-server.ts"
import { loggerLayer } from "./logging.ts"
import { lostStreams, mustBeKnown } from "./lost-streams.ts"

const HELP = `Looks into the event logs, also while the engine runs.

  npm run log -- cat --chain KEY [--from SEQ] [--to SEQ] [--follow]
                      events as JSON lines; raw integers as decimal strings
  npm run log -- ls [--chain KEY]
                      the segments of a log; without a chain, the logs there are
  npm run log -- cat|ls --chain KEY --side
                      the same of the chain's side log: what its log joins (EventsJoined), as the
                      transfers that pinned tokens had before they were pinned
  npm run log -- cat|ls --chain KEY --facts
                      the same of the chain's fact log: which venues and routers the chain has
                      proven, besides those of the registry
  npm run log -- cat|ls --chain KEY --trade
                      the same of the chain's trade log: how the circuit breakers of aggregators
                      that swaps may fall back on moved
  npm run log -- check --chain KEY
                      reads all of these logs; exits 1 and says where, if one is broken, or lacks
                      what another joins

Mends them while no engine runs on the data folder:

  npm run log -- cut --chain KEY --to SEQ [--yes]
                      keeps a log up to SEQ, or up to where it is broken before that, in whole
                      segments: of the one that SEQ lies within nothing is kept. Without --yes it
                      says what would go. What is cut off is kept in the data folder, once
  npm run log -- cut --chain KEY --side --to SEQ [--yes]
                      the same of the side log, where the log joins nothing of what would go
  npm run log -- cut --chain KEY --facts --to SEQ [--yes]
                      the same of the fact log; the next start asks the chain again
  npm run log -- cut --chain KEY --trade --to SEQ [--yes]
                      the same of the trade log, which tells of breakers of aggregators alone
  npm run log -- repair --chain KEY [--from-source] [--patience SECONDS]
                      writes damaged descriptions of a stream again; of a log that is broken keeps
                      the part before, and reads the rest again from the chain's source (RPC_<id>);
                      so it does from where a log joins what is lost of its side log. It gives up,
                      and says what is mended, when nothing comes for so long (60)

  --data DIR          the data folder (default DATA_DIR, else ./data)

NATS_URL names another nats-server than the one of the data folder.`

const usage = (problem: string) => wrongUsage("log", problem)

const commandLine = readArguments("log", {
  allowPositionals: true,
  options: {
    help: { type: "boolean" },
    chain: { type: "string" },
    from: { type: "string", default: "1" },
    to: { type: "string", default: String(Number.MAX_SAFE_INTEGER) },
    follow: { type: "boolean", default: false },
    side: { type: "boolean", default: false },
    facts: { type: "boolean", default: false },
    trade: { type: "boolean", default: false },
    yes: { type: "boolean", default: false },
    "from-source": { type: "boolean", default: false },
    patience: { type: "string", default: "60" },
    data: { type: "string" }
  }
})

type Values = Effect.Success<typeof commandLine>["values"]

const seqOf = (name: string, text: string) =>
  /^\d{1,15}$|^9007199254740991$/.test(text)
    ? Effect.succeed(Number(text))
    : Effect.fail(usage(`--${name} ${text} is no seq, a whole number from 1`))

const chainOf = ({ chain }: Values) =>
  chain !== undefined && /^[a-z0-9]+$/.test(chain)
    ? Effect.succeed(chain)
    : Effect.fail(usage("--chain KEY is needed, such as base"))

const PARTS = ["side", "facts", "trade"] as const

const namedParts = (values: Values): ReadonlyArray<LogPart> => PARTS.filter(part => values[part])

const partIn = (values: Values) => {
  const [part = "log", other] = namedParts(values)
  return other === undefined
    ? Effect.succeed<LogPart>(part)
    : Effect.fail(usage(`--${part} and --${other} name two logs: one command reads one`))
}

const noPart = (values: Values, what: string) =>
  namedParts(values).length > 0
    ? Effect.fail(
        usage(`${what} is of all logs: --side, --facts and --trade are for cat, ls and cut`)
      )
    : Effect.void

/**
 * Runs a program that reads logs. Fails where the chain's log is on disk, but unknown to the
 * server; without a chain, warns about such logs.
 */
const look = Effect.fnUntraced(function* <A, E>(
  { chain, data }: Values,
  program: Effect.Effect<A, E, JetStream>
) {
  const { url, folder } = yield* logServer("log", data)
  const known =
    folder === null
      ? Effect.void
      : chain === undefined
        ? Effect.flatMap(lostStreams(folder), lost =>
            Effect.forEach(lost, ({ message }) => Effect.logWarning(message), { discard: true })
          )
        : mustBeKnown(folder, chain)
  yield* withServer(url, Effect.andThen(known, program))
})

/** Returns the program of `cut` or `repair`; fails on wrong arguments. */
const mending = Effect.fnUntraced(function* (name: string, values: Values) {
  const chain = yield* chainOf(values)
  const data = values.data ?? (yield* textOr("DATA_DIR", "./data"))
  if (name === "repair") {
    yield* noPart(values, "repair")
    const { patience } = values
    const isTime = /^[1-9]\d{0,6}$/.test(patience)
    if (!isTime) return yield* usage(`--patience ${patience} is no number of seconds from 1`)
    return repair(data, chain, values["from-source"], Number(patience) * 1_000)
  }
  const to = yield* seqOf("to", values.to)
  if (to === Number.MAX_SAFE_INTEGER)
    return yield* usage("--to SEQ is needed: the last one to keep")
  return cut(data, chain, to, yield* partIn(values), values.yes)
})

/** Returns the program of a reading command; fails on wrong arguments, before a server starts. */
const command = Effect.fnUntraced(function* (name: string | undefined, values: Values) {
  switch (name) {
    case "cat": {
      const from = yield* seqOf("from", values.from)
      const to = yield* seqOf("to", values.to)
      if (to < from) return yield* usage(`--to ${to} is before --from ${from}`)
      return cat(yield* chainOf(values), { from, to, follow: values.follow }, yield* partIn(values))
    }
    case "ls":
      if (values.chain === undefined) yield* noPart(values, "ls without --chain")
      return values.chain === undefined
        ? listLogs
        : listSegments(yield* chainOf(values), yield* partIn(values))
    case "check":
      yield* noPart(values, "check")
      return check(yield* chainOf(values))
    default:
      return yield* usage(name === undefined ? "a command is needed" : `no command "${name}"`)
  }
})

export const logProgram = Effect.gen(function* () {
  const { values, positionals } = yield* commandLine
  if (values.help === true) {
    process.stdout.write(`${HELP}\n`)
    return
  }
  const [name, extra] = positionals
  const program =
    name === "cut" || name === "repair"
      ? yield* mending(name, values)
      : look(values, yield* command(name, values))
  if (extra !== undefined) return yield* usage(`"${extra}" is one word too many`)
  yield* program
}).pipe(
  Effect.scoped,
  Effect.provide(loggerLayer(false)),
  Effect.catch(({ message }) =>
    Effect.sync(() => {
      process.stderr.write(`log: ${message}\n`)
      process.exitCode = 1
    })
  )
)
