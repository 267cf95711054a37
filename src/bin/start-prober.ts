/** Starts the prober of an engine, a process of its own, and follows what probers log. */
import { fileURLToPath } from "node:url"
import { Context, Data, Effect, Layer, type Scope } from "effect"
import { followProbes } from "../../engine/probes/probe-log.ts"
import type { Uptime } from "../../engine/probes/uptime.ts"
import { describeExit, startChild } from "../platform/child.ts"
import { integerOr, oneOf } from "../platform/environment.ts"
import { JetStream } from "../platform/jetstream.ts"
import { keepAlive } from "../platform/keep-alive.ts"

const RESTARTS = { firstMs: 1_000, longestMs: 60_000, wellAfterMs: 60_000 }
/** A probe under way is waited for, and its record logged. */
const GRACE_MS = 3_000

/**
 * `PROBER`: `own` (default) runs a prober beside the engine, `other` follows one elsewhere,
 * `off` measures nothing. `PROBE_SECONDS` (default 10): seconds between two probes.
 */
const proberConfig = Effect.all({
  prober: oneOf("PROBER", ["own", "other", "off"]),
  every: integerOr("PROBE_SECONDS", 10, 1)
})

/** The prober's process ended by itself; the message says how. */
class ProberEnded extends Data.TaggedError("ProberEnded")<{ readonly message: string }> {}

/** Where the probes are logged. */
interface ProbesPlace {
  readonly natsUrl: string
  /** whether the prober's lines of the log are JSON */
  readonly json: boolean
}

/** Runs the prober's process until it ends. */
const run = (url: string, { natsUrl, json }: ProbesPlace, every: number) =>
  Effect.gen(function* () {
    const entry = fileURLToPath(new URL("./prober.ts", import.meta.url))
    const child = yield* startChild({
      command: process.execPath,
      args: [
        ...["--import", "tsx", entry],
        ...["--url", url, "--every", String(every), ...(json ? ["--json"] : [])]
      ],
      // not among the arguments, which every process can read: it may have a password
      env: { NATS_URL: natsUrl },
      onErrorLine: line => process.stderr.write(`${line}\n`),
      graceMs: GRACE_MS
    })
    const exit = yield* child.exited
    return yield* Effect.fail(
      new ProberEnded({ message: `the prober ended: ${describeExit(exit)}` })
    )
  }).pipe(Effect.tapError(({ message }) => Effect.logWarning(`${message}; starting it again`)))

/** Starts what an engine whose server answers at a URL needs. */
type Probing = (url: string) => Effect.Effect<void, never, Scope.Scope>

/** Follows the probes; `start` starts the prober once the engine answers. */
export const openProbes = (place: ProbesPlace) =>
  Effect.gen(function* () {
    const { prober, every } = yield* proberConfig
    if (prober === "off") {
      const uptime = (): Uptime | null => null
      return { uptime, streams: [], start: (() => Effect.void) satisfies Probing }
    }
    const jetStream = Context.get(
      yield* Layer.build(JetStream.layer({ url: place.natsUrl })),
      JetStream
    )
    const book = yield* Effect.provideService(followProbes, JetStream, jetStream)
    const start: Probing = url =>
      prober === "own" ? keepAlive(run(url, place, every), RESTARTS, () => {}) : Effect.void
    return { uptime: book.told, streams: [book.stream], start }
  })
