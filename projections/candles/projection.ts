/**
 * Candles of every token over all its pools, from the priced prints of the tape. Two base tables,
 * a minute and an hour wide; wider and odd frames are folded from them when asked, so a higher
 * frame is exactly the fold of the lower one.
 */
import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import type { RowBuffer } from "../../engine/store/row-buffer.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { table } from "../../engine/store/table.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { prices } from "../prices/projection.ts"
import type { Trades } from "../prices/trades.ts"
import { tokens } from "../tokens/output.ts"
import { candleFrames } from "./frames.ts"
import { memory } from "./memory-queries.ts"
import { queries } from "./queries.ts"
import { RecentCandles } from "./recent.ts"
import type { TimeFrame } from "./time-frame.ts"

const columns = {
  token: { type: "u32" },
  /** bucket start, Unix seconds */
  t: { type: "u32" },
  o: { type: "f64" },
  h: { type: "f64" },
  l: { type: "f64" },
  c: { type: "f64" },
  /** micro-dollars */
  v: { type: "i64" },
  /** prints */
  n: { type: "u32" }
} as const

export const minuteCandlesTable = table({
  name: "candles_1m",
  shape: "state",
  key: ["token", "t"],
  columns
})

export const hourCandlesTable = table({
  name: "candles_1h",
  shape: "state",
  key: ["token", "t"],
  columns
})

type Candles = SlotTable<typeof columns>

/** Folds one print into the open bucket of a token; a later bucket closes it. */
const add = (
  candles: Candles,
  recent: RecentCandles,
  token: number,
  bucket: number,
  price: number,
  usdMicro: number
): void => {
  if (token >= candles.count) candles.grow(token + 1)
  let c = candles.columns
  if (c.n[token] === 0 || c.t[token] !== bucket) {
    if (c.n[token] === 0) recent.bear(candles.def.name as TimeFrame["base"], token)
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

const apply = (trades: Trades, minutes: Candles, hours: Candles, recent: RecentCandles): void => {
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
    if (token0 !== NONE && price0 > 0) {
      add(minutes, recent, token0, minute, price0, usdMicro)
      add(hours, recent, token0, hour, price0, usdMicro)
    }
    if (token1 !== NONE && price1 > 0) {
      add(minutes, recent, token1, minute, price1, usdMicro)
      add(hours, recent, token1, hour, price1, usdMicro)
    }
  }
}

/** Copies versions on their way to the store. */
const remember = (
  recent: RecentCandles,
  base: TimeFrame["base"],
  { count, columns: c }: RowBuffer<typeof columns>
): void => {
  for (let i = 0; i < count; i++) {
    const t = c.t[i] as number
    const { rows, at } = recent.next(base, c.token[i] as number, t)
    rows[at] = t
    rows[at + 1] = c.o[i] as number
    rows[at + 2] = c.h[i] as number
    rows[at + 3] = c.l[i] as number
    rows[at + 4] = c.c[i] as number
    rows[at + 5] = c.v[i] as number
    rows[at + 6] = c.n[i] as number
  }
}

const create = (context: FoldContext): Fold<RecentCandles> => {
  const { trades } = context.output(prices)
  const minutes = context.state(minuteCandlesTable)
  const hours = context.state(hourCandlesTable)
  const tokenCount = context.output(tokens).count
  const recent = new RecentCandles()
  return {
    out: recent,
    apply: (_: Slice) => apply(trades, minutes, hours, recent),
    reloaded: () => {
      minutes.truncate(tokenCount())
      hours.truncate(tokenCount())
      recent.forget()
    },
    wrote: versions => {
      const rows = versions as unknown as RowBuffer<typeof columns>
      remember(recent, rows.def.name as TimeFrame["base"], rows)
    },
    committed: () => recent.commit()
  }
}

export const candles = projection<RecentCandles>({
  name: "candles",
  version: 2,
  tables: [minuteCandlesTable, hourCandlesTable],
  create,
  queries,
  memory,
  frames: candleFrames
})
