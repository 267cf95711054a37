/**
 * The board of smart traders of a window (spec 4.14), built anew from the tape: sums of all wallets
 * by SQL, then the swaps of the candidates, one by one. It takes seconds, so no request asks it.
 */
import { Effect } from "effect"
import {
  type FoldsView,
  memoryQuery,
  type ReadError,
  type Row,
  type RowsView
} from "../../../engine/query.ts"
import { accountOf } from "../../../engine/store/sql.ts"
import { markets } from "../../../projections/markets/output.ts"
import { idsOf } from "../../../src/domain/ids.ts"
import { shownChain, updatedAt } from "../../../src/domain/shown-chain.ts"
import {
  dayFlagsOf,
  habitFlagsOf,
  isEligible,
  scoreOf,
  shrunkWinRate,
  smartThresholds,
  TRADER_FLAGS,
  type TraderFlag,
  winRateOf
} from "../../../src/rules/trader-rules.ts"
import { factsOf } from "../boards/token-row.ts"
import { isWhole } from "../liquidity/pool-facts.ts"
import { type Prices, presentPrices } from "../wallets/present-prices.ts"
import { type BoardWindow, readWindow } from "./board-window.ts"
import type { Candidate, MadeOf, MarketNow } from "./candidate-fold.ts"
import { foldCandidates } from "./candidate-swaps.ts"
import { bestOfOperators } from "./siblings.ts"
import { candidatesSql, payoutsSql } from "./wallet-sums.ts"

const DAY = 86_400
const MICRO = 1e6

const sumOf = (rows: ReadonlyArray<Row>, column: string): number =>
  rows.reduce((sum, row) => sum + Number(row[column]), 0)

/** The wallets that made most, and how many wallets there are of some sorts. */
const readCandidates = (view: RowsView, { sums, parts }: BoardWindow) =>
  Effect.gen(function* () {
    const rowsByPart = yield* Effect.forEach(parts, part =>
      view.rows(candidatesSql(view, sums, part))
    )
    const counts = rowsByPart.flatMap(([row]) => (row === undefined ? [] : [row]))
    const candidates = rowsByPart
      .flat()
      .filter(row => row["wallet_lo"] !== null)
      .sort((a, b) => Number(b["realized"]) - Number(a["realized"]))
      .slice(0, smartThresholds.candidates)
    const population = {
      profitable: sumOf(counts, "profitable"),
      cadence: sumOf(counts, "cadence"),
      sniper: sumOf(counts, "sniper")
    }
    return { candidates, population }
  })

/** The market as it is when the swaps have been read; prices are of the board's position. */
const readMarket = (view: RowsView, { sums }: BoardWindow, priceOf: Prices) =>
  Effect.gen(function* () {
    const columns = yield* view.columns(payoutsSql(view, sums.money))
    const [token, payout] = [columns.numbers("token"), columns.numbers("payout")]
    const payouts = new Map<number, number>()
    for (const [i, of] of token.entries()) {
      const micro = payout[i] as number
      if (!Number.isNaN(micro)) payouts.set(of, micro / MICRO)
    }
    const { index } = view.output(markets)
    const market: MarketNow = {
      priceOf,
      payoutOf: asked => payouts.get(asked) ?? null,
      firstSwapOf: pool => {
        // swaps of a pool that is older than the log may have been before
        if (!isWhole(view, pool)) return null
        const times = [...index.ofPool(pool)].map(one => index.markets.columns.first_ts[one])
        return times.length === 0 ? null : Math.min(...(times as ReadonlyArray<number>))
      }
    }
    return market
  })

interface Judged {
  readonly wallet: string
  readonly candidate: Candidate
}

/** Counts why candidates are not shown; a wallet counts for each flag that was found of it. */
class Checked {
  readonly flags = Object.fromEntries(TRADER_FLAGS.map(flag => [flag, 0])) as {
    [flag in TraderFlag]: number
  }
  readErrors = 0
  readProblem: string | null = null
  suspect = 0
  ineligible = 0

  /** Whether the wallet has none. */
  isClean(flags: ReadonlyArray<TraderFlag>): boolean {
    for (const flag of flags) this.flags[flag]++
    return flags.length === 0
  }
}

