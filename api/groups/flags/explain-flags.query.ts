/**
 * Why a token, or a market of it, bears a flag: the rule, what it was judged by, who made it true,
 * and the prints behind it by their positions in the log.
 */

import { Effect } from "effect"
import {
  type FoldsView,
  memoryQuery,
  type ReadError,
  type Row,
  type RowsView
} from "../../../engine/query.ts"
import { accountOf, dollarsOf, txOf, versions } from "../../../engine/store/sql.ts"
import { readNames } from "../../../engine/store/table.ts"
import { type Markets, markets } from "../../../projections/markets/output.ts"
import type { Window } from "../../../projections/markets/window.ts"
import { pools } from "../../../projections/pools/output.ts"
import { printsOf, tapeOutput } from "../../../projections/tape/output.ts"
import { printsTable, tapeTable } from "../../../projections/tape/tables.ts"
import { seqsOf, tapeRows } from "../../../projections/tape/token-prints.ts"
import { unknownToken } from "../../../projections/tokens/queries.ts"
import { type IdForm, idBytes, idsOf } from "../../../src/domain/ids.ts"
import { shownChain, updatedAt } from "../../../src/domain/shown-chain.ts"
import { protectedBy } from "../../../src/rules/impostor.ts"
import { type RuleSet, rulesOf, versionOf } from "../../../src/rules/rule-sets.ts"
import type { Traded, WashRule } from "../../../src/rules/wash.ts"
import { NONE } from "../../../streams/batch/id-table.ts"
import { ruleOfMarket, tradedIn } from "../boards/suspects.ts"
import { TokenView } from "../boards/token-row.ts"
import { windowOf } from "../boards/window-of.ts"

/** Prints and wallets named at most: the newest, and those that trade most. */
const MOST_PRINTS = 200
const MOST_WALLETS = 100
/** Markets explained at most: an anchor has thousands. */
const MOST_MARKETS = 20

/** A flag as of the commit, before its prints are read. */
interface Judged {
  readonly about: { readonly [name: string]: unknown }
  readonly rule: WashRule
  readonly traded: Traded
  /** whose prints they are: of a market the token that trades less */
  readonly token: number
  /** condition on the token's prints, and one on their swaps where the first is not enough */
  readonly where: string
  readonly swaps: string | null
}

const isToken = (column: string, token: number): string =>
  token === NONE ? `${column} IS NULL` : `${column} = ${token}`

const sideOf = (view: TokenView, token: number) =>
  token === NONE
    ? null
    : {
        address: view.facts.tokens.addressOf(token),
        symbol: view.facts.tokens.columns().symbol[token] ?? null
      }

/** The markets of a token that a rule flags. */
const judgedMarkets = (
  context: FoldsView,
  view: TokenView,
  rules: RuleSet,
  token: number
): ReadonlyArray<Judged> => {
  const fold = context.output(markets)
  const known = context.output(pools)
  const { pool, token0, token1 } = fold.index.markets.columns
  const { trades } = context.output(tapeOutput).activity()
  const judged = [...fold.index.ofToken(token)].flatMap(market => {
    const rule = ruleOfMarket(view.window, market, rules)
    if (rule === null) return []
    const poolId = pool[market] as number
    const [first, second] = [token0[market] as number, token1[market] as number]
    return {
      about: {
        flag: "suspect",
        of: "market",
        pool: known.idText(poolId),
        dex: known.columns().venue[poolId] ?? null,
        token0: sideOf(view, first),
        token1: sideOf(view, second)
      },
      rule,
      traded: tradedIn(view.window.ofMarkets, market),
      token: rarer(first, second, trades),
      where: `pool = ${poolId}`,
      swaps: isShared(fold, poolId)
        ? `${isToken("token0", first)} AND ${isToken("token1", second)}`
        : null
    }
  })
  return judged.toSorted((a, b) => b.traded.known - a.traded.known)
}

/** Whether a pool has several markets, as one of more than two tokens has. */
const isShared = ({ index: { markets: table } }: Markets, pool: number): boolean => {
  const first = table.columns.pool.indexOf(pool)
  const second = table.columns.pool.indexOf(pool, first + 1)
  return second >= 0 && second < table.count
}

/** Of two tokens the one with fewer prints, whose range of the index is shorter. */
const rarer = (first: number, second: number, trades: Float64Array): number => {
  if (first === NONE || second === NONE) return first === NONE ? second : first
  return (trades[first] as number) <= (trades[second] as number) ? first : second
}

