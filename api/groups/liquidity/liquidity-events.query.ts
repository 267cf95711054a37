/** `GET /v1/chains/solana/liquidity/events`: what was added and removed, newest first. */
import { Effect } from "effect"
import { type Row, type RowsView, rowsQuery } from "../../../engine/query.ts"
import { accountEquals, accountOf, dollarsOf, numberOf, txOf } from "../../../engine/store/sql.ts"
import { readUnknownOfTape } from "../../../projections/coverage/covered-time.ts"
import { CHANGES, liquidityEventsTable } from "../../../projections/liquidity/tables.ts"
import { pools } from "../../../projections/pools/output.ts"
import {
  beforeSql,
  type CursorParams,
  cursorOf,
  cursorText
} from "../../../projections/tape/cursor.ts"
import { tokens } from "../../../projections/tokens/output.ts"
import { idBytes, idsOf } from "../../../src/domain/ids.ts"
import { shownChain, updatedAt } from "../../../src/domain/shown-chain.ts"
import { poolFacts, tokenFacts } from "./pool-facts.ts"

export type LiquidityEventsParams = CursorParams & {
  readonly limit: number
  /** addresses; null for all */
  readonly pool: string | null
  readonly wallet: string | null
  readonly token: string | null
}

const eventRow = (view: RowsView, row: Row) => {
  const form = idsOf(view.chain)
  return {
    tx: txOf(form, row, "tx"),
    logIndex: Number(row["log_index"]),
    block: Number(row["block"]),
    ts: Number(row["ts"]),
    change: CHANGES[Number(row["change"])],
    ...poolFacts(view, Number(row["pool"])),
    token0: tokenFacts(view, numberOf(row, "token0")),
    token1: tokenFacts(view, numberOf(row, "token1")),
    owner: accountOf(form, row, "owner"),
    tickLower: numberOf(row, "tick_lower"),
    tickUpper: numberOf(row, "tick_upper"),
    liquidity: numberOf(row, "liquidity"),
    amount0: numberOf(row, "amount0"),
    amount1: numberOf(row, "amount1"),
    usd: dollarsOf(row, "usd")
  }
}

/** The rows that are asked for; those of a pool or a token that nobody knows are none. */
const whereOf = (view: RowsView, params: LiquidityEventsParams): string => {
  const { pool, wallet, token } = params
  const tokenId = token === null ? 0 : view.output(tokens).find(idBytes(token))
  return [
    "true",
    ...(pool === null ? [] : [`pool = ${view.output(pools).withId(idBytes(pool))}`]),
    ...(wallet === null ? [] : [accountEquals("owner", wallet)]),
    ...(token === null ? [] : [`(token0 = ${tokenId} OR token1 = ${tokenId})`])
  ].join(" AND ")
}

export const liquidityEvents = rowsQuery("liquidityEvents", (view, params: LiquidityEventsParams) =>
  Effect.gen(function* () {
    const { limit } = params
    const fetched = yield* view.rows(
      `SELECT * FROM ${liquidityEventsTable.name}
         WHERE ${whereOf(view, params)} ${beforeSql(cursorOf(params))}
         ORDER BY seq DESC LIMIT ${limit + 1}`
    )
    const rows = fetched.slice(0, limit)
    const last = rows.at(-1)
    return {
      chain: shownChain(view.chain),
      events: rows.map(row => eventRow(view, row)),
      nextBefore: fetched.length > limit && last !== undefined ? cursorText(last) : null,
      unknown: yield* readUnknownOfTape(view),
      updatedAt: updatedAt(view)
    }
  })
)
