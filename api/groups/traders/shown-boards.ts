/** What a request shows of a board: its rows in an order, as many as are asked for. */
import { dayTraderRule, smartThresholds, smartTraderRule } from "../../../src/rules/trader-rules.ts"
import type { Shown } from "./kept-boards.ts"
import {
  type DayBoard,
  type DayQuery,
  DEFAULT_LIMIT,
  type SmartBoard,
  type SmartQuery
} from "./traders.api.ts"

type SmartRow = SmartBoard["traders"][number]

const figureOf: { readonly [sort in NonNullable<SmartQuery["sort"]>]: (row: SmartRow) => number } =
  {
    score: row => row.score,
    pnl: row => row.realizedPnlUsd,
    roi: row => row.roi ?? 0,
    winrate: row => row.winRate
  }

/** Greatest first; of equal rows the better score. */
const ordered = (rows: ReadonlyArray<SmartRow>, sort: NonNullable<SmartQuery["sort"]>) => {
  const figure = figureOf[sort]
  // a return on next to nothing tells nothing
  const shown =
    sort === "roi"
      ? rows.filter(({ costSoldUsd }) => costSoldUsd >= smartThresholds.minRoiCostUsd)
      : rows
  return shown.toSorted((a, b) => figure(b) - figure(a) || b.score - a.score)
}

/** The answer of `/smart-traders`. */
export const smartAnswer = (
  { board, builtMs, tookMs, problem }: Shown<SmartBoard>,
  { sort = "score", limit = DEFAULT_LIMIT }: SmartQuery
) => {
  const { newestSwap: _, traders, updatedAt, ...envelope } = board
  return {
    ...envelope,
    computedAt: Math.floor(builtMs / 1000),
    problem,
    tookMs: Math.round(tookMs),
    rules: smartTraderRule.texts,
    sort,
    traders: ordered(traders, sort).slice(0, limit),
    updatedAt
  }
}

/** The answer of `/traders`. */
export const dayAnswer = (
  { board, builtMs, problem }: Shown<DayBoard>,
  { sort = "pnl", limit = DEFAULT_LIMIT }: DayQuery
) => {
  const { newestSwap: _, traders, updatedAt, ...envelope } = board
  const figure = (row: DayBoard["traders"][number]) =>
    sort === "pnl" ? row.realizedPnlUsd : row.volumeUsd
  return {
    ...envelope,
    sort,
    botRule: dayTraderRule.text,
    computedAt: Math.floor(builtMs / 1000),
    problem,
    traders: traders
      .toSorted((a, b) => figure(b) - figure(a) || b.volumeUsd - a.volumeUsd)
      .slice(0, limit),
    updatedAt
  }
}
