/** What the swaps of one candidate, oldest first, tell of it: values in and out. */
import {
  type Habits,
  isSuspect,
  isUnpriced,
  type Made,
  smartThresholds
} from "../../../src/rules/trader-rules.ts"
import { type Outcome, outcomeOf, type Position } from "../wallets/wallet-positions.ts"

/** A print of a token that is no money, within a swap. */
export interface CandidatePrint {
  readonly token: number
  readonly isBuy: boolean
  /** whole tokens */
  readonly amount: number
  /** micro-dollars; null where they are unknown or not believed */
  readonly usd: number | null
}

export interface CandidateSwap {
  /** Unix seconds */
  readonly ts: number
  readonly pool: number
  /** whether it is in the transaction of the wallet's swap before */
  readonly isSameTx: boolean
  /** whether the pool is quoted in money */
  readonly isQuoted: boolean
  /** micro-dollars; null where they are unknown or not believed */
  readonly usd: number | null
  readonly prints: ReadonlyArray<CandidatePrint>
}

/** What the fold asks of the market. */
export interface MarketNow {
  /** Unix seconds of a pool's first swap; null where it is unknown */
  readonly firstSwapOf: (pool: number) => number | null
  /** dollars that a token's deepest pool could pay; null where none is known */
  readonly payoutOf: (token: number) => number | null
  /** dollars a whole token; null where they are unknown */
  readonly priceOf: (token: number) => number | null
}

interface FirstBuy {
  readonly ts: number
  readonly pool: number
}

interface Holding {
  readonly position: Position
  unpriced: number
  firstBuy: FirstBuy | null
  lastBuyTs: number | null
  /** what is held by the swaps so far, and when it was bought on average */
  held: number
  heldSince: number
  /** by UTC day: micro-dollars and amount that were sold */
  readonly days: Map<number, { usd: number; amount: number }>
}

/** A position that is in what the wallet made. */
export interface MadeOf {
  readonly token: number
  readonly realizedUsd: number
}

export interface Candidate extends Made, Habits {
  readonly swaps: number
  /** tokens that were traded, also where they are in no sum */
  readonly tokens: number
  readonly unrealizedPnlUsd: number
  readonly heldValueUsd: number
  readonly costSoldUsd: number
  readonly best: MadeOf | null
  readonly unpricedTokens: number
  readonly suspectTokens: number
  /** by token, Unix seconds, of tokens that were bought in pools quoted in money */
  readonly firstBuys: ReadonlyMap<number, number>
}

const DAY = 86_400
const MICRO = 1e6

const middle = (values: ReadonlyArray<number>): number | null => {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = sorted.length >> 1
  const high = sorted[at] as number
  return sorted.length % 2 === 1 ? high : (high + (sorted[at - 1] as number)) / 2
}

const newHolding = (token: number): Holding => ({
  position: {
    ...{ token, buys: 0, sells: 0, boughtUsd: 0, soldUsd: 0, bought: 0, sold: 0 },
    ...{ unpricedBuys: 0, unpricedSells: 0, lastTs: 0 }
  },
  ...{ unpriced: 0, firstBuy: null, lastBuyTs: null, held: 0, heldSince: 0, days: new Map() }
})

/** The tokens of one transaction, money left out. */
const newTransaction = () => ({ bought: new Set<number>(), sold: new Set<number>() })

/**
 * The position as if what it sold beyond what it bought had been bought at its average cost: so
 * little of it that it counts (`isUnpriced`).
 */
const asBought = (position: Position): Position => {
  const { bought, sold, boughtUsd } = position
  if (!(bought > 0 && sold > bought)) return position
  return { ...position, bought: sold, boughtUsd: (boughtUsd * sold) / bought }
}

/** A position whose outcome counts. */
interface Counted {
  readonly holding: Holding
  readonly outcome: Outcome & { readonly realizedUsd: number }
  readonly costSoldUsd: number
}

