/**
 * Reads of the tape. A page is found in the token's index (`prints`), the tape tells its
 * transactions.
 */

import { Effect } from "effect"
import { type FoldsView, memoryQuery, type RowsView } from "../../engine/query.ts"
import { accountOf, dollarsOf, numberOf, txOf } from "../../engine/store/sql.ts"
import { familyOf } from "../../src/domain/chain-family.ts"
import { idBytes, idsOf } from "../../src/domain/ids.ts"
import { shownChain, updatedAt } from "../../src/domain/shown-chain.ts"
import type { Row } from "../../src/platform/duckdb.ts"
import { attributions } from "../../streams/attribution/attribution.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import {
  heldUnknownOfTape,
  readUnknownOfTape,
  withUnknownOfTape
} from "../coverage/covered-time.ts"
import { pools } from "../pools/output.ts"
import { ingestFloorOf } from "../prices/ingest-floor.ts"
import { tokens } from "../tokens/output.ts"
import { unknownToken } from "../tokens/queries.ts"
import { beforeSql, type CursorParams, cursorOf, cursorText, isBefore } from "./cursor.ts"
import { printsOf } from "./output.ts"
import { heldPrints, pageOfPrints } from "./token-prints.ts"

const isRaw = (row: Row, side: 0 | 1): boolean => ((Number(row["unscaled"]) >> side) & 1) === 1

/** Whole tokens of a side; null where its token's decimals are not known until now. */
const amountOf = (view: FoldsView, row: Row, side: 0 | 1): number | null => {
  const amount = numberOf(row, `amount${side}`)
  if (amount === null || !isRaw(row, side)) return amount
  const scale = view.output(tokens).scale(numberOf(row, `token${side}`) ?? NONE)
  return Number.isNaN(scale) ? null : amount / scale
}

/** Dollars a whole token of a side, of which so many moved; null where nobody knows. */
const priceOf = (row: Row, side: 0 | 1, amount: number | null): number | null => {
  const price = numberOf(row, `price${side}`)
  if (!isRaw(row, side)) return price
  return price === null || amount === null ? null : price / amount
}

/** A print as the asked token sees it. */
export const printOf = (view: FoldsView, token: number, row: Row) => {
  const form = idsOf(view.chain)
  const first = row["token0"] !== null && Number(row["token0"]) === token
  const bought0 = Number(row["bought0"]) === 1
  const [side, other] = first ? ([0, 1] as const) : ([1, 0] as const)
  const tokenAmt = amountOf(view, row, side)
  const isOutlier = ((Number(row["flags"]) >> side) & 1) === 1
  return {
    tx: txOf(form, row, "tx"),
    logIndex: Number(row["log_index"]),
    dex: view.output(pools).columns().venue[Number(row["pool"])] ?? null,
    side: first === bought0 ? "buy" : "sell",
    tokenAmt,
    quoteAmount: amountOf(view, row, other),
    usd: dollarsOf(row, "usd"),
    priceUsd: priceOf(row, side, tokenAmt),
    ts: Number(row["ts"]),
    wallet: accountOf(form, row, "wallet"),
    walletBy: attributions[Number(row["attribution"])],
    block: Number(row["block"]),
    pool: view.output(pools).idText(Number(row["pool"])),
    ...(isOutlier ? { outlier: true } : {})
  }
}

export type ChainTradesParams = CursorParams & { readonly token: string; readonly limit: number }

/** A page of what was found before a cursor: one more than asked for tells of a next one. */
const tradesPage = (
  view: FoldsView,
  { token: address, limit }: ChainTradesParams,
  token: number,
  found: ReadonlyArray<Row>
) => {
  const rows = found.slice(0, limit)
  const last = rows[rows.length - 1]
  return {
    chain: shownChain(view.chain),
    token: address,
    trades: rows.map(row => printOf(view, token, row)),
    nextBefore: found.length > limit && last !== undefined ? cursorText(last) : null,
    ingestFloor: ingestFloorOf(view.chain),
    updatedAt: updatedAt(view)
  }
}

/**
 * Spec 4.12. The newest prints are in memory; what memory does not hold is read, of the past that
 * no later event changes. Where the times of missing blocks have to be read, rows of this position
 * are.
 */
export const chainTrades = memoryQuery("chainTrades", (view, params: ChainTradesParams) => {
  const token = view.output(tokens).find(idBytes(params.token))
  if (token < 0) {
    return familyOf(view.chain).tellsEmptyTapes
      ? withUnknownOfTape(view, tradesPage(view, params, token, []))
      : { refused: unknownToken(view, params.token).refusal }
  }
  const cursor = cursorOf(params)
  const limit = params.limit + 1
  const held = heldPrints(view, token, limit, isBefore(cursor))
  if (held.isWhole) return withUnknownOfTape(view, tradesPage(view, params, token, held.rows))
  // nobody knows how far back a cursor is
  const among = cursor === null ? printsOf(view, token) : 0
  const upTo = held.from - 1
  const readPage = (tables: RowsView) =>
    Effect.map(
      pageOfPrints(tables, {
        where: `token = ${token} AND seq <= ${upTo} ${beforeSql(cursor)}`,
        held: held.rows,
        limit,
        offset: 0,
        seq: upTo,
        among
      }),
      seqs => tradesPage(tables, params, token, seqs)
    )
  const unknown = heldUnknownOfTape(view)
  if (unknown !== null) {
    const read = (tables: RowsView) => Effect.map(readPage(tables), page => ({ ...page, unknown }))
    return { past: { upTo, read } }
  }
  return {
    read: rows =>
      Effect.gen(function* () {
        return { ...(yield* readPage(rows)), unknown: yield* readUnknownOfTape(rows) }
      })
  }
})

/** Whether a token has prints: `{ token }` answers true or false. */
export const hasToken = memoryQuery("hasToken", (view, params: { readonly token: string }) => {
  const token = view.output(tokens).find(idBytes(params.token))
  return { value: token >= 0 && printsOf(view, token) > 0 }
})
