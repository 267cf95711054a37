/** Live candles: every bucket of each subscribed `token:tf` that changed, oldest first. */
import { Effect } from "effect"
import type { FrameMaker, QueryContext } from "../../engine/projection.ts"
import { fromHex } from "../../src/domain/address.ts"
import { tokens } from "../tokens/output.ts"
import { candlesBetween, windowOf } from "./queries.ts"
import { bucketStart, timeFrames } from "./time-frame.ts"

/** Widest resume in buckets; a longer absence is a new page of `/candles`. */
const MAX_BUCKETS = 300

/** The oldest minute each token's candles changed in after `since`. */
const touchedTokens = (context: QueryContext, since: number) =>
  context
    .rows(
      `SELECT token, min(t) AS t FROM (
         SELECT token, t FROM candles_1m_tail WHERE seq > ${since}
         UNION ALL SELECT token, t FROM candles_1m WHERE seq > ${since}) GROUP BY token`
    )
    .pipe(Effect.map(rows => new Map(rows.map(row => [Number(row["token"]), Number(row["t"])]))))

export const candleFrames: FrameMaker = {
  channel: "candles",
  frames: (context, since, wanted) =>
    Effect.gen(function* () {
      const touched = yield* touchedTokens(context, since)
      const { find } = context.output(tokens)
      const frames = yield* Effect.forEach([...wanted], key => {
        const [token, tf] = key.split(":") as [string, string]
        const id = find(fromHex(token))
        const oldest = touched.get(id)
        const frame = timeFrames[tf]
        if (oldest === undefined || frame === undefined) return Effect.succeed([])
        const start = bucketStart(frame, oldest)
        const { from, to } = windowOf(frame, context.blockTime, MAX_BUCKETS, start, null)
        return Effect.map(candlesBetween(context, frame, id, from, to), found =>
          found
            // A frame says when its bucket changed, so that an undo voids it only where it must.
            .filter(({ seq }) => seq > since)
            .map(({ candle, seq }) => ({
              key,
              seq,
              body: JSON.stringify({
                type: "candle",
                channel: "candles",
                chain: context.chain.id,
                token,
                tf,
                seq,
                at: context.blockTime,
                candle
              })
            }))
        )
      })
      return frames.flat()
    })
}
