/** `GET /v1/chains/solana/token/{address}/traders`: who traded a token most in the last hours. */
import { Effect } from "effect"
import { type FoldsView, memoryQuery, type Row, type RowsView } from "../../../engine/query.ts"
import { accountOf, versions } from "../../../engine/store/sql.ts"
import { readNames } from "../../../engine/store/table.ts"
import { readCoverage } from "../../../projections/coverage/covered-time.ts"
import { pricesOutput } from "../../../projections/prices/output.ts"
import { printsOf } from "../../../projections/tape/output.ts"
import { printsTable } from "../../../projections/tape/tables.ts"
import { tokens } from "../../../projections/tokens/output.ts"
import { unknownToken } from "../../../projections/tokens/queries.ts"
import { senderWarnings } from "../../../projections/wallets/no-senders.ts"
import { ofKept, unknownIn } from "../../../src/domain/covered-time.ts"
import { idBytes, idsOf } from "../../../src/domain/ids.ts"
import { shownChain, updatedAt } from "../../../src/domain/shown-chain.ts"
import { outcomeOf, type Position } from "../wallets/wallet-positions.ts"

const HOUR = 3600
const MICRO = 1e6

const WALLET = readNames(printsTable, "wallet")
const BOUGHT = "FILTER (buy = 1)"
const SOLD = "FILTER (buy = 0)"
const BELIEVED = "usd IS NOT NULL AND flags = 0"

/**
 * The largest sums of a token's prints by wallet, those without one first. Amounts are summed in
 * raw units: sums of integers do not depend on the order in which rows are read.
 *
 * @param scale raw units of a whole token; 1 while the decimals are unknown
 */
const tradersSql = (
  view: RowsView,
  token: number,
  since: number,
  scale: number,
  limit: number
): string => {
  const columns = `${WALLET}, ts, buy, usd, amount, unscaled, flags`
  const prints = versions(view, printsTable, `token = ${token} AND ts >= ${since}`, columns)
  const raw = `round(CASE WHEN unscaled & 1 = 1 THEN amount ELSE amount * ${scale} END)::HUGEINT`
  return `SELECT *, coalesce(bought_usd, 0) + coalesce(sold_usd, 0) AS usd FROM (
      SELECT ${WALLET}, count(*) AS trades, max(ts) AS last_ts,
        count(*) ${BOUGHT} AS buys,
        sum(CASE WHEN ${BELIEVED} THEN usd END) ${BOUGHT} AS bought_usd,
        sum(CASE WHEN ${BELIEVED} THEN usd END) ${SOLD} AS sold_usd,
        sum(${raw}) ${BOUGHT} AS bought, sum(${raw}) ${SOLD} AS sold,
        count(*) FILTER (buy = 1 AND NOT (${BELIEVED})) AS unpriced_buys,
        count(*) FILTER (buy = 0 AND NOT (${BELIEVED})) AS unpriced_sells
      FROM (${prints}) GROUP BY ${WALLET})
    ORDER BY wallet_lo IS NULL DESC, usd DESC, trades DESC, ${WALLET} LIMIT ${limit + 1}`
}

const sumOf = (row: Row, column: string): number => Number(row[column] ?? 0)

const positionOf = (row: Row, token: number, scale: number): Position => ({
  token,
  buys: sumOf(row, "buys"),
  sells: sumOf(row, "trades") - sumOf(row, "buys"),
  boughtUsd: sumOf(row, "bought_usd"),
  soldUsd: sumOf(row, "sold_usd"),
  bought: sumOf(row, "bought") / scale,
  sold: sumOf(row, "sold") / scale,
  unpricedBuys: sumOf(row, "unpriced_buys"),
  unpricedSells: sumOf(row, "unpriced_sells"),
  lastTs: sumOf(row, "last_ts")
})

interface Asked {
  readonly token: number
  /** raw units of a whole token; NaN while the decimals are unknown */
  readonly scale: number
  /** dollars a whole token; null where there are none */
  readonly price: number | null
}

const traderRow = (view: RowsView, row: Row, { token, scale, price }: Asked) => {
  const isScaled = !Number.isNaN(scale)
  const position = positionOf(row, token, isScaled ? scale : 1)
  const outcome = outcomeOf(position, price)
  const { boughtUsd, soldUsd, unpricedBuys, unpricedSells } = position
  const held = outcome.partial ? position.bought - position.sold : outcome.held
  return {
    wallet: accountOf(idsOf(view.chain), row, "wallet"),
    boughtUsd: boughtUsd / MICRO,
    soldUsd: soldUsd / MICRO,
    netUsd: (boughtUsd - soldUsd) / MICRO,
    trades: position.buys + position.sells,
    lastTrade: position.lastTs,
    heldAmount: isScaled ? held : null,
    heldValueUsd: outcome.heldUsd,
    realizedPnlUsd: outcome.realizedUsd,
    unrealizedPnlUsd: outcome.unrealizedUsd,
    partial: outcome.partial,
    unpriced: unpricedBuys + unpricedSells
  }
}

const askedOf = (view: FoldsView, token: number): Asked => {
  const price = view.output(pricesOutput).priceOf(token)
  return {
    token,
    scale: view.output(tokens).scale(token),
    price: price > 0 ? price : null
  }
}

export type TradersParams = {
  readonly token: string
  /** whole hours before the present one */
  readonly hours: number
  readonly limit: number
}

/** As of the newest block: its hour, and the whole ones before it. */
export const tokenTraders = memoryQuery("tokenTraders", (view, params: TradersParams) => {
  const { token: address, hours, limit } = params
  const token = view.output(tokens).find(idBytes(address))
  if (printsOf(view, token) === 0) return { refused: unknownToken(view, address).refusal }
  const about = askedOf(view, token)
  const asked = view.blockTime - (view.blockTime % HOUR) - hours * HOUR
  const since = Math.max(0, asked, view.keptFrom.raw)
  const scale = Number.isNaN(about.scale) ? 1 : about.scale
  return {
    read: reader =>
      Effect.gen(function* () {
        const rows = yield* reader.rows(tradersSql(reader, token, since, scale, limit))
        const coverage = yield* readCoverage(reader, asked)
        const [first] = rows
        const isUnattributed = first !== undefined && first["wallet_lo"] === null
        const known = rows.slice(isUnattributed ? 1 : 0).slice(0, limit)
        return {
          chain: shownChain(view.chain),
          token: address,
          windowHours: hours,
          since,
          priceUsd: about.price,
          traders: known.map(row => traderRow(reader, row, about)),
          unattributedTrades: isUnattributed ? sumOf(first, "trades") : 0,
          ...senderWarnings(view),
          asOf: view.seq,
          unknown: unknownIn(ofKept(since, coverage), { from: asked, to: view.blockTime + 1 }),
          updatedAt: updatedAt(view)
        }
      })
  }
})
