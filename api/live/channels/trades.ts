/** Swaps as they happen: of a chain, token, pool or wallet, all or from a dollar amount on. */
import { Result, Schema } from "effect"
import { TRADE_SUBJECTS, tradeKey, tradeNames } from "../../../projections/tape/trade-topic.ts"
import { SwapRow, TokenAddress, Trade } from "../../groups/fields.ts"
import { type Channel, poolOf, refused, tokenOf, walletOf } from "../channel.ts"
import { At, More, opening, Seq } from "../frame-fields.ts"

const minUsd = Schema.optionalKey(
  Schema.Finite.annotate({ description: "where the topic named it" })
)

const TokenTradeFrame = Schema.Struct({
  ...opening("trade", "trades"),
  token: TokenAddress,
  minUsd,
  seq: Seq,
  at: At,
  trade: Trade.annotate({ description: "the print as the topic's token sees it" }),
  more: More
})

const TradeFrame = Schema.Struct({
  ...opening("trade", "trades"),
  pool: Schema.optionalKey(Schema.String),
  wallet: Schema.optionalKey(Schema.String),
  minUsd,
  seq: Seq,
  at: At,
  trade: SwapRow,
  more: More
})

const IDS = { token: tokenOf, pool: poolOf, wallet: walletOf } as const

export const trades: Channel = {
  name: "trades",
  summary: "each swap of a chain, of a token, of a pool or of a wallet",
  takes: ["token", "pool", "wallet", "minUsd"],
  partOf: (lane, words) => {
    const [of = "chain", other] = TRADE_SUBJECTS.filter(
      subject => subject !== "chain" && words[subject] !== undefined
    )
    if (other !== undefined) {
      return refused("INVALID_PARAMS", `trades takes one of token, pool and wallet, not two`)
    }
    const id = of === "chain" ? Result.succeed("") : IDS[of](lane, words[of] ?? "")
    return Result.map(id, id => {
      const topic = { of, id, minUsd: words.minUsd ?? null }
      return { key: tradeKey(topic), named: tradeNames(topic) }
    })
  },
  frames: { tokenTrade: TokenTradeFrame, trade: TradeFrame },
  newest: null
}
