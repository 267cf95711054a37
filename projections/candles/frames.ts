/** Live candles: the open bucket of each subscribed `token:tf` that a commit touched. */
import { Effect } from "effect"
import type { FrameMaker, QueryContext } from "../../engine/projection.ts"
import { fromHex } from "../../src/domain/address.ts"
import { tokens } from "../tokens/projection.ts"
import { type Candle, queries } from "./queries.ts"

/** Tokens with a candle version after `since`. */
const touchedTokens = (context: QueryContext, since: number) =>
  context
    .rows(`SELECT DISTINCT token FROM candles_1m_tail WHERE seq > ${since}`)
    .pipe(Effect.map(rows => new Set(rows.map(row => Number(row["token"])))))

export const candleFrames: FrameMaker = {
  channel: "candles",
  frames: (context, since, wanted) =>
    Effect.gen(function* () {
      const touched = yield* touchedTokens(context, since)
      const { find } = context.output(tokens)
      const keys = [...wanted].filter(key =>
        touched.has(find(fromHex(key.split(":")[0] as string)))
      )
      const frames = yield* Effect.forEach(keys, key => {
        const [token, tf] = key.split(":") as [string, string]
        return queries
          .candles(context, { token, tf, from: null, to: null, limit: 1, fill: false })
          .pipe(
            Effect.map(answer => (answer as { candles: ReadonlyArray<Candle> }).candles[0]),
            Effect.catchTag("Refused", () => Effect.succeed(undefined)),
            Effect.map(candle =>
              candle === undefined
                ? []
                : [
                    {
                      key,
                      seq: context.seq,
                      body: JSON.stringify({
                        type: "candle",
                        channel: "candles",
                        chain: context.chain.id,
                        token,
                        tf,
                        seq: context.seq,
                        at: context.blockTime,
                        candle
                      })
                    }
                  ]
            )
          )
      })
      return frames.flat()
    })
}
