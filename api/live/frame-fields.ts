/** Fields that frames of several channels have. */
import { Schema } from "effect"
import { ChainId, Seconds } from "../groups/fields.ts"

export const Seq = Schema.Int.annotate({
  description: "log position of the event behind the frame"
})
export const At = Seconds.annotate({ description: "block time, Unix seconds" })
export const Skipped = Schema.Int.annotate({
  description: "frames replaced by newer ones, never sent"
})

export const All = Schema.Boolean.annotate({
  description: "true: all that there is, in place of what was told before"
})

export const More = Schema.optionalKey(
  Schema.Literal(true).annotate({
    description:
      "more frames of this position follow: resume from one position before, unless a frame without it came"
  })
)

/** The client's own name of the subscription, as it gave it; absent where it gave none. */
export const Sub = Schema.optionalKey(
  Schema.Union([Schema.String, Schema.Int]).annotate({
    description: "the client's own name of the subscription, where it gave one"
  })
)

/** How a frame of a channel begins. */
export const opening = <const Type extends string, const Name extends string>(
  type: Type,
  channel: Name
) => ({ type: Schema.Literal(type), channel: Schema.Literal(channel), chain: ChainId, sub: Sub })
