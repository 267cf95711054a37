/** Candles on the serving thread: pages of the newest buckets of tokens that trade. */
import type { Mirror } from "../../engine/projection.ts"
import type { MemoryContext } from "../../engine/query.ts"
import { toHex } from "../../src/domain/address.ts"
import { unknownIn } from "./coverage.ts"
import { fillBuckets } from "./fill.ts"
import { type CandlesFed, FEED_WIDTH, giveBack } from "./mirror-feed.ts"
import { type CandlesParams, candlesAnswer, candlesQuery, windowAsked } from "./queries.ts"
import { RecentCandles } from "./recent.ts"
import { type TimeFrame, timeFrames } from "./time-frame.ts"

const take = (recent: RecentCandles, { base, count, rows }: CandlesFed): void => {
  for (let i = 0, at = 0; i < count; i++, at += FEED_WIDTH) {
    recent.take(base, rows[at] as number, rows[at + 1] === 1, rows, at + 2)
  }
  giveBack(rows)
}

/** The page that the query on rows gives, where memory holds all of it. */
const page = (
  recent: RecentCandles,
  wholeSince: number | null,
  token: number,
  context: MemoryContext,
  params: CandlesParams
): unknown => {
  const frame = timeFrames[params.tf] as TimeFrame
  const window = windowAsked(context, params)
  const { from, to, openEnd } = window
  // a window without a bucket is empty or refused, in words that the query on rows has
  if (from >= to) return undefined
  const list = recent.between(frame, token, from, to)
  if (list === null) return undefined
  if (!params.fill) return candlesAnswer(context, params, window, list)
  const close = recent.closeBefore(frame, token, from)
  // which buckets blocks are missing of is in the tables only
  if (close === undefined || wholeSince === null) return undefined
  const coverage = { start: wholeSince, gaps: [] }
  const span = { from, to: Math.min(to, openEnd) }
  const filled = fillBuckets(list, frame, span, close, coverage)
  return candlesAnswer(context, params, window, filled, unknownIn(coverage, span))
}

/** An empty mirror of the candles. */
export const candlesMirror = (): Mirror => {
  const recent = new RecentCandles()
  const tokens = new Map<string, number>()
  // as of the commit, and of the open transaction
  let wholeSince: number | null = null
  let open: number | null = null
  return {
    take: message => {
      const fed = message as CandlesFed
      open = fed.wholeSince
      fed.tokens.forEach((token, i) => {
        tokens.set(toHex(fed.addresses.subarray(i * 20, i * 20 + 20)), token)
      })
      take(recent, fed)
    },
    committed: () => {
      recent.commit()
      wholeSince = open
    },
    forget: () => {
      wholeSince = null
      open = null
      tokens.clear()
      recent.forget()
    },
    queries: {
      [candlesQuery.name]: (context, params: CandlesParams) => {
        const token = tokens.get(params.token)
        return token === undefined ? undefined : page(recent, wholeSince, token, context, params)
      }
    }
  }
}
