/** Finds logs that are there in part: messages without a stream, or tables without messages. */
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { allParts, logParts, partOfStream, streamName } from "../../engine/log/log-stream.ts"
import { readServed } from "../../engine/store/tables-file.ts"
import { namesIn } from "../platform/files.ts"
import { JetStream } from "../platform/jetstream.ts"
import { streamsFolder, streamsOnDisk } from "../platform/stream-files.ts"

/** A log's messages are on disk, but the description of its stream is damaged. */
class StreamLost extends Schema.TaggedError<StreamLost>()("StreamLost", {
  chain: Schema.String,
  message: Schema.String
}) {}

const lost = (folder: string, name: string): ReadonlyArray<StreamLost> => {
  const found = partOfStream(name)
  if (found === null) return []
  const { part, chain } = found
  const error = new StreamLost({
    chain,
    message:
      `the ${logParts[part].word} of ${chain} is in ${folder}, but what describes its stream to nats-server is damaged: ` +
      `"npm run log -- repair --chain ${chain}" writes it again, and loses nothing`
  })
  return [error]
}

/** Returns an error for each log of a folder that its server does not list. */
export const lostStreams = Effect.fnUntraced(function* (folder: string) {
  const { streams } = yield* JetStream
  const found = (yield* Effect.forEach(allParts, part => streams(logParts[part].prefix))).flat()
  const known = new Set(found.map(({ name }) => name))
  return streamsOnDisk(folder)
    .filter(name => !known.has(name))
    .flatMap(name => lost(folder, name))
})

/** Returns the keys of the chains that have tables in a folder, but no messages in their log. */
export const emptiedLogs = Effect.fnUntraced(function* (
  folder: string,
  kept: ReadonlyArray<string>
) {
  const notes = (yield* namesIn(join(folder, "lanes"))).filter(name => name.endsWith(".served"))
  const keys = notes.map(name => name.slice(0, -".served".length)).sort()
  return yield* Effect.filter(
    keys.filter(key => !kept.includes(key)),
    key =>
      Effect.map(readServed(join(folder, "lanes", `${key}.duckdb`)), ({ place }) => place !== null)
  )
})

/** Returns what to do about an emptied log; `setting` gives its chain a source. */
export const emptiedWords = (folder: string, key: string, setting: string): string => {
  const stream = join(streamsFolder(folder), streamName(key))
  return (
    `the log of ${key} in ${folder} has lost its messages: it is empty, though tables were made of ` +
    `it. Restore ${stream} from a copy; or fill the log again, with npm start where ${setting} is ` +
    `set, or with npm run replay -- --chain ${key} and all the files`
  )
}

/** Fails where a log of a chain is on disk, but the server does not list it. */
export const mustBeKnown = Effect.fnUntraced(function* (folder: string, chain: string) {
  const found = (yield* lostStreams(folder)).find(one => one.chain === chain)
  if (found !== undefined) return yield* found
})
