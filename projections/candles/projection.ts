/**
 * Candles of every token over all its pools, from the priced prints of the tape. Two base tables,
 * a minute and an hour wide; wider and odd frames are folded from them when asked, so a higher
 * frame is exactly the fold of the lower one.
 */
import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import type { RowBuffer } from "../../engine/store/row-buffer.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { prices } from "../prices/projection.ts"
import type { Trades } from "../prices/trades.ts"
import { tokens } from "../tokens/output.ts"
import { candleFrames } from "./frames.ts"
import { candlesMirror } from "./mirror.ts"
import { MirrorFeed } from "./mirror-feed.ts"
import { queries } from "./queries.ts"
import {
  type BaseTable,
  type CandleColumns,
  hourCandlesTable,
  minuteCandlesTable
} from "./tables.ts"

type Candles = SlotTable<CandleColumns>

/** Folds one print into the open bucket of a token; a later bucket closes it. */
const add = (
  candles: Candles,
  feed: MirrorFeed,
  token: number,
  bucket: number,
  price: number,
  usdMicro: number
): void => {
  if (token >= candles.count) candles.grow(token + 1)
  let c = candles.columns
  if (c.n[token] === 0 || c.t[token] !== bucket) {
    if (c.n[token] === 0) feed.bear(candles.def.name as BaseTable, token)
    candles.emit(token)
    c = candles.columns
    c.token[token] = token
    c.t[token] = bucket
    c.o[token] = price
    c.h[token] = price
    c.l[token] = price
    c.v[token] = 0
    c.n[token] = 0
  } else {
    if (price > (c.h[token] as number)) c.h[token] = price
    if (price < (c.l[token] as number)) c.l[token] = price
  }
  c.c[token] = price
  c.v[token] = (c.v[token] as number) + usdMicro
  c.n[token] = (c.n[token] as number) + 1
  candles.touch(token)
}

const apply = (trades: Trades, minutes: Candles, hours: Candles, feed: MirrorFeed): void => {
  for (let i = 0; i < trades.count; i++) {
    const usdMicro = trades.usdMicro[i] as number
    if (!(usdMicro >= 0)) continue
    const ts = trades.ts[i] as number
    const minute = ts - (ts % 60)
    const hour = ts - (ts % 3600)
    const token0 = trades.token0[i] as number
    const token1 = trades.token1[i] as number
    const price0 = trades.price0[i] as number
    const price1 = trades.price1[i] as number
    // each side by itself: of a token without decimals the other side still has its price
    if (token0 !== NONE && price0 > 0 && trades.outlier0[i] === 0) {
      add(minutes, feed, token0, minute, price0, usdMicro)
      add(hours, feed, token0, hour, price0, usdMicro)
    }
    if (token1 !== NONE && price1 > 0 && trades.outlier1[i] === 0) {
      add(minutes, feed, token1, minute, price1, usdMicro)
      add(hours, feed, token1, hour, price1, usdMicro)
    }
  }
}

const create = (context: FoldContext): Fold<null> => {
  const { trades, late } = context.output(prices)
  const minutes = context.state(minuteCandlesTable)
  const hours = context.state(hourCandlesTable)
  const { count, columns: tokenColumns } = context.output(tokens)
  const feed = new MirrorFeed(() => tokenColumns().address)
  return {
    out: null,
    apply: (_: Slice) => {
      apply(late, minutes, hours, feed)
      apply(trades, minutes, hours, feed)
    },
    reloaded: () => {
      minutes.truncate(count())
      hours.truncate(count())
      feed.reset()
    },
    mirrored: (versions, end) => feed.message(versions as unknown as RowBuffer<CandleColumns>, end)
  }
}

export const candles = projection<null>({
  name: "candles",
  version: 4,
  tables: [minuteCandlesTable, hourCandlesTable],
  create,
  queries,
  mirror: candlesMirror,
  frames: candleFrames
})
