/** The JetStream operations that the log uses, as effects. */
import { randomBytes } from "node:crypto"
import {
  DiscardPolicy,
  JetStreamApiCodes,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo
} from "@nats-io/jetstream"
import { headers, nanos } from "@nats-io/transport-node"
import { Context, Effect, Layer, Option, type Stream } from "effect"
import { integerOr } from "./environment.ts"
import { type MessageMissing, readStream } from "./jetstream-read.ts"
import { plainBytes, type StoredMessage } from "./jetstream-read-ahead.ts"
import { Nats, type NatsError, NatsRefused } from "./nats.ts"

/** Describes a stream that keeps everything: one subject, file storage, no limits. */
export interface StreamSpec {
  readonly name: string
  readonly subject: string
  /** for people who look at the server; "the event log of one chain" where absent */
  readonly description?: string
}

export interface StreamState {
  readonly name: string
  readonly messages: number
  readonly bytes: number
  /** stream sequence of the last message ever stored; 0 for a new stream */
  readonly lastSeq: number
  /** identifies what the stream's sequences mean; null where an older version made the stream */
  readonly id: string | null
}

export interface Publication {
  readonly subject: string
  readonly headers: { readonly [name: string]: string }
  readonly data: Uint8Array
  /** for two minutes the server drops a further message with this id */
  readonly messageId: string
  /** the server refuses the message as misplaced unless the stream ends at this sequence */
  readonly expectedLastSeq: number
  /** the server refuses the message as misplaced unless the last message has this id; a server
   *  that was restarted since that message may not have the id any more */
  readonly expectedLastId: string | null
}

export interface PublishAck {
  /** stream sequence of the message; for a duplicate, that of the first */
  readonly streamSeq: number
  readonly duplicate: boolean
}

export interface ReadOptions {
  /** stream sequence of the first message, from 1 */
  readonly from: number
  readonly to?: number
  readonly follow: boolean
}

/** JetStream's error code for "the last message has another id", which the client lacks. */
const wrongLastId = 10070

/** Returns true where the server refused a publication because the stream ends elsewhere. */
export const misplaced = (error: NatsRefused): boolean =>
  error.code === JetStreamApiCodes.StreamWrongLastSequence ||
  error.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown ||
  error.code === wrongLastId

const duplicateWindowMs = 120_000

/** Settings that never lose a message; `ensureStream` sets an existing stream back to them. */
const neverLosing = {
  max_age: 0,
  max_bytes: -1,
  max_msgs: -1,
  max_msg_size: -1,
  discard: DiscardPolicy.New,
  allow_direct: true
} satisfies Partial<StreamConfig>

/** Key of a stream's id in the stream's metadata. */
const ID = "swaptape-id"
const newId = (): string => randomBytes(8).toString("hex")

const newStream = (
  { name, subject, description = "swaptape: the event log of one chain" }: StreamSpec,
  replicas: number
) => ({
  ...neverLosing,
  name,
  subjects: [subject],
  description,
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  num_replicas: replicas,
  deny_delete: true,
  deny_purge: true,
  duplicate_window: nanos(duplicateWindowMs),
  metadata: { [ID]: newId() }
})

const stateOf = ({ config, state }: StreamInfo): StreamState => ({
  name: config.name,
  messages: state.messages,
  bytes: state.bytes,
  lastSeq: state.last_seq,
  id: config.metadata?.[ID] ?? null
})

interface Api {
  readonly nats: Nats["Service"]
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  /** number of copies of each stream on a cluster; 1 on a single server */
  readonly replicas: number
}

const streamInfo = ({ nats, manager }: Pick<Api, "nats" | "manager">, name: string) =>
  nats
    .call(`looking at stream ${name}`, () => manager.streams.info(name))
    .pipe(
      Effect.map(Option.some),
      Effect.catchIf(
        error => error instanceof NatsRefused && error.code === JetStreamApiCodes.StreamNotFound,
        () => Effect.succeed(Option.none<StreamInfo>())
      )
    )

