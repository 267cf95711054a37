/** `npm run log -- cut` and `repair`: keeps the good part of a log and reads the rest again. */
import { existsSync, realpathSync } from "node:fs"
import { resolve } from "node:path"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { replayAgain } from "../../engine/log/log-errors.ts"
import {
  allParts,
  type LogPart,
  type LogStream,
  logParts,
  logStream,
  partOfStream,
  streamName
} from "../../engine/log/log-stream.ts"
import type { LogPosition } from "../../engine/log/segment.ts"
import { rpcSettingOf } from "../domain/shown-chain.ts"
import { DataLock } from "../platform/data-lock.ts"
import { optionalText } from "../platform/environment.ts"
import { JetStream } from "../platform/jetstream.ts"
import { NatsServer } from "../platform/nats-server.ts"
import { bytesOnDisk, cutOffFolder, cutStream, forgetStream } from "../platform/stream-files.ts"
import { holdsDevchain } from "./devchain-facts.ts"
import { settingsFor } from "./kept-logs.ts"
import {
  brokenWords,
  type Front,
  frontOf,
  joinProblem,
  NO_FRONT,
  type Place,
  unheldJoin
} from "./log-front.ts"
import { type Again, type ReadAgain, readAgain } from "./read-again.ts"
import { readSettings } from "./settings.ts"

/** A log may not or cannot be mended; the message says what to do. */
class NotMended extends Schema.TaggedError<NotMended>()("NotMended", {
  message: Schema.String
}) {}

const FACTS_ANEW = "the chain is asked again at the next start for what went of its facts"

const say = (text: string) => Effect.sync(() => process.stdout.write(`${text}\n`))

/** Returns the front of a log, up to seq `to`; fails where there is no log. */
const frontOrFail = (stream: LogStream, to?: number) =>
  Effect.flatMap(frontOf(stream, to), found =>
    Option.isSome(found)
      ? Effect.succeed(found.value)
      : new NotMended({
          message: `there is no ${wordOf(stream)} in this data folder`
        })
  )

const wordOf = ({ chain, name }: LogStream): string =>
  `${logParts[partOfStream(name)?.part ?? "log"].word} of ${chain}`

/** Starts the nats-server of a locked folder, calls `use` and stops the server again. */
const withServer = <A, E>(folder: string, use: (url: string) => Effect.Effect<A, E, JetStream>) =>
  Effect.gen(function* () {
    const lock = DataLock.of({ dataDirectory: folder })
    const server = yield* Layer.build(NatsServer.layerNoDeps()).pipe(
      Effect.provideService(DataLock, lock)
    )
    const { url } = Context.get(server, NatsServer)
    return yield* Effect.provide(use(url), JetStream.layer({ url, patient: false }))
  }).pipe(Effect.scoped)

/** Locks the data folder, so that no engine works on it, and returns its absolute path. */
const lockedFolder = Effect.fnUntraced(function* (data: string) {
  if ((yield* optionalText("NATS_URL")) !== null) {
    return yield* new NotMended({
      message: "only logs of a data folder's own nats-server can be mended: unset NATS_URL"
    })
  }
  const folder = resolve(data)
  if (!existsSync(folder)) {
    return yield* new NotMended({ message: `there is no data folder ${folder}` })
  }
  yield* Layer.build(DataLock.layer(folder))
  return realpathSync(folder)
})

const kept = ({ seq, streamSeq, block }: Place): string =>
  seq === 0
    ? "nothing of it"
    : `its first ${seq} events, ${streamSeq} segments up to block ${block}`

/** Cuts a log behind a place; fails where the remaining log does not end there. */
const cutBehind = Effect.fnUntraced(function* (
  folder: string,
  chain: string,
  part: LogPart,
  place: LogPosition
) {
  const name = streamName(chain, part)
  // First, so that even after a crash everyone with a position behind the cut sees a new id.
  if (part === "log")
    yield* withServer(folder, () => Effect.flatMap(JetStream, log => log.renewId(name)))
  yield* cutStream(folder, name, place.streamSeq)
  const left = yield* withServer(folder, () =>
    Effect.flatMap(logStream(chain, part), log => frontOrFail(log))
  )
  if (left.hash !== place.hash || left.behind > 0) {
    return yield* new NotMended({
      message: `stream ${name} should end at seq ${place.seq}, but ends at ${left.seq}: restore it from a copy`
    })
  }
  yield* say(`what was cut off lies in ${cutOffFolder(folder, name)}, which may be deleted`)
})

