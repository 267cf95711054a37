/** The JetStream stream of one chain's log: its name, and access that outlasts a lost server. */
import { Effect, Option } from "effect"
import { JetStream } from "../../src/platform/jetstream.ts"
import type { StoredMessage } from "../../src/platform/jetstream-read-ahead.ts"
import type { NatsError } from "../../src/platform/nats.ts"
import { broken, type LogBroken, LogUnusable } from "./log-errors.ts"

/**
 * A log of a chain: its events, those they join (`side-log.ts`), its facts (`fact-log.ts`), and
 * what became of aggregators that swaps may fall back on (`engine/trade/meta/breaker-log.ts`).
 */
export type LogPart = "log" | "side" | "facts" | "trade"

interface PartNames {
  /** all streams of a server with this prefix are such logs */
  readonly prefix: string
  readonly subject: string
  /** what people call it */
  readonly word: string
}

export const logParts: { readonly [part in LogPart]: PartNames } = {
  log: { prefix: "TAPE_", subject: "tape", word: "log" },
  side: { prefix: "PINS_", subject: "pins", word: "side log" },
  facts: { prefix: "FACTS_", subject: "facts", word: "fact log" },
  trade: { prefix: "TRADE_", subject: "trade", word: "trade log" }
}

/** All logs of chains. */
export const allParts = Object.keys(logParts) as ReadonlyArray<LogPart>

/** Returns the name of the stream of a chain's log. */
export const streamName = (chain: string, part: LogPart = "log"): string =>
  `${logParts[part].prefix}${chain.toUpperCase()}`

/** Returns which log of which chain a stream is; null for any other stream. */
export const partOfStream = (
  name: string
): { readonly part: LogPart; readonly chain: string } | null => {
  const part = allParts.find(one => name.startsWith(logParts[one].prefix))
  if (part === undefined) return null
  return { part, chain: name.slice(logParts[part].prefix.length).toLowerCase() }
}

export interface LogStream {
  readonly chain: string
  readonly name: string
  readonly subject: string
  readonly jetStream: JetStream["Service"]
}

/** The stream of another log of the same chain. */
export const otherPart = (
  { chain, jetStream }: Pick<LogStream, "chain" | "jetStream">,
  part: LogPart
): LogStream => ({
  chain,
  name: streamName(chain, part),
  subject: `${logParts[part].subject}.${chain}`,
  jetStream
})

/** The stream of a chain's log, by the chain's key (`base`). */
export const logStream = (
  chain: string,
  part: LogPart = "log"
): Effect.Effect<LogStream, never, JetStream> =>
  Effect.map(JetStream, jetStream => otherPart({ chain, jetStream }, part))

/** What waits: blocks of history; transfers of pinned tokens did, before they had a side log. */
export type StageOf = "history" | "transfers"

const STAGES = { history: "LATE", transfers: "TRANSFERS" } as const

/** Where late blocks of a chain wait, in a log of their own, until all of a part are there. */
export const stageStream = (
  chain: string,
  of: StageOf = "history"
): Effect.Effect<LogStream, never, JetStream> =>
  Effect.map(JetStream, jetStream => ({
    chain,
    name: `${STAGES[of]}_${chain.toUpperCase()}`,
    subject: `${STAGES[of].toLowerCase()}.${chain}`,
    jetStream
  }))

/** Deletes what waits there. */
export const dropStage = (
  chain: string,
  of: StageOf = "history"
): Effect.Effect<void, LogUnusable, JetStream> =>
  Effect.flatMap(stageStream(chain, of), stage =>
    persist(stage, stage.jetStream.dropStream(stage.name))
  )

const firstPauseMs = 50
const longestPauseMs = 2_000

/**
 * Repeats a request for as long as the server cannot answer it; what the server refuses is final.
 * Only for requests that may be carried out twice.
 */
export const persist = <A>(
  stream: LogStream,
  request: Effect.Effect<A, NatsError>,
  pauseMs = firstPauseMs
): Effect.Effect<A, LogUnusable> =>
  Effect.catchTags(request, {
    NatsRefused: ({ message }) => new LogUnusable({ chain: stream.chain, message }),
    NatsUnavailable: ({ message }) =>
      Effect.logWarning(`${message}; trying again`).pipe(
        Effect.andThen(Effect.sleep(pauseMs)),
        Effect.andThen(
          Effect.suspend(() => persist(stream, request, Math.min(pauseMs * 2, longestPauseMs)))
        )
      )
  })

/** What the server knows of a log's stream; none where it has no such stream. */
export const knownStream = (stream: LogStream) =>
  persist(stream, stream.jetStream.stream(stream.name))

/** Creates a log's stream where the server has none. */
export const ensureStream = (stream: LogStream) => {
  const { name, subject, jetStream } = stream
  return persist(stream, jetStream.ensureStream({ name, subject }))
}

/** What the positions of a log mean, and how they are told to mean something else. */
export interface LogIdentity {
  /** null where an older version made the log, which nobody has opened for writing since */
  readonly known: Effect.Effect<string | null, LogUnusable>
  /** gives it another one: positions may stand for other events than they did */
  readonly renew: Effect.Effect<string, LogUnusable>
}

export const logIdentity = (stream: LogStream): LogIdentity => ({
  known: Effect.map(knownStream(stream), info => Option.getOrNull(info)?.id ?? null),
  renew: persist(stream, stream.jetStream.renewId(stream.name))
})

/** The number of the stream's last message; fails where there is no such stream. */
export const lastStreamSeq = (stream: LogStream): Effect.Effect<number, LogUnusable> =>
  Effect.flatMap(knownStream(stream), info =>
    Option.isSome(info)
      ? Effect.succeed(info.value.lastSeq)
      : new LogUnusable({
          chain: stream.chain,
          message:
            `there is no log of ${stream.chain} (stream ${stream.name}) on this server: ` +
            "check the chain's key, DATA_DIR and NATS_URL"
        })
  )

/** A message that must be there. */
export const messageAt = (
  stream: LogStream,
  streamSeq: number
): Effect.Effect<StoredMessage, LogBroken | LogUnusable> =>
  Effect.flatMap(persist(stream, stream.jetStream.message(stream.name, streamSeq)), stored =>
    Option.isSome(stored) ? Effect.succeed(stored.value) : missing(stream, streamSeq)
  )

/** A message that is not there, although the stream has gone past its number. */
export const missing = ({ chain }: LogStream, streamSeq: number): LogBroken =>
  broken(chain, streamSeq, "the message is missing or cannot be read from disk")
