/** Worker thread that checks the logs on disk for damage, slowly and for ever. */
import { join } from "node:path"
import { Clock, Effect, References } from "effect"
import type { LogCheck } from "../../engine/lane/log-check.ts"
import { type LogStream, logStream, otherPart } from "../../engine/log/log-stream.ts"
import { filesLost } from "../../engine/log/lost-files.ts"
import { anew, NO_MARK, type ScrubMark, type ScrubNews, scrub } from "../../engine/log/scrub.ts"
import { makeFolder, readText, replaceFile } from "../platform/files.ts"
import { JetStream } from "../platform/jetstream.ts"
import { parent, workerInput } from "../platform/worker.ts"
import { runWorker } from "./worker-main.ts"

export interface ScrubInput {
  readonly natsUrl: string
  /** data folder of the nats-server; null where the server is another's */
  readonly dataFolder: string | null
  /** folder of the marks, which hold how far each log was checked */
  readonly folder: string
  readonly chains: ReadonlyArray<string>
  /** shared equally by all chains' logs; side logs may take as much again */
  readonly bytesPerSecond: number
  /** milliseconds between two passes over a log */
  readonly restMs: number
  readonly json: boolean
}

export interface FromScrub {
  readonly type: "checked"
  readonly chain: string
  readonly check: LogCheck
}

const input = workerInput<ScrubInput>()
const { natsUrl, dataFolder, folder, chains, bytesPerSecond, restMs, json } = input
const port = parent<{ readonly type: "stop" }, FromScrub>()

/** Milliseconds between two writes of the marks; a restart checks again what came after a write. */
const SAVE_MS = 5_000

interface Marks {
  readonly log: ScrubMark
  readonly side: ScrubMark
}

/** What was whole may have been changed since, while nobody looked. */
const unrested = (mark: ScrubMark): ScrubMark => (mark.isOver ? anew(mark) : mark)

/** Reads a chain's marks; where the file is missing or wrong, checking begins at the start. */
const readMarks = (path: string): Effect.Effect<Marks> =>
  readText(path).pipe(
    Effect.flatMap(text => Effect.try(() => JSON.parse(text) as Marks)),
    Effect.filterOrFail(({ log, side }) => [log, side].every(mark => mark.at.streamSeq >= 0)),
    Effect.map(({ log, side }) => ({ log: unrested(log), side: unrested(side) })),
    Effect.orElseSucceed(() => ({ log: NO_MARK, side: NO_MARK }))
  )

/** Combines the check results of a chain's log and side log, and saves their marks. */
class Found {
  private readonly news: { log: ScrubNews; side: ScrubNews }
  private savedMs = 0
  private readonly chain: string
  private readonly path: string

  constructor(chain: string, path: string, { log, side }: Marks) {
    this.chain = chain
    this.path = path
    this.news = { log: { mark: log, problem: null }, side: { mark: side, problem: null } }
  }

  readonly tell = (of: keyof Marks) => (news: ScrubNews) =>
    Effect.gen({ self: this }, function* () {
      const before = this.news[of].mark
      this.news[of] = news
      this.post()
      const now = yield* Clock.currentTimeMillis
      const isWhole = news.mark.wholeAtMs !== before.wholeAtMs
      if (!isWhole && now - this.savedMs < SAVE_MS) return
      this.savedMs = now
      const marks: Marks = { log: this.news.log.mark, side: this.news.side.mark }
      // Where the write fails, a restart only checks more again.
      yield* Effect.ignore(replaceFile(this.path, JSON.stringify(marks)))
    })

  private post(): void {
    const { log, side } = this.news
    const sideProblem =
      side.problem === null ? null : `the side log of ${this.chain}: ${side.problem}`
    const check: LogCheck = {
      seq: log.mark.at.seq,
      bytes: log.mark.bytes + side.mark.bytes,
      wholeAtMs: log.mark.wholeAtMs,
      problem: log.problem ?? sideProblem
    }
    port.post({ type: "checked", chain: this.chain, check })
  }
}

const look = (chain: string) =>
  Effect.gen(function* () {
    const stream = yield* logStream(chain)
    const path = join(folder, `${chain}.json`)
    const marks = yield* readMarks(path)
    const found = new Found(chain, path, marks)
    const rate = { bytesPerSecond: bytesPerSecond / chains.length, restMs }
    const scrubPart = (of: keyof Marks, part: LogStream) =>
      scrub({
        stream: part,
        from: marks[of],
        ...rate,
        filesLost: dataFolder === null ? Effect.succeed(null) : filesLost(dataFolder, part),
        tell: found.tell(of)
      })
    const all = [scrubPart("log", stream), scrubPart("side", otherPart(stream, "side"))]
    return yield* Effect.all(all, { concurrency: 2 })
  })

const program = makeFolder(folder).pipe(
  Effect.ignore,
  Effect.andThen(Effect.forEach(chains, look, { concurrency: "unbounded" })),
  // Silent, because lanes themselves log what they cannot reach.
  Effect.provideService(References.MinimumLogLevel, "None"),
  Effect.provide(JetStream.layer({ url: natsUrl }))
)

runWorker(port, json, program)
