/** The frames of the live streams, for the API's description and for clients. */
import { Schema } from "effect"
import { ChainId, Seconds } from "../groups/fields.ts"
import { allChannels } from "./channels/all.ts"
import { More, Seq, Sub } from "./frame-fields.ts"
import { ChannelName, wordFields } from "./message.ts"

/** What a frame says of its topic: what the message named that began it. */
const topic = {
  channel: ChannelName,
  chain: ChainId,
  ...wordFields,
  token: Schema.optionalKey(Schema.NullOr(Schema.String)),
  sub: Sub
}

const id = Schema.optionalKey(
  Schema.Union([Schema.String, Schema.Int]).annotate({
    description: "that of the message which this answers, where it had one"
  })
)
const Log = Schema.NullOr(Schema.String).annotate({
  description: "id of the log that positions are of; null while none is known"
})
const Subscribed = Schema.Struct({
  type: Schema.Literal("subscribed"),
  id,
  ...topic,
  seq: Seq,
  log: Log
})
const Unsubscribed = Schema.Struct({ type: Schema.Literal("unsubscribed"), id, ...topic })

const UndoFrame = Schema.Struct({
  type: Schema.Literal("undo"),
  ...topic,
  seq: Seq,
  toSeq: Seq.annotate({ description: "newest position that still stands" }),
  more: More
})

const ErrorFrame = Schema.Struct({
  type: Schema.Literal("error"),
  id,
  sub: Sub,
  channel: Schema.optionalKey(ChannelName),
  chain: Schema.optionalKey(
    Schema.Union([Schema.Int, Schema.String]).annotate({
      description: "as the message named it: the topic it is about, as far as it was told well"
    })
  ),
  ...wordFields,
  token: topic.token,
  error: Schema.String,
  message: Schema.String,
  oldestSeq: Schema.optionalKey(Schema.Int),
  log: Schema.optionalKey(Log)
})

const Pong = Schema.Struct({ type: Schema.Literal("pong"), id, at: Seconds })

/** Every frame after `hello`, by name. */
export const FRAMES = {
  subscribed: Subscribed,
  unsubscribed: Unsubscribed,
  ...Object.assign({}, ...allChannels.map(({ frames }) => frames)),
  undo: UndoFrame,
  error: ErrorFrame,
  pong: Pong
} as { readonly [name: string]: Schema.Top }

export const LiveFrameBody = Schema.Union(Object.values(FRAMES)).annotate({
  identifier: "LiveFrame",
  description: "a frame of `/v1/ws/live` and `/v1/stream/market`"
})
