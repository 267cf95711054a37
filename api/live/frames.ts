/** The frames of the live socket, for the API's description and for clients. */
import { Schema } from "effect"
import { Candle, TIMEFRAMES } from "../groups/candles/candles.api.ts"
import { ChainId, Seconds, TokenAddress, Trade } from "../groups/fields.ts"
import { CHANNELS } from "./message.ts"

const Seq = Schema.Int.annotate({ description: "log position of the event behind the frame" })
const At = Seconds.annotate({ description: "block time, Unix seconds" })
const Skipped = Schema.Int.annotate({ description: "frames replaced by newer ones, never sent" })

const topic = {
  channel: Schema.Literals(CHANNELS),
  chain: ChainId,
  token: Schema.NullOr(TokenAddress),
  tf: Schema.optionalKey(Schema.Literals(TIMEFRAMES))
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

const TradeFrame = Schema.Struct({
  type: Schema.Literal("trade"),
  channel: Schema.Literal("trades"),
  chain: ChainId,
  token: TokenAddress,
  seq: Seq,
  at: At,
  trade: Trade
})

const CandleFrame = Schema.Struct({
  type: Schema.Literal("candle"),
  channel: Schema.Literal("candles"),
  chain: ChainId,
  token: TokenAddress,
  tf: Schema.Literals(TIMEFRAMES),
  seq: Seq,
  at: At,
  candle: Candle
})

/** What every frame of one token on `prices` begins with. */
const priced = {
  channel: Schema.Literal("prices"),
  chain: ChainId,
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
  type: Schema.Literal("prices"),
  channel: Schema.Literal("prices"),
  chain: ChainId,
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

const UndoFrame = Schema.Struct({
  type: Schema.Literal("undo"),
  channel: Schema.Literals(CHANNELS),
  chain: ChainId,
  token: Schema.optionalKey(TokenAddress),
  tf: Schema.optionalKey(Schema.Literals(TIMEFRAMES)),
  seq: Seq,
  toSeq: Seq.annotate({ description: "newest position that still stands" })
})

const ErrorFrame = Schema.Struct({
  type: Schema.Literal("error"),
  id,
  error: Schema.String,
  message: Schema.String,
  oldestSeq: Schema.optionalKey(Schema.Int),
  log: Schema.optionalKey(Log)
})

const Pong = Schema.Struct({ type: Schema.Literal("pong"), id, at: Seconds })

/** Every frame after `hello`. */
export const LiveFrameBody = Schema.Union([
  Subscribed,
  Unsubscribed,
  TradeFrame,
  CandleFrame,
  PriceFrame,
  PricesFrame,
  NewFrame,
  UndoFrame,
  ErrorFrame,
  Pong
]).annotate({ identifier: "LiveFrame", description: "a frame of `/v1/ws/live`" })
