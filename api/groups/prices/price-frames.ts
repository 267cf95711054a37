/**
 * Live prices: the present price of each token that traded or whose price changed, with what it
 * traded in the last 24 hours, and before it a word on a token that never traded before; key `*`
 * stands for all tokens. Where only a token's quote moved, those are told who asked for the token
 * by name: of all tokens that would be most of the chain at nearly every block.
 */

import { Effect } from "effect"
import { type FrameMaker, PRESENT } from "../../../engine/frames.ts"
import type { Row, RowsView } from "../../../engine/query.ts"
import { blockOfCommit, newestOf, numberOf, versions } from "../../../engine/store/sql.ts"
import type { TableDef } from "../../../engine/store/table.ts"
import { unsignedAt } from "../../../engine/store/wide-integer.ts"
import { tokenHoursTable } from "../../../projections/markets/tables.ts"
import { windowSince } from "../../../projections/markets/window.ts"
import { tokenPricesTable } from "../../../projections/prices/tables.ts"
import { tokenActivityTable } from "../../../projections/tape/tables.ts"
import { type Tokens, tokens } from "../../../projections/tokens/output.ts"
import { idBytes } from "../../../src/domain/ids.ts"
import { shownChain } from "../../../src/domain/shown-chain.ts"
import { NULL_I32 } from "../../../streams/batch/columns.ts"
import { quotedMoves } from "./quoted-moves.ts"

/** Tokens that the present of a chain tells of: those that changed last. */
const MAX_PRESENT = 1000

const MICRO = 1e6

const newest = (view: RowsView, table: TableDef, tokens: string): string =>
  newestOf(view, table, `token IN (${tokens})`, "token")

/**
 * Sums by token of its hours from `since` on. A slot that another hour has by now held one before
 * that, so those are not seen.
 */
const daySums = (view: RowsView, tokens: string, since: number): string =>
  `(SELECT token, sum(trades) AS trades, sum(buys) AS buys, sum(buy_usd) AS buy_usd,
      sum(sell_usd) AS sell_usd
    FROM ${newestOf(view, tokenHoursTable, `hour >= ${since} AND token IN (${tokens})`, "slot")}
    GROUP BY token)`

/** The tokens with a print or another row of prices, and the position of the newest of both. */
const ownChanges = (view: RowsView, where: string, page: string): string => `
  SELECT token, max(seq) AS seq, NULL::UINTEGER AS ts FROM (
    SELECT token, seq FROM (${versions(view, tokenPricesTable, where)})
    UNION ALL SELECT token, seq FROM (${versions(view, tokenActivityTable, where)}))
  GROUP BY token QUALIFY ${page}`

/**
 * The tokens that changed, each with its present price, where it has one, and with position and
 * time of the newest change. What is priced in another token costs what that costs at present. New
 * are those whose first print came after `newSince`; sums are of hours from `since` on.
 */
const pricesSql = (view: RowsView, changed: string, newSince: number, since: number): string => `
  WITH changed AS (${changed}),
  priced AS ${newest(view, tokenPricesTable, "SELECT token FROM changed")}
  SELECT c.token, c.seq, greatest(p.ts, a.last_ts, c.ts) AS ts,
    p.price * CASE WHEN p.quote IS NULL THEN 1 ELSE q.price END AS price,
    p.depth * CASE WHEN p.quote IS NULL THEN 1 ELSE q.price END AS depth_usd,
    ${newSince === PRESENT ? "false" : `a.first_block > ${blockOfCommit(newSince)}`} AS is_new,
    d.trades, d.buys, d.buy_usd, d.sell_usd
  FROM changed c
    LEFT JOIN priced p ON p.token = c.token
    LEFT JOIN ${newest(view, tokenPricesTable, "SELECT quote FROM priced")} q ON q.token = p.quote
    LEFT JOIN ${newest(view, tokenActivityTable, "SELECT token FROM changed")} a ON a.token = c.token
    LEFT JOIN ${daySums(view, "SELECT token FROM changed", since)} d ON d.token = c.token
  ORDER BY c.seq, c.token`

