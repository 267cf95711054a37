/** The wallets that made or traded most in a day or two (spec 4.14), built from the tape. */
import { Effect } from "effect"
import { memoryQuery, type Row, type RowsView, rowsQuery } from "../../../engine/query.ts"
import { accountOf, dollarsOf, numberOf } from "../../../engine/store/sql.ts"
import { tapeTable } from "../../../projections/tape/tables.ts"
import { idsOf } from "../../../src/domain/ids.ts"
import { shownChain, updatedAt } from "../../../src/domain/shown-chain.ts"
import { presentPrices } from "../wallets/present-prices.ts"
import { readWindow } from "./board-window.ts"
import { dayTradersSql } from "./wallet-sums.ts"

const DAY = 86_400
/** Wallets of each order that a board holds; a request shows so many at most. */
export const MOST_TRADERS = 100

const rowOf = (view: RowsView, row: Row) => {
  const [closed, won] = [Number(row["closed"]), Number(row["won"])]
  return {
    wallet: accountOf(idsOf(view.chain), row, "wallet") as string,
    realizedPnlUsd: dollarsOf(row, "realized") ?? 0,
    volumeUsd: dollarsOf(row, "volume") ?? 0,
    boughtUsd: dollarsOf(row, "bought_usd") ?? 0,
    soldUsd: dollarsOf(row, "sold_usd") ?? 0,
    trades: Number(row["trades"]),
    tokens: numberOf(row, "tokens") ?? 0,
    closedTokens: closed,
    winningTokens: won,
    winRate: closed === 0 ? 0 : won / closed,
    lastTrade: Number(row["last_ts"])
  }
}

export type DayParams = { readonly days: number }

/** The wallets of both orders; which are shown, and how, the request says. */
export const dayTraders = memoryQuery("dayTraders", (view, { days }: DayParams) => {
  const priceOf = presentPrices(view)
  const { seq, blockTime } = view
  const since = blockTime - (blockTime % DAY) - (days - 1) * DAY
  const read = (reader: RowsView) =>
    Effect.gen(function* () {
      const asked = { at: view, since, priceOf, isQuotedOnly: false }
      const { sums, parts, newest } = yield* readWindow(reader, asked)
      const rowsByPart = yield* Effect.forEach(parts, part =>
        reader.rows(dayTradersSql(reader, sums, part, MOST_TRADERS))
      )
      return {
        chain: shownChain(view.chain),
        windowDays: days,
        from: sums.from,
        traders: rowsByPart.flat().map(row => rowOf(reader, row)),
        newestSwap: newest,
        updatedAt: updatedAt(view)
      }
    })
  return { past: { upTo: seq, read, facts: "newest" } }
})

export type StandsParams = {
  /** the position of a board's newest swap */
  readonly newest: number
}

/** Whether no swap of a board has been taken back: of those that are, the newest is. */
export const boardStands = rowsQuery("boardStands", (view, { newest }: StandsParams) =>
  Effect.map(
    view.rows(`SELECT count(*) AS n FROM ${tapeTable.name} WHERE seq = ${newest}`),
    ([row]) => ({ stands: Number(row?.["n"] ?? 0) > 0 })
  )
)