/** Gives a stream a new id and returns that id. */
const renewId = Effect.fnUntraced(function* ({ nats, manager }: Api, name: string) {
  const id = newId()
  yield* nats.call(`naming stream ${name} anew`, async () => {
    const { metadata = {} } = (await manager.streams.info(name)).config
    return await manager.streams.update(name, { metadata: { ...metadata, [ID]: id } })
  })
  return id
})

/** JetStream's error code for "stream name already in use with a different configuration". */
const STREAM_EXISTS = 10058

/**
 * Creates a stream. Where another process, or an earlier try of this one, has created it meanwhile,
 * returns that stream; none where it is gone again.
 */
const createStream = ({ nats, manager, replicas }: Api, spec: StreamSpec) =>
  nats
    .call(`creating stream ${spec.name}`, () => manager.streams.add(newStream(spec, replicas)))
    .pipe(
      Effect.map(Option.some),
      Effect.catchIf(
        error => error instanceof NatsRefused && error.code === STREAM_EXISTS,
        () => streamInfo({ nats, manager }, spec.name)
      )
    )

const ensureStream = Effect.fnUntraced(function* (api: Api, spec: StreamSpec) {
  const { nats, manager, replicas } = api
  const before = yield* streamInfo(api, spec.name)
  const found = Option.isSome(before) ? before : yield* createStream(api, spec)
  if (Option.isNone(found)) {
    const message = `stream ${spec.name} was deleted while it was being created`
    return yield* new NatsRefused({ code: STREAM_EXISTS, message })
  }
  const wanted = { ...neverLosing, num_replicas: replicas }
  const { config } = found.value
  const differs = Object.entries(wanted).filter(
    ([key, value]) => config[key as keyof StreamConfig] !== value
  )
  const metadata = { [ID]: newId(), ...config.metadata }
  const isNamed = config.metadata?.[ID] !== undefined
  if (differs.length === 0 && isNamed) return found.value
  const names = differs.map(([key]) => key).join(", ")
  if (names !== "") {
    yield* Effect.logWarning(`stream ${spec.name} is set to keep everything: ${names}`)
  }
  return yield* nats.call(`updating stream ${spec.name}`, () =>
    manager.streams.update(spec.name, { ...wanted, metadata })
  )
})

/**
 * Deletes a stream so that one created under its name is empty. nats-server answers a deletion
 * before the files are gone, and a stream created within some milliseconds may get their messages
 * back: so one is created here and deleted too, until it is empty.
 */
export const deleteStream = async (manager: JetStreamManager, name: string): Promise<void> => {
  const { config } = await manager.streams.info(name)
  for (let isEmpty = false; !isEmpty; ) {
    await manager.streams.delete(name)
    isEmpty = (await manager.streams.add(config)).state.last_seq === 0
  }
  await manager.streams.delete(name)
}

const dropStream = ({ nats, manager }: Api, name: string) =>
  nats
    .call(`deleting stream ${name}`, () => deleteStream(manager, name))
    .pipe(
      Effect.catchIf(
        error => error instanceof NatsRefused && error.code === JetStreamApiCodes.StreamNotFound,
        () => Effect.void
      )
    )

const publish = ({ nats, client }: Api, publication: Publication) =>
  nats.send(`publishing to ${publication.subject}`, async (): Promise<PublishAck> => {
    const { expectedLastId } = publication
    const all = headers()
    for (const [name, value] of Object.entries(publication.headers)) all.set(name, value)
    const ack = await client.publish(publication.subject, publication.data, {
      headers: all,
      msgID: publication.messageId,
      expect: {
        lastSequence: publication.expectedLastSeq,
        ...(expectedLastId === null ? {} : { lastMsgID: expectedLastId })
      }
    })
    return { streamSeq: ack.seq, duplicate: ack.duplicate }
  })

/** Reads a message from any copy, else from the leader, which alone can say that it is missing. */
const message = ({ nats, manager }: Api, stream: string, streamSeq: number) =>
  nats.call(`reading message ${streamSeq} of ${stream}`, async () => {
    const found =
      (await manager.direct.getMessage(stream, { seq: streamSeq })) ??
      (await manager.streams.getMessage(stream, { seq: streamSeq }))
    if (found === null) return Option.none<StoredMessage>()
    const { header, data } = found
    const get = (name: string) => header.get(name)
    return Option.some<StoredMessage>({ streamSeq, header: get, data: plainBytes(data) })
  })

