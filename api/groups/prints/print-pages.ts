/** Pages of a token's prints under filters, and as of a position: from the tables. */

import { Effect } from "effect"
import type { RowsView } from "../../../engine/query.ts"
import { dollarsOf, versions } from "../../../engine/store/sql.ts"
import { readUnknownOfTape } from "../../../projections/coverage/covered-time.ts"
import { pools } from "../../../projections/pools/output.ts"
import { type State, stateAt } from "../../../projections/tape/as-of.ts"
import { printsOf } from "../../../projections/tape/output.ts"
import { printOf } from "../../../projections/tape/queries.ts"
import { printsTable } from "../../../projections/tape/tables.ts"
import { haveTwins, heldPrints, pageOfPrints } from "../../../projections/tape/token-prints.ts"
import { requireToken, unknownToken } from "../../../projections/tokens/queries.ts"
import { walletRows } from "../../../projections/wallet-swaps/tables.ts"

const DAY = 86_400

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

/** Pools whose venue is the asked one, as a condition; null where no pool has it. */
const venueCondition = (view: RowsView, venue: string): string | null => {
  const { columns, count } = view.output(pools)
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
  view: RowsView,
  token: number,
  params: PrintFilters
): string | null => {
  const parts = [`token = ${token}`]
  const { side, min, dex, wallet } = params
  if (side !== null) parts.push(`buy = ${side === "buy" ? 1 : 0}`)
  if (min !== null) parts.push(`usd >= ${microDollars(min)}`)
  if (dex !== null) {
    const condition = venueCondition(view, dex)
    if (condition === null) return null
    parts.push(condition)
  }
  if (wallet !== null) {
    const ofToken = `(token0 = ${token} OR token1 = ${token})`
    parts.push(`seq IN (SELECT seq FROM ${walletRows(view, wallet, ofToken)})`)
  }
  return parts.join(" AND ")
}

/** How many prints of a token are seen at a position, and their pools. */
const seenOf = (view: RowsView, token: number, { seq }: State) =>
  Effect.map(
    view.rows(
      `SELECT count(*) AS total, list(DISTINCT pool) AS pools
       FROM (${versions(view, printsTable, `token = ${token} AND seq <= ${seq}`, "pool")})`
    ),
    ([row]) => ({
      total: Number(row?.["total"] ?? 0),
      pools: ((row?.["pools"] ?? []) as ReadonlyArray<unknown>).map(Number)
    })
  )

/** Sums of the day that ends with a position's newest block. */
const dayOf = (view: RowsView, token: number, { seq, blockTime }: State) => {
  const where = `token = ${token} AND seq <= ${seq} AND ts > ${blockTime - DAY}`
  return Effect.map(
    view.rows(`
      SELECT count(*) FILTER (buy = 1) AS buys, count(*) FILTER (buy = 0) AS sells,
        coalesce(sum(usd) FILTER (buy = 1 AND flags = 0), 0) AS buy_usd,
        coalesce(sum(usd) FILTER (buy = 0 AND flags = 0), 0) AS sell_usd
      FROM (${versions(view, printsTable, where, "buy, usd, flags")})`),
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

const count = (view: RowsView, where: string): string =>
  `SELECT count(*) AS total FROM (${versions(view, printsTable, where, "seq")})`

/** A page and how many prints there are, under a condition; null for no print. */
export const findPage = (
  view: RowsView,
  token: number,
  where: string | null,
  total: number | null,
  { limit, page, seq }: { readonly limit: number; readonly page: number; readonly seq: number }
) =>
  Effect.gen(function* () {
    if (where === null) return { total: 0, rows: [] }
    const among = total ?? printsOf(view, token) / FILTERED
    const offset = (page - 1) * limit
    // as of now, and of all prints
    const isPlain = total !== null && seq === view.seq && offset + limit <= MOST_HELD
    const newest = isPlain ? heldPrints(view, token, offset + limit).rows : []
    // where pages are counted in prints, what is one row of two of them is left to the tables
    const held = haveTwins(newest) ? [] : newest
    const rows = yield* pageOfPrints(view, { where, limit, offset, seq, among, held })
    const counted = total ?? Number((yield* view.rows(count(view, where)))[0]?.["total"] ?? 0)
    return { total: counted, rows }
  })

/** Spec 4.5 as of a position: from the tables alone. */
export const tokenTradesAsOf = (view: RowsView, params: TradesParams, asOf: number) =>
  Effect.gen(function* () {
    const { token: address } = params
    const token = yield* requireToken(view, address)
    const { limit, page } = params
    if (printsOf(view, token) === 0) {
      return yield* Effect.fail(unknownToken(view, address))
    }
    const state = yield* stateAt(view, asOf)
    const seen = yield* seenOf(view, token, state)
    const filtered = printFilters(view, token, params)
    const isAll = filtered === `token = ${token}`
    const where = filtered === null ? null : `${filtered} AND seq <= ${state.seq}`
    const all = isAll ? seen.total : null
    const size = { limit, page, seq: state.seq }
    const { total, rows } = yield* findPage(view, token, where, all, size)
    const venues = view.output(pools).columns().venue
    const dexes = new Set(seen.pools.map(pool => venues[pool]))
    return {
      trades: rows.map(row => printOf(view, token, row)),
      total,
      page,
      pageSize: limit,
      dexes: [...dexes].filter(venue => typeof venue === "string").sort(),
      stats24h: yield* dayOf(view, token, state),
      asOf: state.seq,
      unknown: yield* readUnknownOfTape(view, {
        blockTime: state.blockTime,
        keptFrom: view.keptFrom
      })
    }
  })
