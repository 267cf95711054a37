/** The window of a board of traders: its swaps, and what is known of their tokens. */
import { Effect } from "effect"
import type { FoldsView, RowsView } from "../../../engine/query.ts"
import { readCoverage } from "../../../projections/coverage/covered-time.ts"
import { tapeTable } from "../../../projections/tape/tables.ts"
import { tokens } from "../../../projections/tokens/output.ts"
import { completeSince, ofKept } from "../../../src/domain/covered-time.ts"
import { idBytes } from "../../../src/domain/ids.ts"
import type { Prices } from "../wallets/present-prices.ts"
import { PART_SWAPS, type SumsOf } from "./wallet-sums.ts"

/** The chain's native token and its dollars, which PnL is counted in, with what they cost. */
const moneyOf = (view: FoldsView, priceOf: Prices): ReadonlyMap<number, number> => {
  const known = view.chain.anchors
    .filter(({ kind }) => kind === "usd" || kind === "native")
    .map(({ address, kind }) => ({ token: view.output(tokens).find(idBytes(address)), kind }))
    .filter(({ token }) => token >= 0)
  return new Map(
    known.map(({ token, kind }) => [token, priceOf(token) ?? (kind === "usd" ? 1 : 0)])
  )
}

/** Raw units a whole token, of tokens that have swaps in raw units and decimals by now. */
const readScales = (view: RowsView, where: string) =>
  Effect.gen(function* () {
    const sides = [0, 1].map(
      side => `SELECT DISTINCT token${side} AS token FROM ${tapeTable.name}
        WHERE ${where} AND (unscaled >> ${side}) & 1 = 1 AND token${side} IS NOT NULL`
    )
    const rows = yield* view.columns(sides.join(" UNION "))
    const { scale } = view.output(tokens)
    const known = [...rows.numbers("token")].map(token => [token, scale(token)] as const)
    return new Map(known.filter(([, units]) => !Number.isNaN(units)))
  })

export interface BoardWindow {
  readonly sums: SumsOf
  /** Unix seconds from which on nothing is missing in the log */
  readonly coverageSince: number
  /** positions of the first and the newest of its swaps; null where there are none */
  readonly first: number | null
  readonly newest: number | null
  /** parts in which its wallets are summed */
  readonly parts: ReadonlyArray<{ readonly part: number; readonly parts: number }>
}

/** What a window is asked for: from when on it would begin, up to the position of `at`. */
export interface WindowAsked {
  readonly at: FoldsView
  readonly since: number
  readonly priceOf: Prices
  readonly isQuotedOnly: boolean
}

export const readWindow = (view: RowsView, { at, since, priceOf, isQuotedOnly }: WindowAsked) =>
  Effect.gen(function* () {
    const coverageSince = completeSince(ofKept(at.keptFrom.raw, yield* readCoverage(view, 0)))
    const from = Math.max(since, coverageSince)
    const where = `ts >= ${from} AND seq <= ${at.seq}`
    const [row] = yield* view.rows(
      `SELECT count(*) AS n, min(seq) AS first, max(seq) AS newest FROM ${tapeTable.name}
       WHERE ${where}`
    )
    const swaps = Number(row?.["n"] ?? 0)
    const placeOf = (column: string) => (swaps === 0 ? null : Number(row?.[column]))
    const parts = Math.max(1, Math.ceil(swaps / PART_SWAPS))
    const window: BoardWindow = {
      sums: {
        ...{ from, upTo: at.seq, money: moneyOf(at, priceOf), isQuotedOnly },
        scales: yield* readScales(view, where)
      },
      ...{ coverageSince, first: placeOf("first"), newest: placeOf("newest") },
      parts: Array.from({ length: parts }, (_, part) => ({ part, parts }))
    }
    return window
  })
