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
import { attributions } from "./attribution.ts"
import { beforeSql, type CursorParams, cursorOf, cursorText, isBefore } from "./cursor.ts"
import { tapeOutput } from "./output.ts"
import { heldPrints, pageOfPrints, prints } from "./token-prints.ts"

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
export const printsOf = (context: QueryContext, token: number): number =>
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

/** Whether a token has any print. */
export const hasPrints = (context: QueryContext, token: number) =>
  Effect.map(context.rows(`${prints(`token = ${token}`)} LIMIT 1`), rows => rows.length > 0)

/** Whether a token has prints: `{ token }` answers true or false. */
export const hasToken = rowsQuery("hasToken", (context, params: { readonly token: string }) =>
  Effect.gen(function* () {
    const token = context.output(tokens).find(fromHex(params.token))
    return token >= 0 && (yield* hasPrints(context, token))
  })
)

export const chainTrades = rowsQuery("chainTrades", readTrades, recallTrades)
