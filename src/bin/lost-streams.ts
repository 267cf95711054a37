/** Finds logs whose messages are on disk, but which the server does not list. */
import { Effect, Schema } from "effect"
import { sidePrefix, streamPrefix } from "../../engine/log/log-stream.ts"
import { JetStream } from "../platform/jetstream.ts"
import { streamsOnDisk } from "../platform/stream-files.ts"

/** A log's messages are on disk, but the description of its stream is damaged. */
class StreamLost extends Schema.TaggedError<StreamLost>()("StreamLost", {
  chain: Schema.String,
  message: Schema.String
}) {}

const lost = (folder: string, name: string): StreamLost => {
  const isSide = name.startsWith(sidePrefix)
  const chain = name.slice((isSide ? sidePrefix : streamPrefix).length).toLowerCase()
  return new StreamLost({
    chain,
    message:
      `the ${isSide ? "side log" : "log"} of ${chain} is in ${folder}, but what describes its stream to nats-server is damaged: ` +
      `"npm run log -- repair --chain ${chain}" writes it again, and loses nothing`
  })
}

/** Returns an error for each log and side log of a folder that its server does not list. */
export const lostStreams = Effect.fnUntraced(function* (folder: string) {
  const { streams } = yield* JetStream
  const prefixes = [streamPrefix, sidePrefix]
  const found = (yield* Effect.forEach(prefixes, streams)).flat()
  const known = new Set(found.map(({ name }) => name))
  return streamsOnDisk(folder)
    .filter(name => prefixes.some(prefix => name.startsWith(prefix)) && !known.has(name))
    .map(name => lost(folder, name))
})

/** Fails where a chain's log or side log is on disk, but the server does not list it. */
export const mustBeKnown = Effect.fnUntraced(function* (folder: string, chain: string) {
  const found = (yield* lostStreams(folder)).find(one => one.chain === chain)
  if (found !== undefined) return yield* found
})
