/** Pages of plain candles from copies of the tables: the newest buckets of tokens that trade. */
import type { ReplicaView } from "../../engine/query.ts"
import { offsetsOf } from "../../engine/store/table.ts"
import { type CoveredTime, unknownIn } from "../../src/domain/covered-time.ts"
import { idBytes } from "../../src/domain/ids.ts"
import { missingSince, openIn, startOf } from "../coverage/log-marks.ts"
import { gapsTable, logStartTable } from "../coverage/tables.ts"
import { tokensTable } from "../tokens/output.ts"
import { Buckets, PLAIN, type Prices, pricesOf } from "./bucket.ts"
import { candlesOf } from "./candle.ts"
import { fillBuckets } from "./fill.ts"
import { hourCandlesTable, minuteCandlesTable } from "./tables.ts"
import { frameOf } from "./time-frame.ts"
import {
  type CandlesParams,
  candlesAnswer,
  isPlain,
  keptOf,
  spanOf,
  windowAsked
} from "./window.ts"

const offsets = offsetsOf(minuteCandlesTable)

/** The columns of rows that stand behind each other in one array, found by where a row begins. */
const columnsOf = (rows: Float64Array): Prices =>
  pricesOf(PLAIN, name => rows.subarray(offsets[name]))

/** The time that the log covers; null where only the tables say when missing blocks were. */
const coverageOf = (view: ReplicaView): CoveredTime | null => {
  const blocks = view.column(logStartTable, "block")
  const open = openIn(view.count(gapsTable), name => view.column(gapsTable, name))
  if (missingSince(blocks[0] ?? 0, open).length > 0) return null
  return { start: startOf(blocks, view.column(logStartTable, "ts")), gaps: [] }
}

/** The page that the query on rows gives; undefined where the copies do not hold all of it. */
export const candlesOfCopies = (view: ReplicaView, params: CandlesParams): unknown => {
  if (!isPlain(params) || params.token === null) return undefined
  const window = windowAsked(view, params)
  const { from, to } = window
  // a window without a bucket is empty or refused, in words that the query on rows has
  if (from >= to) return undefined
  const frame = frameOf(params.tf)
  const kept = keptOf(view, frame)
  if (from < kept) return undefined
  const token = view.slotOf(tokensTable, "address", idBytes(params.token))
  const base = frame.base === "candles_1m" ? minuteCandlesTable : hourCandlesTable
  const series = token < 0 ? undefined : view.series(base, token)
  if (series === undefined || from < series.from) return undefined
  const coverage = coverageOf(view)
  if (coverage === null) return undefined
  const buckets = new Buckets(frame, "dollars")
  let [rows, dollars]: [Float64Array | null, Prices | null] = [null, null]
  series.each(from, to, (array, at) => {
    if (dollars === null || rows !== array) [rows, dollars] = [array, columnsOf(array)]
    buckets.addPrices(array[at] as number, { dollars }, at)
  })
  const list = candlesOf(buckets.list)
  const answer = { ...params, token: params.token }
  const span = spanOf(window)
  const unknown = unknownIn(coverage, span)
  if (!params.fill) return candlesAnswer(view, answer, window, list, unknown)
  let close: number | null = null
  const isKnown = series.back(from, (array, at) => {
    if ((array[at] as number) < kept) return true
    const { c, n } = columnsOf(array)
    if (n[at] === 0) return false
    close = c[at] as number
    return true
  })
  if (!isKnown) return undefined
  // of minutes that left the hours tell the close
  if (close === null && kept > 0) return undefined
  const filled = fillBuckets(list, frame, span, close, coverage)
  return candlesAnswer(view, answer, window, filled, unknown)
}
