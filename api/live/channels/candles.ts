/** The buckets of a token or a pool that change, each as it is now. */
import { Result, Schema } from "effect"
import { candleKey, candleNames } from "../../../projections/candles/candle-topic.ts"
import { Candle, TIMEFRAMES } from "../../groups/candles/candles.api.ts"
import { TokenAddress } from "../../groups/fields.ts"
import { type Channel, poolOf, refused, tokenOf } from "../channel.ts"
import { At, More, opening, Seq } from "../frame-fields.ts"

const CandleFrame = Schema.Struct({
  ...opening("candle", "candles"),
  token: Schema.optionalKey(TokenAddress),
  pool: Schema.optionalKey(Schema.String),
  tf: Schema.Literals(TIMEFRAMES),
  seq: Seq,
  at: At,
  candle: Candle,
  more: More
})

export const candles: Channel = {
  name: "candles",
  summary: "the buckets of a token, or of a pool in dollars, that change, each as it is now",
  takes: ["token", "pool", "tf"],
  partOf: (lane, words) =>
    Result.gen(function* () {
      const { token = null, pool = null, tf } = words
      if (token === null && pool === null) {
        return yield* refused("INVALID_PARAMS", "token or pool is required on candles")
      }
      const ids = {
        token: token === null ? null : yield* tokenOf(lane, token),
        pool: pool === null ? null : yield* poolOf(lane, pool)
      }
      if (tf === undefined) return yield* refused("INVALID_PARAMS", "tf is required on candles")
      const topic = { ...ids, tf }
      return { key: candleKey(topic), named: candleNames(topic) }
    }),
  frames: { candle: CandleFrame },
  newest: null
}