/** Fails where the log joins side-log events that the cut would remove. */
const mayCutSide = (chain: string, log: Front, side: Front) => {
  const join = unheldJoin(log, side)
  if (join === null) return Effect.void
  const message =
    `the log of ${chain} joins events ${join.firstSeq}..${join.lastSeq} of its side log, which ` +
    `would go: cut the log first, "npm run log -- cut --chain ${chain} --to ${join.before.seq}"`
  return new NotMended({ message })
}

/** Cuts a log behind seq `to`, or before its first damage; only plans if not `sure`. */
export const cut = (data: string, chain: string, to: number, part: LogPart, sure: boolean) =>
  Effect.gen(function* () {
    const folder = yield* lockedFolder(data)
    const { front, log } = yield* withServer(folder, () =>
      Effect.gen(function* () {
        const front = yield* frontOrFail(yield* logStream(chain, part), to)
        return { front, log: part === "side" ? yield* frontOrFail(yield* logStream(chain)) : null }
      })
    )
    if (front.broken !== null) yield* say(brokenWords(part, front))
    if (log !== null) yield* mayCutSide(chain, log, front)
    const what = `${logParts[part].word} of ${chain}`
    if (front.behind === 0)
      return yield* say(`the ${what} ends at seq ${front.seq}: nothing to cut`)
    const why =
      front.crossedTo === null
        ? ""
        : ` (only whole segments are kept: the one with ${to} reaches to ${front.crossedTo}, so what ` +
          `is kept ends at ${front.seq})`
    const plan = `keeps of the ${what} ${kept(front)}; ${front.behind} segments after it go${why}`
    if (!sure) {
      return yield* new NotMended({
        message: `this ${plan}. Nothing was done: add --yes to do it`
      })
    }
    yield* say(plan)
    yield* cutBehind(folder, chain, part, front)
    if (part === "facts") return yield* say(FACTS_ANEW)
    if (part === "trade") return
    yield* say(
      `at the next start tables are made anew up to there; what went comes again from the source of ` +
        `${chain}, or by replaying all files again`
    )
  }).pipe(Effect.scoped)

const noSource = (chain: string) =>
  Effect.map(
    settingsFor([chain]),
    name => `${chain} has no source to read from: set ${name} to its nodes, as for npm start`
  )

/** Rewrites a log's stream descriptions where messages are on disk, but unknown to the server. */
const describeAgain = Effect.fnUntraced(function* (folder: string, chain: string) {
  const lost = yield* withServer(folder, () =>
    Effect.gen(function* () {
      const streams = yield* Effect.forEach(allParts, part => logStream(chain, part))
      const unknown = yield* Effect.filter(streams, ({ name, jetStream }) =>
        Effect.map(jetStream.stream(name), Option.isNone)
      )
      return unknown.filter(({ name }) => bytesOnDisk(folder, name) > 0)
    })
  )
  if (lost.length === 0) return
  for (const { name } of lost) yield* forgetStream(folder, name)
  yield* withServer(folder, () =>
    Effect.flatMap(JetStream, ({ ensureStream }) => Effect.forEach(lost, ensureStream))
  )
  for (const { name } of lost) {
    yield* say(`what describes stream ${name} was damaged: it is written again`)
  }
})

/** The good parts of a chain's logs, and where to cut the log so that its side log agrees. */
interface Damage {
  readonly log: Front
  readonly side: Front
  readonly facts: Front
  /** the place to cut behind; the end of the log's front where all joins hold */
  readonly keep: Place
  /** a sentence per problem; none where all are whole */
  readonly problems: ReadonlyArray<string>
  /** true where the damaged part was replayed from files, which no source has */
  readonly isReplayed: boolean
}

const damageOf = (folder: string, chain: string) =>
  withServer(folder, () =>
    Effect.gen(function* () {
      const stream = yield* logStream(chain)
      const log = yield* frontOrFail(stream)
      const frontIn = (part: LogPart) =>
        Effect.flatMap(logStream(chain, part), one =>
          Effect.map(
            frontOf(one),
            Option.getOrElse(() => NO_FRONT)
          )
        )
      const [side, facts] = [yield* frontIn("side"), yield* frontIn("facts")]
      const unheld = unheldJoin(log, side)
      const problems = [
        ...(log.broken === null ? [] : [log.broken.message]),
        ...(side.broken === null ? [] : [brokenWords("side", side)]),
        ...(unheld === null ? [] : [joinProblem(chain, unheld)])
      ]
      const isReplayed = log.broken !== null && log.broken.replayedTo !== null
      return {
        log,
        side,
        facts,
        keep: unheld?.before ?? log,
        problems,
        isReplayed
      } satisfies Damage
    })
  )

