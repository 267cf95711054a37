/** The newest swaps of a wallet, page by page. */
import { Effect } from "effect"
import { rowsQuery } from "../../../engine/query.ts"
import { readUnknownOfTape } from "../../../projections/coverage/covered-time.ts"
import { ingestFloorOf } from "../../../projections/prices/ingest-floor.ts"
import {
  type CursorParams,
  cursorOf,
  cursorText,
  HAS_TOKEN,
  positionBefore
} from "../../../projections/tape/cursor.ts"
import { swapRow } from "../../../projections/tape/swap-row.ts"
import { seqsOf, tapeRows } from "../../../projections/tape/token-prints.ts"
import { walletRows } from "../../../projections/wallet-swaps/tables.ts"
import { senderWarnings } from "../../../projections/wallets/no-senders.ts"
import { shownChain, updatedAt } from "../../../src/domain/shown-chain.ts"

export type WalletTradesParams = CursorParams & {
  readonly wallet: string
  readonly limit: number
}

export const walletTrades = rowsQuery("walletTrades", (context, params: WalletTradesParams) =>
  Effect.gen(function* () {
    const { wallet, limit } = params
    const cursor = cursorOf(params)
    const newest = cursor === null ? context.seq : yield* positionBefore(context, cursor)
    const where = `seq <= ${newest} AND ${HAS_TOKEN}`
    const seqRows = yield* context.rows(
      `SELECT seq FROM ${walletRows(context, wallet, where)} ORDER BY seq DESC LIMIT ${limit + 1}`
    )
    const rows = yield* tapeRows(context, seqsOf(seqRows).slice(0, limit))
    const last = rows[rows.length - 1]
    return {
      chain: shownChain(context.chain),
      wallet,
      trades: rows.map(row => swapRow(context, row)),
      nextBefore: seqRows.length > limit && last !== undefined ? cursorText(last) : null,
      ingestFloor: ingestFloorOf(context.chain),
      unknown: yield* readUnknownOfTape(context),
      ...senderWarnings(context),
      updatedAt: updatedAt(context)
    }
  })
)
