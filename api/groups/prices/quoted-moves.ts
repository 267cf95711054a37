/**
 * Tokens that cost something else now because only their quote does: their own rows stay, since a
 * price is kept in quote tokens.
 */

import { Effect } from "effect"
import type { RowsView } from "../../../engine/query.ts"
import { newestOf, versions } from "../../../engine/store/sql.ts"
import { tokenPricesTable } from "../../../projections/prices/tables.ts"
import { tokenActivityTable } from "../../../projections/tape/tables.ts"
import { tokens } from "../../../projections/tokens/output.ts"
import { idBytes } from "../../../src/domain/ids.ts"

/** Ids of the anchors with a row after a position: only anchors are quotes. */
const touchedAnchors = (view: RowsView, since: number) => {
  const { find } = view.output(tokens)
  const ids = view.chain.anchors.map(({ address }) => find(idBytes(address))).filter(id => id >= 0)
  const where = `seq > ${since} AND token IN (${ids.join(",")})`
  return ids.length === 0
    ? Effect.succeed([])
    : Effect.map(
        view.rows(
          `SELECT DISTINCT token FROM (${versions(view, tokenPricesTable, where, "token")})`
        ),
        rows => rows.map(row => Number(row["token"]))
      )
}

/**
 * A statement for those of the tokens that have no print and no row after `since`, and a quote
 * whose price changed after it, with position and time of its last change; null where no quote has
 * a row.
 */
export const quotedMoves = (view: RowsView, since: number, ids: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const anchors = ids.length === 0 ? [] : yield* touchedAnchors(view, since)
    if (anchors.length === 0) return null
    const asked = `token IN (${ids.join(",")})`
    const quotes = versions(view, tokenPricesTable, `token IN (${anchors.join(",")})`)
    const prints = versions(view, tokenActivityTable, `seq > ${since} AND ${asked}`, "token")
    return `SELECT p.token, q.seq, q.ts
      FROM ${newestOf(view, tokenPricesTable, asked, "token")} p JOIN (
        SELECT token, max(seq) AS seq, arg_max(ts, seq) AS ts FROM (
          SELECT *, lag(price) OVER (PARTITION BY token ORDER BY seq) AS was FROM (${quotes}))
        WHERE seq > ${since} AND price IS DISTINCT FROM was GROUP BY token) q ON q.token = p.quote
      WHERE p.price IS NOT NULL AND p.seq <= ${since} AND p.token NOT IN (${prints})`
  })
