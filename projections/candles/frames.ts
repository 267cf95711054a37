/** Live candles: every bucket of each subscribed `token:tf` that changed, oldest first. */
import { Effect } from "effect"
import type { FrameMaker, QueryContext } from "../../engine/projection.ts"
import { fromHex } from "../../src/domain/address.ts"
import { tokens } from "../tokens/output.ts"
import { type Candle, queries } from "./queries.ts"
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

const candlesSince = (context: QueryContext, token: string, tf: string, from: number) =>
  queries.candles(context, { token, tf, from, to: null, limit: MAX_BUCKETS, fill: false }).pipe(
    Effect.map(answer => (answer as { candles: ReadonlyArray<Candle> }).candles),
    Effect.catchTag("Refused", () => Effect.succeed<ReadonlyArray<Candle>>([]))
  )

export const candleFrames: FrameMaker = {
  channel: "candles",
  frames: (context, since, wanted) =>
    Effect.gen(function* () {
      const touched = yield* touchedTokens(context, since)
      const { find } = context.output(tokens)
      const { seq } = context
      const frames = yield* Effect.forEach([...wanted], key => {
        const [token, tf] = key.split(":") as [string, string]
        const oldest = touched.get(find(fromHex(token)))
        const frame = timeFrames[tf]
        if (oldest === undefined || frame === undefined) return Effect.succeed([])
        return candlesSince(context, token, tf, bucketStart(frame, oldest)).pipe(
          Effect.map(candles =>
            candles.map(candle => ({
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
        )
      })
      return frames.flat()
    })
}
