/**
 * Profit and loss of a wallet at average cost inside a window. Sums alone decide it: what a token's
 * buys of the window cost on average is what its sells and what is left have cost, whichever came
 * first. Transfers are not seen.
 */
import { botRule } from "../../../src/rules/trader-rules.ts"

/** A swap of the wallet, as the index of wallets has it. */
export interface WalletTrade {
  readonly ts: number
  /** null where the token is unknown */
  readonly token0: number | null
  readonly token1: number | null
  readonly amount0: number | null
  readonly amount1: number | null
  readonly bought0: boolean
  /** micro-dollars; null where it has no price */
  readonly usd: number | null
  /** bit of a side: its amount is in raw units */
  readonly unscaled: number
  /** bit of a side: its token's outlier */
  readonly flags: number
}

/** What the wallet did with one token. */
export interface Position {
  readonly token: number
  buys: number
  sells: number
  /** micro-dollars of priced buys, of priced sells */
  boughtUsd: number
  soldUsd: number
  /** whole tokens; raw units while the decimals are unknown */
  bought: number
  sold: number
  /** prints whose dollars are unknown or not believed */
  unpricedBuys: number
  unpricedSells: number
  /** Unix seconds */
  lastTs: number
}

export interface Traded {
  readonly positions: ReadonlyMap<number, Position>
  readonly trades: number
  /** micro-dollars of the swaps that have a believed price */
  readonly usd: number
  /** swaps that have none */
  readonly unpriced: number
  /** on some UTC day it traded more often, or more tokens, than people do */
  readonly likelyBot: boolean
}

const DAY = 86_400
/** Sums of doubles differ in the last digits: parts of an amount that are nothing. */
export const NOTHING = 1e-9

const newPosition = (token: number): Position => ({
  ...{ token, buys: 0, sells: 0, boughtUsd: 0, soldUsd: 0, bought: 0, sold: 0 },
  ...{ unpricedBuys: 0, unpricedSells: 0, lastTs: 0 }
})

const take = (
  position: Position,
  { ts, usd }: WalletTrade,
  isBuy: boolean,
  amount: number,
  isBelieved: boolean
): void => {
  const isPriced = usd !== null && isBelieved
  position.lastTs = Math.max(position.lastTs, ts)
  if (isBuy) {
    position.buys++
    position.bought += amount
    if (isPriced) position.boughtUsd += usd
    else position.unpricedBuys++
  } else {
    position.sells++
    position.sold += amount
    if (isPriced) position.soldUsd += usd
    else position.unpricedSells++
  }
}

/** What happened on the UTC day in hand; trades come in order of time. */
class BusiestDay {
  isBot = false
  private day = -1
  private trades = 0
  private readonly tokens = new Set<number>()

  trade(ts: number): void {
    const day = Math.floor(ts / DAY)
    if (day !== this.day) {
      this.day = day
      this.trades = 0
      this.tokens.clear()
    }
    if (++this.trades > botRule.tradesADay) this.isBot = true
  }

  token(token: number): void {
    this.tokens.add(token)
    if (this.tokens.size > botRule.tokensADay) this.isBot = true
  }
}

/**
 * Sums a wallet's swaps, oldest first. What `isPosition` denies is money that others are bought
 * with; `scale` is a token's raw units a whole one, NaN while that is unknown.
 */
export const sumTrades = (
  list: ReadonlyArray<WalletTrade>,
  isPosition: (token: number) => boolean,
  scale: (token: number) => number
): Traded => {
  const positions = new Map<number, Position>()
  const busiest = new BusiestDay()
  let [usd, unpriced] = [0, 0]
  for (const trade of list) {
    busiest.trade(trade.ts)
    if (trade.usd !== null && trade.flags === 0) usd += trade.usd
    else unpriced++
    for (const side of [0, 1] as const) {
      const token = side === 0 ? trade.token0 : trade.token1
      if (token === null || !isPosition(token)) continue
      busiest.token(token)
      const position = positions.get(token) ?? newPosition(token)
      positions.set(token, position)
      const raw = (side === 0 ? trade.amount0 : trade.amount1) ?? 0
      const units = scale(token)
      const isRaw = ((trade.unscaled >> side) & 1) === 1
      const amount = isRaw && !Number.isNaN(units) ? raw / units : raw
      const isBuy = trade.bought0 === (side === 0)
      take(position, trade, isBuy, amount, ((trade.flags >> side) & 1) === 0)
    }
  }
  return { positions, trades: list.length, usd, unpriced, likelyBot: busiest.isBot }
}

/** What became of a position, dollars; null where it is not known. */
export interface Outcome {
  /** it sold more than it bought: what that had cost is not in the window */
  readonly partial: boolean
  readonly held: number
  readonly heldUsd: number | null
  readonly realizedUsd: number | null
  readonly unrealizedUsd: number | null
}

const MICRO = 1e6

/** `price`: dollars a unit of the position's amounts now, null where it is unknown. */
export const outcomeOf = (position: Position, price: number | null): Outcome => {
  const { bought, sold, unpricedBuys, unpricedSells } = position
  const left = bought - sold
  const isEven = Math.abs(left) <= bought * NOTHING
  const partial = left < 0 && !isEven
  const held = partial || isEven ? 0 : left
  const cost = bought > 0 ? position.boughtUsd / MICRO / bought : 0
  const isCostKnown = unpricedBuys === 0
  const realizedUsd =
    partial || (sold > 0 && !(isCostKnown && unpricedSells === 0))
      ? null
      : position.soldUsd / MICRO - (isEven ? position.boughtUsd / MICRO : sold * cost)
  const heldUsd = held === 0 ? 0 : price === null ? null : held * price
  const unrealizedUsd =
    held === 0 ? 0 : heldUsd === null || !isCostKnown ? null : heldUsd - held * cost
  return { partial, held, heldUsd, realizedUsd, unrealizedUsd }
}
