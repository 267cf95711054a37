/** The buckets of a token that change, each as it is now. */
import { Result, Schema } from "effect"
import { Candle, TIMEFRAMES } from "../../groups/candles/candles.api.ts"
import { TokenAddress } from "../../groups/fields.ts"
import { type Channel, refused, tokenOf } from "../channel.ts"
import { At, opening, Seq } from "../frame-fields.ts"

const CandleFrame = Schema.Struct({
  ...opening("candle", "candles"),
  token: TokenAddress,
  tf: Schema.Literals(TIMEFRAMES),
  seq: Seq,
  at: At,
  candle: Candle
})

export const candles: Channel = {
  name: "candles",
  summary: "the buckets of a token that change, each as it is now",
  takes: ["token", "tf"],
  partOf: (lane, { token, tf }) => {
    if (token === undefined) return refused("INVALID_PARAMS", "token is required on candles")
    return Result.flatMap(tokenOf(lane, token), address =>
      tf === undefined
        ? refused("INVALID_PARAMS", "tf is required on candles")
        : Result.succeed({ key: `${address}:${tf}`, named: { token: address, tf } })
    )
  },
  frames: [CandleFrame],
  newest: null
}
