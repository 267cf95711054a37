/** `npm run log -- cut` and `repair`: keep the good part of a log, read the rest again. */
import { existsSync, realpathSync } from "node:fs"
import { resolve } from "node:path"
import { Context, Effect, Layer, Option, Schedule, Schema, Stream } from "effect"
import type { LogBroken } from "../../engine/log/log-errors.ts"
import { type LogStream, logStream } from "../../engine/log/log-stream.ts"
import { readSegments } from "../../engine/log/read-log.ts"
import { endOf, LOG_START, type LogPosition } from "../../engine/log/segment.ts"
import { ensureTapeLog } from "../../engine/log/tape-log.ts"
import { DataLock } from "../platform/data-lock.ts"
import { optionalText } from "../platform/environment.ts"
import { JetStream } from "../platform/jetstream.ts"
import { NatsServer } from "../platform/nats-server.ts"
import { bytesOnDisk, cutOffFolder, cutStream, forgetStream } from "../platform/stream-files.ts"
import { startLane } from "./lane-set.ts"
import { progressBar } from "./progress.ts"
import { checkedChain } from "./proven-chain.ts"
import { type ChainSetting, readSettings, type Settings } from "./settings.ts"

/** A log is not to be mended, or cannot be; the message says what to do. */
export class NotMended extends Schema.TaggedError<NotMended>()("NotMended", {
  message: Schema.String
}) {}

const say = (text: string) => Effect.sync(() => process.stdout.write(`${text}\n`))

/** The good front part of a log. */
interface Front extends LogPosition {
  /** last block of it, and when that was, in unix seconds; null where nothing is left */
  readonly block: number | null
  /** messages in the stream behind it */
  readonly behind: number
  /** what ended it; null where nothing is wrong as far as was read */
  readonly broken: LogBroken | null
}

/** Reads a log with every check, up to a seq. */
const frontOf = (stream: LogStream, to: number) =>
  Effect.gen(function* () {
    const { jetStream, name, chain } = stream
    const known = yield* jetStream.stream(name)
    if (Option.isNone(known)) {
      return yield* new NotMended({ message: `there is no log of ${chain} in this data folder` })
    }
    const { lastSeq } = known.value
    const bar = progressBar(`checking ${chain}`, lastSeq)
    let [at, block]: [LogPosition, number | null] = [LOG_START, null]
    const broken = yield* readSegments(stream, LOG_START, { follow: false }).pipe(
      Stream.takeWhile(({ header }) => header.lastSeq <= to),
      Stream.runForEach(({ header }) =>
        Effect.sync(() => {
          at = endOf(header)
          block = header.lastBlock
          bar.at(header.streamSeq)
        })
      ),
      Effect.as(null),
      Effect.catchTag("LogBroken", failure => Effect.succeed(failure)),
      Effect.ensuring(Effect.sync(bar.end))
    )
    return { ...at, block, behind: lastSeq - at.streamSeq, broken } satisfies Front
  })

/** Does something with the server of a folder, which stops again. */
const withServer = <A, E>(folder: string, use: (url: string) => Effect.Effect<A, E, JetStream>) =>
  Effect.gen(function* () {
    const lock = DataLock.of({ dataDirectory: folder })
    const server = yield* Layer.build(NatsServer.layerNoDeps()).pipe(
      Effect.provideService(DataLock, lock)
    )
    const { url } = Context.get(server, NatsServer)
    return yield* Effect.provide(use(url), JetStream.layer({ url, patient: false }))
  }).pipe(Effect.scoped)

/** Locks the data folder: no engine may work on the log that is mended. */
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

const kept = ({ seq, streamSeq, block }: Front): string =>
  seq === 0
    ? "nothing of it"
    : `its first ${seq} events, ${streamSeq} segments up to block ${block}`

/** Cuts the log behind its front part, and looks at what is left. */
const cutBehind = Effect.fnUntraced(function* (folder: string, chain: string, front: Front) {
  const { name } = yield* nameOf(chain)
  yield* cutStream(folder, name, front.streamSeq)
  const left = yield* withServer(folder, () =>
    Effect.flatMap(logStream(chain), stream => frontOf(stream, Number.MAX_SAFE_INTEGER))
  )
  if (left.hash !== front.hash || left.behind > 0) {
    return yield* new NotMended({
      message: `the log of ${chain} should end at seq ${front.seq}, but ends at ${left.seq}: restore it from a copy`
    })
  }
  yield* say(`what was cut off lies in ${cutOffFolder(folder, name)}, which may be deleted`)
})

