/** Rows of token and stock lists: a token of a list with its figures from the log. */
import { Schema } from "effect"
import { TokenRow } from "../boards/boards.api.ts"
import { Seconds } from "../fields.ts"

export const Lists = Schema.Array(
  Schema.Struct({ name: Schema.String, version: Schema.String })
).annotate({ description: "the token lists of the chain; none where no list covers it" })

export const ListedRow = Schema.Struct({
  ...TokenRow.fields,
  symbol: Schema.NullOr(Schema.String).annotate({
    description: "as on chain; untrusted; while it was not read, as the list has it"
  }),
  name: Schema.NullOr(Schema.String).annotate({ description: "likewise" }),
  lastTradeTs: Schema.NullOr(Seconds).annotate({ description: "null where it never traded" }),
  firstTradeTs: Schema.NullOr(Seconds).annotate({ description: "null where it never traded" }),
  transferFeePct: Schema.NullOr(Schema.Finite).annotate({
    description:
      "percent of a transfer that the token was seen to keep; null where none was followed"
  }),
  depthUsd: Schema.NullOr(Schema.Finite).annotate({
    description: "dollars behind the price on its pool's anchor side"
  }),
  trades: Schema.Int.annotate({ description: "prints in the log" })
})
