/**
 * SQL that sums the swaps of a window by wallet and token, a part of the wallets at a time: what it
 * takes of memory is bounded by the part. Positions are held at their average cost over the whole
 * window, as in `wallet-positions.ts`; a test holds both to the same outcome. Dollars are
 * micro-dollars.
 */
import { newestOf, type Stands, versions } from "../../../engine/store/sql.ts"
import { poolsTable } from "../../../projections/pools/output.ts"
import { poolPricesTable } from "../../../projections/prices/tables.ts"
import { walletSwapsTable } from "../../../projections/wallet-swaps/tables.ts"
import { botRule, dayTraderRule, smartThresholds } from "../../../src/rules/trader-rules.ts"
import { NOTHING } from "../wallets/wallet-positions.ts"

/** Swaps that are summed at once: they take some 200 MB at most. */
export const PART_SWAPS = 1_250_000
/** Low words of accounts, by which wallets are parted, as they are spread evenly. */
const LOW_WORDS = 2 ** 32
const WALLET = "wallet_top, wallet_hi, wallet_lo"
const DAY = 86_400

/** Which swaps are summed, and what is known of tokens. */
export interface SumsOf {
  /** Unix seconds, and the newest position */
  readonly from: number
  readonly upTo: number
  /** tokens that are money, by id, with their dollars now */
  readonly money: ReadonlyMap<number, number>
  /** raw units a whole token, of tokens whose decimals were unknown at some swap */
  readonly scales: ReadonlyMap<number, number>
  /** whether only prints count whose other side is money */
  readonly isQuotedOnly: boolean
}

/** A part of the wallets. */
interface Part {
  readonly part: number
  readonly parts: number
}

const setOf = (tokens: Iterable<number>): string => `(${[...tokens, -1].join(", ")})`

/** SQL of an amount in whole tokens. */
const wholeAmount = (side: 0 | 1, scales: SumsOf["scales"]): string => {
  const amount = `coalesce(amount${side}, 0)`
  if (scales.size === 0) return amount
  const cases = [...scales].map(([token, scale]) => `WHEN ${token} THEN ${scale}`).join(" ")
  return `CASE WHEN (unscaled >> ${side}) & 1 = 1
    THEN ${amount} / CASE token${side} ${cases} ELSE 1 END ELSE ${amount} END`
}

/**
 * Parts of a token that sums count: whole numbers, so that no sum depends on an order. Of nine
 * decimals a raw unit is 1,099 parts; and of a token without decimals, whose amounts reach 2^64,
 * eight million swaps of one wallet fit a sum of 127 bits.
 */
const PARTS = 2 ** 40

/** SQL of the prints of one side that is no money. */
const printsOf = (side: 0 | 1, { scales, isQuotedOnly }: SumsOf): string => {
  const other = side === 0 ? 1 : 0
  const counts = `usd IS NOT NULL AND (flags >> ${side}) & 1 = 0`
  return `SELECT ${WALLET}, day, token${side} AS token, bought0 = ${other} AS is_buy, usd,
    (${wholeAmount(side, scales)} * ${PARTS})::HUGEINT AS amount,
    ${counts}${isQuotedOnly ? ` AND money${other}` : ""} AS counts
    FROM swaps WHERE token${side} IS NOT NULL AND NOT money${side}`
}

const sumOf = (column: string, condition: string): string =>
  `coalesce(sum(${column}) FILTER (${condition}), 0) AS`

/** SQL of sums of whole numbers, doubles once they are whole. */
const totalsOf = (...columns: ReadonlyArray<string>): string =>
  columns.map(column => `sum(${column})::DOUBLE AS ${column}`).join(", ")

const amountsOf = (...columns: ReadonlyArray<string>): string =>
  columns.map(column => `sum(${column})::DOUBLE / ${PARTS} AS ${column}`).join(", ")

/** SQL of what the deepest pool of each token could pay now, in micro-dollars; null: unknown. */
export const payoutsSql = (view: Stands, money: SumsOf["money"]): string => {
  const dollars = [...money].map(([token, usd]) => `(${token}, ${usd}::DOUBLE)`)
  const prices = dollars.length === 0 ? "(-1, 0::DOUBLE)" : dollars.join(", ")
  return `SELECT CASE WHEN p.token0 = d.quote THEN p.token1 ELSE p.token0 END AS token,
      nullif(max(least(d.side, coalesce(d.backed, d.side)) * m.usd), 0) * 1e6 AS payout
    FROM ${newestOf(view, poolPricesTable, "TRUE", "pool")} d
    JOIN ${newestOf(view, poolsTable, "TRUE", "pool")} p USING (pool)
    JOIN (VALUES ${prices}) m(token, usd) ON m.token = d.quote GROUP BY 1`
}

/** Micro-dollars of what positions made; null where they are not told, or not believed. */
const realizedSql = (isQuotedOnly: boolean): string => {
  const isEven = `abs(bought - sold) <= bought * ${NOTHING}`
  const cost = `CASE WHEN ${isEven} THEN bought_usd
    WHEN bought > 0 THEN sold * bought_usd / bought ELSE 0 END`
  const { unpricedPart, suspectReturn } = smartThresholds
  // elsewhere a print without dollars leaves the outcome of a position unknown
  const isTold = isQuotedOnly
    ? `greatest(unpriced, sold - bought) <= ${unpricedPart} * (bought + sold + unpriced)`
    : `unpriced_prints = 0 AND (sold <= bought OR ${isEven})`
  const isBelieved = isQuotedOnly
    ? `sold_usd <= ${suspectReturn} * cost AND sold_usd <= coalesce(payout, sold_usd)`
    : "TRUE"
  return `SELECT *, CASE WHEN ${isTold} AND ${isBelieved}
      THEN round(sold_usd - cost)::HUGEINT END AS realized
    FROM (SELECT *, ${cost} AS cost FROM positions)`
}

