/** The window of buckets that a request asks for, and the answer around its candles. */
import { Effect } from "effect"
import { type MemoryView, Refused } from "../../engine/query.ts"
import type { Stretch } from "../../src/domain/covered-time.ts"
import { shownChain } from "../../src/domain/shown-chain.ts"
import { declaredFloor } from "../prices/ingest-floor.ts"
import type { Candle } from "./candle.ts"
import type { SubjectParams } from "./subject.ts"
import { type AnyFrame, bucketCeil, bucketStart, frameOf } from "./time-frame.ts"

/** From when on all is kept that buckets of a frame are made of, Unix seconds. */
export const keptOf = ({ keptFrom }: MemoryView, { base }: Pick<AnyFrame, "base">): number => {
  if (base === null) return keptFrom.raw
  return base === "candles_1m" ? keptFrom.minutes : 0
}

export interface Window {
  readonly from: number
  readonly to: number
  /** end of the bucket that the newest block lies in */
  readonly openEnd: number
}

/**
 * The buckets asked for: `to` snaps up, `from` to the first bucket at or after it, at 1970 at the
 * earliest. Where no bucket lies between them the window is empty, at `from`.
 */
const windowOf = (
  frame: AnyFrame,
  blockTime: number,
  limit: number,
  fromAsked: number | null,
  toAsked: number | null
): Window => {
  const openEnd = bucketStart(frame, blockTime) + frame.seconds
  const to = toAsked === null ? openEnd : bucketCeil(frame, toAsked)
  const oldest = Math.max(to - limit * frame.seconds, bucketCeil(frame, 0))
  const from = fromAsked === null ? oldest : Math.max(bucketCeil(frame, fromAsked), oldest)
  return { from, to: Math.max(from, to), openEnd }
}

/** Which candles are asked for: the newest `limit` of a range, whose ends may be open (null). */
export type CandlesParams = SubjectParams & {
  readonly tf: string
  /** Unix seconds */
  readonly from: number | null
  readonly to: number | null
  readonly limit: number
  /** with the buckets without a trade */
  readonly fill: boolean
  /** without the bucket that is still open */
  readonly closed: boolean
  /** outliers included */
  readonly raw: boolean
  /** names of further fields with commas between them */
  readonly fields: string
}

/** Whether what is asked are dollars of a token in frames that tables hold, and no more. */
export const isPlain = ({ pool, tf, closed, quote, raw, fields }: CandlesParams): boolean =>
  pool === null && !closed && quote === "usd" && !raw && fields === "" && frameOf(tf).base !== null

/** The window that is asked for; without the open bucket where closed ones are. */
export const windowAsked = ({ blockTime }: MemoryView, params: CandlesParams): Window => {
  const { tf, from, to, limit, closed } = params
  const frame = frameOf(tf)
  const window = windowOf(frame, blockTime, limit, from, to)
  const end = window.openEnd - frame.seconds
  if (!closed || window.to <= end) return window
  const before = windowOf(frame, blockTime, limit, from, end)
  return { ...before, from: Math.min(before.from, before.to) }
}

/** The part of a window up to the end of the open bucket. */
export const spanOf = ({ from, to, openEnd }: Window): Stretch => ({
  from,
  to: Math.min(to, openEnd)
})

/** The answer around a list of candles. */
export const candlesAnswer = (
  { chain }: MemoryView,
  { token, tf }: { readonly token: string; readonly tf: string },
  { from, to, openEnd }: Window,
  list: ReadonlyArray<Candle>,
  unknown: ReadonlyArray<Stretch>
) => {
  const frame = frameOf(tf)
  const newest = list[list.length - 1]
  return {
    chain: shownChain(chain),
    token,
    tf,
    source: "index",
    from,
    to,
    forming: newest !== undefined && newest.t + frame.seconds === openEnd,
    candles: list,
    unknown,
    ...declaredFloor(chain)
  }
}

/** Of a range whose both ends are given the start lies before the end. */
export const refuseReversed = ({ from, to }: CandlesParams): Effect.Effect<void, Refused> => {
  if (from === null || to === null || from < to) return Effect.void
  const message = `from must lie before to: ${from} is not before ${to}`
  return Effect.fail(new Refused({ status: 400, code: "INVALID_PARAMS", message }))
}
