/** The laws of projections over a log of Solana, which forks, skips slots and launches tokens. */
import { beforeAll, describe, expect, it } from "vitest"
import type { QueryRequest } from "../../engine/query.ts"
import { allProjections } from "../../projections/all.ts"
import { NEWEST } from "../../projections/tape/cursor.ts"
import { solana } from "../../src/domain/chains/solana.ts"
import type { Event } from "../../streams/event.ts"
import { MIGRATED_TO } from "../../streams/pool-parameters.ts"
import { WSOL } from "../../streams/sources/solana-devchain/addresses.ts"
import { foldedEveryWay } from "../support/folded-every-way.ts"
import { isLong } from "../support/rounds.ts"
import { seed } from "../support/seed.ts"
import { type SolanaMarket, type SolanaMarketPlan, solanaMarket } from "../support/solana-market.ts"

/** What the short run holds is counted below, so its seed is always this one. */
const plan: SolanaMarketPlan = isLong
  ? { seed: `${seed}/projections`, slots: [60, 20, 40], segments: [20, 10, 10] }
  : { seed: "solana", slots: [40, 12, 30], segments: [3, 1, 2] }

/** What is asked of some projections besides their tables: what they keep in memory alone. */
const ASKED: { readonly [projection: string]: ReadonlyArray<QueryRequest> } = {
  tape: [{ name: "chainTrades", params: { token: WSOL, limit: 500, ...NEWEST } }],
  liquidity: [
    {
      name: "liquidityEvents",
      params: { limit: 500, pool: null, wallet: null, token: null, ...NEWEST }
    },
    { name: "liquidityWallets", params: { limit: 100, offset: 0 } }
  ]
}

let market: SolanaMarket
beforeAll(async () => {
  market = await solanaMarket(plan)
})

describe("a projection's tables do not depend on how its log of Solana came", () => {
  it.skipIf(isLong)("which holds what is told of Solana", () => {
    const { blocks, left, from } = market
    const parts = [blocks.slice(0, from), left, blocks.slice(from)].map(part => part.flat())
    const counts = (isOne: (event: Event) => boolean) =>
      parts.map(events => events.filter(isOne).length)
    // of 41, 12 and 30 slots
    expect(counts(({ kind }) => kind === "BlockSealed")).toEqual([41, 11, 27])
    expect(counts(({ kind }) => kind === "SwapExecuted")).toEqual([37, 23, 28])
    expect(counts(({ kind }) => kind === "LiquidityChanged")).toEqual([8, 2, 0])
    expect(counts(one => one.kind === "PoolCreated" && one.source === "log")).toEqual([1, 2, 1])
    const isEnd = (name: string) => name === "graduated" || name === MIGRATED_TO
    expect(counts(one => one.kind === "PoolParameterSet" && isEnd(one.name))).toEqual([0, 2, 0])
    expect(counts(one => one.kind === "TokenSeen" && one.name !== null)).toEqual([9, 0, 1])
  })

  // what the log says of itself counts rollbacks: it is another log
  const others = allProjections.filter(
    ({ name, tables }) => name !== "coverage" && tables.length > 0
  )
  it.each(others.map(projection => ({ name: projection.name, projection })))(
    "$name",
    async ({ name, projection }) => {
      const { blocks, ...branch } = market
      await foldedEveryWay(projection, blocks, ASKED[name] ?? [], { chain: solana, branch })
    }
  )
})
