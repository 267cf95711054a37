/** A real nats-server for tests of the log, and what they do to its streams behind the log's back. */

import { jetstreamManager, type StreamConfig } from "@nats-io/jetstream"
import { connect, headers } from "@nats-io/transport-node"
import { Effect, Stream } from "effect"
import type { Segment } from "../../engine/log/segment.ts"
import { LOG_START } from "../../engine/log/segment.ts"
import { type LogReader, openLogReader } from "../../engine/log/tape-log.ts"
import { deleteStream, JetStream } from "../../src/platform/jetstream.ts"
import { serversOf } from "../../src/platform/nats.ts"
import type { Event } from "../../streams/event.ts"
import { eventsOf } from "../../streams/event-objects.ts"
import { startNats, type TestNats } from "./nats.ts"
import { PATIENCE_MS } from "./patience.ts"

export interface LogServer {
  readonly nats: TestNats
  /** runs an effect with a connection of its own */
  readonly run: <A, E>(effect: Effect.Effect<A, E, JetStream>, timeoutMs?: number) => Promise<A>
  readonly stop: () => Promise<void>
}

/** Starts a server, on a new folder or a given one. */
export const startLogServer = async (dataDirectory?: string): Promise<LogServer> => {
  const nats = await startNats(dataDirectory)
  return {
    nats,
    run: (effect, timeoutMs = PATIENCE_MS) =>
      Effect.runPromise(
        effect.pipe(Effect.provide(JetStream.layer({ url: nats.url, timeoutMs, patient: false })))
      ),
    stop: nats.stop
  }
}

/** All segments of a log, checked. */
export const allSegments = (
  log: LogReader
): Effect.Effect<ReadonlyArray<Segment>, Effect.Error<LogReader["end"]>> =>
  Stream.runCollect(log.read(LOG_START, { follow: false }))

/** All events of a log with their seqs. */
export const allEvents = (chain: string) =>
  Effect.gen(function* () {
    const segments = yield* allSegments(yield* openLogReader(chain))
    const events: Array<Event> = []
    for (const { header, batch } of segments) {
      if (header.firstSeq !== events.length + 1) throw new Error(`seq ${header.firstSeq}`)
      events.push(...eventsOf(batch))
    }
    return events
  })

/** A stored message, as a forger sees it. */
export interface RawMessage {
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly data: Uint8Array
}

/** Direct access to the streams of a server. */
export const openRaw = async (url: string) => {
  const connection = await connect(serversOf(url))
  const manager = await jetstreamManager(connection)
  const client = manager.jetstream()
  return {
    /** creates a stream that lets its messages be deleted */
    create: (chain: string, options: Partial<StreamConfig> = {}) =>
      manager.streams.add({
        ...options,
        name: `TAPE_${chain.toUpperCase()}`,
        subjects: [`tape.${chain}`],
        allow_direct: true
      }),
    messages: async (chain: string): Promise<Array<RawMessage>> => {
      const name = `TAPE_${chain.toUpperCase()}`
      const { state } = await manager.streams.info(name)
      const found: Array<RawMessage> = []
      for (let seq = 1; seq <= state.last_seq; seq++) {
        const message = await manager.direct.getMessage(name, { seq })
        if (message === null) throw new Error(`no message ${seq}`)
        const own = [...message.header]
          .filter(([key]) => key.startsWith("Tape-"))
          .map(([key, values]) => [key, values[0] ?? ""] as const)
        found.push({ headers: own, data: Uint8Array.from(message.data) })
      }
      return found
    },
    /** publishes without any of the log's care */
    publish: async (chain: string, message: RawMessage) => {
      const all = headers()
      for (const [key, value] of message.headers) all.set(key, value)
      await client.publish(`tape.${chain}`, message.data, { headers: all })
    },
    /** stores the last message of a stream once more, with another payload */
    damage: async (name: string, subject: string) => {
      const { state } = await manager.streams.info(name)
      const message = await manager.direct.getMessage(name, { seq: state.last_seq })
      if (message === null) throw new Error(`no message ${state.last_seq}`)
      const all = headers()
      for (const [key, values] of message.header) {
        if (key.startsWith("Tape-")) all.set(key, values[0] ?? "")
      }
      await client.publish(subject, Uint8Array.from([...message.data, 1]), { headers: all })
    },
    deleteMessage: (chain: string, seq: number) =>
      manager.streams.deleteMessage(`TAPE_${chain.toUpperCase()}`, seq),
    /** Another stream stays: the folder of none goes while the next one may be created in it. */
    deleteStream: async (chain: string) => {
      await manager.streams.add({ name: "KEPT", subjects: ["kept"] })
      await deleteStream(manager, `TAPE_${chain.toUpperCase()}`)
    },
    close: () => connection.close()
  }
}

export type RawStreams = Awaited<ReturnType<typeof openRaw>>
