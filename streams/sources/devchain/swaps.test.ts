import { expect, test } from "vitest"
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import { rulesOf, washRuleFor } from "../../../src/rules/rule-sets.ts"
import { launchChance, makeLaunches } from "./launches.ts"
import { makeMarket, type Pool, type Token } from "./market.ts"
import { arc } from "./networks/arc.ts"
import { base } from "./networks/base.ts"
import { STIFFNESS } from "./pool-state.ts"
import { seededRandom } from "./random.ts"
import { directRoute, tokenIn } from "./routes.ts"
import { drawSwaps } from "./swaps.ts"
import { ACCOUNTS, assignWallets } from "./wallets.ts"

const START = 1_700_000_000
const DAY = 86_400
/** Of so many blocks one is drawn, and stands for all of them. */
const EVERY = 8

interface Traded {
  swaps: number
  usd: number
  readonly wallets: Set<Hex>
}

/**
 * Draws a day of swaps on a chain of nothing but pool prices, which swaps move and the fair prices
 * pull back by arbitrage. Fewer blocks than there are show fewer wallets and more arbitrage, so
 * the pools look more washed than they are.
 */
const tradeDay = (network: typeof base, seen: (at: number, pools: Map<Pool, Traded>) => void) => {
  const market = makeMarket(network, "swaptape")
  const launches = makeLaunches(market)
  const accounts = Array.from({ length: ACCOUNTS }, (_, i): Hex => `0x${i}`)
  const wallets = assignWallets(accounts)
  const logPrices = new Map<Pool, number>()
  const traded = new Map<Pool, Traded>()
  let launched = 0
  for (let number = EVERY; number <= DAY; number += EVERY) {
    const time = START + number
    const random = seededRandom("day", network.key, number)
    for (let i = 0; i < EVERY; i++) if (random.chance(launchChance(launched))) launched += 1
    const fair = new Map<Token, number>()
    const logFair = (token: Token) => {
      const known = fair.get(token) ?? Math.log(token.fairUsd(time))
      fair.set(token, known)
      return known
    }
    const views = [...market.pools, ...launches.traded(launched)].map(pool => {
      const ratio = logFair(pool.token0) - logFair(pool.token1)
      const price = logPrices.get(pool) ?? ratio
      logPrices.set(pool, price)
      return { pool, state: { a: 1n, b: 1n }, under: ratio - price }
    })
    const context = { market, launches, wallets, random, number, time, deadline: 0n }
    for (const { route, usd, wallet } of drawSwaps(context, views, accounts.at(-1) as Hex)) {
      route.pools.forEach((view, hop) => {
        const { pool } = view
        const one = traded.get(pool) ?? { swaps: 0, usd: 0, wallets: new Set() }
        traded.set(pool, one)
        one.swaps += EVERY
        one.usd += usd * EVERY
        one.wallets.add(wallet)
        const moved = usd / (STIFFNESS[pool.kind] * pool.depthUsd)
        const buysFirst = route.tokens[hop] === tokenIn(directRoute(view, pool.token1))
        logPrices.set(pool, (logPrices.get(pool) ?? 0) + (buysFirst ? moved : -moved))
      })
    }
    if (number % (DAY / 24) < EVERY) seen(number, traded)
  }
}

test.each([base, arc])("no pool of $key looks washed at any hour of its first day", network => {
  let mostOfOne = 0
  let busiest = 0
  tradeDay(network, (at, pools) => {
    for (const { swaps, usd, wallets } of pools.values()) {
      expect(washRuleFor(swaps, usd, wallets.size, rulesOf({})), `after ${at} blocks`).toBeNull()
      if (swaps >= 500) mostOfOne = Math.max(mostOfOne, swaps / wallets.size)
      busiest = Math.max(busiest, swaps)
    }
  })
  // far from the hundred swaps of each wallet, with which a pool counts as washed
  expect(mostOfOne).toBeLessThan(65)
  expect(busiest).toBeGreaterThan(100_000)
})
