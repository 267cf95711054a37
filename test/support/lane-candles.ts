/** Candles of the small lane's token, by HTTP's query and as the past of a live reader. */
import { Effect } from "effect"
import { plainCandles } from "./plain-candles.ts"
import { type openSmallLane, TOKEN } from "./small-lane.ts"

type Lane = Effect.Success<typeof openSmallLane>

/** All of them. */
export const candlesOf = ({ ask }: Lane, tf: string) =>
  ask("candles", {
    token: TOKEN,
    tf,
    from: 0,
    to: null,
    limit: 1e6,
    fill: false,
    ...plainCandles
  }).pipe(Effect.map(({ candles }) => candles as ReadonlyArray<{ readonly t: number }>))

/** A page of the past after a position. */
export const candlePage = ({ history }: Lane, tf: string, fromSeq: number, limit: number) =>
  history({ channel: "candles", key: `${TOKEN}:${tf}`, fromSeq, limit })

/** All pages after a position, as a subscriber reads them. */
export const candlePages = (lane: Lane, tf: string, fromSeq: number, limit: number) =>
  Effect.gen(function* () {
    const pages = []
    for (let from = fromSeq; ; ) {
      const { frames, complete } = yield* candlePage(lane, tf, from, limit)
      pages.push(frames ?? [])
      if (complete) return pages
      from = frames?.at(-1)?.seq ?? 0
    }
  })