/** SQL of tables of one part of the wallets, `summed` the last of them: a row each. */
const walletsSql = (view: Stands, of: SumsOf, { part, parts }: Part): string => {
  const [low, high] = [part, part + 1].map(at => Math.floor((at * LOW_WORDS) / parts))
  const where = `wallet_lo >= ${low} AND wallet_lo < ${high} AND ts >= ${of.from}
    AND seq <= ${of.upTo}`
  const money = setOf(of.money.keys())
  const volume = of.isQuotedOnly ? "AND (money0 OR money1)" : ""
  const trades = of.isQuotedOnly ? "FILTER (money0 OR money1)" : ""
  const payouts = of.isQuotedOnly ? `payouts AS (${payoutsSql(view, of.money)}),` : ""
  const withPayout = of.isQuotedOnly ? "LEFT JOIN payouts USING (token)" : ""
  return `swaps AS (
      SELECT ${WALLET}, ts // ${DAY} AS day, ts, token0, token1, amount0, amount1, bought0,
        usd::BIGINT AS usd, unscaled, flags,
        coalesce(token0 IN ${money}, FALSE) AS money0, coalesce(token1 IN ${money}, FALSE) AS money1
      FROM (${versions(view, walletSwapsTable, where)})),
    sides AS (${printsOf(0, of)} UNION ALL ${printsOf(1, of)}),
    token_days AS (
      SELECT ${WALLET}, token, day,
        ${sumOf("amount", "counts AND is_buy")} bought,
        ${sumOf("amount", "counts AND NOT is_buy")} sold,
        ${sumOf("usd", "counts AND is_buy")} bought_usd,
        ${sumOf("usd", "counts AND NOT is_buy")} sold_usd,
        ${sumOf("amount", "NOT counts")} unpriced,
        count(*) FILTER (NOT counts) AS unpriced_prints,
        count(*) FILTER (is_buy) AS buys, count(*) FILTER (NOT is_buy) AS sells
      FROM sides GROUP BY ALL),
    ${payouts}
    positions AS (
      SELECT * FROM (SELECT ${WALLET}, token, ${amountsOf("bought", "sold", "unpriced")},
          ${totalsOf("bought_usd", "sold_usd", "unpriced_prints", "buys", "sells")}
        FROM token_days GROUP BY ALL) ${withPayout}),
    made AS (
      SELECT ${WALLET}, count(*) AS tokens,
        ${totalsOf("realized", "bought_usd", "sold_usd")},
        count(*) FILTER (buys > 0 AND sells > 0 AND realized IS NOT NULL) AS closed,
        count(*) FILTER (buys > 0 AND sells > 0 AND realized > 0) AS won
      FROM (${realizedSql(of.isQuotedOnly)}) GROUP BY ALL),
    swap_days AS (
      SELECT ${WALLET}, day, count(*) AS swaps, count(*) ${trades} AS trades, max(ts) AS last_ts,
        ${sumOf("usd", `flags = 0 AND usd IS NOT NULL ${volume}`)} volume
      FROM swaps GROUP BY ALL),
    busiest AS (
      SELECT ${WALLET}, max(swaps) AS day_swaps, ${totalsOf("swaps", "trades", "volume")},
        max(last_ts) AS last_ts FROM swap_days GROUP BY ALL),
    widest AS (
      SELECT ${WALLET}, max(tokens) AS day_tokens FROM (
        SELECT ${WALLET}, day, count(*) AS tokens FROM token_days GROUP BY ALL) GROUP BY ALL),
    summed AS MATERIALIZED (
      SELECT * FROM made JOIN busiest USING (${WALLET}) JOIN widest USING (${WALLET}))`
}

/** An order of all wallets, whichever way they are parted; what is equal else stands in it. */
const BY_WALLET = "wallet_lo, wallet_hi, wallet_top"

/** The wallets that are greatest by a figure, in no order. */
const best = (by: string, most: number, where: string): string =>
  `(SELECT * FROM summed WHERE ${where} ORDER BY ${by} DESC, ${BY_WALLET}
    LIMIT ${most})`

/**
 * SQL of the wallets of a part that made most, each with the counts of all wallets of the part, by
 * wallet. A part in which nobody made anything has one row, whose wallet is null.
 */
export const candidatesSql = (view: Stands, of: SumsOf, part: Part): string => {
  const { candidates, cadenceSwapsADay, sniperTokensADay } = smartThresholds
  return `WITH ${walletsSql(view, of, part)},
    counts AS (SELECT count(*) FILTER (realized > 0) AS profitable,
      count(*) FILTER (day_swaps > ${cadenceSwapsADay}) AS cadence,
      count(*) FILTER (day_tokens > ${sniperTokensADay}) AS sniper FROM summed)
    SELECT * FROM counts
    LEFT JOIN ${best("realized", candidates, "realized IS NOT NULL")} ON TRUE
    ORDER BY ${BY_WALLET}`
}

/** SQL of the wallets of a part that a board of a day shows, however it is sorted, by wallet. */
export const dayTradersSql = (view: Stands, of: SumsOf, part: Part, most: number): string => {
  const isShown = `volume >= ${dayTraderRule.minVolumeUsd} * 1e6
    AND day_swaps <= ${botRule.tradesADay} AND day_tokens <= ${botRule.tokensADay}`
  return `WITH ${walletsSql(view, of, part)}
    SELECT * FROM ${best("coalesce(realized, 0)", most, isShown)}
    UNION SELECT * FROM ${best("volume", most, isShown)}
    ORDER BY ${BY_WALLET}`
}
