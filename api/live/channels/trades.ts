/** The swaps of a token, as they happen. */
import { Result, Schema } from "effect"
import { TokenAddress, Trade } from "../../groups/fields.ts"
import { type Channel, refused, tokenOf } from "../channel.ts"
import { At, opening, Seq } from "../frame-fields.ts"

const TradeFrame = Schema.Struct({
  ...opening("trade", "trades"),
  token: TokenAddress,
  seq: Seq,
  at: At,
  trade: Trade
})

export const trades: Channel = {
  name: "trades",
  summary: "each swap of a token",
  takes: ["token"],
  partOf: (lane, { token }) =>
    token === undefined
      ? refused("INVALID_PARAMS", "token is required on trades")
      : Result.map(tokenOf(lane, token), key => ({ key, named: { token: key } })),
  frames: [TradeFrame],
  newest: null
}
