/** What windows of a token hold of the hours in which they begin: of the tape of these hours. */
import { Effect } from "effect"
import type { QueryContext, Row } from "../../engine/query.ts"
import { numberOf } from "../../engine/store/sql.ts"
import { HOUR, hourOf } from "../markets/hours.ts"

/** A window's first second, and the first second of its first whole hour, or its end. */
export interface Window {
  readonly from: number
  readonly edge: number
}

/** The prints of a window before its first whole hour. */
export interface Edge {
  trades: number
  buys: number
  /** micro-dollars of prints that are believed */
  bought: number
  sold: number
  /** newest price that counts before the window, but in its first hour */
  before: number | null
  /** of the prices of its first, broken minute */
  high: number | null
  low: number | null
}

/** Swaps and micro-dollars of pools. */
export type PoolSums = Map<number, { trades: number; usd: number }>

export interface Edges {
  /** of each window */
  readonly edges: ReadonlyArray<Edge>
  /** of the last of the windows, before its first whole hour: the token's swaps by pool */
  readonly pools: PoolSums
}

/** Rows of hours that are taken one by one; more are summed where they stand. */
const MOST_ROWS = 4000

/** Stretches of time that cover the windows' first hours, without overlaps. */
const stretches = (windows: ReadonlyArray<Window>): ReadonlyArray<readonly [number, number]> => {
  const found: Array<[number, number]> = []
  const hours = windows.map(({ from, edge }) => [hourOf(from), edge] as const)
  for (const [from, to] of hours.toSorted(([a], [b]) => a - b)) {
    const last = found.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else if (from < to) found.push([from, to])
  }
  return found
}

const COLUMNS = `ts, pool, token0, token1, bought0, usd, flags, price0, price1, amount0, amount1,
  unscaled, seq`

/** The swaps of a token in those hours, in log order. */
const swapsIn = (context: QueryContext, token: number, windows: ReadonlyArray<Window>) =>
  context.rows(
    stretches(windows)
      .map(
        ([from, to]) => `SELECT ${COLUMNS} FROM tape
          WHERE ts >= ${from} AND ts < ${to} AND (token0 = ${token} OR token1 = ${token})`
      )
      .join(" UNION ALL ")
  )

/** A print of a token. */
interface Print {
  readonly ts: number
  readonly seq: number
  readonly isBuy: boolean
  /** null where unknown */
  readonly micro: bigint | null
  readonly isBelieved: boolean
  /** dollars a whole token; not above 0 where unknown */
  readonly price: number
}

const printOf = (row: Row, side: 0 | 1, scale: number): Print => {
  const told = numberOf(row, `price${side}`) ?? Number.NaN
  const isRaw = ((Number(row["unscaled"]) >> side) & 1) === 1
  const amount = numberOf(row, `amount${side}`) ?? Number.NaN
  return {
    ts: Number(row["ts"]),
    seq: Number(row["seq"]),
    isBuy: (Number(row["bought0"]) === 1) === (side === 0),
    micro: row["usd"] === null ? null : BigInt(row["usd"] as bigint),
    isBelieved: ((Number(row["flags"]) >> side) & 1) === 0,
    price: isRaw ? (told / amount) * scale : told
  }
}

/** Sums that are exact until they are told. */
class EdgeSums {
  private readonly window: Window
  private readonly minute: number
  private readonly edge = { trades: 0, buys: 0, before: null, high: null, low: null } as {
    -readonly [name in Exclude<keyof Edge, "bought" | "sold">]: Edge[name]
  }
  private bought = 0n
  private sold = 0n
  private newest = -1

  constructor(window: Window) {
    this.window = window
    this.minute = Math.ceil(window.from / 60) * 60
  }

  take({ ts, seq, isBuy, micro, isBelieved, price }: Print): void {
    const { window, edge } = this
    if (ts < hourOf(window.from) || ts >= window.edge) return
    const counts = isBelieved && price > 0
    if (ts < window.from) {
      if (!counts || seq <= this.newest) return
      this.newest = seq
      edge.before = price
      return
    }
    edge.trades++
    if (isBuy) edge.buys++
    if (isBelieved && micro !== null) {
      if (isBuy) this.bought += micro
      else this.sold += micro
    }
    if (!counts || ts >= this.minute) return
    edge.high = Math.max(edge.high ?? price, price)
    edge.low = Math.min(edge.low ?? price, price)
  }

  get value(): Edge {
    return { ...this.edge, bought: Number(this.bought), sold: Number(this.sold) }
  }
}