const ownChanged = (
  view: RowsView,
  { since, newSince }: Range,
  ids: ReadonlyArray<number> | null,
  limit: number
) => {
  const where = `seq > ${since}${ids === null ? "" : ` AND token IN (${ids.join(",")})`}`
  const page =
    since === PRESENT
      ? `row_number() OVER (ORDER BY max(seq) DESC, token) <= ${MAX_PRESENT}`
      : `rank() OVER (ORDER BY max(seq)) <= ${limit}`
  const changed = ownChanges(view, where, page)
  return view.rows(pricesSql(view, changed, newSince, windowSince(view.blockTime)))
}

/** Tokens of these ids that only their quote moved: none of the present, which is told anyway. */
const movedByQuote = (view: RowsView, { since }: Range, ids: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const moved = since === PRESENT ? null : yield* quotedMoves(view, since, ids)
    if (moved === null) return []
    return yield* view.rows(pricesSql(view, moved, PRESENT, windowSince(view.blockTime)))
  })

/** Positions after which prices count, and after which a token's first print makes it new. */
interface Range {
  readonly since: number
  readonly newSince: number
}

/** What a token told of itself; null what is not known. */
const factsOf = (columns: ReturnType<Tokens["columns"]>, id: number) => {
  const decimals = columns.decimals[id] as number
  const supply = unsignedAt(columns.total_supply, id)
  return {
    name: columns.name[id] ?? null,
    decimals: decimals === NULL_I32 ? null : decimals,
    totalSupply: supply === 0n ? null : supply.toString()
  }
}

/** What was traded in the 24 hours that boards tell of, dollars and prints. */
const dayOf = (row: Row) => {
  const sum = (column: string): number => Number(row[column] ?? 0)
  const [trades, buys] = [sum("trades"), sum("buys")]
  const [bought, sold] = [sum("buy_usd"), sum("sell_usd")]
  return {
    volume24h: (bought + sold) / MICRO,
    buyVolume24h: bought / MICRO,
    sellVolume24h: sold / MICRO,
    trades24h: trades,
    buys24h: buys,
    sells24h: trades - buys
  }
}

/** The bodies of the frames of a token of this address, in order. */
const bodiesOf = (view: RowsView, row: Row, token: string): ReadonlyArray<string> => {
  const columns = view.output(tokens).columns()
  const id = Number(row["token"])
  const about = {
    channel: "prices",
    chain: shownChain(view.chain),
    token,
    symbol: columns.symbol[id] ?? null,
    seq: Number(row["seq"]),
    at: Number(row["ts"])
  }
  const price = JSON.stringify({
    type: "price",
    ...about,
    priceUsd: numberOf(row, "price"),
    depthUsd: numberOf(row, "depth_usd"),
    ...dayOf(row)
  })
  if (row["is_new"] !== true) return [price]
  return [JSON.stringify({ type: "new", ...about, ...factsOf(columns, id) }), price]
}

/** Frames of the asked tokens of these rows. */
const framesOf = (view: RowsView, rows: ReadonlyArray<Row>, wanted: ReadonlySet<string>) =>
  rows.flatMap(row => {
    const token = view.output(tokens).addressOf(Number(row["token"]))
    const keys = ["*", token].filter(key => wanted.has(key))
    const bodies = bodiesOf(view, row, token)
    return keys.flatMap(key => bodies.map(body => ({ key, seq: Number(row["seq"]), body })))
  })

/** Ids of the tokens that are asked for by name, those that are known. */
const idsOf = (view: RowsView, named: ReadonlySet<string>) => {
  const { find } = view.output(tokens)
  return [...named].map(key => find(idBytes(key))).filter(id => id >= 0)
}

const readFrames = (view: RowsView, range: Range, wanted: ReadonlySet<string>, limit: number) =>
  Effect.gen(function* () {
    const named = new Set([...wanted].filter(key => key !== "*"))
    const known = idsOf(view, named)
    const ids = wanted.has("*") ? null : known
    if (ids?.length === 0) return []
    const own = framesOf(view, yield* ownChanged(view, range, ids, limit), wanted)
    const moved = framesOf(view, yield* movedByQuote(view, range, known), named)
    return moved.length === 0 ? own : [...own, ...moved].sort((a, b) => a.seq - b.seq)
  })

export const priceFrames: FrameMaker = {
  channel: "prices",
  named: key => (key === "*" ? {} : { token: key }),
  frames: (view, { since, keys, limit, isUndone }) =>
    readFrames(view, { since: isUndone ? PRESENT : since, newSince: since }, keys, limit)
}