const configuredReplicas = integerOr("NATS_REPLICAS", 1, 1).pipe(
  Effect.mapError(({ message }) => new NatsRefused({ code: 0, message }))
)

const make = Effect.gen(function* () {
  const nats = yield* Nats
  const replicas = yield* configuredReplicas
  const { connection, timeoutMs } = nats
  const client = jetstream(connection, { timeout: timeoutMs })
  const manager = yield* Effect.promise(() =>
    jetstreamManager(connection, { timeout: timeoutMs, checkAPI: false })
  )
  const api = { nats, client, manager, replicas }
  return JetStream.of({
    maxPayload: () => connection.info?.max_payload ?? 0,
    ensureStream: spec => Effect.map(ensureStream(api, spec), stateOf),
    renewId: name => renewId(api, name),
    dropStream: name => dropStream(api, name),
    stream: name => Effect.map(streamInfo(api, name), Option.map(stateOf)),
    streams: prefix =>
      nats.call("listing streams", async () => {
        const found: Array<StreamState> = []
        for await (const info of manager.streams.list()) found.push(stateOf(info))
        return found.filter(({ name }) => name.startsWith(prefix))
      }),
    publish: publication => publish(api, publication),
    message: (stream, streamSeq) => message(api, stream, streamSeq),
    read: (stream, options) =>
      readStream({
        ...options,
        nats,
        client,
        stream,
        lastSeq: Effect.flatMap(streamInfo(api, stream), found =>
          Option.isSome(found)
            ? Effect.succeed(found.value.state.last_seq)
            : new NatsRefused({
                code: JetStreamApiCodes.StreamNotFound,
                message: `stream ${stream} is gone`
              })
        ),
        message: streamSeq => message(api, stream, streamSeq)
      })
  })
})

/** JetStream over a connection to NATS. */
export class JetStream extends Context.Service<
  JetStream,
  {
    /** returns the largest message that the server takes, in bytes with headers */
    readonly maxPayload: () => number
    /** creates the stream with `NATS_REPLICAS` copies, or sets it back to keeping everything */
    readonly ensureStream: (spec: StreamSpec) => Effect.Effect<StreamState, NatsError>
    /** gives a stream a new id and returns it: sequences mean other messages than before */
    readonly renewId: (name: string) => Effect.Effect<string, NatsError>
    /** deletes a stream with all its messages; does nothing where there is none */
    readonly dropStream: (name: string) => Effect.Effect<void, NatsError>
    /** reads a stream's state; none where there is no such stream */
    readonly stream: (name: string) => Effect.Effect<Option.Option<StreamState>, NatsError>
    /** reads the states of all streams whose name begins with the prefix */
    readonly streams: (prefix: string) => Effect.Effect<ReadonlyArray<StreamState>, NatsError>
    /** sends at once, in call order; the effect it returns waits for the acknowledgement */
    readonly publish: (
      publication: Publication
    ) => Effect.Effect<Effect.Effect<PublishAck, NatsError>>
    /** reads a message; none where the stream lacks it or the server cannot read it from disk */
    readonly message: (
      stream: string,
      streamSeq: number
    ) => Effect.Effect<Option.Option<StoredMessage>, NatsError>
    /** streams messages in order: up to the present end (or `to`), or for ever with `follow` */
    readonly read: (
      stream: string,
      options: ReadOptions
    ) => Stream.Stream<StoredMessage, NatsRefused | MessageMissing>
  }
>()("swaptape/platform/JetStream") {
  static readonly layerNoDeps = Layer.effect(JetStream, make)

  /** Opens a connection of its own. */
  static readonly layer = (options: Parameters<typeof Nats.layer>[0]) =>
    this.layerNoDeps.pipe(Layer.provide(Nats.layer(options)))
}
