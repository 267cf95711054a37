/** The window of buckets that a request asks for, and the answer around its candles. */
import { Effect } from "effect"
import { type MemoryContext, Refused } from "../../engine/query.ts"
import { declaredFloor } from "../prices/ingest-floor.ts"
import type { Candle } from "./candle.ts"
import type { Stretch } from "./coverage.ts"
import { type AnyFrame, bucketCeil, bucketStart, frameOf } from "./time-frame.ts"

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

/** Which buckets are wanted: the newest `limit` of a range, whose ends may be open (null). */
export type WindowParams = {
  readonly tf: string
  /** Unix seconds */
  readonly from: number | null
  readonly to: number | null
  readonly limit: number
}

/** The window that is asked for. */
export const windowAsked = (
  { blockTime }: MemoryContext,
  { tf, from, to, limit }: WindowParams
): Window => windowOf(frameOf(tf), blockTime, limit, from, to)

/** The answer around a list of candles. */
export const candlesAnswer = (
  { chain }: MemoryContext,
  { token, tf }: { readonly token: string; readonly tf: string },
  { from, to, openEnd }: Window,
  list: ReadonlyArray<Candle>,
  unknown?: ReadonlyArray<Stretch>
) => {
  const frame = frameOf(tf)
  const newest = list[list.length - 1]
  return {
    chain: chain.id,
    token,
    tf,
    source: "index",
    from,
    to,
    forming: newest !== undefined && newest.t + frame.seconds === openEnd,
    candles: list,
    ...(unknown === undefined ? {} : { unknown }),
    ...declaredFloor(chain)
  }
}

/** Of a range whose both ends are given the start lies before the end. */
export const refuseReversed = ({ from, to }: WindowParams): Effect.Effect<void, Refused> => {
  if (from === null || to === null || from < to) return Effect.void
  const message = `from must lie before to: ${from} is not before ${to}`
  return Effect.fail(new Refused({ status: 400, code: "INVALID_PARAMS", message }))
}

export type CandlesParams = WindowParams & {
  readonly token: string
  /** with the buckets without a trade */
  readonly fill: boolean
}
