/** What a client may say on the live socket, and the frames the server itself makes. */
import { Option, Result, Schema, SchemaIssue, Struct } from "effect"
import { ChainId } from "../groups/fields.ts"
import { nearestName } from "../nearest-name.ts"
import { allChannels } from "./channels/all.ts"
import { EXPECTED_WORDS, WORDS } from "./words.ts"

/** The names of all channels. */
export const CHANNELS = allChannels.map(({ name }) => name)

export const ChannelName = Schema.Literals(CHANNELS)

/** A name of the client's for a message, which stands in what answers it. */
const id = Schema.optionalKey(
  Schema.Union([Schema.String.check(Schema.isMaxLength(64)), Schema.Int])
)
export type MessageId = string | number | undefined

/** A name of the client's for a subscription, which stands in every frame of it. */
const subField = Schema.optionalKey(
  Schema.Union([Schema.String.check(Schema.isMaxLength(64)), Schema.Int]).annotate({
    description: "the client's own name of the subscription, where it gave one"
  })
)

/** The words of all channels, none of them required. */
export const wordFields = Struct.map(WORDS, Schema.optionalKey)

const topicFields = {
  channel: ChannelName,
  /** id or key */
  chain: Schema.Union([Schema.String, Schema.Int]),
  ...wordFields
}

export const Subscribe = Schema.Struct({
  op: Schema.Literal("subscribe"),
  id,
  ...topicFields,
  sub: subField,
  /** log position already seen: what came after it follows, then what is new */
  from: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  /** id of the log that `from` is of: a position of another one is refused; null as in answers */
  log: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(64))))
}).annotate({ identifier: "Subscribe" })
export type Subscribe = typeof Subscribe.Type

export const Unsubscribe = Schema.Struct({
  op: Schema.Literal("unsubscribe"),
  id,
  ...topicFields
}).annotate({ identifier: "Unsubscribe" })
export type Unsubscribe = typeof Unsubscribe.Type

export const Ping = Schema.Struct({ op: Schema.Literal("ping"), id }).annotate({
  identifier: "Ping"
})

/** What a client may say, by name. */
export const ASKED = { subscribe: Subscribe, unsubscribe: Unsubscribe, ping: Ping } as const
const messages = [Subscribe, Unsubscribe, Ping] as const
const ClientMessage = Schema.Union(messages)
export type ClientMessage = typeof ClientMessage.Type

/** Sent first on every connection. */
export const Hello = Schema.Struct({
  type: Schema.Literal("hello"),
  engine: Schema.String,
  chains: Schema.Array(
    Schema.Struct({
      chain: ChainId,
      key: Schema.String,
      /** id of the log that positions are of; null while none is known */
      log: Schema.NullOr(Schema.String),
      /** where the lane stands, and the oldest `from` that trades can be resumed from now */
      seq: Schema.Int,
      oldestSeq: Schema.Int
    })
  ),
  channels: Schema.Array(ChannelName),
  pingSeconds: Schema.Int,
  /** names of fields in the order of their codes, where frames are packed */
  names: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Unix seconds */
  at: Schema.Int
}).annotate({ identifier: "Hello" })
export type Hello = typeof Hello.Type

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(ClientMessage))
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** What each field must be. */
const EXPECTED: { readonly [field: string]: string } = {
  op: "subscribe, unsubscribe or ping",
  id: "text of at most 64 characters, or a whole number",
  sub: "text of at most 64 characters, or a whole number",
  channel: `one of ${CHANNELS.join(", ")}`,
  chain: "the id or key of a chain",
  ...EXPECTED_WORDS,
  from: "a log position: a whole number from 0",
  log: "the id of a log: text of at most 64 characters, or null"
}

const NONE =
  "neither a subscribe, an unsubscribe nor a ping message: send JSON such as " +
  '{"op":"subscribe","channel":"trades","chain":"base","token":"0x…"}, {"op":"ping"}'
const decodeFields = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
)

/** The fields of all messages: whoever unsubscribes may send what he subscribed with. */
const FIELDS = [...new Set(messages.flatMap(({ fields }) => Object.keys(fields)))]
const SHOWN_LENGTH = 64

/**
 * Returns what is wrong with the first field that no message has; null where all are known. A
 * mistyped `from` or `token` would else mean all of a chain, or leave a hole that nobody sees.
 */
const unknownField = (text: string): string | null => {
  const given = Option.getOrUndefined(decodeFields(text)) ?? {}
  const name = Object.keys(given).find(field => !FIELDS.includes(field))
  if (name === undefined) return null
  const near = nearestName(name, FIELDS)
  const hint = near === undefined ? `the fields are ${FIELDS.join(", ")}` : `did you mean ${near}?`
  return `there is no field ${JSON.stringify(name.slice(0, SHOWN_LENGTH))}; ${hint}`
}

/** What an answer to a message names of it. */
const NAMED = ["id", "channel", "chain", ...Object.keys(WORDS), "sub"] as const
const isOneOf = Object.fromEntries(
  Object.entries(Subscribe.fields).map(([name, schema]) => [name, Schema.is(schema)])
)

/** What a message that is none names of itself, so that its sender knows which it was. */
export interface NamedBy {
  readonly id?: MessageId
  readonly sub?: MessageId
}

/**
 * Returns what a message that may be wrong otherwise names: its id and, as far as they are what
 * they must be, the words of its topic and the name that it gives a subscription.
 */
export const namedBy = (text: string): NamedBy => {
  const given = Option.getOrUndefined(decodeFields(text)) ?? {}
  const op = String(given["op"])
  const fields = Object.hasOwn(ASKED, op) ? ASKED[op as keyof typeof ASKED].fields : { id }
  const isNamed = (name: string) =>
    name in fields && Object.hasOwn(given, name) && isOneOf[name]?.(given[name]) === true
  return Object.fromEntries(NAMED.filter(isNamed).map(name => [name, given[name]]))
}

/** Reads a client's message; what is wrong with it, in words, where it is none. */
export const parseMessage = (text: string): Result.Result<ClientMessage, string> => {
  const unknown = unknownField(text)
  if (unknown !== null) return Result.fail(unknown)
  return Result.mapError(decode(text), ({ issue }) => {
    const [field] = issuesOf(issue).issues[0]?.path ?? []
    if (field === undefined) return NONE
    const name = String(typeof field === "object" ? field.key : field)
    const given = Option.getOrUndefined(decodeFields(text))
    const expected = EXPECTED[name] ?? "as documented"
    return given !== undefined && name in given
      ? `${name} must be ${expected}`
      : `${name} is required: ${expected}`
  })
}