/** The candidates that are shown but for operators with several wallets. */
const judge = (
  view: RowsView,
  window: BoardWindow,
  candidates: ReadonlyArray<Row>,
  checked: Checked,
  priceOf: Prices
): Effect.Effect<ReadonlyArray<Judged>, ReadError> =>
  Effect.gen(function* () {
    // what the busiest day tells needs no swaps, of which such wallets have most
    const rows = candidates.filter(row =>
      checked.isClean(
        dayFlagsOf({ swaps: Number(row["day_swaps"]), tokens: Number(row["day_tokens"]) })
      )
    )
    const { folds, problem } = yield* foldCandidates(view, window, rows)
    checked.readProblem = problem
    const market = yield* readMarket(view, window, priceOf)
    return rows.flatMap((row, i) => {
      const fold = folds[i] ?? null
      if (fold === null) {
        checked.readErrors++
        return []
      }
      const candidate = fold.end(market)
      if (candidate.suspectTokens > 0) checked.suspect++
      if (!checked.isClean(habitFlagsOf(candidate))) return []
      if (!isEligible(candidate)) {
        checked.ineligible++
        return []
      }
      const wallet = accountOf(idsOf(view.chain), row, "wallet") as string
      return [{ wallet, candidate }]
    })
  })

const bestToken = (view: FoldsView, best: MadeOf | null) => {
  if (best === null) return null
  const known = factsOf(view)
  const address = known.tokens.addressOf(best.token)
  const facts = known.tokens.columns()
  return {
    token: address,
    symbol: facts.symbol[best.token] ?? null,
    name: facts.name[best.token] ?? null,
    image: known.logoOf(address),
    realizedPnlUsd: best.realizedUsd
  }
}

const rowOf = (view: FoldsView, now: number, { wallet, candidate: of }: Judged) => ({
  wallet,
  score: scoreOf(of, now),
  realizedPnlUsd: of.realizedPnlUsd,
  roi: of.costSoldUsd > 0 ? of.realizedPnlUsd / of.costSoldUsd : null,
  winRate: winRateOf(of),
  winRateAdj: shrunkWinRate(of),
  closedTokens: of.closedTokens,
  winningTokens: of.winningTokens,
  tokens: of.tokens,
  trades: of.trades,
  volumeUsd: of.volumeUsd,
  activeDays: of.activeDays,
  profitableDays: of.profitableDays,
  medianHoldS: of.medianHoldS === null ? null : Math.round(of.medianHoldS),
  unrealizedPnlUsd: of.unrealizedPnlUsd,
  heldValueUsd: of.heldValueUsd,
  costSoldUsd: of.costSoldUsd,
  bestToken: bestToken(view, of.best),
  bestShare: of.bestShare,
  unpricedTokens: of.unpricedTokens,
  suspectTokens: of.suspectTokens,
  launchTokens: of.launchTokens,
  lastTrade: of.lastTrade
})

export type SmartParams = { readonly days: number }

/** All that the board of a window shows, best score first. */
export const smartTraders = memoryQuery("smartTraders", (view, { days }: SmartParams) => {
  const priceOf = presentPrices(view)
  const { seq, blockTime } = view
  const since = blockTime - days * DAY
  const read = (reader: RowsView) =>
    Effect.gen(function* () {
      const asked = { at: view, since, priceOf, isQuotedOnly: true }
      const window = yield* readWindow(reader, asked)
      const { candidates, population } = yield* readCandidates(reader, window)
      const checked = new Checked()
      const judged = yield* judge(reader, window, candidates, checked, priceOf)
      const rows = judged.map(one => rowOf(reader, blockTime, one))
      const ranked = rows.map(({ score }, i) => {
        const { firstBuys } = (judged[i] as Judged).candidate
        return { score, firstBuys }
      })
      const best = bestOfOperators(ranked)
      const traders = rows
        .flatMap((row, i) => {
          const operator = best.get(i)
          return operator === undefined ? [] : [{ ...row, siblings: operator.siblings }]
        })
        .sort((a, b) => b.score - a.score)
      const { flags, suspect, ineligible, readErrors, readProblem } = checked
      return {
        chain: shownChain(view.chain),
        windowDays: days,
        from: window.sums.from,
        coverageSince: window.coverageSince,
        population,
        checked: {
          ...{ candidates: candidates.length, kept: traders.length, flags },
          ...{ suspect, ineligible, readErrors, readProblem },
          clustered: rows.length - traders.length
        },
        traders,
        newestSwap: window.newest,
        updatedAt: updatedAt(view)
      }
    })
  return { past: { upTo: seq, read, facts: "newest" } }
})
