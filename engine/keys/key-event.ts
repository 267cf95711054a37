/** What happens to API keys: the events of the stream `KEYS`, each one message of JSON. */
import { Result, Schema } from "effect"

const Milliseconds = Schema.Int
const Digest = { salt: Schema.String, digest: Schema.String }

const Created = Schema.Struct({
  kind: Schema.Literal("KeyCreated"),
  id: Schema.String,
  name: Schema.String,
  plan: Schema.String,
  /** requests a minute by bucket, complete in itself: a plan may change later */
  limits: Schema.Record(Schema.String, Schema.Int),
  ...Digest,
  atMs: Milliseconds
})

const Rotated = Schema.Struct({
  kind: Schema.Literal("KeyRotated"),
  id: Schema.String,
  ...Digest,
  /** until when the secret before opens too; null: it does not any more */
  formerUntilMs: Schema.NullOr(Milliseconds),
  atMs: Milliseconds
})

const Revoked = Schema.Struct({
  kind: Schema.Literal("KeyRevoked"),
  id: Schema.String,
  atMs: Milliseconds
})

const KeyEvent = Schema.Union([Created, Rotated, Revoked])
export type KeyEvent = typeof KeyEvent.Type

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(KeyEvent))
const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const encodeKeyEvent = (event: KeyEvent): Uint8Array => encoder.encode(JSON.stringify(event))

/** The event of a message; null where this version cannot read it. */
export const decodeKeyEvent = (bytes: Uint8Array): KeyEvent | null =>
  Result.getOrNull(decode(decoder.decode(bytes)))