const folded = (
  rows: ReadonlyArray<Row>,
  token: number,
  windows: ReadonlyArray<Window>,
  scale: number
): Edges => {
  const sums = windows.map(window => new EdgeSums(window))
  const last = windows.at(-1) as Window
  const exact = new Map<number, { trades: number; usd: bigint }>()
  for (const row of rows) {
    for (const side of [0, 1] as const) {
      if (row[`token${side}`] !== token) continue
      const print = printOf(row, side, scale)
      for (const sum of sums) sum.take(print)
    }
    const ts = Number(row["ts"])
    if (ts < last.from || ts >= last.edge) continue
    const pool = Number(row["pool"])
    const { trades, usd } = exact.get(pool) ?? { trades: 0, usd: 0n }
    const micro = Number(row["flags"]) === 0 ? BigInt((row["usd"] as bigint | null) ?? 0n) : 0n
    exact.set(pool, { trades: trades + 1, usd: usd + micro })
  }
  const pools: PoolSums = new Map(
    [...exact].map(([pool, { trades, usd }]) => [pool, { trades, usd: Number(usd) }])
  )
  return { edges: sums.map(sum => sum.value), pools }
}

/** Prints of a token from one second to another, with their dollars a whole token. */
const printsBetween = (token: number, from: number, to: number, scale: number): string => {
  const unit = Number.isNaN(scale) ? "NULL" : `price / amount * ${scale}`
  // few columns of few relations: planning a statement costs more than what it reads
  const select = `SELECT ts, buy, usd, flags, seq,
      CASE WHEN unscaled = 1 THEN ${unit} ELSE price END AS price`
  const where = `token = ${token} AND ts >= ${from} AND ts < ${to}`
  return `${select} FROM prints WHERE ${where} UNION ALL ${select} FROM prints_tail WHERE ${where}`
}

const edgeSql = (token: number, { from, edge }: Window, scale: number): string => {
  const minute = Math.ceil(from / 60) * 60
  const counts = "flags = 0 AND price > 0"
  return `SELECT count(*) FILTER (ts >= ${from}) AS trades,
      count(*) FILTER (ts >= ${from} AND buy = 1) AS buys,
      coalesce(sum(usd) FILTER (ts >= ${from} AND buy = 1 AND flags = 0), 0)::DOUBLE AS bought,
      coalesce(sum(usd) FILTER (ts >= ${from} AND buy = 0 AND flags = 0), 0)::DOUBLE AS sold,
      arg_max(price, seq) FILTER (ts < ${from} AND ${counts}) AS before,
      max(price) FILTER (ts >= ${from} AND ts < ${minute} AND ${counts}) AS high,
      min(price) FILTER (ts >= ${from} AND ts < ${minute} AND ${counts}) AS low
    FROM (${printsBetween(token, hourOf(from), edge, scale)})`
}

const edgeOf = (row: Row): Edge => ({
  trades: Number(row["trades"] ?? 0),
  buys: Number(row["buys"] ?? 0),
  bought: Number(row["bought"] ?? 0),
  sold: Number(row["sold"] ?? 0),
  before: numberOf(row, "before"),
  high: numberOf(row, "high"),
  low: numberOf(row, "low")
})

/** The same, summed by the database. */
const summed = (
  context: QueryContext,
  token: number,
  windows: ReadonlyArray<Window>,
  scale: number
) =>
  Effect.gen(function* () {
    const rows = yield* context.rows(
      windows
        .map((one, w) => `SELECT ${w} AS w, * FROM (${edgeSql(token, one, scale)})`)
        .join(" UNION ALL ")
    )
    const { from, edge } = windows.at(-1) as Window
    // whether the other token's side is an outlier stands on the tape alone
    const pools = yield* context.rows(
      `SELECT pool, count(*) AS trades,
         coalesce(sum(usd) FILTER (flags = 0), 0)::DOUBLE AS usd FROM tape
       WHERE ts >= ${from} AND ts < ${edge} AND (token0 = ${token} OR token1 = ${token})
       GROUP BY pool`
    )
    return {
      edges: windows.map((_, w) => edgeOf(rows.find(row => Number(row["w"]) === w) ?? {})),
      pools: new Map(
        pools.map(row => [
          Number(row["pool"]),
          { trades: Number(row["trades"]), usd: Number(row["usd"]) }
        ])
      )
    }
  })

/**
 * What windows begin with. An hour of the tape is small, and a token that is in few of its swaps
 * has them taken one by one; `perDay` are its prints of a day.
 */
export const edgesOf = (
  context: QueryContext,
  token: number,
  windows: ReadonlyArray<Window>,
  scale: number,
  perDay: number,
  most = MOST_ROWS
) => {
  const expected = (perDay * HOUR * windows.length) / 86_400
  if (expected > most) return summed(context, token, windows, scale)
  if (stretches(windows).length === 0) return Effect.succeed(folded([], token, windows, scale))
  return Effect.map(swapsIn(context, token, windows), rows => folded(rows, token, windows, scale))
}