const nameOf = (chain: string) => Effect.succeed({ name: `TAPE_${chain.toUpperCase()}` })

/** Keeps a log up to a seq, or up to where it is broken before that. */
export const cut = (data: string, chain: string, to: number, sure: boolean) =>
  Effect.gen(function* () {
    const folder = yield* lockedFolder(data)
    const front = yield* withServer(folder, () =>
      Effect.flatMap(logStream(chain), stream => frontOf(stream, to))
    )
    if (front.broken !== null) yield* say(front.broken.message)
    if (front.behind === 0)
      return yield* say(`the log of ${chain} ends at seq ${front.seq}: nothing to cut`)
    const plan = `keeps of the log of ${chain} ${kept(front)}; ${front.behind} segments after it go`
    if (!sure) {
      return yield* new NotMended({
        message: `this ${plan}. Nothing was done: add --yes to do it`
      })
    }
    yield* say(plan)
    yield* cutBehind(folder, chain, front)
    yield* say("at the next start tables go back to there, and the source reads on from there")
  }).pipe(Effect.scoped)

const settingOf = (settings: Settings, chain: string) => {
  const found = settings.chains.find(one => one.chain.key === chain)
  return found === undefined
    ? Effect.fail(
        new NotMended({
          message: `${chain} has no source to read from: set RPC_<id of ${chain}> to its nodes, as for npm start`
        })
      )
    : Effect.succeed(found)
}

/** Runs a lane until it has read all that its source has. */
const readAgain = (
  folder: string,
  url: string,
  {
    setting,
    settings,
    block
  }: {
    readonly setting: ChainSetting
    readonly settings: Settings
    readonly block: number
  }
) =>
  Effect.gen(function* () {
    const chain = yield* checkedChain(setting.chain, setting.endpoints, folder)
    const own = { ...settings, dataDir: folder }
    const { client } = yield* startLane(
      { ...setting, chain },
      { settings: own, natsUrl: url, json: false }
    )
    const bar = progressBar(`reading ${chain.key} again`, 1)
    yield* Effect.sync(() => {
      const { state, seq, logSeq, source, block: at } = client.status()
      const head = source?.headBlock ?? null
      if (head !== null && head > block) bar.at(((at ?? 0) - block) / (head - block))
      return state === "live" && seq === logSeq && source?.state === "live" && at === head
    }).pipe(
      Effect.repeat({ until: done => done, schedule: Schedule.spaced("100 millis") }),
      Effect.ensuring(Effect.sync(bar.end))
    )
    const { seq, block: at } = client.status()
    yield* say(`the log of ${chain.key} is whole again: ${seq} events up to block ${at}`)
  }).pipe(Effect.scoped)

/** Mends a log: what describes its stream, and, from the chain's source, what is damaged in it. */
export const repair = (data: string, chain: string, fromSource: boolean) =>
  Effect.gen(function* () {
    const settings = yield* readSettings
    const setting = fromSource ? yield* settingOf(settings, chain) : null
    const folder = yield* lockedFolder(data)
    const { name } = yield* nameOf(chain)
    if (bytesOnDisk(folder, name) === 0) {
      return yield* new NotMended({ message: `there is no log of ${chain} in ${folder}` })
    }
    const isKnown = yield* withServer(folder, () =>
      Effect.flatMap(JetStream, ({ stream }) => Effect.map(stream(name), Option.isSome))
    )
    if (!isKnown) {
      yield* forgetStream(folder, name)
      yield* say(`what describes stream ${name} was damaged: it is written again`)
    }
    const front = yield* withServer(folder, () =>
      Effect.flatMap(ensureTapeLog(chain), stream => frontOf(stream, Number.MAX_SAFE_INTEGER))
    )
    const { broken } = front
    if (broken === null) return yield* say(`the log of ${chain} is whole: ${kept(front)}`)
    yield* say(broken.message)
    if (setting === null) {
      return yield* new NotMended({
        message:
          `good is ${kept(front)}. "npm run log -- repair --chain ${chain} --from-source" keeps that ` +
          "and reads the rest again from the chain's source"
      })
    }
    yield* say(`keeps ${kept(front)}; what ${front.behind} segments after it held is read again`)
    yield* cutBehind(folder, chain, front)
    yield* withServer(folder, url =>
      readAgain(folder, url, { setting, settings, block: front.block ?? 0 })
    )
  }).pipe(Effect.scoped)
