/** Wallets that are one operator: they first bought the same tokens at the same time. */
import { smartThresholds } from "../../../src/rules/trader-rules.ts"

export interface Ranked {
  readonly score: number
  /** by token: Unix seconds */
  readonly firstBuys: ReadonlyMap<number, number>
}

/** By token: which wallets bought it first when, in the order of time. */
const buysByToken = (wallets: ReadonlyArray<Ranked>) => {
  const buys = new Map<number, Array<{ readonly wallet: number; readonly ts: number }>>()
  wallets.forEach(({ firstBuys }, wallet) => {
    for (const [token, ts] of firstBuys) {
      const list = buys.get(token) ?? []
      list.push({ wallet, ts })
      buys.set(token, list)
    }
  })
  return [...buys.values()].map(list => list.sort((a, b) => a.ts - b.ts))
}

/** By pair of wallets: tokens that both bought first within some seconds. */
const sharedTokens = (wallets: ReadonlyArray<Ranked>): ReadonlyMap<number, number> => {
  const shared = new Map<number, number>()
  for (const list of buysByToken(wallets)) {
    list.forEach((one, at) => {
      for (let i = at + 1; i < list.length; i++) {
        const other = list[i] as (typeof list)[number]
        if (other.ts - one.ts > smartThresholds.siblingSeconds) break
        const [a, b] = [Math.min(one.wallet, other.wallet), Math.max(one.wallet, other.wallet)]
        const pair = a * wallets.length + b
        shared.set(pair, (shared.get(pair) ?? 0) + 1)
      }
    })
  }
  return shared
}

/**
 * Returns the best wallet of each operator, by place, with how many others it has. Wallets that are
 * linked through a third are one operator too. Of equal scores the first stays.
 */
export const bestOfOperators = (
  wallets: ReadonlyArray<Ranked>
): ReadonlyMap<number, { readonly siblings: number }> => {
  const parent = wallets.map((_, wallet) => wallet)
  const rootOf = (wallet: number): number => {
    let root = wallet
    while (parent[root] !== root) root = parent[root] as number
    return root
  }
  for (const [pair, tokens] of sharedTokens(wallets)) {
    if (tokens < smartThresholds.siblingTokens) continue
    const [a, b] = [Math.floor(pair / wallets.length), pair % wallets.length]
    parent[rootOf(a)] = rootOf(b)
  }
  const groups = new Map<number, Array<number>>()
  wallets.forEach((_, wallet) => {
    const root = rootOf(wallet)
    groups.set(root, [...(groups.get(root) ?? []), wallet])
  })
  const scoreAt = (wallet: number): number => (wallets[wallet] as Ranked).score
  return new Map(
    [...groups.values()].map(group => {
      const best = group.reduce((most, one) => (scoreAt(one) > scoreAt(most) ? one : most))
      return [best, { siblings: group.length - 1 }]
    })
  )
}
