/**
 * Reads of the tape. A page is found in the token's index (`prints`), the tape tells its
 * transactions.
 */
import { Effect } from "effect"
import {
  type FoldsContext,
  type QueryContext,
  type Recall,
  type RowsAnswer,
  rowsQuery
} from "../../engine/query.ts"
import { addressOf, dollarsOf, hashOf, numberOf } from "../../engine/store/sql.ts"
import { fromHex } from "../../src/domain/address.ts"
import type { Row } from "../../src/platform/duckdb.ts"
import { pools } from "../pools/output.ts"
import { ingestFloorOf } from "../prices/ingest-floor.ts"
import { tokens } from "../tokens/output.ts"
import { requireToken, unknownToken } from "../tokens/queries.ts"
import { walletRows } from "../wallet-trades/tables.ts"
import { type State, stateAt } from "./as-of.ts"
import { attributions } from "./attribution.ts"
import { beforeSql, type CursorParams, cursorOf, cursorText, isBefore } from "./cursor.ts"
import { tapeOutput } from "./output.ts"
import { heldPrints, pageOfPrints, prints } from "./token-prints.ts"

const DAY = 86_400

/** Whole tokens and dollars a token; null where its decimals are not known until now. */
const scaled = (context: FoldsContext, token: number, row: Row, side: 0 | 1) => {
  const amount = numberOf(row, `amount${side}`)
  const price = numberOf(row, `price${side}`)
  const isRaw = ((Number(row["unscaled"]) >> side) & 1) === 1
  if (!isRaw) return { tokenAmt: amount, priceUsd: price }
  const scale = context.output(tokens).scale(token)
  if (amount === null || Number.isNaN(scale)) return { tokenAmt: null, priceUsd: null }
  const whole = amount / scale
  return { tokenAmt: whole, priceUsd: price === null ? null : price / whole }
}

/** A print as the asked token sees it. */
export const printOf = (context: FoldsContext, token: number, row: Row) => {
  const first = row["token0"] !== null && Number(row["token0"]) === token
  const bought0 = Number(row["bought0"]) === 1
  const { tokenAmt, priceUsd } = scaled(context, token, row, first ? 0 : 1)
  const isOutlier = ((Number(row["flags"]) >> (first ? 0 : 1)) & 1) === 1
  return {
    tx: hashOf(row, "tx"),
    logIndex: Number(row["log_index"]),
    dex: context.output(pools).columns().venue[Number(row["pool"])] ?? null,
    side: first === bought0 ? "buy" : "sell",
    tokenAmt,
    usd: dollarsOf(row, "usd"),
    priceUsd,
    ts: Number(row["ts"]),
    wallet: addressOf(row, "wallet"),
    walletBy: attributions[Number(row["attribution"])],
    block: Number(row["block"]),
    pool: context.output(pools).idText(Number(row["pool"])),
    ...(isOutlier ? { outlier: true } : {})
  }
}

export type ChainTradesParams = CursorParams & { readonly token: string; readonly limit: number }

/** Which prints of a token are wanted; null for all. */
export type PrintFilters = {
  readonly side: "buy" | "sell" | null
  readonly dex: string | null
  /** dollars as plain decimals */
  readonly min: string | null
  readonly wallet: string | null
}

export type TradesParams = PrintFilters & {
  readonly token: string
  readonly limit: number
  /** from 1 */
  readonly page: number
  /** position as of which the page is wanted; null for the present one */
  readonly asOf: number | null
}

/** A page of what was found before a cursor: one more than asked for tells of a next one. */
const tradesPage = (
  context: FoldsContext,
  { token: address, limit }: ChainTradesParams,
  token: number,
  found: ReadonlyArray<Row>
) => {
  const rows = found.slice(0, limit)
  const last = rows[rows.length - 1]
  return {
    chain: context.chain.id,
    token: address,
    trades: rows.map(row => printOf(context, token, row)),
    nextBefore: found.length > limit && last !== undefined ? cursorText(last) : null,
    ingestFloor: ingestFloorOf(context.chain),
    updatedAt: context.blockTime * 1000
  }
}

/** Prints that a token has had. */
const printsOf = (context: QueryContext, token: number): number =>
  context.output(tapeOutput).activity().trades[token] ?? 0

/** Spec 4.12. */
const readTrades: RowsAnswer<ChainTradesParams> = (context, params) =>
  Effect.gen(function* () {
    const token = context.output(tokens).find(fromHex(params.token))
    if (token < 0) return tradesPage(context, params, token, [])
    const cursor = cursorOf(params)
    const limit = params.limit + 1
    const found = yield* pageOfPrints(context, token, {
      where: `token = ${token} ${beforeSql(cursor)}`,
      held: heldPrints(context, token, limit, isBefore(cursor)),
      limit,
      offset: 0,
      seq: context.seq,
      // nobody knows how far back a cursor is
      among: cursor === null ? printsOf(context, token) : 0
    })
    return tradesPage(context, params, token, found)
  })

/** The same from memory, where it holds the page. */
const recallTrades: Recall<ChainTradesParams> = (context, params) => {
  const token = context.output(tokens).find(fromHex(params.token))
  if (token < 0) return undefined
  const wanted = isBefore(cursorOf(params))
  const count = params.limit + 1
  const found = context.output(tapeOutput).recent.newest(token, context.seq, count, wanted)
  return found === null ? undefined : tradesPage(context, params, token, found)
}

/** Pools whose venue is the asked one, as a condition; null where no pool has it. */
const venueCondition = (context: QueryContext, venue: string): string | null => {
  const { columns, count } = context.output(pools)
  const names = columns().venue
  const wanted: Array<number> = []
  for (let pool = 0; pool < count(); pool++) if (names[pool] === venue) wanted.push(pool)
  return wanted.length === 0 ? null : `pool IN (${wanted.join(",")})`
}