const isClosed = ({ holding: { position } }: Counted): boolean =>
  position.buys > 0 && position.sells > 0

/** Folds the swaps of one wallet. */
export class CandidateFold {
  private readonly holdings = new Map<number, Holding>()
  private readonly activeDays = new Set<number>()
  private readonly holdTimes: Array<number> = []
  private counts = { swaps: 0, trades: 0, usd: 0, sells: 0, quickSells: 0, lastTs: 0 }
  private minute = { at: -1, transactions: 0, bursts: 0 }
  private tx = newTransaction()
  private arbs = 0

  /** Swaps that were taken so far. */
  get swaps(): number {
    return this.counts.swaps
  }

  take(swap: CandidateSwap): void {
    const { counts } = this
    counts.swaps++
    counts.lastTs = Math.max(counts.lastTs, swap.ts)
    this.activeDays.add(Math.floor(swap.ts / DAY))
    if (!swap.isSameTx) this.beginTransaction(swap.ts)
    if (swap.isQuoted) {
      counts.trades++
      counts.usd += swap.usd ?? 0
    }
    for (const print of swap.prints) this.takePrint(swap, print)
  }

  private beginTransaction(ts: number): void {
    const { minute } = this
    const at = Math.floor(ts / smartThresholds.burstSeconds)
    if (minute.at !== at) this.minute = { at, transactions: 0, bursts: minute.bursts }
    if (++this.minute.transactions === smartThresholds.burstTransactions) this.minute.bursts++
    this.endTransaction()
  }

  private takePrint(swap: CandidateSwap, print: CandidatePrint): void {
    const holding = this.holdings.get(print.token) ?? newHolding(print.token)
    this.holdings.set(print.token, holding)
    this.watchTransaction(print)
    if (swap.isQuoted) this.hold(holding, swap, print)
    const { position } = holding
    if (!swap.isQuoted || print.usd === null) holding.unpriced += print.amount
    else if (print.isBuy) {
      position.bought += print.amount
      position.boughtUsd += print.usd
    } else {
      position.sold += print.amount
      position.soldUsd += print.usd
      const day = Math.floor(swap.ts / DAY)
      const sold = holding.days.get(day) ?? { usd: 0, amount: 0 }
      sold.usd += print.usd
      sold.amount += print.amount
      holding.days.set(day, sold)
    }
    if (print.isBuy) position.buys++
    else position.sells++
  }

  private watchTransaction({ token, isBuy }: CandidatePrint): void {
    const { bought, sold } = this.tx
    ;(isBuy ? bought : sold).add(token)
  }

  /** To buy and sell one token in a transaction is arbitrage, as the rule says it (spec 4.14). */
  private endTransaction(): void {
    const { bought, sold } = this.tx
    if ([...bought].some(token => sold.has(token))) this.arbs++
    this.tx = newTransaction()
  }

  /** How long what is sold was held, by when it was bought on average. */
  private hold(holding: Holding, { ts, pool }: CandidateSwap, print: CandidatePrint): void {
    const { amount, isBuy } = print
    if (isBuy) {
      const all = holding.held + amount
      if (all > 0) holding.heldSince = (holding.held * holding.heldSince + amount * ts) / all
      holding.held = all
      holding.firstBuy ??= { ts, pool }
      holding.lastBuyTs = ts
      return
    }
    const { counts } = this
    counts.sells++
    const { lastBuyTs } = holding
    if (lastBuyTs === null) return
    if (ts - lastBuyTs <= smartThresholds.quickSellSeconds) counts.quickSells++
    if (holding.held > 0) this.holdTimes.push(ts - holding.heldSince)
    holding.held = Math.max(0, holding.held - amount)
  }

