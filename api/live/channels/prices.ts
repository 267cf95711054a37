/** The present price of a token, or of each token of a chain that traded or changed. */
import { Result, Schema } from "effect"
import { ChainId, Seconds, TokenAddress } from "../../groups/fields.ts"
import { type Channel, type NewestFramesOf, tokenOf } from "../channel.ts"
import { At, opening, Seq, Skipped, Sub } from "../frame-fields.ts"

/** What every frame of one token begins with. */
const priced = {
  channel: Schema.Literal("prices"),
  chain: ChainId,
  sub: Sub,
  token: TokenAddress,
  symbol: Schema.NullOr(Schema.String),
  seq: Seq,
  at: At
}

/** The present price of a token that traded or whose price changed, and when it last did. */
const price = {
  ...priced,
  priceUsd: Schema.NullOr(Schema.Finite),
  depthUsd: Schema.NullOr(Schema.Finite),
  volume24h: Schema.Finite.annotate({
    description: "US dollars of its prints in the 24 hours that boards tell of"
  }),
  buyVolume24h: Schema.Finite,
  sellVolume24h: Schema.Finite,
  trades24h: Schema.Int,
  buys24h: Schema.Int,
  sells24h: Schema.Int
}
const PriceFrame = Schema.Struct({
  type: Schema.Literal("price"),
  ...price,
  skipped: Schema.optionalKey(Skipped)
})
const PricesFrame = Schema.Struct({
  ...opening("prices", "prices"),
  token: Schema.Null,
  seq: Seq,
  at: Seconds,
  skipped: Skipped,
  items: Schema.Array(Schema.Struct({ type: Schema.Literal("price"), ...price }))
})

/** A token's first print; its price follows. What it told of itself, null where it did not. */
const NewFrame = Schema.Struct({
  type: Schema.Literal("new"),
  ...priced,
  name: Schema.NullOr(Schema.String),
  decimals: Schema.NullOr(Schema.Int),
  totalSupply: Schema.NullOr(
    Schema.String.annotate({ description: "when it was last read, in smallest units" })
  )
})

/**
 * Notices as they are; then for one token its newest price with `skipped`, for a whole chain one
 * frame with all newest prices as `items`.
 */
export const priceFrames: NewestFramesOf = (missed, topic, at) => {
  const { notices, bodies, seq, skipped } = missed
  if (bodies.length === 0) return notices
  if (topic["token"] !== null) {
    const withCount = bodies.map(body => `${body.slice(0, -1)},"skipped":${skipped}}`)
    return [...notices, ...withCount]
  }
  const head = `{"type":"prices","channel":"prices","chain":${JSON.stringify(topic.chain)},"token":null`
  const items = bodies.join(",")
  const tail = `"seq":${seq},"at":${at},"skipped":${skipped},"items":[${items}]}`
  return [...notices, `${head},${tail}`]
}

export const prices: Channel = {
  name: "prices",
  summary: "the present price of a token, or of each of a chain that traded or changed",
  takes: ["token"],
  partOf: (lane, { token }) =>
    token === undefined
      ? Result.succeed({ key: "*", named: { token: null } })
      : Result.map(tokenOf(lane, token), key => ({ key, named: { token: key } })),
  frames: { price: PriceFrame, prices: PricesFrame, new: NewFrame },
  newest: priceFrames
}
