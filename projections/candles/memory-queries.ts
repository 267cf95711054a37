/** Pages of candles from memory: the newest ones of tokens that trade. */
import type { MemoryQuery } from "../../engine/projection.ts"
import { fromHex } from "../../src/domain/address.ts"
import { tokens } from "../tokens/output.ts"
import { candlesOutput } from "./output.ts"
import { type Candle, candlesAnswer, fillBuckets, windowAsked } from "./queries.ts"
import type { CandleRow } from "./recent.ts"
import { type TimeFrame, timeFrames } from "./time-frame.ts"

const candleOf = (row: CandleRow): Candle => ({
  t: row[0] as number,
  o: row[1] as number,
  h: row[2] as number,
  l: row[3] as number,
  c: row[4] as number,
  v: (row[5] as number) / 1e6,
  n: row[6] as number
})

const candles: MemoryQuery = (context, params) => {
  const frame = timeFrames[String(params["tf"])] as TimeFrame
  const token = context.output(tokens).find(fromHex(String(params["token"])))
  const window = windowAsked(context, params)
  const from = Math.max(0, window.from)
  const recent = context.output(candlesOutput)
  const rows = recent.between(frame, token, from, window.to)
  // an empty page may be of a token that never traded, and an empty window may be refused
  if (rows === null || rows.length === 0) return undefined
  const list = rows.map(candleOf)
  if (params["fill"] !== true) return candlesAnswer(context, params, window, list)
  const close = recent.closeBefore(frame, token, from)
  if (close === undefined) return undefined
  const end = Math.min(window.to, window.openEnd)
  const filled = fillBuckets(list, frame, window.from, end, close)
  return candlesAnswer(context, params, window, filled)
}

export const memory = { candles }
