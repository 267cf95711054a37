/** What hours of tokens and of markets add to the sums of a day. */
import type { ColumnArrays } from "../../engine/store/column-set.ts"
import type { marketHoursTable, tokenHoursTable } from "./tables.ts"

export const tokenSums = [
  "trades",
  "buys",
  "buyUsd",
  "sellUsd",
  "known",
  "knownUsd",
  "makers"
] as const
export const marketSums = [
  "trades",
  "buys0",
  "usd",
  "usdBuys0",
  "known",
  "knownUsd",
  "makers"
] as const

type TokenHours = ColumnArrays<(typeof tokenHoursTable)["columns"]>
type MarketHours = ColumnArrays<(typeof marketHoursTable)["columns"]>

/** What an hour of a token adds to its day. Makers of hours do not add up to those of a day. */
export const tokenHour = (c: TokenHours, slot: number) => ({
  trades: c.trades[slot] as number,
  buys: c.buys[slot] as number,
  buyUsd: c.buy_usd[slot] as number,
  sellUsd: c.sell_usd[slot] as number,
  known: c.known[slot] as number,
  knownUsd: c.known_usd[slot] as number
})

export const marketHour = (c: MarketHours, slot: number) => ({
  trades: c.trades[slot] as number,
  buys0: c.buys0[slot] as number,
  usd: c.usd[slot] as number,
  usdBuys0: c.usd_buys0[slot] as number,
  known: c.known[slot] as number,
  knownUsd: c.known_usd[slot] as number
})

/** All swaps of an hour, in micro-dollars. */
export interface HourTotal {
  readonly trades: number
  readonly usd: number
}
