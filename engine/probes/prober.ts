/** Asks a service how it is, again and again, and puts what it finds into the log of probes. */
import { Clock, Effect, Option, Schema } from "effect"
import { steadyMillis } from "../../src/platform/elapsed.ts"
import type { JetStream } from "../../src/platform/jetstream.ts"
import { askHttp } from "../../src/platform/json-over-http.ts"
import { appendProbes } from "./probe-log.ts"
import type { ProbeRecord } from "./probe-record.ts"
import { type Probe, Tally } from "./tally.ts"

/** Milliseconds within which the service has to answer, and before the next probe. */
const PATIENCE_MS = 5_000
/** Bytes of an answer of any number of chains. */
const MOST_BYTES = 1_000_000
/** Records that wait for a server that takes none: a day and more of an unchanged outcome. */
const MOST_WAITING = 2_000
/** Milliseconds for what is left at the end. */
const END_MS = 2_000

const Answer = Schema.Struct({
  chains: Schema.Array(Schema.Struct({ chain: Schema.String, ok: Schema.Boolean }))
})
const decode = Schema.decodeUnknownOption(Answer)

export interface ProberOptions {
  /** where the service answers */
  readonly url: string
  /** seconds between two probes */
  readonly every: number
}

export interface ProberOptions {
  /** where the service answers */
  readonly url: string
  /** seconds between two probes */
  readonly every: number
}

/** Asks once; null where no right answer came in time. */
const ask = ({ url, every }: ProberOptions): Effect.Effect<Probe["chains"]> =>
  askHttp({
    ...{ method: "GET", url: `${url}/v1/health/chains`, headers: {} },
    timeoutMs: Math.min(PATIENCE_MS, every * 1000),
    mostBytes: MOST_BYTES
  }).pipe(
    Effect.map(({ status, json }) => {
      const answer = status === 200 ? Option.getOrNull(decode(json)) : null
      if (answer === null) return null
      return new Map(answer.chains.map(({ chain, ok }) => [chain, ok] as const))
    }),
    Effect.orElseSucceed(() => null)
  )

/** Appends the records that wait, oldest first, for as long as the server takes them. */
const append = (waiting: Array<ProbeRecord>): Effect.Effect<void, never, JetStream> =>
  Effect.gen(function* () {
    for (let record = waiting[0]; record !== undefined; record = waiting[0]) {
      yield* appendProbes(record)
      waiting.shift()
    }
  }).pipe(Effect.catch(({ message }) => Effect.logWarning(`probes wait to be logged: ${message}`)))

/** Milliseconds between two looks at what waits to be logged. */
const PAUSE_MS = 1_000

/** Probes until it is interrupted; what it has found by then is logged at the end. */
export const probe = ({ url, every }: ProberOptions): Effect.Effect<never, never, JetStream> => {
  const tally = new Tally(every)
  const waiting: Array<ProbeRecord> = []
  const take = (records: ReadonlyArray<ProbeRecord>) => {
    waiting.push(...records)
    const lost = waiting.splice(0, Math.max(0, waiting.length - MOST_WAITING))
    return lost.length === 0
      ? Effect.void
      : Effect.logError(`${lost.length} records of probes are lost: nobody logs them`)
  }
  const asking = Effect.gen(function* () {
    const began = yield* steadyMillis
    const at = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const chains = yield* ask({ url, every })
    yield* take(tally.add({ at, chains }))
    const rest = began + every * 1000 - (yield* steadyMillis)
    yield* Effect.sleep(Math.max(0, rest))
  })
  // apart from the asking: a server that hangs must not delay a probe
  const logging = Effect.andThen(append(waiting), Effect.sleep(PAUSE_MS))
  const end = Effect.suspend(() => Effect.andThen(take(tally.flush()), append(waiting)))
  return Effect.all([Effect.forever(asking), Effect.forever(logging)], {
    concurrency: "unbounded"
  }).pipe(
    Effect.onExit(() => Effect.timeoutOption(end, END_MS)),
    Effect.andThen(Effect.never)
  )
}
