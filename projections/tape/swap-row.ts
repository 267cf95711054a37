/** A swap as a row of tapes that are of no one token: as its base token sees it. */
import type { FoldsView, Row } from "../../engine/query.ts"
import { numberOf } from "../../engine/store/sql.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { pricesOutput } from "../prices/output.ts"
import { tokens } from "../tokens/output.ts"
import { printOf } from "./queries.ts"

const idOf = (row: Row, column: string): number => numberOf(row, column) ?? NONE

/** The token whose price a swap's row tells. */
export const baseOf = (view: FoldsView, row: Row): number =>
  view.output(pricesOutput).baseOf(idOf(row, "token0"), idOf(row, "token1"))

const nameOf = (view: FoldsView, token: number) => {
  if (token === NONE) return { address: null, symbol: null }
  const { addressOf, columns } = view.output(tokens)
  return { address: addressOf(token), symbol: columns().symbol[token] ?? null }
}

/** The row, its two tokens first. */
export const swapRow = (view: FoldsView, row: Row) => {
  const base = baseOf(view, row)
  const quote = idOf(row, base === idOf(row, "token0") ? "token1" : "token0")
  const { address, symbol } = nameOf(view, base)
  const other = nameOf(view, quote)
  return {
    token: address,
    symbol,
    quoteToken: other.address,
    quoteSymbol: other.symbol,
    ...printOf(view, base, row)
  }
}