const judgedToken = (view: TokenView, token: number): ReadonlyArray<Judged> => {
  const rule = view.washRuleOf(token)
  if (rule === null) return []
  const traded = tradedIn(view.window.ofTokens, token)
  return [{ about: { flag: "wash", of: "token" }, rule, traded, token, where: "true", swaps: null }]
}

/** The token's prints of the window that a rule judged, as a table expression. */
const judgedPrints = (
  view: RowsView,
  { since }: Window,
  { token, where, swaps }: Judged
): string => {
  const condition = `token = ${token} AND ts >= ${since} AND wallet_hi IS NOT NULL AND ${where}`
  const pair =
    swaps === null
      ? ""
      : `AND seq IN (SELECT seq FROM ${tapeTable.name} WHERE ts >= ${since} AND ${swaps})`
  return `(${versions(view, printsTable, `${condition} ${pair}`)})`
}

const WALLET = readNames(printsTable, "wallet")

const walletRow = (form: IdForm) => (row: Row) => ({
  wallet: accountOf(form, row, "wallet"),
  trades: Number(row["trades"]),
  usd: dollarsOf(row, "usd")
})

const printRow = (form: IdForm) => (row: Row) => ({
  seq: Number(row["seq"]),
  block: Number(row["block"]),
  logIndex: Number(row["log_index"]),
  tx: txOf(form, row, "tx"),
  ts: Number(row["ts"]),
  wallet: accountOf(form, row, "wallet"),
  usd: dollarsOf(row, "usd")
})

/** A flag with the prints behind it. */
const evidenced = (
  context: RowsView,
  window: Window,
  version: number,
  judged: Judged
): Effect.Effect<object, ReadError> =>
  Effect.gen(function* () {
    const { about, rule, traded } = judged
    const { id, text, ...thresholds } = rule
    const prints = judgedPrints(context, window, judged)
    const form = idsOf(context.chain)
    const wallets = yield* context.rows(
      `SELECT ${WALLET}, count(*) AS trades,
         coalesce(sum(usd) FILTER (flags = 0), 0) AS usd
       FROM ${prints} GROUP BY ALL ORDER BY trades DESC, usd DESC, ${WALLET}
       LIMIT ${MOST_WALLETS}`
    )
    const newest = yield* context.rows(
      `SELECT seq FROM ${prints} ORDER BY seq DESC LIMIT ${MOST_PRINTS}`
    )
    const rows = yield* tapeRows(context, seqsOf(newest))
    return {
      ...about,
      rule: { id, version, text },
      thresholds,
      figures: {
        trades: traded.known,
        usd: traded.knownUsd,
        wallets: traded.makers,
        tradesPerWallet: traded.known / traded.makers,
        usdPerWallet: traded.knownUsd / traded.makers
      },
      window: { from: window.since, to: context.blockTime },
      wallets: wallets.map(walletRow(form)),
      prints: { count: traded.known, newest: rows.map(printRow(form)) }
    }
  })

/** Which anchor a token passes itself off as; null where it does not. */
const impostorOf = (context: FoldsView, view: TokenView, rules: RuleSet, token: number) => {
  if (rules.impostor === null || !view.isImpostor(token)) return null
  const { id, version, text } = rules.impostor
  const readsAs = view.facts.tokens.symbols.of(token)
  return {
    flag: "impostor",
    of: "token",
    rule: { id, version, text },
    symbol: view.facts.tokens.columns().symbol[token] ?? null,
    readsAs,
    protects: protectedBy(context.chain, readsAs)
  }
}

/** `{ token, rules }` */
export const explainFlags = memoryQuery(
  "explainFlags",
  (context, params: { readonly token: string; readonly rules: string | null }) => {
    const version = versionOf(params.rules)
    const rules = rulesOf(context.chain, version)
    const window = windowOf(context)
    const view = new TokenView(context, window, rules)
    const { token: address } = params
    const token = view.facts.tokens.find(idBytes(address))
    if (printsOf(context, token) === 0) {
      return { refused: unknownToken(context, address).refusal }
    }
    const suspects = judgedMarkets(context, view, rules, token)
    const judged = [...judgedToken(view, token), ...suspects.slice(0, MOST_MARKETS)]
    const impostor = impostorOf(context, view, rules, token)
    return {
      read: reader =>
        Effect.map(
          Effect.forEach(judged, one => evidenced(reader, window, rules.wash.version, one)),
          flags => ({
            chain: shownChain(context.chain),
            token: address,
            rules: version,
            flags: impostor === null ? flags : [...flags, impostor],
            suspectMarkets: suspects.length,
            asOf: context.seq,
            updatedAt: updatedAt(context)
          })
        )
    }
  }
)