  private sortOut(market: MarketNow) {
    const counted: Array<Counted> = []
    let [unpricedTokens, suspectTokens] = [0, 0]
    for (const holding of this.holdings.values()) {
      const { position, unpriced } = holding
      const outcome = outcomeOf(asBought(position), market.priceOf(position.token))
      const { bought, sold } = position
      const soldUsd = position.soldUsd / MICRO
      const costSoldUsd = soldUsd - (outcome.realizedUsd ?? 0)
      const payoutUsd = market.payoutOf(position.token)
      const traded = { bought, sold, unpriced, soldUsd, costSoldUsd, payoutUsd }
      if (isUnpriced(traded)) unpricedTokens++
      else if (outcome.realizedUsd === null) continue
      else if (isSuspect(traded)) suspectTokens++
      else {
        const told = { ...outcome, realizedUsd: outcome.realizedUsd }
        counted.push({ holding, outcome: told, costSoldUsd })
      }
    }
    return { counted, unpricedTokens, suspectTokens }
  }

  /** UTC days on which what was sold had cost less. */
  private profitableDays(counted: ReadonlyArray<Counted>): number {
    const made = new Map<number, number>()
    for (const { holding } of counted) {
      const { bought, boughtUsd } = holding.position
      const cost = bought > 0 ? boughtUsd / bought : 0
      for (const [day, { usd, amount }] of holding.days) {
        made.set(day, (made.get(day) ?? 0) + usd - amount * cost)
      }
    }
    return [...made.values()].filter(usd => usd > 0).length
  }

  private isLaunch({ holding: { firstBuy } }: Counted, market: MarketNow): boolean {
    const first = firstBuy === null ? null : market.firstSwapOf(firstBuy.pool)
    if (firstBuy === null || first === null) return false
    return firstBuy.ts - first <= smartThresholds.launchSeconds
  }

  /** What all swaps that were taken tell, with the market as it is now. */
  end(market: MarketNow): Candidate {
    this.endTransaction()
    const { counts, activeDays } = this
    const { counted, unpricedTokens, suspectTokens } = this.sortOut(market)
    const closed = counted.filter(isClosed)
    const sum = (of: (one: Counted) => number) => counted.reduce((all, one) => all + of(one), 0)
    const realizedPnlUsd = sum(({ outcome }) => outcome.realizedUsd)
    const best = counted.reduce<MadeOf | null>((most, { holding, outcome }) => {
      const { realizedUsd } = outcome
      const isBetter = realizedUsd > (most?.realizedUsd ?? 0)
      return isBetter ? { token: holding.position.token, realizedUsd } : most
    }, null)
    const firstBuys = [...this.holdings].flatMap(([token, { firstBuy }]) =>
      firstBuy === null ? [] : [[token, firstBuy.ts] as const]
    )
    return {
      swaps: counts.swaps,
      tokens: this.holdings.size,
      trades: counts.trades,
      volumeUsd: counts.usd / MICRO,
      realizedPnlUsd,
      closedTokens: closed.length,
      winningTokens: closed.filter(({ outcome }) => outcome.realizedUsd > 0).length,
      activeDays: activeDays.size,
      profitableDays: this.profitableDays(counted),
      best,
      bestShare: realizedPnlUsd > 0 ? Math.min(1, (best?.realizedUsd ?? 0) / realizedPnlUsd) : 0,
      lastTrade: counts.lastTs,
      unrealizedPnlUsd: sum(({ outcome }) => outcome.unrealizedUsd ?? 0),
      heldValueUsd: sum(({ outcome }) => outcome.heldUsd ?? 0),
      costSoldUsd: sum(({ costSoldUsd }) => costSoldUsd),
      unpricedTokens,
      suspectTokens,
      burstMinutes: this.minute.bursts,
      sells: counts.sells,
      quickSells: counts.quickSells,
      arbTransactions: this.arbs,
      medianHoldS: middle(this.holdTimes),
      launchTokens: closed.filter(one => this.isLaunch(one, market)).length,
      firstBuys: new Map(firstBuys)
    }
  }
}
