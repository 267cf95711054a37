/** `GET …/wallet/{address}`: what a wallet made, after the spec's Solana wallet PnL. */
import { Effect } from "effect"
import {
  type FoldsView,
  memoryQuery,
  type ReadError,
  type Row,
  type RowsView
} from "../../../engine/query.ts"
import { numberOf } from "../../../engine/store/sql.ts"
import { readCoverage } from "../../../projections/coverage/covered-time.ts"
import { declaredFloor } from "../../../projections/prices/ingest-floor.ts"
import { pricesOutput } from "../../../projections/prices/output.ts"
import { walletRows } from "../../../projections/wallet-swaps/tables.ts"
import { senderWarnings } from "../../../projections/wallets/no-senders.ts"
import { ofKept, unknownIn } from "../../../src/domain/covered-time.ts"
import { shownChain, updatedAt } from "../../../src/domain/shown-chain.ts"
import { factsOf } from "../boards/token-row.ts"
import { type Prices, presentPrices } from "./present-prices.ts"
import {
  type Outcome,
  outcomeOf,
  type Position,
  sumTrades,
  type Traded,
  type WalletTrade
} from "./wallet-positions.ts"

const DAY = 86_400
const MICRO = 1e6
/** Newest swaps of a wallet that are looked at: what people do in a month, and most bots. */
const MOST_TRADES = 10_000
/** Positions shown (spec, part 8). */
export const MOST_POSITIONS = 200

const tradeOf = (row: Row): WalletTrade => ({
  ts: Number(row["ts"]),
  token0: numberOf(row, "token0"),
  token1: numberOf(row, "token1"),
  amount0: numberOf(row, "amount0"),
  amount1: numberOf(row, "amount1"),
  bought0: Number(row["bought0"]) === 1,
  usd: numberOf(row, "usd"),
  unscaled: Number(row["unscaled"]),
  flags: Number(row["flags"])
})

/** The wallet's swaps since a time, oldest first: the newest of them, one more than are taken. */
const readTrades = (
  view: RowsView,
  wallet: string,
  since: number,
  most: number
): Effect.Effect<ReadonlyArray<WalletTrade>, ReadError> =>
  view
    .rows(
      `SELECT ts, token0, token1, amount0, amount1, bought0, usd, unscaled, flags
       FROM ${walletRows(view, wallet, `ts >= ${since}`)} ORDER BY seq DESC LIMIT ${most + 1}`
    )
    .pipe(Effect.map(rows => rows.map(tradeOf).reverse()))

interface Held {
  readonly position: Position
  readonly outcome: Outcome
}

const volumeOf = ({ position }: Held): number => position.boughtUsd + position.soldUsd

const positionRow = (view: FoldsView, prices: Prices, { position, outcome }: Held) => {
  const known = factsOf(view)
  const { token, bought, sold, buys, sells, unpricedBuys, unpricedSells, lastTs } = position
  const address = known.tokens.addressOf(token)
  const facts = known.tokens.columns()
  const isScaled = !Number.isNaN(known.tokens.scale(token))
  const whole = (amount: number): number | null => (isScaled ? amount : null)
  return {
    token: address,
    symbol: facts.symbol[token] ?? null,
    name: facts.name[token] ?? null,
    image: known.logoOf(address),
    priceUsd: prices(token),
    boughtUsd: position.boughtUsd / MICRO,
    soldUsd: position.soldUsd / MICRO,
    boughtAmount: whole(bought),
    soldAmount: whole(sold),
    buys,
    sells,
    heldAmount: whole(outcome.held),
    heldValueUsd: outcome.heldUsd,
    realizedPnlUsd: outcome.realizedUsd,
    unrealizedPnlUsd: outcome.unrealizedUsd,
    partial: outcome.partial,
    unpriced: unpricedBuys + unpricedSells,
    lastDay: lastTs - (lastTs % DAY)
  }
}

/** Sum of what is known; nothing known is 0. */
const total = (held: ReadonlyArray<Held>, of: (one: Held) => number | null): number =>
  held.reduce((sum, one) => sum + (of(one) ?? 0), 0)

/** The part of the positions bought and sold, with a known outcome, that sold above their cost. */
const winRateOf = (held: ReadonlyArray<Held>): number => {
  const told = held.filter(
    ({ position, outcome }) =>
      position.buys > 0 && position.sells > 0 && outcome.realizedUsd !== null
  )
  const won = told.filter(({ outcome }) => (outcome.realizedUsd as number) > 0)
  return told.length === 0 ? 0 : won.length / told.length
}

const summary = (held: ReadonlyArray<Held>, { trades, usd, unpriced, likelyBot }: Traded) => ({
  tokens: held.length,
  trades,
  unpricedTrades: unpriced,
  volumeUsd: usd / MICRO,
  boughtUsd: total(held, ({ position }) => position.boughtUsd) / MICRO,
  soldUsd: total(held, ({ position }) => position.soldUsd) / MICRO,
  realizedPnlUsd: total(held, ({ outcome }) => outcome.realizedUsd),
  unrealizedPnlUsd: total(held, ({ outcome }) => outcome.unrealizedUsd),
  heldValueUsd: total(held, ({ outcome }) => outcome.heldUsd),
  winRate: winRateOf(held),
  partialTokens: held.filter(({ outcome }) => outcome.partial).length,
  unpricedTokens: held.filter(({ outcome }) => outcome.heldUsd === null).length,
  likelyBot
})

export type PnlParams = {
  readonly wallet: string
  readonly days: number
  /** swaps that are looked at */
  readonly most?: number
}

/** As of the newest commit, prices too; of `most` swaps at most. */
export const walletPnl = memoryQuery("walletPnl", (view, params: PnlParams) => {
  const prices = presentPrices(view)
  const { wallet, days, most = MOST_TRADES } = params
  const asked = view.blockTime - (view.blockTime % DAY) - (days - 1) * DAY
  const since = Math.max(asked, view.keptFrom.raw)
  return {
    read: reader =>
      Effect.gen(function* () {
        const trades = yield* readTrades(reader, wallet, since, most)
        const coverage = yield* readCoverage(reader, asked)
        const taken = trades.slice(-most)
        const { isAnchor } = reader.output(pricesOutput)
        const { tokens } = factsOf(reader)
        const traded = sumTrades(taken, token => !isAnchor(token), tokens.scale)
        const held = [...traded.positions.values()]
          .map(
            (position): Held => ({ position, outcome: outcomeOf(position, prices(position.token)) })
          )
          .sort((a, b) => volumeOf(b) - volumeOf(a) || a.position.token - b.position.token)
        return {
          chain: shownChain(view.chain),
          wallet,
          windowDays: days,
          since: trades.length > taken.length ? (taken[0]?.ts as number) : since,
          truncated: trades.length > taken.length,
          ...summary(held, traded),
          positions: held.slice(0, MOST_POSITIONS).map(one => positionRow(reader, prices, one)),
          ...declaredFloor(view.chain),
          ...senderWarnings(view),
          asOf: view.seq,
          unknown: unknownIn(ofKept(since, coverage), { from: asked, to: view.blockTime + 1 }),
          updatedAt: updatedAt(view)
        }
      })
  }
})