/** Micro-dollars of plain decimals, rounded up: what is less than them is less than the text. */
export const microDollars = (text: string): bigint => {
  const [whole = "", fraction = ""] = text.split(".")
  const micro = BigInt(whole + fraction.slice(0, 6).padEnd(6, "0"))
  return /[1-9]/.test(fraction.slice(6)) ? micro + 1n : micro
}

export const printFilters = (
  context: QueryContext,
  token: number,
  params: PrintFilters
): string | null => {
  const parts = [`token = ${token}`]
  const { side, min, dex, wallet } = params
  if (side !== null) parts.push(`buy = ${side === "buy" ? 1 : 0}`)
  if (min !== null) parts.push(`usd >= ${microDollars(min)}`)
  if (dex !== null) {
    const condition = venueCondition(context, dex)
    if (condition === null) return null
    parts.push(condition)
  }
  if (wallet !== null) {
    const ofToken = `(token0 = ${token} OR token1 = ${token})`
    parts.push(`seq IN (SELECT seq FROM ${walletRows(wallet, ofToken)})`)
  }
  return parts.join(" AND ")
}

/** How many prints of a token are seen at a position, and their pools. */
const seenOf = (context: QueryContext, token: number, { seq }: State) =>
  Effect.map(
    context.rows(
      `SELECT count(*) AS total, list(DISTINCT pool) AS pools
       FROM (${prints(`token = ${token} AND seq <= ${seq}`, "pool")})`
    ),
    ([row]) => ({
      total: Number(row?.["total"] ?? 0),
      pools: ((row?.["pools"] ?? []) as ReadonlyArray<unknown>).map(Number)
    })
  )

/** Sums of the day that ends with a position's newest block. */
const dayOf = (context: QueryContext, token: number, { seq, blockTime }: State) => {
  const where = `token = ${token} AND seq <= ${seq} AND ts > ${blockTime - DAY}`
  return Effect.map(
    context.rows(`
      SELECT count(*) FILTER (buy = 1) AS buys, count(*) FILTER (buy = 0) AS sells,
        coalesce(sum(usd) FILTER (buy = 1 AND flags = 0), 0) AS buy_usd,
        coalesce(sum(usd) FILTER (buy = 0 AND flags = 0), 0) AS sell_usd
      FROM (${prints(where, "buy, usd, flags")})`),
    ([row = {}]) => ({
      buys: Number(row["buys"]),
      sells: Number(row["sells"]),
      buyUsd: dollarsOf(row, "buy_usd"),
      sellUsd: dollarsOf(row, "sell_usd")
    })
  )
}

/** Prints that are taken from memory at most. */
export const MOST_HELD = 2000

/** Filters leave some of a token's prints: about so many are taken to be one. */
const FILTERED = 8

/** A page and how many prints there are, under a condition; null for no print. */
export const findPage = (
  context: QueryContext,
  token: number,
  where: string | null,
  total: number | null,
  { limit, page, seq }: { readonly limit: number; readonly page: number; readonly seq: number }
) =>
  Effect.gen(function* () {
    if (where === null) return { total: 0, rows: [] }
    const among = total ?? printsOf(context, token) / FILTERED
    const offset = (page - 1) * limit
    // as of now, and of all prints
    const isPlain = total !== null && seq === context.seq && offset + limit <= MOST_HELD
    const held = isPlain ? heldPrints(context, token, offset + limit) : []
    const rows = yield* pageOfPrints(context, token, { where, limit, offset, seq, among, held })
    const counted = total ?? Number((yield* context.rows(count(where)))[0]?.["total"] ?? 0)
    return { total: counted, rows }
  })

/** Spec 4.5 as of a position: from the tables alone. */
export const tokenTradesAsOf = (context: QueryContext, params: TradesParams, asOf: number) =>
  Effect.gen(function* () {
    const { token: address } = params
    const token = yield* requireToken(context, address)
    const { limit, page } = params
    if (!(yield* hasPrints(context, token))) {
      return yield* Effect.fail(unknownToken(context, address))
    }
    const state = yield* stateAt(context, asOf)
    const seen = yield* seenOf(context, token, state)
    const filtered = printFilters(context, token, params)
    const isAll = filtered === `token = ${token}`
    const where = filtered === null ? null : `${filtered} AND seq <= ${state.seq}`
    const all = isAll ? seen.total : null
    const size = { limit, page, seq: state.seq }
    const { total, rows } = yield* findPage(context, token, where, all, size)
    const venues = context.output(pools).columns().venue
    const dexes = new Set(seen.pools.map(pool => venues[pool]))
    return {
      trades: rows.map(row => printOf(context, token, row)),
      total,
      page,
      pageSize: limit,
      dexes: [...dexes].filter(venue => typeof venue === "string").sort(),
      stats24h: yield* dayOf(context, token, state),
      asOf: state.seq
    }
  })

const count = (where: string): string => `SELECT count(*) AS total FROM (${prints(where)})`

const hasPrints = (context: QueryContext, token: number) =>
  Effect.map(context.rows(`${prints(`token = ${token}`)} LIMIT 1`), rows => rows.length > 0)

/** Whether a token has prints: `{ token }` answers true or false. */
export const hasToken = rowsQuery("hasToken", (context, params: { readonly token: string }) =>
  Effect.gen(function* () {
    const token = context.output(tokens).find(fromHex(params.token))
    return token >= 0 && (yield* hasPrints(context, token))
  })
)

export const chainTrades = rowsQuery("chainTrades", readTrades, recallTrades)
