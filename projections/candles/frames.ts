/** Live candles: every bucket of each subscribed `token:tf` that changed. */
import { Effect } from "effect"
import type { FrameMaker } from "../../engine/projection.ts"
import type { QueryContext } from "../../engine/query.ts"
import { fromHex } from "../../src/domain/address.ts"
import { tokens } from "../tokens/output.ts"
import { candlesChanged, largestChange } from "./queries.ts"
import { bucketStart, type TimeFrame, timeFrames } from "./time-frame.ts"

/** Buckets at one position at most that a resume gives; more is a new page of `/candles`. */
const MAX_AT_ONE_POSITION = 5000

interface Wanted {
  readonly key: string
  readonly address: string
  readonly tf: string
  readonly frame: TimeFrame
  readonly token: number
}

/** The keys of tokens and time frames that there are. */
const wantedOf = (context: QueryContext, keys: Iterable<string>): ReadonlyArray<Wanted> => {
  const { find } = context.output(tokens)
  return [...keys].flatMap(key => {
    const [address = "", tf = ""] = key.split(":")
    const frame = timeFrames[tf]
    const token = find(fromHex(address))
    return frame === undefined || token < 0 ? [] : [{ key, address, tf, frame, token }]
  })
}

/** The oldest minute that each token's candles changed in after `since`. */
const oldestChanges = (context: QueryContext, since: number, wanted: ReadonlyArray<Wanted>) => {
  const ids = [...new Set(wanted.map(({ token }) => token))].join(",")
  const where = `seq > ${since} AND token IN (${ids})`
  return context
    .rows(
      `SELECT token, min(t) AS t FROM (
         SELECT token, t FROM candles_1m_tail WHERE ${where}
         UNION ALL SELECT token, t FROM candles_1m WHERE ${where}) GROUP BY token`
    )
    .pipe(Effect.map(rows => new Map(rows.map(row => [Number(row["token"]), Number(row["t"])]))))
}

/** A frame says when its bucket changed, so that an undo voids it only where it must. */
const framesOf = (
  context: QueryContext,
  { key, address, tf, frame, token }: Wanted,
  oldest: number,
  since: number,
  limit: number
) =>
  candlesChanged(context, frame, token, bucketStart(frame, oldest), since, limit).pipe(
    Effect.map(found =>
      found.map(({ candle, seq }) => ({
        key,
        seq,
        body: JSON.stringify({
          type: "candle",
          channel: "candles",
          chain: context.chain.id,
          token: address,
          tf,
          seq,
          at: context.blockTime,
          candle
        })
      }))
    )
  )

export const candleFrames: FrameMaker = {
  channel: "candles",
  frames: (context, since, keys, limit) =>
    Effect.gen(function* () {
      const wanted = wantedOf(context, keys)
      if (wanted.length === 0) return []
      const changes = yield* oldestChanges(context, since, wanted)
      const frames = yield* Effect.forEach(wanted, one => {
        const oldest = changes.get(one.token)
        return oldest === undefined
          ? Effect.succeed([])
          : framesOf(context, one, oldest, since, limit)
      })
      return frames.flat()
    }),
  oldest: (context, since, key) =>
    Effect.forEach(wantedOf(context, [key]), ({ frame, token }) =>
      largestChange(context, frame, token, since, MAX_AT_ONE_POSITION)
    ).pipe(Effect.map(([position]) => position ?? since))
}
