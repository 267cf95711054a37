/** A candidate's swaps by values, and operators with several wallets. */
import { expect, it } from "vitest"
import { CandidateFold, type CandidateSwap, type MarketNow } from "./candidate-fold.ts"
import { bestOfOperators } from "./siblings.ts"

const DAY = 86_400
const market: MarketNow = {
  firstSwapOf: () => 5 * DAY,
  payoutOf: () => 1_000_000,
  priceOf: () => 12
}

const swap = (ts: number, usd: number, over: Partial<CandidateSwap> = {}): CandidateSwap => ({
  ...{ ts, pool: 1, isSameTx: false, isQuoted: true, usd: Math.abs(usd) * 1e6 },
  prints: [{ token: 7, isBuy: usd < 0, amount: 10, usd: Math.abs(usd) * 1e6 }],
  ...over
})

const folded = (...swaps: ReadonlyArray<CandidateSwap>) => {
  const fold = new CandidateFold()
  for (const one of swaps) fold.take(one)
  return fold.end(market)
}

it("sums what a wallet made, held and how long", () => {
  const one = folded(
    ...[swap(5 * DAY + 2, -100), swap(5 * DAY + 102, -300), swap(6 * DAY + 52, 250)]
  )
  expect(one).toMatchObject({
    ...{ swaps: 3, trades: 3, tokens: 1, volumeUsd: 650, realizedPnlUsd: 50, costSoldUsd: 200 },
    ...{ closedTokens: 1, winningTokens: 1, activeDays: 2, profitableDays: 1, bestShare: 1 },
    ...{ unrealizedPnlUsd: -80, heldValueUsd: 120, medianHoldS: DAY, launchTokens: 1 },
    ...{ sells: 1, quickSells: 0, arbTransactions: 0, best: { token: 7, realizedUsd: 50 } },
    ...{ lastTrade: 6 * DAY + 52, firstBuys: new Map([[7, 5 * DAY + 2]]) }
  })
  expect(folded(swap(5 * DAY + 3, -1), swap(6 * DAY, 2)).launchTokens).toBe(0)
})

it("tells arbitrage and sells right after buying by their transactions", () => {
  const [buy, sell] = [swap(100, -10), swap(100, 11, { isSameTx: true })]
  expect(folded(buy, sell)).toMatchObject({ arbTransactions: 1, quickSells: 1, medianHoldS: 0 })
  expect(folded(buy, swap(102, 11))).toMatchObject({ arbTransactions: 0, quickSells: 1 })
  expect(folded(buy, swap(103, 11)).quickSells).toBe(0)
})

it("takes any token that a transaction buys and sells for arbitrage, money aside", () => {
  const [one, other] = [7, 8]
  const against = { isSameTx: true, isQuoted: false, usd: null }
  const hop = swap(100, 1, {
    ...against,
    prints: [
      { token: one, isBuy: false, amount: 10, usd: null },
      { token: other, isBuy: true, amount: 10, usd: null }
    ]
  })
  const back = swap(100, 11, {
    ...{ isSameTx: true, prints: [{ token: other, isBuy: false, amount: 10, usd: 11e6 }] }
  })
  const buy = swap(100, -10)
  expect(folded(buy, swap(200, -1)).arbTransactions).toBe(0)
  // the other token stays with the wallet
  expect(folded(buy, hop, swap(200, -1)).arbTransactions).toBe(1)
  expect(folded(buy, hop, back).arbTransactions).toBe(1)
  expect(folded(buy, hop, back, swap(200, -1)).arbTransactions).toBe(1)
})

it("counts minutes with eight transactions, whatever the number of swaps", () => {
  const many = (count: number, isSameTx = false) =>
    folded(swap(600, -1), ...Array.from({ length: count }, () => swap(659, -1, { isSameTx })))
  expect([many(6).burstMinutes, many(7).burstMinutes, many(20).burstMinutes]).toEqual([0, 1, 1])
  expect(many(20, true).burstMinutes).toBe(0)
})

it("leaves out positions that are unpriced, suspect or partial", () => {
  const elsewhere = swap(1, -1, { isQuoted: false })
  const two = [swap(1, -100), swap(2, 150)]
  expect(folded(...two, elsewhere)).toMatchObject({ unpricedTokens: 1, realizedPnlUsd: 0 })
  expect(folded(swap(1, -1), swap(2, 1_001))).toMatchObject({ suspectTokens: 1, closedTokens: 0 })
  expect(folded(swap(1, -1), swap(2, 1_000)).suspectTokens).toBe(0)
  const more = { unpricedTokens: 1, realizedPnlUsd: 0, closedTokens: 0 }
  expect(folded(...two, swap(3, 150))).toMatchObject(more)
})

it("counts a position of which up to a tenth of the amount came from elsewhere", () => {
  const sale = (amount: number) =>
    swap(2, 15 * amount, { prints: [{ token: 7, isBuy: false, amount, usd: 15e6 * amount }] })
  const elsewhere = swap(1, -1, {
    ...{ isQuoted: false, prints: [{ token: 7, isBuy: true, amount: 2, usd: null }] }
  })
  // ten for $100: each costs $10
  const counts = { unpricedTokens: 0, closedTokens: 1, heldValueUsd: 0, unrealizedPnlUsd: 0 }
  expect(folded(swap(1, -100), elsewhere, sale(12))).toMatchObject({
    ...{ ...counts, realizedPnlUsd: 60, costSoldUsd: 120, winningTokens: 1 }
  })
  expect(folded(swap(1, -100), sale(12.2))).toMatchObject({ ...counts, realizedPnlUsd: 61 })
  const left = { unpricedTokens: 1, closedTokens: 0, realizedPnlUsd: 0 }
  expect(folded(swap(1, -100), sale(12.3))).toMatchObject(left)
  expect(folded(sale(1))).toMatchObject(left)
})

it("keeps the best wallet of an operator, also through a third one", () => {
  const wallet = (score: number, ...times: ReadonlyArray<number>) => ({
    score,
    firstBuys: new Map(times.map((ts, token) => [token, ts]))
  })
  const best = bestOfOperators([
    ...[wallet(1, 10, 20, 30), wallet(3, 12, 22, 32), wallet(2, 14, 24, 34)],
    ...[wallet(9, 10, 20, 99), wallet(5, 13.5, 99, 36.5)]
  ])
  expect([...best]).toEqual([
    [1, { siblings: 2 }],
    [3, { siblings: 0 }],
    [4, { siblings: 0 }]
  ])
})