/** Returns a clause on pinned tokens whose earlier transfers are not all read yet; "" for none. */
const pinWords = ({ pins, whole }: ReadAgain): string =>
  pins === whole
    ? ""
    : `; of ${pins} pinned tokens ${whole} have all their transfers, the others have them once the engine has run for a while`

/** Cuts what is damaged off a fact log, which needs no source; where not wanted, says how. */
const mendFacts = (folder: string, chain: string, facts: Front, fromSource: boolean) =>
  Effect.gen(function* () {
    if (!fromSource) return yield* new NotMended({ message: brokenWords("facts", facts) })
    yield* say(brokenWords("facts", facts))
    yield* cutBehind(folder, chain, "facts", facts)
    yield* say(FACTS_ANEW)
  })

const readRest = (again: Again, keep: Place) =>
  Effect.gen(function* () {
    const { chain } = again.setting
    const read = yield* readAgain(again)
    const { problem, seq, block } = read
    if (problem === null) {
      const whole = `the log of ${chain.key} is whole again: ${seq} events up to block ${block}`
      return yield* say(`${whole}${pinWords(read)}`)
    }
    return yield* new NotMended({
      message:
        `${problem}. Mended so far: what was damaged is cut off, ${kept(keep)} are kept, and the log ` +
        `is whole up to block ${block ?? keep.block ?? 0}. Once the nodes of ${rpcSettingOf(chain)} answer, ` +
        "npm start reads on from there"
    })
  })

/** Returns what to do about damage that is not mended now. */
const advice = (chain: string, { keep, isReplayed }: Damage, fromSource: boolean) =>
  isReplayed
    ? Effect.succeed(`good is ${kept(keep)}: ${replayAgain(chain, keep.seq)}`)
    : fromSource
      ? noSource(chain)
      : Effect.succeed(
          `good is ${kept(keep)}. "npm run log -- repair --chain ${chain} --from-source" keeps ` +
            "that and reads the rest again from the chain's source"
        )

/**
 * Mends a log: rewrites damaged stream descriptions, then cuts the damaged part off and reads it
 * again from the chain's source. Fails with advice where the log is damaged and no source is used.
 */
export const repair = (data: string, chain: string, fromSource: boolean, patienceMs: number) =>
  Effect.gen(function* () {
    const settings = yield* readSettings
    const found = settings.chains.find(one => one.chain.key === chain) ?? null
    const folder = yield* lockedFolder(data)
    // Without endpoints the source would be a devchain, which has none of a real chain's blocks.
    const isSource = found !== null && found.endpoints.length > 0
    const setting = fromSource && (isSource || (yield* holdsDevchain(folder, chain))) ? found : null
    if (bytesOnDisk(folder, streamName(chain)) === 0) {
      return yield* new NotMended({ message: `there is no log of ${chain} in ${folder}` })
    }
    yield* describeAgain(folder, chain)
    const damage = yield* damageOf(folder, chain)
    const { log, side, facts, keep, problems } = damage
    if (facts.broken !== null) yield* mendFacts(folder, chain, facts, fromSource)
    if (problems.length === 0) return yield* say(`the log of ${chain} is whole: ${kept(log)}`)
    for (const problem of problems) yield* say(problem)
    if (setting === null) {
      return yield* new NotMended({ message: yield* advice(chain, damage, fromSource) })
    }
    const behind = log.behind + log.streamSeq - keep.streamSeq
    yield* say(`keeps ${kept(keep)}; what ${behind} segments after it held is read again`)
    if (behind > 0) yield* cutBehind(folder, chain, "log", keep)
    if (side.behind > 0) yield* cutBehind(folder, chain, "side", side)
    const block = keep.block ?? 0
    yield* withServer(folder, natsUrl =>
      readRest({ folder, natsUrl, setting, settings, block, patienceMs }, keep)
    )
  }).pipe(Effect.scoped)
