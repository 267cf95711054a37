/** Pages of candles from copies of the tables: the newest buckets of tokens that trade. */
import type { ReplicaView } from "../../engine/query.ts"
import { offsetsOf } from "../../engine/store/table.ts"
import { fromHex } from "../../src/domain/address.ts"
import { tokensTable } from "../tokens/output.ts"
import { logStart } from "./block-clock.ts"
import type { Candle } from "./candle.ts"
import { type Coverage, unknownIn } from "./coverage.ts"
import { fillBuckets } from "./fill.ts"
import { BucketFold } from "./fold.ts"
import { openGaps } from "./open-gaps.ts"
import { hourCandlesTable, logMarksTable, MARK, minuteCandlesTable } from "./tables.ts"
import { type TimeFrame, timeFrames } from "./time-frame.ts"
import { type CandlesParams, candlesAnswer, windowAsked } from "./window.ts"

const at = offsetsOf(minuteCandlesTable)
const [O, H, L, C, V, N] = [at["o"], at["h"], at["l"], at["c"], at["v"], at["n"]] as [
  number,
  number,
  number,
  number,
  number,
  number
]

/** What the log covers, where it lacks no block; null where it lacks some. */
const wholeCoverage = (view: ReplicaView): Coverage | null => {
  const count = view.count(logMarksTable)
  if (count === 0) return null
  const kinds = view.column(logMarksTable, "kind")
  const firsts = view.column(logMarksTable, "from_block")
  const lasts = view.column(logMarksTable, "to_block")
  const said = (kind: number) =>
    Array.from({ length: count }, (_, slot) => slot)
      .filter(slot => kinds[slot] === kind)
      .map(slot => ({ fromBlock: firsts[slot] as number, toBlock: lasts[slot] as number }))
  if (openGaps(said(MARK.found), said(MARK.filled)).length > 0) return null
  const ts = view.column(logMarksTable, "ts")[0] as number
  return { start: logStart(firsts[0] as number, ts), gaps: [] }
}

/** The page that the query on rows gives; undefined where the copies do not hold all of it. */
export const candlesOfCopies = (view: ReplicaView, params: CandlesParams): unknown => {
  const frame = timeFrames[params.tf] as TimeFrame
  const window = windowAsked(view, params)
  const { from, to, openEnd } = window
  // a window without a bucket is empty or refused, in words that the query on rows has
  if (from >= to) return undefined
  const token = view.slotOf(tokensTable, "address", fromHex(params.token))
  const base = frame.base === "candles_1m" ? minuteCandlesTable : hourCandlesTable
  const series = token < 0 ? undefined : view.series(base, token)
  if (series === undefined || from < series.from) return undefined
  const fold = new BucketFold(frame, true)
  series.each(from, to, (rows, i) => {
    if (rows[i + N] === 0) return
    const prices = {
      o: rows[i + O] as number,
      h: rows[i + H] as number,
      l: rows[i + L] as number,
      c: rows[i + C] as number
    }
    fold.base(rows[i] as number, prices, rows[i + V] as number, rows[i + N] as number)
  })
  const list = fold.buckets.map(
    ({ t, o, h, l, c, v, n }) => ({ t, o, h, l, c, v: v / 1e6, n }) as Candle
  )
  if (!params.fill) return candlesAnswer(view, params, window, list)
  let close: number | null = null
  const isKnown = series.back(from, (rows, i) => {
    if (rows[i + N] === 0) return false
    close = rows[i + C] as number
    return true
  })
  // the tables alone say which time the missing blocks are of
  const coverage = wholeCoverage(view)
  if (!isKnown || coverage === null) return undefined
  const span = { from, to: Math.min(to, openEnd) }
  const filled = fillBuckets(list, frame, span, close, coverage)
  return candlesAnswer(view, params, window, filled, unknownIn(coverage, span))
}
