/** What the router can quote on a chain, as status routes tell it. */
import { Effect, Schema } from "effect"
import type { Trade } from "../../engine/trade/trade.ts"
import { Position } from "./fields.ts"

export const QuoteStatus = Schema.Struct({
  state: Schema.Literals(["starting", "live", "failed", "off"]),
  problem: Schema.NullOr(Schema.String).annotate({
    description: "why there are no quotes, in words; null where there are"
  }),
  seq: Position.annotate({ description: "position of the log that quotes are of" }),
  block: Schema.NullOr(Schema.Int),
  pools: Schema.Int,
  quotable: Schema.Int.annotate({ description: "pools whose state is known" }),
  unquoted: Schema.Array(Schema.Struct({ reason: Schema.String, pools: Schema.Int })).annotate({
    description: "why the others are not quoted"
  })
}).annotate({ identifier: "QuoteStatus", description: "what the router can quote on the chain" })
export type QuoteStatus = typeof QuoteStatus.Type

/** What the router tells of a chain; of one that it does not answer for, why. */
export const quoteStatus = (trade: Trade["Service"], chain: string): Effect.Effect<QuoteStatus> =>
  Effect.catch(trade.status(chain), ({ reason, message }) =>
    Effect.succeed({
      state: reason === "lost" ? ("failed" as const) : reason,
      problem: message,
      ...{ seq: 0, block: null, pools: 0, quotable: 0, unquoted: [] }
    })
  )
